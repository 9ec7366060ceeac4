/* SPDX-License-Identifier: MIT */
#include "base/structs.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

/* A structure that had two numbers in version 1 and has five today. */
struct grown {
    uint32_t size;
    uint32_t first;
    uint64_t second;
    uint64_t third;
};

enum { KNOWN = sizeof(struct grown), FIRST = 8, LATER = KNOWN + 40 };

static clslice_error error;

static void fresh_error(void)
{
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
}

/* A caller's structure of so many bytes, all of them `fill`; to be freed. */
static unsigned char *caller_struct(uint32_t size, unsigned char fill)
{
    unsigned char *bytes = malloc(size < 4 ? 4 : size);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, fill, size < 4 ? 4 : size);
    memcpy(bytes, &size, sizeof size);
    return bytes;
}

START_TEST(smaller_than_version_1_is_refused)
{
    for (uint32_t size = 0; size < FIRST; ++size) {
        unsigned char *from = caller_struct(size, 0x11);
        struct grown to = {1, 2, 3, 4}, kept = to;
        ck_assert_int_eq(structs_read(&to, KNOWN, FIRST, from, "clslice_grown", &error),
                         CLSLICE_E_INVALIDARG);
        ck_assert_int_eq(error.status, CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_STRUCT_SIZE);
        ck_assert(error.value[0] == size && error.value[1] == FIRST);
        ck_assert_ptr_nonnull(strstr(error.text, "clslice_grown.size"));
        ck_assert_mem_eq(&to, &kept, sizeof to);
        ck_assert_int_eq(structs_read(&to, KNOWN, FIRST, from, "clslice_grown", NULL),
                         CLSLICE_E_INVALIDARG);
        free(from);
    }
}
END_TEST

START_TEST(what_an_older_caller_lacks_reads_as_0)
{
    for (uint32_t size = FIRST; size <= KNOWN; ++size) {
        unsigned char *from = caller_struct(size, 0x11), to[KNOWN], expected[KNOWN] = {0};
        memset(to, 0xEE, sizeof to);
        memcpy(expected, from, size);
        ck_assert_int_eq(structs_read(to, KNOWN, FIRST, from, "clslice_grown", &error),
                         CLSLICE_S_OK);
        ck_assert_mem_eq(to, expected, sizeof to);
        free(from);
    }
    ck_assert_uint_eq(error.rule, 0);
}
END_TEST

START_TEST(later_bytes_may_be_there_if_they_are_0)
{
    for (uint32_t size = KNOWN + 1; size <= LATER; ++size) {
        unsigned char *from = caller_struct(size, 0x11), to[KNOWN + 1];
        memset(from + KNOWN, 0, size - KNOWN);
        memset(to, 0xEE, sizeof to);
        ck_assert_int_eq(structs_read(to, KNOWN, FIRST, from, "clslice_grown", &error),
                         CLSLICE_S_OK);
        ck_assert_mem_eq(to, from, KNOWN);
        ck_assert_uint_eq(to[KNOWN], 0xEE);
        free(from);
    }
}
END_TEST

START_TEST(later_bytes_that_are_set_are_refused)
{
    for (uint32_t set = KNOWN; set < LATER; ++set) {
        unsigned char *from = caller_struct(LATER, 0x11), to[KNOWN], kept[KNOWN];
        memset(from + KNOWN, 0, LATER - KNOWN);
        from[set] = set % 2 ? 1 : 0x80;
        memset(to, 0xEE, sizeof to);
        memcpy(kept, to, sizeof to);
        ck_assert_int_eq(structs_read(to, KNOWN, FIRST, from, "clslice_grown", &error),
                         CLSLICE_E_NOTIMPL);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_STRUCT_UNKNOWN);
        ck_assert(error.value[0] == LATER && error.value[1] == set && error.value[2] == KNOWN);
        ck_assert_ptr_nonnull(strstr(error.text, "clslice_grown"));
        ck_assert_mem_eq(to, kept, sizeof to);
        free(from);
    }
}
END_TEST

START_TEST(out_structs_are_written_to_the_smaller_size)
{
    const struct grown from = {KNOWN, 0x22222222, 0x3333333333333333, 0x4444444444444444};
    for (uint32_t size = 8; size <= LATER; ++size) {
        unsigned char *to = caller_struct(size, 0x11), expected[LATER];
        uint32_t written = size < KNOWN ? size : KNOWN;
        memset(expected, 0x11, sizeof expected);
        memcpy(expected, &from, written);
        memcpy(expected, &written, sizeof written);
        ck_assert_int_eq(structs_write(to, &from, KNOWN, "clslice_grown", &error), CLSLICE_S_OK);
        ck_assert_mem_eq(to, expected, size);
        free(to);
    }
}
END_TEST

START_TEST(out_structs_below_8_bytes_are_refused)
{
    const struct grown from = {KNOWN, 1, 2, 3};
    for (uint32_t size = 0; size < 8; ++size) {
        unsigned char *to = caller_struct(size, 0x11), *kept = caller_struct(size, 0x11);
        ck_assert_int_eq(structs_write(to, &from, KNOWN, "clslice_grown", &error),
                         CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_STRUCT_SIZE);
        ck_assert_uint_eq(error.value[0], size);
        ck_assert_ptr_nonnull(strstr(error.text, "clslice_grown.size"));
        ck_assert_mem_eq(to, kept, size < 4 ? 4 : size);
        ck_assert_int_eq(structs_write(to, &from, KNOWN, "clslice_grown", NULL),
                         CLSLICE_E_INVALIDARG);
        free(to);
        free(kept);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("structs");
    TCase *tests = suite_case(suite, "structs");
    tcase_add_checked_fixture(tests, fresh_error, NULL);
    tcase_add_test(tests, smaller_than_version_1_is_refused);
    tcase_add_test(tests, what_an_older_caller_lacks_reads_as_0);
    tcase_add_test(tests, later_bytes_may_be_there_if_they_are_0);
    tcase_add_test(tests, later_bytes_that_are_set_are_refused);
    tcase_add_test(tests, out_structs_are_written_to_the_smaller_size);
    tcase_add_test(tests, out_structs_below_8_bytes_are_refused);
    return suite_run(suite);
}
