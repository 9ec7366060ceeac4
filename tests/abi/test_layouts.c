/* SPDX-License-Identifier: MIT */
/* golden.h pins every field there is: what lay between its rows would be a field, or padding
 * without a name. That its numbers are true is asserted where golden.c and golden.cpp compile. */
#include "clslice/clslice.h"
#include "golden.h"
#include "support/suite.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *type, *field;
    size_t size, at, bytes;
} fields[] = {
#define ROW(type, field, at, bytes) {#type, #field, sizeof(type), at, bytes},
    GOLDEN_FIELDS(ROW)
#undef ROW
};

static const struct {
    const char *type;
    size_t bytes;
} sizes[] = {
#define ROW(type, bytes) {#type, bytes},
    GOLDEN_SIZES(ROW)
#undef ROW
};

static const struct {
    const char *name;
    size_t at;
} members[] = {
#define ROW(member, at) {#member, at},
    GOLDEN_MEMBERS(ROW)
#undef ROW
};

START_TEST(fields_leave_no_gap)
{
    for (size_t i = 0; i < COUNT_OF(fields); ++i) {
        bool first = i == 0 || strcmp(fields[i].type, fields[i - 1].type) != 0;
        bool last = i + 1 == COUNT_OF(fields) || strcmp(fields[i].type, fields[i + 1].type) != 0;
        size_t from = first ? 0 : fields[i - 1].at + fields[i - 1].bytes;
        ck_assert_msg(fields[i].at == from, "%s: bytes %zu to %zu, before %s, have no row",
                      fields[i].type, from, fields[i].at, fields[i].field);
        ck_assert_msg(!last || fields[i].at + fields[i].bytes == fields[i].size,
                      "%s: bytes behind %s have no row", fields[i].type, fields[i].field);
    }
}
END_TEST

/* A structure grows by whole fields, so version 1 ended where a field ends. */
START_TEST(version_1_ends_with_a_field)
{
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        bool found = false;
        for (size_t f = 0; f < COUNT_OF(fields); ++f)
            found |= strcmp(fields[f].type, sizes[i].type) == 0 &&
                     fields[f].at + fields[f].bytes == sizes[i].bytes;
        ck_assert_msg(found, "no field of %s ends at %zu", sizes[i].type, sizes[i].bytes);
    }
}
END_TEST

START_TEST(the_table_leaves_no_gap)
{
    for (size_t i = 0; i < COUNT_OF(members); ++i)
        ck_assert_msg(members[i].at == 8 + (i + 1) * sizeof(void *), "a gap before %s",
                      members[i].name);
    ck_assert_uint_eq(sizeof(struct clslice_api), 8 + (COUNT_OF(members) + 1) * sizeof(void *));
}
END_TEST

/* The library's table is this header's, and it speaks no other ABI. */
START_TEST(get_api_gives_version_1_alone)
{
    const struct clslice_api *api = clslice_get_api(1);
    ck_assert_ptr_nonnull(api);
    ck_assert_uint_eq(api->size, sizeof *api);
    ck_assert_uint_eq(api->abi, 1);
    ck_assert_str_eq(api->version, CLSLICE_VERSION);
    ck_assert_ptr_eq(clslice_get_api(1), api);
    ck_assert_ptr_null(clslice_get_api(0));
    ck_assert_ptr_null(clslice_get_api(2));
    ck_assert_ptr_null(clslice_get_api(UINT32_MAX));
    for (size_t i = 0; i < COUNT_OF(members); ++i) {
        void *function;
        memcpy(&function, (const char *)api + members[i].at, sizeof function);
        ck_assert_msg(function != NULL, "%s is NULL", members[i].name);
    }
}
END_TEST

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

START_TEST(names_are_the_constants)
{
    static const struct {
        const char *name;
        uint32_t value;
    } constants[] = {
#define ROW(name, value) {#name, value},
        GOLDEN_CONSTANTS(ROW)
#undef ROW
    };
    size_t statuses = 0, rules = 0;
    for (size_t i = 0; i < COUNT_OF(constants); ++i) {
        const char *name = constants[i].name;
        if (begins(name, "CLSLICE_RULE_")) {
            ck_assert_str_eq(clslice_rule_name(constants[i].value), name);
            ++rules;
        } else if (begins(name, "CLSLICE_S_") || begins(name, "CLSLICE_E_") ||
                   begins(name, "CLSLICE_DXGI_")) {
            ck_assert_str_eq(clslice_status_name((int32_t)constants[i].value), name);
            ++statuses;
        }
    }
    ck_assert_uint_eq(statuses, 10);
    uint32_t named = 0;
    for (uint32_t rule = 0; rule < 1000; ++rule)
        named += clslice_rule_name(rule) != NULL;
    ck_assert_uint_eq(named, rules);
    ck_assert_ptr_null(clslice_rule_name(UINT32_MAX));
    ck_assert_ptr_null(clslice_status_name(2));
    ck_assert_ptr_null(clslice_status_name(INT32_MIN));
}
END_TEST

START_TEST(variants_have_names_of_their_own)
{
    uint32_t count = 0;
    for (; clslice_variant_name(count); ++count)
        for (uint32_t other = 0; other < count; ++other)
            ck_assert_str_ne(clslice_variant_name(count), clslice_variant_name(other));
    ck_assert_uint_gt(count, 0);
    ck_assert_ptr_null(clslice_variant_name(count + 1));
    ck_assert_ptr_null(clslice_variant_name(UINT32_MAX));
}
END_TEST

START_TEST(numbers_of_the_version_are_its_text)
{
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", CLSLICE_VERSION_MAJOR, CLSLICE_VERSION_MINOR,
             CLSLICE_VERSION_PATCH);
    ck_assert_str_eq(text, CLSLICE_VERSION);
    ck_assert_uint_eq(clslice_get_version(), CLSLICE_VERSION_NUMBER);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tcase = suite_case(suite, "layouts");
    tcase_add_test(tcase, fields_leave_no_gap);
    tcase_add_test(tcase, version_1_ends_with_a_field);
    tcase_add_test(tcase, the_table_leaves_no_gap);
    tcase_add_test(tcase, get_api_gives_version_1_alone);
    tcase_add_test(tcase, names_are_the_constants);
    tcase_add_test(tcase, variants_have_names_of_their_own);
    tcase_add_test(tcase, numbers_of_the_version_are_its_text);
    return suite_run(suite);
}
