/* SPDX-License-Identifier: MIT */
/* golden.h pins every field there is: what lay between its rows would be a field, or padding
 * without a name. That its numbers are true is asserted where golden.c and golden.cpp compile. */
#include "clslice/clslice.h"
#include "golden.h"
#include "support/suite.h"

#include <stdbool.h>
#include <stddef.h>
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

int main(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tcase = suite_case(suite, "layouts");
    tcase_add_test(tcase, fields_leave_no_gap);
    tcase_add_test(tcase, version_1_ends_with_a_field);
    tcase_add_test(tcase, the_table_leaves_no_gap);
    tcase_add_test(tcase, get_api_gives_version_1_alone);
    return suite_run(suite);
}
