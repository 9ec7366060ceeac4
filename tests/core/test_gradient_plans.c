/* SPDX-License-Identifier: MIT */
/* Plans of gradients: their rows and groups, and the limits of devices that they fit. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/suite.h"

#include <inttypes.h>

/* Of gradients across the input's neighbours, 4 KiB at a time; of others, the whole row. */
START_TEST(rows_of_gradients_are_made_in_parts)
{
    static const struct plan_limits cpu = {true, 4, 64, 4096, 0, 1 << 20, false, false};
    const struct {
        struct slice_case c;
        uint32_t full;
    } rows[] = {
        {*case_named("input/long-columns"), 1024},
        {*case_named("input/long-columns-apart"), 4096},
        {CASE("along", FLOAT32, WHOLE(5, 5003), BY(2, 1), OUT(3, 5003)), 5003},
        {CASE("expanded", FLOAT32, WHOLE(5, 9001), BY(1, 2), OUT(5, 4501), OUT_STRIDES(0, 1)),
         9001},
        {CASE("few", FLOAT32, WHOLE(4003, 5), BY(1, 2), OUT(4003, 3), IN_STRIDES(1, 4003)), 4003},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct slice_case gradient = rows[i].c;
        case_turn(&gradient);
        struct plan plan = plan_within(&gradient, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN);
        ck_assert_uint_eq(plan.variant, PLAN_GRADIENT_CPU);
        ck_assert_uint_eq(launch_of(&plan).walk.full, rows[i].full);
    }
}
END_TEST

/* Short rows are made input by input; groups are large where inputs lie apart, or where rows are
 * long and easy to make. */
START_TEST(gradients_have_groups_for_their_rows)
{
    static const struct {
        struct slice_case c;
        bool has_short_rows;
        uint32_t local_size;
    } gradients[] = {
        {CASE("doubles", FLOAT64, WHOLE(999, 64), BY(1, 1), OUT(999, 63)), false, 256},
        {CASE("short-doubles", FLOAT64, WHOLE(999, 63), BY(1, 1), OUT(999, 62)), false, 128},
        {CASE("steps", FLOAT64, WHOLE(999, 64), BY(1, 2), OUT(999, 32)), false, 128},
        {CASE("words", FLOAT32, WHOLE(999, 64), BY(1, 1), OUT(999, 63)), false, 128},
        {CASE("neighbours", UINT8, WHOLE(999, 64), BY(1, 1), OUT(999, 63)), false, 256},
        {CASE("bytes", UINT8, WHOLE(999, 64), BY(1, 1), OUT(999, 63), OUT_STRIDES(504, 8)), false,
         128},
        {CASE("far-bytes", UINT8, WHOLE(999, 64), BY(1, 1), OUT(999, 63), OUT_STRIDES(567, 9)),
         false, 256},
        {CASE("three", FLOAT32, WHOLE(99, 9, 3), BY(1, 1, -1), OUT(99, 8, 3)), true, 128},
        {CASE("four", FLOAT32, WHOLE(999, 4), BY(1, 1), OUT(999, 3)), false, 128},
        {CASE("eleven", UINT8, WHOLE(999, 11), BY(1, 1), OUT(999, 10)), true, 128},
        {CASE("twelve", UINT8, WHOLE(999, 12), BY(1, 1), OUT(999, 11)), false, 128},
        {CASE("few", FLOAT32, WHOLE(9, 9), BY(1, 1), OUT(9, 2)), true, 128},
        {CASE("some", FLOAT32, WHOLE(9, 9), BY(1, 1), OUT(9, 3)), false, 128},
        {CASE("rare", UINT8, WHOLE(100, 20), BY(10, 1), OUT(10, 20)), true, 128},
    };
    for (size_t i = 0; i < COUNT_OF(gradients); ++i) {
        struct slice_case gradient = gradients[i].c;
        case_turn(&gradient);
        const struct plan plan = chosen_plan(&gradient, false, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(plan.variant, PLAN_GRADIENT_GPU);
        ck_assert_msg(plan.has_short_rows == gradients[i].has_short_rows, "%s", gradient.name);
        ck_assert_msg(plan.local_size == gradients[i].local_size, "%s: %" PRIu32, gradient.name,
                      plan.local_size);
    }
}
END_TEST

/* A group's words and where its rows' inputs lie; with a byte of local memory less, single
 * elements. */
START_TEST(words_of_gradients_fit_the_device)
{
    enum { WORDS = PLAN_GRADIENT_WORDS * 16 };
    static const uint32_t groups[] = {1, 2, 7, 64, 100, 128, 255, 256, 1024};
    for (size_t i = 0; i < COUNT_OF(groups); ++i)
        for (uint32_t row = 1; row <= 1 << 24; row += row < 40 ? 1 : row)
            for (uint32_t is_far = 0; is_far < 2; ++is_far) {
                const uint32_t count = 100 + (1 << 27) / row, inputs = row - (row > 1);
                const uint32_t rows = is_far ? 99 : count - 1; /* that have inputs */
                const struct slice_case c =
                    CASE("gradient", UINT8, AS(SLICE_GRAD), IN(rows, inputs),
                         IN_STRIDES(is_far ? 1 << 25 : 1, 1), FROM(0, 0), WINDOW(rows, inputs),
                         BY(1, 1), OUT(count, row));
                const bool is_wide = is_far && count > 8 * 64; /* not 8 launches of 64 rows */
                const uint64_t needed = WORDS + PLAN_GRADIENT_ROWS * (is_wide ? 8 : 4);
                const struct plan_limits roomy = {false, 4, 32, groups[i], needed, 0, false, false},
                                         tight = {false,      4, 32,    groups[i],
                                                  needed - 1, 0, false, false};
                struct plan plan = plan_within(&c, &roomy, PLAN_ALIGNED_ELEMENT, PLAN_GRADIENT_GPU);
                struct walk walk = launch_of(&plan).walk;
                uint64_t of_group = plan.local_size * walk.blocks_each;
                ck_assert_uint_eq(plan.index_bits, is_wide ? 64 : 32);
                ck_assert_uint_eq(plan.word_bytes, 16);
                ck_assert_uint_le(of_group, PLAN_GRADIENT_WORDS);
                const bool are_short = row > 1 && (row <= 11 || rows * inputs <= 2 * count);
                ck_assert_uint_eq(plan.has_short_rows, are_short);
                ck_assert(!walk.makes_words || plan.has_short_rows ||
                          of_group * 16 <= (PLAN_GRADIENT_ROWS - 1) * (uint64_t)walk.dim[0].size);
                ck_assert(walk.makes_words || walk.dim[0].size < 16);
                plan = plan_within(&c, &tight, PLAN_ALIGNED_ELEMENT, PLAN_GRADIENT_GPU);
                ck_assert_uint_eq(plan.word_bytes, 0);
            }
}
END_TEST

/* Sums of a row's elements and of a group's work-items have 32 bits, and so has an index of an
 * input. */
START_TEST(long_gradients_have_no_words_and_far_ones_long_indices)
{
    static const struct plan_limits gpu = {false, 4, 32, 1024, 0, 0, false, false};
    for (uint32_t more = 0; more < 2; ++more) {
        uint32_t row = UINT32_MAX - 1024 + more;
        struct slice_case c = CASE("longest gradient", UINT8, AS(SLICE_GRAD), IN(row - 1), FROM(1),
                                   WINDOW(row - 1), BY(1), OUT(row));
        struct plan plan = plan_within(&c, &gpu, PLAN_ALIGNED_ELEMENT, PLAN_GRADIENT_GPU);
        ck_assert_uint_eq(launch_of(&plan).walk.makes_words, more == 0);
        c = (struct slice_case)CASE("two inputs", UINT8, AS(SLICE_GRAD), IN(2), FROM(1), WINDOW(2),
                                    BY(1), OUT(UINT32_MAX - 1024 + 1024 * more));
        plan = plan_within(&c, &gpu, PLAN_ALIGNED_ELEMENT, PLAN_GRADIENT_GPU);
        ck_assert(plan.has_short_rows && launch_of(&plan).walk.makes_words);
        c = (struct slice_case)CASE("far inputs", UINT8, AS(SLICE_GRAD), IN(2),
                                    IN_STRIDES(INT32_MAX - 1025 + more), FROM(3), WINDOW(2), BY(1),
                                    OUT(9));
        plan = plan_within(&c, &gpu, PLAN_ALIGNED_ELEMENT, PLAN_GRADIENT_GPU);
        ck_assert_uint_eq(plan.index_bits, more > 0 ? 64 : 32);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gradient_plans");
    TCase *tests = suite_case(suite, "gradient_plans");
    tcase_add_test(tests, rows_of_gradients_are_made_in_parts);
    tcase_add_test(tests, gradients_have_groups_for_their_rows);
    tcase_add_test(tests, words_of_gradients_fit_the_device);
    tcase_add_test(tests, long_gradients_have_no_words_and_far_ones_long_indices);
    return suite_run(suite);
}
