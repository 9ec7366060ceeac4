/* SPDX-License-Identifier: MIT */
/* What options may say: devices by OpenCL's handle, and what only a later version knows. */
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <string.h>

static void refused(int32_t found, int32_t status, const char *word, const clslice_error *error)
{
    ck_assert_msg(found == status, "%s: 0x%08x", word, (unsigned)found);
    ck_assert_int_eq(error->status, status);
    ck_assert_uint_ne(error->rule, CLSLICE_RULE_NONE);
    ck_assert_uint_eq(error->item, CLSLICE_NO_ITEM);
    ck_assert_msg(strstr(error->text, word) != NULL, "no %s in: %s", word, error->text);
}

static void refused_device(const clslice_device_options *options, int32_t status, const char *word)
{
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    clslice_device_info info = {.size = sizeof info};
    refused(clslice_device_create(options, &device, &error), status, word, &error);
    refused(clslice_device_enumerate(options, 0, &info, &error), status, word, &error);
    ck_assert_ptr_null(device);
    ck_assert_uint_eq(fake_live(), 0);
}

/* ---- What this version does not know ---- */

START_TEST(unknown_options_of_a_device_are_told_apart)
{
    clslice_device_options o = fake_options(NULL);
    fake_begin();
    o.flags |= 0x4;
    refused_device(&o, CLSLICE_E_NOTIMPL, "flags");
    o = fake_options(NULL);
    o.flags |= 0x80000000;
    refused_device(&o, CLSLICE_E_NOTIMPL, "flags");
    o = fake_options(NULL);
    o.reserved = 1;
    refused_device(&o, CLSLICE_E_NOTIMPL, "reserved");
    o = fake_options(NULL);
    o.cache_mode = CLSLICE_CACHE_REFRESH + 1;
    refused_device(&o, CLSLICE_E_NOTIMPL, "cache_mode");
}
END_TEST

START_TEST(unknown_options_of_a_compile_are_told_apart)
{
    static const struct step step = {"compile", ACT_COMPILE, SHAPE_ROWS, MEMORY_CL, 0};
    const struct {
        clslice_compile_options options;
        const char *word;
    } unknown[] = {
        {{.size = sizeof unknown[0].options, .flags = 0x4}, "flags"},
        {{.size = sizeof unknown[0].options, .reserved = 1}, "reserved"},
        {{.size = sizeof unknown[0].options, .execution_flags = 0x8}, "execution_flags"}};
    struct world world;
    world_open(&world, &step);
    for (size_t i = 0; i < COUNT_OF(unknown); ++i) {
        clslice_error error = {.size = sizeof error};
        clslice_compiled_operator *compiled = NULL;
        refused(clslice_operator_compile(world.op, &unknown[i].options, &compiled, &error),
                CLSLICE_E_NOTIMPL, unknown[i].word, &error);
        ck_assert_ptr_null(compiled);
    }
    world_close(&world);
}
END_TEST

/* ---- Devices by handle ---- */

static void begin_two(void)
{
    fake_begin();
    fake.device_count = 2;
    fake.device[1] = fake.device[0];
    fake.device[1].name = "Other Fake";
}

/* What a listing tells is what a device is made of, as are the host's own handles. */
START_TEST(a_handle_picks_its_device)
{
    begin_two();
    for (uint32_t i = 0; i < 2; ++i) {
        clslice_device_options options = fake_options(NULL);
        clslice_error error = {.size = sizeof error};
        clslice_device_info listed = {.size = sizeof listed}, info = {.size = sizeof info};
        clslice_opencl_objects objects = {.size = sizeof objects};
        clslice_device *device = NULL;
        ck_assert_int_eq(clslice_device_enumerate(&options, i, &listed, &error), CLSLICE_S_OK);
        ck_assert(listed.device_id == fake_device_id(0) || listed.device_id == fake_device_id(1));
        options.device_id = listed.device_id;
        ck_assert_msg(clslice_device_create(&options, &device, &error) == CLSLICE_S_OK, "%s",
                      error.text);
        ck_assert_int_eq(clslice_device_get_info(device, &info, &error), CLSLICE_S_OK);
        ck_assert_int_eq(clslice_device_get_opencl(device, &objects, &error), CLSLICE_S_OK);
        ck_assert_ptr_eq(info.device_id, listed.device_id);
        ck_assert_ptr_eq(objects.device_id, listed.device_id);
        ck_assert_str_eq(info.selector, listed.selector);
        ck_assert_str_eq(info.name, listed.name);
        clslice_device_release(device);
        ck_assert_uint_eq(fake_live(), 0);
    }
}
END_TEST

START_TEST(handles_of_no_use_are_refused)
{
    clslice_device_options o = fake_options(NULL);
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    cl_int code;
    begin_two();
    o.device_id = fake_device_id(0);
    o.selector = "auto";
    refused_device(&o, CLSLICE_E_INVALIDARG, "selector");

    o = fake_options(NULL);
    o.device_id = (cl_device_id)(void *)&o;
    refused(clslice_device_create(&o, &device, &error), CLSLICE_E_INVALIDARG, "device_id", &error);

    fake.device[1].version = "OpenCL 1.1 fake";
    o.device_id = fake_device_id(1);
    refused(clslice_device_create(&o, &device, &error), CLSLICE_DXGI_ERROR_UNSUPPORTED,
            "OpenCL 1.1", &error);

    cl_device_id id = fake_device_id(0);
    cl_context context = fake_clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    o = fake_options(NULL);
    o.device_id = id;
    o.queue = fake_clCreateCommandQueue(context, id, 0, &code);
    refused(clslice_device_create(&o, &device, &error), CLSLICE_E_INVALIDARG, "context", &error);
    fake_clReleaseCommandQueue(o.queue);
    fake_clReleaseContext(context);
    ck_assert_ptr_null(device);
    ck_assert_uint_eq(fake_live(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tcase = suite_case(suite, "options");
    tcase_add_test(tcase, unknown_options_of_a_device_are_told_apart);
    tcase_add_test(tcase, unknown_options_of_a_compile_are_told_apart);
    tcase_add_test(tcase, a_handle_picks_its_device);
    tcase_add_test(tcase, handles_of_no_use_are_refused);
    return suite_run(suite);
}
