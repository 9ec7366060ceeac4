/* SPDX-License-Identifier: MIT */
/* Every text that the library hands out is one line of UTF-8, whatever callers, the environment and
 * drivers hold, and says what helps. On the fake machine. */
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const nasty[] = {
    "a\nb",         /* ends the line */
    "a\r\nb\tc",    /* the same elsewhere, and a tab */
    "\x1B[31mred",  /* what terminals obey */
    "\x7F",         /* delete */
    "\xC2\x9B",     /* a control character beyond ASCII */
    "\xE2\x80\xA8", /* a line separator */
    "\xFF\xFE",     /* never UTF-8 */
    "k\xF6nnen",    /* Latin-1 */
    "\xC3",         /* half a character */
    "\xC0\xAF",     /* a slash, too long */
    "\xED\xA0\x80", /* a surrogate */
    "\xF4\x90\x80\x80",
};

enum { NASTY_COUNT = COUNT_OF(nasty) };

/* Bytes of the character that the text begins with; 0 where that may not stand in a line. */
static int plain_bytes(const unsigned char *at)
{
    int bytes = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    for (int i = 1; i < bytes; ++i)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    switch (bytes) {
    case 1:
        return at[0] >= 0x20 && at[0] != 0x7F;
    case 2:
        return at[0] > 0xC2 || (at[0] == 0xC2 && at[1] >= 0xA0) ? 2 : 0;
    case 3:
        return (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] >= 0xA0) ||
                       (at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0xA8 || at[2] == 0xA9))
                   ? 0
                   : 3;
    default:
        return at[0] > 0xF4 || (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] >= 0x90)
                   ? 0
                   : 4;
    }
}

static void check_line(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (int bytes; *at; at += bytes) {
        bytes = plain_bytes(at);
        ck_assert_msg(bytes > 0, "byte %02X in \"%s\"", *at, text);
    }
}

static clslice_error error;

static void check_failed(int32_t status, const char *word)
{
    ck_assert_int_lt(status, 0);
    ck_assert_int_eq(error.status, status);
    ck_assert_uint_eq(error.text_length, strlen(error.text));
    ck_assert_msg(strstr(error.text, word), "\"%s\" is not in: %s", word, error.text);
    check_line(error.text);
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
}

static void begin(void)
{
    fake_begin();
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
}

/* What logs of a device bring here. */
static unsigned log_lines;

static void take_log(void *user, uint32_t level, const char *text)
{
    (void)user;
    (void)level;
    check_line(text);
    ++log_lines;
}

static void fail_to_create(clslice_device_options options, const char *word)
{
    clslice_device *device = NULL;
    check_failed(clslice_device_create(&options, &device, &error), word);
}

/* Compiles by a variant of that name. */
static int32_t compile(clslice_device *device, const char *variant)
{
    const clslice_compile_options options = {.size = sizeof options, .variant = variant};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    ck_assert_int_eq(clslice_operator_create(device, shape_desc(SHAPE_ROWS), &op, &error),
                     CLSLICE_S_OK);
    int32_t status = clslice_operator_compile(op, &options, &compiled, &error);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    return status;
}

/* ---- Callers ---- */

/* What is wrong came behind the whole of it, where the text had ended. */
START_TEST(long_selectors_leave_room_for_the_reason)
{
    static char text[200000];
    clslice_device_options options = fake_options(NULL);
    begin();
    memset(text, 'x', sizeof text - 1);
    options.selector = text;
    fail_to_create(options, "no match; devices: [0]");
    text[sizeof text - 2] = ',';
    fail_to_create(options, "at character 200000");
    text[1] = ':';
    fail_to_create(options, "unknown type");
}
END_TEST

START_TEST(what_callers_say_is_quoted_in_one_line)
{
    clslice_device_options options = fake_options(NULL);
    clslice_device *device = NULL;
    char text[64];
    begin();
    options.selector = nasty[_i];
    fail_to_create(options, "no match");
    snprintf(text, sizeof text, "a:%s", nasty[_i]);
    options.selector = text;
    fail_to_create(options, "unknown type");

    options.selector = NULL;
    options.build_options = nasty[_i];
    options.log = take_log;
    fake.build_failures = 2; /* a compile tries twice */
    ck_assert_int_eq(clslice_device_create(&options, &device, &error), CLSLICE_S_OK);
    check_failed(compile(device, NULL), "refused rows_cpu built with");
    ck_assert_int_eq(compile(device, NULL), CLSLICE_S_OK);
    ck_assert_uint_ge(log_lines, 2); /* which device, and what was built with which options */
    check_failed(compile(device, nasty[_i]), "is not a variant");
    clslice_device_release(device);
}
END_TEST

START_TEST(what_the_environment_says_is_quoted_in_one_line)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = fake_get_proc, .log = take_log};
    clslice_device *device = NULL;
    begin();
    setenv("CLSLICE_DEVICE", nasty[_i], 1);
    fail_to_create(options, "CLSLICE_DEVICE=\"");
    unsetenv("CLSLICE_DEVICE");
    setenv("CLSLICE_CACHE", nasty[_i], 1); /* no absolute path: a warning */
    setenv("CLSLICE_CACHE_MAX", nasty[_i], 1);
    ck_assert_int_eq(clslice_device_create(&options, &device, &error), CLSLICE_S_OK);
    ck_assert_uint_ge(log_lines, 2);
    clslice_device_release(device);
    setenv("POCL_DEVICES", nasty[_i], 1);
    fake.device_count = 0;
    fail_to_create(options, "POCL_DEVICES=\"");
    setenv("OCL_ICD_VENDORS", nasty[_i], 1);
    fake.platform_count = 0;
    fail_to_create(options, "OCL_ICD_VENDORS=\"");
    setenv("CLSLICE_OPENCL", nasty[_i], 1);
    options.get_proc = NULL;
    fail_to_create(options, "(from CLSLICE_OPENCL) (");
}
END_TEST

/* ---- Drivers ---- */

static void check_infos(const clslice_device_options *options)
{
    clslice_device_info info = {.size = sizeof info};
    for (uint32_t i = 0; clslice_device_enumerate(options, i, &info, NULL) == CLSLICE_S_OK; ++i) {
        const char *const texts[] = {info.selector, info.name, info.platform,       info.version,
                                     info.driver,   info.type, info.unusable_reason};
        for (size_t t = 0; t < COUNT_OF(texts); ++t)
            check_line(texts[t]);
        ck_assert_msg(info.usable == (i == 0), "%s: %s", info.name, info.unusable_reason);
        ck_assert_msg(i != 1 || strstr(info.unusable_reason, "OpenCL 1.0"), "%s",
                      info.unusable_reason);
        clslice_device_options picking = *options;
        clslice_device *device = NULL;
        picking.selector = info.selector;
        int32_t status = clslice_device_create(&picking, &device, &error);
        ck_assert_msg((status == CLSLICE_S_OK) == info.usable, "%s: %s", info.selector, error.text);
        clslice_device_release(device);
    }
}

START_TEST(what_drivers_say_is_told_in_one_line)
{
    clslice_device_options options = fake_options(NULL);
    char version[64];
    begin();
    snprintf(version, sizeof version, "OpenCL 1.0 %s", nasty[_i]);
    fake.platform[0] = (struct fake_platform){nasty[_i], nasty[_i], nasty[_i]};
    fake.device[0].name = fake.device[0].vendor = fake.device[0].driver = nasty[_i];
    fake.device[1] = fake.device[0];
    fake.device[1].version = version;
    fake.device[2] = fake.device[0];
    fake.device[2].profile = nasty[_i];
    fake.device_count = 3;
    options.log = take_log;
    check_infos(&options);
    ck_assert_uint_ge(log_lines, 1);
    options.selector = "nothing like it";
    fail_to_create(options, "(unusable: CL_DEVICE_VERSION is \"OpenCL 1.0");
}
END_TEST

START_TEST(the_compilers_first_line_is_told)
{
    clslice_device_options options = fake_options(NULL);
    clslice_device *device = NULL;
    char log[128], whole[128];
    begin();
    snprintf(log, sizeof log, "first: %s\r\nsecond\n", nasty[_i]);
    fake.build_log = log;
    fake.build_failures = 2;
    ck_assert_int_eq(clslice_device_create(&options, &device, &error), CLSLICE_S_OK);
    int32_t status = compile(device, NULL);
    ck_assert_ptr_null(strstr(error.text, "second"));
    check_failed(status, "\": first: ");
    ck_assert_int_eq(clslice_device_get_build_log(device, whole, sizeof whole, NULL, &error),
                     CLSLICE_S_OK);
    ck_assert_str_eq(whole, log);
    clslice_device_release(device);
}
END_TEST

/* ---- What helps ---- */

START_TEST(pocl_without_a_device_asks_for_a_cache_folder)
{
    clslice_device_options options = {.size = sizeof options, .get_proc = fake_get_proc};
    clslice_device *device = NULL;
    begin();
    static const char *const noted[] = {"POCL_CACHE_DIR", "OCL_ICD_VENDORS", "POCL_DEVICES",
                                        "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"};
    for (size_t i = 0; i < COUNT_OF(noted); ++i)
        unsetenv(noted[i]);
    setenv("HOME", "/nowhere", 1);
    fake.platform[0].name = "Portable Computing Language";
    fake.platform[1] = (struct fake_platform){"Other Platform", "Fakes Ltd", "OpenCL 1.2"};
    fake.platform_count = 2;
    fake.device_count = 0;
    fail_to_create(options, "(2 without: Portable Computing Language, Other Platform); PoCL");
    fail_to_create(options, "that it can write to; note HOME=\"/nowhere\"");
    setenv("POCL_CACHE_DIR", "/nowhere/else", 1);
    fail_to_create(options, "note POCL_CACHE_DIR=\"/nowhere/else\"");

    fake.device_count = 1; /* of the other one */
    fake.device[0].platform = 1;
    ck_assert_int_eq(clslice_device_create(&options, &device, &error), CLSLICE_S_OK);
    clslice_device_release(device);
    options.selector = "portable";
    fail_to_create(options, "note POCL_CACHE_DIR=\"/nowhere/else\"");

    fake.platform[0].name = "Another Platform";
    int32_t status = clslice_device_create(&options, &device, &error);
    ck_assert_ptr_null(strstr(error.text, "PoCL"));
    check_failed(status, "no match");
}
END_TEST

START_TEST(a_loader_that_does_not_open_is_explained)
{
    static const char file[] = "no_library.so";
    clslice_device_options options = {.size = sizeof options};
    FILE *made = fopen(file, "w");
    ck_assert_ptr_nonnull(made);
    fputs("text", made);
    fclose(made);
    begin();
    setenv("CLSLICE_OPENCL", "/nowhere/libOpenCL.so", 1);
    fail_to_create(options, "cannot open /nowhere/libOpenCL.so (from CLSLICE_OPENCL) (");
    fail_to_create(options, strerror(ENOENT));
    setenv("CLSLICE_OPENCL", "./no_library.so", 1);
    clslice_device *device = NULL;
    int32_t status = clslice_device_create(&options, &device, &error);
    ck_assert_ptr_null(strstr(error.text, strerror(ENOENT)));
    check_failed(status, "cannot open ./no_library.so (from CLSLICE_OPENCL) (");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texts");
    TCase *tests = suite_case(suite, "texts");
    tcase_add_test(tests, long_selectors_leave_room_for_the_reason);
    tcase_add_loop_test(tests, what_callers_say_is_quoted_in_one_line, 0, NASTY_COUNT);
    tcase_add_loop_test(tests, what_the_environment_says_is_quoted_in_one_line, 0, NASTY_COUNT);
    tcase_add_loop_test(tests, what_drivers_say_is_told_in_one_line, 0, NASTY_COUNT);
    tcase_add_loop_test(tests, the_compilers_first_line_is_told, 0, NASTY_COUNT);
    tcase_add_test(tests, pocl_without_a_device_asks_for_a_cache_folder);
    tcase_add_test(tests, a_loader_that_does_not_open_is_explained);
    return suite_run(suite);
}
