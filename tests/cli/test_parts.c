/* SPDX-License-Identifier: MIT */
/* Parts of a slice, one after the other, are the slice. */
#include "cli/args/parts.h"
#include "conformance/case_desc.h"
#include "conformance/reference.h"
#include "support/random_case.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 400 };

static void check_parts(const struct slice_case *c, uint64_t most)
{
    uint64_t in_bytes, elements, next = 0;
    uint32_t width = case_type_bytes(c->data_type);
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_elements(c, &elements));
    unsigned char *in = malloc((size_t)in_bytes);
    unsigned char *whole = calloc((size_t)elements, width),
                  *found = calloc((size_t)elements, width);
    ck_assert(in && whole && found);
    reference_input(c, in, (size_t)in_bytes);
    reference_slice(c, in, whole, NULL);
    struct parts parts = parts_of(c, most);
    for (uint64_t i = 0; i < parts.count; ++i) {
        struct slice_case part;
        uint64_t part_elements, first = parts_case(&parts, c, i, &part);
        ck_assert(case_out_elements(&part, &part_elements));
        ck_assert_uint_eq(first, next);
        ck_assert_uint_le(part_elements, most);
        reference_slice(&part, in, found + first * width, NULL);
        next += part_elements;
    }
    ck_assert_uint_eq(next, elements);
    ck_assert_mem_eq(found, whole, (size_t)elements * width);
    free(in);
    free(whole);
    free(found);
}

START_TEST(parts_are_the_slice)
{
    struct dice dice = {99};
    for (int n = 0; n < CASES; ++n) {
        struct slice_case c;
        random_case(&dice, &c);
        c.out_strided = false;
        c.out_total_bytes = 0;
        check_parts(&c, 1 + dice_below(&dice, 300));
        check_parts(&c, UINT64_MAX);
    }
}
END_TEST

/* As few as there can be: all but the last of an axis have the most. */
START_TEST(parts_are_few)
{
    struct slice_case c = {.rank = 3, .out_sizes = {5, 7, 11}};
    ck_assert_uint_eq(parts_of(&c, 385).count, 1);
    ck_assert_uint_eq(parts_of(&c, 384).count, 2);
    ck_assert_uint_eq(parts_of(&c, 77).count, 5);
    ck_assert_uint_eq(parts_of(&c, 76).count, 10);
    ck_assert_uint_eq(parts_of(&c, 11).count, 35);
    ck_assert_uint_eq(parts_of(&c, 10).count, 70);
    ck_assert_uint_eq(parts_of(&c, 1).count, 385);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parts");
    TCase *tests = suite_case(suite, "parts");
    tcase_add_test(tests, parts_are_the_slice);
    tcase_add_test(tests, parts_are_few);
    return suite_run(suite);
}
