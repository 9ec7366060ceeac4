/* SPDX-License-Identifier: MIT */
/* P1 of tests/cache/README.md through the public ABI: what must be the same for a binary to be used
 * again. */
#include "support/program_rig.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXTENSIONS "cl_khr_fp64 cl_khr_device_uuid"

static const struct change {
    const char *name;
    const char **text; /* in the fake machine, */
    const char *value;
    void *byte;           /* a number there, */
    const char *variable; /* or the environment */
} changes[] = {
    {"platform name", &fake.platform[0].name, "Fake Platform ", NULL, NULL},
    {"platform vendor", &fake.platform[0].vendor, "Other Ltd", NULL, NULL},
    {"platform version", &fake.platform[0].version, "OpenCL 1.2 fake 8", NULL, NULL},
    {"device name", &fake.device[0].name, "Fake CPV", NULL, NULL},
    {"device vendor", &fake.device[0].vendor, "Fakes", NULL, NULL},
    {"device version", &fake.device[0].version, "OpenCL 1.2 faker", NULL, NULL},
    {"driver version", &fake.device[0].driver, "7.0.1", NULL, NULL},
    {"driver version, emptied", &fake.device[0].driver, "", NULL, NULL},
    {"uuid not listed", &fake.device[0].extensions, "cl_khr_fp64", NULL, NULL},
    {"vendor id", NULL, NULL, &fake.device[0].vendor_id, NULL},
    {"address bits", NULL, NULL, &fake.device[0].address_bits, NULL},
    {"uuid", NULL, NULL, &fake.device[0].uuid[15], NULL},
    {"driver uuid", NULL, NULL, &fake.device[0].driver_uuid[0], NULL},
    {"options", NULL, "-DMORE", NULL, "CLSLICE_BUILD_OPTIONS"},
    {"environment", NULL, "1", NULL, "AMD_OCL_BUILD_OPTIONS"},
    {"environment", NULL, "1", NULL, "AMD_OCL_BUILD_OPTIONS_APPEND"},
    {"environment", NULL, "1", NULL, "CL_CONFIG_CPU_TARGET_ARCH"},
    {"environment", NULL, "1", NULL, "CL_CONFIG_OF_NEXT_YEAR"},
    {"environment", NULL, "1", NULL, "POCL_BINARY_SPECIALIZE_WG"},
    {"environment", NULL, "1", NULL, "POCL_BITCODE_FINALIZER"},
    {"environment", NULL, "1", NULL, "POCL_CPU_LOCAL_MEM_SIZE"},
    {"environment", NULL, "1", NULL, "POCL_EXTRA_BUILD_FLAGS"},
    {"environment", NULL, "1", NULL, "POCL_FORCE_PARALLEL_OUTER_LOOP"},
    {"environment", NULL, "1", NULL, "POCL_FULL_REPLICATION_THRESHOLD"},
    {"environment", NULL, "1", NULL, "POCL_KERNELLIB_NAME"},
    {"environment", NULL, "1", NULL, "POCL_LLVM_CPU_NAME"},
    {"environment", NULL, "1", NULL, "POCL_MAX_WORK_GROUP_SIZE"},
    {"environment", NULL, "1", NULL, "POCL_WILOOPS_MAX_UNROLL_COUNT"},
    {"environment", NULL, "1", NULL, "POCL_WORK_GROUP_METHOD"},
    {"environment", NULL, "1", NULL, "POCL_WORK_GROUP_SPECIALIZATION"},
    {"environment, empty", NULL, "", NULL, "POCL_EXTRA_BUILD_FLAGS"},
};

static void apply(const struct change *change)
{
    if (change->text)
        *change->text = change->value;
    if (change->byte)
        *(unsigned char *)change->byte ^= 4;
    if (change->variable)
        setenv(change->variable, change->value, 1);
}

static void take_back(const struct change *change)
{
    if (change->variable)
        unsetenv(change->variable);
}

START_TEST(p1_each_part_of_the_identity_has_its_own_entry)
{
    const struct change *change = &changes[_i];
    clslice_device_options options = rig_begin();
    options.flags = 0;
    fake.device[0].extensions = EXTENSIONS;
    const struct fake_machine before = fake;
    rig_expect(&options, COUNTED(.misses = 1, .saved = 1));
    apply(change);
    struct told told = rig_use(&options);
    ck_assert_msg(told.counters.hits == 0, "%s: a hit", change->name);
    ck_assert_msg(rig_entries(&options) == 2, "%s: no entry of its own", change->name);
    rig_expect(&options, COUNTED(.hits = 1));
    take_back(change);
    fake = before;
    rig_expect(&options, COUNTED(.hits = 1));
    ck_assert_uint_eq(rig_entries(&options), 2);
}
END_TEST

/* Values that differ behind any length at which they might be cut: a hit would be another's
 * program. */
START_TEST(p1_long_values_are_not_cut)
{
    static char values[2][5001];
    static const int lengths[] = {100, 130, 300, 1100, 5000};
    const struct change *change = &changes[_i];
    for (size_t n = 0; n < COUNT_OF(lengths); ++n) {
        for (int i = 0; i < 2; ++i) {
            memset(values[i], 'v', sizeof values[i]);
            memcpy(values[i], "OpenCL 1.2 ", 11);
            values[i][lengths[n] - 1] = i ? 'a' : 'b';
            values[i][lengths[n]] = '\0';
        }
        clslice_device_options options = rig_begin();
        options.flags = 0;
        for (int i = 0; i < 2; ++i) {
            struct change longer = *change;
            longer.value = values[i];
            apply(&longer);
            struct told told = rig_use(&options);
            ck_assert_msg(told.counters.hits == 0, "%s %s: the end of %d characters is lost",
                          change->name, change->variable ? change->variable : "", lengths[n]);
        }
        take_back(change);
    }
}
END_TEST

/* Extensions are no part of the key, but say which parts it has. */
START_TEST(p1_a_long_list_of_extensions_is_not_cut)
{
    static const int lengths[] = {100, 130, 300, 1100, 5000};
    char extensions[5100];
    snprintf(extensions, sizeof extensions, "%*s %s", lengths[_i], "cl_khr_fp64", EXTENSIONS);
    clslice_device_options options = rig_begin();
    fake.device[0].extensions = extensions;
    rig_use(&options);
    fake.device[0].uuid[0] ^= 1;
    struct told told = rig_use(&options);
    ck_assert_uint_eq(told.counters.hits, 0);
    ck_assert_uint_eq(rig_entries(&options), 2);
}
END_TEST

START_TEST(p1_no_environment_means_none)
{
    clslice_device_options options = rig_begin();
    rig_use(&options);
    setenv("POCL_EXTRA_BUILD_FLAGS", "-DOTHER", 1);
    setenv("CLSLICE_BUILD_OPTIONS", "-DOTHER", 1);
    rig_expect(&options, COUNTED(.hits = 1));
}
END_TEST

/* Nor has any variable but those that change code. */
START_TEST(p1_the_order_of_the_environment_does_not_count)
{
    static const char *const names[] = {"POCL_EXTRA_BUILD_FLAGS", "CL_CONFIG_B", "CL_CONFIG_A"};
    static const char *const others[] = {"POCL_CACHE_DIR", "CL_CONFI", "XCL_CONFIG_A",
                                         "POCL_LLVM_CPU_NAMES", "POCL_LLVM_CPU_NAM"};
    clslice_device_options options = rig_begin();
    options.flags = 0;
    for (unsigned turn = 0; turn < 2; ++turn) {
        for (int i = 0; i < 3; ++i)
            ck_assert_int_eq(setenv(names[turn ? 2 - i : i], "1", 1), 0);
        struct told told = rig_use(&options);
        ck_assert_uint_eq(told.counters.hits, turn);
        for (int i = 0; i < 3; ++i)
            ck_assert_int_eq(unsetenv(names[i]), 0);
        for (size_t i = 0; i < COUNT_OF(others); ++i)
            ck_assert_int_eq(setenv(others[i], "1", 1), 0);
    }
    ck_assert_uint_eq(rig_entries(&options), 1);
}
END_TEST

/* Brands do not tell what a hypervisor leaves of a processor. */
START_TEST(p1_the_processor_is_in_the_key_of_its_own_code)
{
    static const char word[] = "processor ";
    clslice_device_options options = rig_begin();
    fake.device[0].type = _i ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
    rig_use(&options);
    size_t size;
    const char *file = rig_read_entry(&options, &size);
    const char *found = memmem(file, size, word, strlen(word));
    ck_assert_int_eq(found != NULL, !_i);
    if (found)
        ck_assert_uint_eq(strspn(found + strlen(word), "0123456789abcdef"), 32);
}
END_TEST

START_TEST(p1_the_option_beats_the_environment)
{
    clslice_device_options options = rig_begin();
    options.flags = 0;
    options.build_options = "-DOPTION";
    rig_use(&options);
    setenv("CLSLICE_BUILD_OPTIONS", "-DOTHER", 1);
    rig_expect(&options, COUNTED(.hits = 1));
}
END_TEST

/* The key stands in the entry, so it must hold every text that was compiled, to its last byte. */
START_TEST(p1_the_whole_source_is_in_the_key)
{
    clslice_device_options options = rig_begin();
    struct told told = rig_use(&options);
    size_t size, length;
    const char *file = rig_read_entry(&options, &size), *text;
    /* walk, line, origins and strided_cpu with offsets, square and strip; or rows_cpu with gather
     * and strip, on Intel's processors */
    uint32_t wanted = strcmp(told.info.variant, "rows_cpu") == 0 ? 6 : 7;
    uint32_t count = 0;
    for (; (text = fake_source(count, &length)); ++count) {
        ck_assert_uint_gt(length, 100);
        ck_assert_msg(memmem(file, size, text, length), "text %u is missing", count);
    }
    ck_assert_uint_eq(count, wanted);
}
END_TEST

START_TEST(p1_uuids_are_asked_only_where_listed)
{
    struct fake_call call;
    clslice_device_options options = rig_begin();
    rig_use(&options);
    for (size_t i = 0; fake_call_at(i, &call); ++i)
        ck_assert(call.what != CL_DEVICE_UUID_KHR && call.what != CL_DRIVER_UUID_KHR);
}
END_TEST

/* A question that the driver does not answer leaves a hole; two drivers may have the same one. */
START_TEST(p1_no_key_from_half_an_identity)
{
    static const enum fake_function functions[] = {FAKE_clGetDeviceInfo, FAKE_clGetPlatformInfo};
    clslice_device_options options = rig_begin();
    char whole[4400];
    fake.device[0].extensions = EXTENSIONS;
    rig_use(&options);
    strcpy(whole, rig_first_entry(&options));
    for (int f = 0; f < 2; ++f)
        for (unsigned nth = 1; nth < 60; ++nth) {
            struct world world;
            static const struct step create = {"create", ACT_CREATE, SHAPE_STRIDED, MEMORY_CL, 0};
            ck_assert_int_eq(clslice_cache_clear(&options, NULL, NULL), CLSLICE_S_OK);
            world_open_on(&world, &create, &options);
            fake_fail(functions[f], nth, CL_OUT_OF_RESOURCES);
            int32_t status = world_act(&world, NULL);
            fake_fault_over();
            if (status == CLSLICE_S_OK)
                world_save_program(&world);
            world_close(&world);
            ck_assert_msg(rig_entries(&options) == 0 ||
                              strcmp(rig_first_entry(&options), whole) == 0,
                          "%s %u: the key has a hole", fake_function_name(functions[f]), nth);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_key");
    TCase *tcase = suite_case(suite, "properties");
    const int change_count = COUNT_OF(changes);
    tcase_add_loop_test(tcase, p1_each_part_of_the_identity_has_its_own_entry, 0, change_count);
    for (int i = 0; i < change_count; ++i)
        if (changes[i].text != &fake.device[0].extensions && !changes[i].byte)
            tcase_add_loop_test(tcase, p1_long_values_are_not_cut, i, i + 1);
    tcase_add_loop_test(tcase, p1_a_long_list_of_extensions_is_not_cut, 0, 5);
    tcase_add_test(tcase, p1_no_environment_means_none);
    tcase_add_test(tcase, p1_the_order_of_the_environment_does_not_count);
    tcase_add_loop_test(tcase, p1_the_processor_is_in_the_key_of_its_own_code, 0, 2);
    tcase_add_test(tcase, p1_the_option_beats_the_environment);
    tcase_add_test(tcase, p1_the_whole_source_is_in_the_key);
    tcase_add_test(tcase, p1_uuids_are_asked_only_where_listed);
    tcase_add_test(tcase, p1_no_key_from_half_an_identity);
    return suite_run(suite);
}
