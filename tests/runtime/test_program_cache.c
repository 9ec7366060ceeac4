/* SPDX-License-Identifier: MIT */
/* Programs and their binaries on disk, through the public ABI on the fake machine. Names begin
 * with the property of tests/cache/README.md that they prove. */
#include "support/program_rig.h"
#include "support/suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- P4, P7, P14: what drivers refuse ---- */

START_TEST(p4_a_refused_binary_is_built_from_source)
{
    struct stat before, after;
    clslice_device_options options = rig_begin();
    rig_use(&options);
    ck_assert_int_eq(stat(rig_first_entry(&options), &before), 0);
    size_t builds = fake_builds(), loads = fake_count(FAKE_clCreateProgramWithBinary);
    fake.binaries = (enum fake_binaries)_i;
    struct told told = rig_expect(&options, COUNTED(.refused = 1, .saved = 1));
    ck_assert_uint_eq(fake_builds() - builds, 1);
    ck_assert_uint_eq(fake_count(FAKE_clCreateProgramWithBinary) - loads, 1);
    ck_assert_uint_eq(told.info.program_outcome, CLSLICE_PROGRAM_BUILT);
    ck_assert_str_ne(told.info.cache_reason, "");
    ck_assert_int_eq(stat(rig_first_entry(&options), &after), 0);
    ck_assert_uint_eq(rig_entries(&options), 1);
    ck_assert(before.st_ino != after.st_ino || before.st_mtim.tv_nsec != after.st_mtim.tv_nsec);
    fake.binaries = FAKE_TAKES_BINARY;
    told = rig_expect(&options, COUNTED(.hits = 1));
    ck_assert_uint_eq(told.info.program_outcome, CLSLICE_PROGRAM_FROM_CACHE);
    ck_assert_str_eq(told.info.cache_reason, "");
}
END_TEST

/* Nobody fills it again, so that a refused entry stays for the driver that takes it. */
START_TEST(p4_a_read_only_cache_keeps_what_is_refused)
{
    clslice_device_options options = rig_begin();
    rig_use(&options);
    options.cache_mode = CLSLICE_CACHE_READ_ONLY;
    fake.binaries = FAKE_REFUSES_BINARY;
    rig_expect(&options, COUNTED(.refused = 1));
    ck_assert_uint_eq(rig_entries(&options), 1);
    fake.binaries = FAKE_TAKES_BINARY;
    rig_expect(&options, COUNTED(.hits = 1));
}
END_TEST

static int32_t compile_only(const clslice_device_options *options, char log[256],
                            clslice_error *error)
{
    static const struct step compile = {"compile", ACT_COMPILE, SHAPE_STRIDED, MEMORY_CL, 0};
    struct world world;
    world_open_on(&world, &compile, options);
    int32_t status = world_act(&world, error);
    ck_assert_int_eq(clslice_device_get_build_log(world.device, log, 256, NULL, NULL),
                     CLSLICE_S_OK);
    world_close(&world);
    return status;
}

START_TEST(p7_a_failed_build_is_tried_once_more)
{
    clslice_device_options options = rig_begin();
    size_t made = fake_count(FAKE_clCreateProgramWithSource), builds = fake_builds();
    fake.build_failures = 1;
    rig_expect(&options, COUNTED(.misses = 1, .saved = 1));
    ck_assert_uint_eq(fake_builds() - builds, 2);
    ck_assert_uint_eq(fake_count(FAKE_clCreateProgramWithSource) - made, 2);
}
END_TEST

START_TEST(p7_only_a_build_failure_is_retried)
{
    char log[256];
    clslice_error error = {.size = sizeof error};
    clslice_device_options options = rig_begin();
    size_t builds = fake_builds();
    fake.build_failures = 1;
    fake.build_code = CL_INVALID_BUILD_OPTIONS;
    ck_assert_int_eq(compile_only(&options, log, &error), CLSLICE_E_FAIL);
    ck_assert_uint_eq(fake_builds() - builds, 1);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_BUILD);
    ck_assert_int_eq(error.opencl, CL_INVALID_BUILD_OPTIONS);
}
END_TEST

START_TEST(p14_failures_are_never_cached)
{
    char log[256];
    clslice_error error = {.size = sizeof error};
    clslice_device_options options = rig_begin();
    size_t builds = fake_builds();
    for (int i = 0; i < 2; ++i) {
        fake.build_failures = 2;
        ck_assert_int_eq(compile_only(&options, log, &error), CLSLICE_E_FAIL);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_BUILD);
        ck_assert_int_eq(error.opencl, CL_BUILD_PROGRAM_FAILURE);
        ck_assert_ptr_nonnull(strstr(error.text, "fake.cl:1: it does not please"));
        ck_assert_ptr_null(strchr(error.text, '\n'));
        ck_assert_str_eq(log, fake.build_log);
        ck_assert_uint_eq(rig_entries(&options), 0);
    }
    ck_assert_uint_eq(fake_builds() - builds, 4);
    ck_assert_int_eq(compile_only(&options, log, &error), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_entries(&options), 1);
}
END_TEST

/* ---- Binaries that the driver does not give ---- */

START_TEST(p13_no_binary_is_no_failure)
{
    clslice_device_options options = rig_begin();
    fake.answer = _i ? FAKE_GIVES_HUGE_BINARY : FAKE_GIVES_EMPTY_BINARY;
    rig_expect(&options, COUNTED(.misses = 1, .unsaved = 1));
    ck_assert_uint_eq(rig_entries(&options), 0);
}
END_TEST

/* oclgrind's size grows from query to query. */
START_TEST(p16_size_and_bytes_are_of_one_query)
{
    clslice_device_options options = rig_begin();
    fake.answer = FAKE_GIVES_OTHER_SIZE;
    rig_expect(&options, COUNTED(.misses = 1, .saved = 1));
    rig_expect(&options, COUNTED(.hits = 1));
}
END_TEST

/* ---- P15: what the cache says ---- */

/* Moves stderr to a file and back. */
static int capture(int kept)
{
    int before = -1;
    fflush(stderr);
    if (kept < 0) {
        int file = open("stderr.txt", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        before = dup(STDERR_FILENO);
        dup2(file, STDERR_FILENO);
        close(file);
    } else {
        dup2(kept, STDERR_FILENO);
        close(kept);
    }
    return before;
}

/* Compares with the lines, in which "HEX" stands for a key's name and "FOLDER" for the cache's. */
static void check_captured(const char *const *lines)
{
    char line[5000], plain[5000];
    FILE *file = fopen("stderr.txt", "r");
    for (; fgets(line, sizeof line, file); ++lines) {
        char *to = plain;
        for (const char *at = line; *at;) {
            size_t hex = strspn(at, "0123456789abcdef"), here = strlen(rig_folder());
            bool is_folder = strncmp(at, rig_folder(), here) == 0;
            if (hex != 32 && !is_folder) {
                *to++ = *at++;
                continue;
            }
            at += is_folder ? here : hex;
            to = stpcpy(to, is_folder ? "FOLDER" : "HEX");
        }
        *to = '\0';
        plain[strcspn(plain, "\n")] = '\0';
        ck_assert_msg(*lines, "one line too many: %s", plain);
        ck_assert_str_eq(plain, *lines);
    }
    ck_assert_msg(!*lines, "a line is missing: %s", *lines);
    fclose(file);
}

/* What goes on with the cache between one use and the next. */
static void damage(const char *path)
{
    int file = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(file, "x", 1), 1);
    close(file);
}

START_TEST(p15_the_trace_is_golden)
{
    static const char *const lines[] = {
        "clslice: cache: FOLDER",
        "clslice: cache: MISS HEX (no entry)",
        "clslice: cache: SAVE HEX, 1500 bytes",
        "clslice: cache: FOLDER",
        "clslice: cache: HIT HEX",
        "clslice: cache: FOLDER",
        "clslice: cache: CORRUPT HEX (its lengths do not add up to its size)",
        "clslice: cache: SAVE HEX, 1500 bytes",
        "clslice: cache: FOLDER",
        "clslice: cache: REFUSED HEX (the driver rejects it)",
        "clslice: cache: no SAVE HEX (the driver returns no binary)",
        "clslice: cache: FOLDER",
        "clslice: cache: MISS HEX (no entry)",
        "clslice: cache: SAVE HEX, 1500 bytes",
        "clslice: cache: FOLDER",
        "clslice: warning: cache: UNTRUSTED HEX (the entry is not a regular file that only this "
        "user can write to)",
        "clslice: cache: SAVE HEX, 1500 bytes",
        "clslice: cache: FOLDER",
        "clslice: cache: MISS HEX (refreshing)",
        "clslice: cache: SAVE HEX, 1500 bytes",
        "clslice: cache: off",
        NULL};
    clslice_device_options options = rig_begin();
    options.flags = 0;
    rig_use(&options); /* so that there is a folder */
    ck_assert_int_eq(clslice_cache_clear(&options, NULL, NULL), CLSLICE_S_OK);
    setenv("CLSLICE_VERBOSE", "cache", 1);
    int kept = capture(-1);
    rig_use(&options);
    rig_use(&options);
    damage(rig_first_entry(&options));
    rig_use(&options);
    fake.binaries = FAKE_REFUSES_BINARY;
    fake.answer = FAKE_GIVES_EMPTY_BINARY;
    rig_use(&options);
    fake.binaries = FAKE_TAKES_BINARY;
    fake.answer = FAKE_GIVES_BINARY;
    rig_use(&options);
    chmod(rig_first_entry(&options), 0666);
    rig_use(&options);
    options.cache_mode = CLSLICE_CACHE_REFRESH;
    rig_use(&options);
    options.cache_mode = CLSLICE_CACHE_OFF;
    rig_use(&options);
    capture(kept);
    check_captured(lines);
}
END_TEST

START_TEST(p15_silent_unless_asked)
{
    static const char *const nothing[] = {NULL};
    clslice_device_options options = rig_begin();
    setenv("CLSLICE_VERBOSE", "device", 1);
    int kept = capture(-1);
    rig_use(&options);
    damage(rig_first_entry(&options));
    rig_use(&options);
    fake.binaries = FAKE_REFUSES_BINARY;
    rig_use(&options);
    capture(kept);
    check_captured(nothing);
}
END_TEST

START_TEST(p15_each_outcome_has_its_counter)
{
    char other[4400];
    clslice_device_options options = rig_begin();
    rig_use(&options);
    damage(rig_first_entry(&options));
    struct told told = rig_expect(&options, COUNTED(.corrupt = 1, .saved = 1));
    ck_assert_str_ne(told.info.cache_reason, "");
    chmod(rig_first_entry(&options), 0666);
    rig_expect(&options, COUNTED(.untrusted = 1, .saved = 1));
    strcpy(other, rig_first_entry(&options));
    ck_assert_int_eq(rename(other, "other"), 0);
    options.build_options = "-DOTHER";
    rig_use(&options);
    ck_assert_int_eq(rename("other", rig_first_entry(&options)),
                     0); /* P2: a whole entry of another key */
    told = rig_expect(&options, COUNTED(.stale = 1, .saved = 1));
    ck_assert_uint_eq(told.info.program_outcome, CLSLICE_PROGRAM_BUILT);
    rig_expect(&options, COUNTED(.hits = 1));
}
END_TEST

START_TEST(p15_a_cache_that_is_off_counts_nothing)
{
    clslice_device_options options = rig_begin();
    options.cache_mode = CLSLICE_CACHE_OFF;
    struct told told = rig_expect(&options, &(const clslice_cache_counters){.is_on = 0});
    ck_assert_uint_eq(fake_count(FAKE_clGetProgramInfo), 0);
    ck_assert_str_eq(told.info.cache_reason, "the cache is off");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_cache");
    TCase *tcase = suite_case(suite, "properties");
    tcase_add_loop_test(tcase, p4_a_refused_binary_is_built_from_source, FAKE_REFUSES_BINARY,
                        FAKE_BINARY_WITHOUT_KERNEL + 1);
    tcase_add_test(tcase, p4_a_read_only_cache_keeps_what_is_refused);
    tcase_add_test(tcase, p7_a_failed_build_is_tried_once_more);
    tcase_add_test(tcase, p7_only_a_build_failure_is_retried);
    tcase_add_test(tcase, p14_failures_are_never_cached);
    tcase_add_loop_test(tcase, p13_no_binary_is_no_failure, 0, 2);
    tcase_add_test(tcase, p16_size_and_bytes_are_of_one_query);
    tcase_add_test(tcase, p15_the_trace_is_golden);
    tcase_add_test(tcase, p15_silent_unless_asked);
    tcase_add_test(tcase, p15_each_outcome_has_its_counter);
    tcase_add_test(tcase, p15_a_cache_that_is_off_counts_nothing);
    return suite_run(suite);
}
