/* SPDX-License-Identifier: MIT */
/* Hosts of other versions: structures that are shorter and longer than this library's own. Version
 * 1's sizes are numbers here, as they are in a host built with it. */
#include "golden.h"
#include "support/suite.h"
#include "use.h"

#include <string.h>

enum {
#define ROW(type, bytes) type##_1 = (bytes),
    GOLDEN_SIZES(ROW)
#undef ROW
        LATER = 8, /* bytes that a later header might append */
    ROOM = 4096
};

static struct use use;
static clslice_error error;

static void setup(void)
{
    error = (clslice_error){.size = sizeof error};
    ck_assert_msg(use_create(&use, clslice_get_api(CLSLICE_ABI_VERSION), NULL, 0), "%s",
                  use.error.text);
}

static void teardown(void)
{
    use_release(&use);
}

/* A structure with its first bytes as given and a size of its own. */
union grown {
    uint32_t size;
    uint64_t aligned;
    unsigned char bytes[ROOM];
};

static union grown grown_from(const void *structure, size_t bytes, uint32_t size)
{
    union grown grown;
    memset(&grown, 0, sizeof grown);
    memcpy(&grown, structure, bytes);
    grown.size = size;
    return grown;
}

/* ---- What the library reads ---- */

static int32_t read_device_options(const void *options)
{
    clslice_device *device = NULL;
    int32_t status = use.api->device_create(options, &device, &error);
    use.api->device_release(device);
    return status;
}

static int32_t read_compile_options(const void *options)
{
    clslice_plan_info info = {.size = sizeof info};
    return use.api->operator_get_plan(use.op, options, &info, &error);
}

static int32_t read_dispatch_desc(const void *desc)
{
    struct _cl_event *event = NULL;
    int32_t status = use.api->dispatch(use.compiled, desc, &event, &error);
    if (status == CLSLICE_S_OK)
        status = use.api->event_wait(use.device, event, &error);
    use.api->event_release(use.device, event);
    return status;
}

/* One slice, as a batch of one. */
static int32_t read_batch(const void *batch)
{
    const clslice_binding in = {.kind = CLSLICE_BINDING_HOST, .handle = use.in, .size = USE_IN};
    const clslice_binding out = {.kind = CLSLICE_BINDING_HOST, .handle = use.out, .size = USE_OUT};
    const clslice_dispatch_desc desc = {.size = sizeof desc,
                                        .inputs = &in,
                                        .outputs = &out,
                                        .input_count = 1,
                                        .output_count = 1,
                                        .batch = batch};
    const clslice_compile_options options = {.size = sizeof options,
                                             .flags = CLSLICE_COMPILE_FLAG_BATCH};
    clslice_compiled_operator *single = use.compiled;
    int32_t status = use.api->operator_compile(use.op, &options, &use.compiled, &error);
    if (status == CLSLICE_S_OK)
        status = read_dispatch_desc(&desc);
    use.api->compiled_operator_release(use.compiled);
    use.compiled = single;
    return status;
}

static void check_read(int32_t (*read)(const void *), const void *structure, uint32_t version_1)
{
    union grown grown = grown_from(structure, version_1, version_1);
    ck_assert_msg(read(&grown) == CLSLICE_S_OK, "%s", error.text);

    grown.size = version_1 - 1;
    ck_assert_int_eq(read(&grown), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_STRUCT_SIZE);
    grown.size = 0;
    ck_assert_int_eq(read(&grown), CLSLICE_E_INVALIDARG);

    grown.size = ROOM;
    ck_assert_msg(read(&grown) == CLSLICE_S_OK, "%s", error.text);
    grown.bytes[ROOM - 1] = 1;
    ck_assert_int_eq(read(&grown), CLSLICE_E_NOTIMPL);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_STRUCT_UNKNOWN);
    grown.size = ROOM - 1; /* behind the end, nothing is read */
    ck_assert_msg(read(&grown) == CLSLICE_S_OK, "%s", error.text);
}

START_TEST(structs_of_version_1_are_read)
{
    const clslice_device_options device = {.flags = CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT};
    const clslice_compile_options compile = {.execution_flags = 1};
    const clslice_binding in = {.kind = CLSLICE_BINDING_HOST, .handle = use.in, .size = USE_IN};
    const clslice_binding out = {.kind = CLSLICE_BINDING_HOST, .handle = use.out, .size = USE_OUT};
    const clslice_dispatch_desc dispatch = {
        .inputs = &in, .outputs = &out, .input_count = 1, .output_count = 1};
    const clslice_batch batch = {.count = 1};
    check_read(read_device_options, &device, clslice_device_options_1);
    check_read(read_compile_options, &compile, clslice_compile_options_1);
    check_read(read_dispatch_desc, &dispatch, clslice_dispatch_desc_1);
    check_read(read_batch, &batch, clslice_batch_1);
}
END_TEST

/* ---- What the library writes ---- */

static int32_t write_device_info(void *info)
{
    return use.api->device_get_info(use.device, info, &error);
}

static int32_t write_enumerated(void *info)
{
    return use.api->device_enumerate(NULL, 0, info, &error);
}

static int32_t write_opencl_objects(void *objects)
{
    return use.api->device_get_opencl(use.device, objects, &error);
}

static int32_t write_alias(void *alias)
{
    return use.api->operator_get_alias(use.op, alias, &error);
}

static int32_t write_plan_info(void *info)
{
    return use.api->operator_get_plan(use.op, NULL, info, &error);
}

static int32_t write_compiled_operator_info(void *info)
{
    return use.api->compiled_operator_get_info(use.compiled, info, &error);
}

/* Writes with `size` bytes; what is behind them, and behind what the library has, stays. */
static uint32_t check_write(int32_t (*write)(void *), uint32_t size)
{
    union grown grown;
    memset(&grown, 0xA5, sizeof grown);
    grown.size = size;
    ck_assert_msg(write(&grown) == CLSLICE_S_OK, "%s", error.text);
    uint32_t written = grown.size;
    ck_assert_uint_le(written, size);
    for (uint32_t i = written; i < ROOM; ++i)
        ck_assert_msg(grown.bytes[i] == 0xA5, "byte %u was written, size was %u", i, size);
    return written;
}

START_TEST(structs_of_version_1_are_written)
{
    const struct {
        int32_t (*write)(void *);
        uint32_t version_1;
    } all[] = {{write_device_info, clslice_device_info_1},
               {write_enumerated, clslice_device_info_1},
               {write_opencl_objects, clslice_opencl_objects_1},
               {write_alias, clslice_alias_1},
               {write_plan_info, clslice_plan_info_1},
               {write_compiled_operator_info, clslice_compiled_operator_info_1}};
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        ck_assert_uint_eq(check_write(all[i].write, all[i].version_1), all[i].version_1);
        ck_assert_uint_eq(check_write(all[i].write, 16), 16);
        ck_assert_uint_ge(check_write(all[i].write, ROOM), all[i].version_1);
        uint32_t none = 0;
        ck_assert_int_eq(all[i].write(&none), CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_STRUCT_SIZE);
    }
}
END_TEST

/* ---- Errors ---- */

/* A text that is too long for the smallest struct, and what hosts of several sizes get of it. */
START_TEST(errors_of_version_1_are_written)
{
    enum { TEXT_AT = 60, LEAST = TEXT_AT + 256 };
    const uint32_t sizes[] = {LEAST, LEAST + 1, clslice_error_1, ROOM};
    char selector[256];
    memset(selector, 'x', sizeof selector - 1);
    selector[sizeof selector - 1] = '\0';
    const clslice_device_options options = {.size = sizeof options, .selector = selector};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        union grown grown;
        clslice_device *device = NULL;
        uint32_t length;
        memset(&grown, 0xA5, sizeof grown);
        grown.size = sizes[i];
        int32_t status = use.api->device_create(&options, &device, (clslice_error *)&grown);
        const char *text = (const char *)grown.bytes + TEXT_AT;
        memcpy(&length, grown.bytes + 56, sizeof length);
        ck_assert_int_eq(status, CLSLICE_DXGI_ERROR_UNSUPPORTED);
        ck_assert_uint_eq(grown.size, sizes[i]);
        ck_assert_uint_gt(length, LEAST - TEXT_AT);
        uint32_t room = sizes[i] - TEXT_AT - 1;
        ck_assert_uint_eq(strlen(text), length < room ? length : room);
        for (uint32_t b = sizes[i]; b < ROOM; ++b)
            ck_assert_uint_eq(grown.bytes[b], 0xA5);
    }
    union grown small = grown_from(&error, sizeof error, LEAST - 1);
    clslice_device *device = NULL;
    ck_assert_int_eq(use.api->device_create(NULL, &device, (clslice_error *)&small),
                     CLSLICE_E_INVALIDARG);
    ck_assert_ptr_null(device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("growth");
    TCase *tcase = suite_case(suite, "growth");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, structs_of_version_1_are_read);
    tcase_add_test(tcase, structs_of_version_1_are_written);
    tcase_add_test(tcase, errors_of_version_1_are_written);
    return suite_run(suite);
}
