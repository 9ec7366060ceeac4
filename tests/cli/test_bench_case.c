/* SPDX-License-Identifier: MIT */
/* What `clslice bench` measures, without measuring it. */
#include "cli/bench/bench_case.h"
#include "cli/bench/bench_cl.h"
#include "conformance/case_desc.h"
#include "support/case_slice.h"
#include "support/suite.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- The table ---- */

static bool is_prime(uint32_t number)
{
    for (uint32_t i = 2; i <= number / i; ++i)
        if (number % i == 0)
            return false;
    return number > 1;
}

START_TEST(patterns_are_a_shells)
{
    const struct slice_case *even = case_named("rope_even");
    const struct slice_case *twin = case_named("rope_even/awkward");

    ck_assert(bench_is_wanted(even, "rope_even") && !bench_is_wanted(twin, "rope_even"));
    ck_assert(bench_is_wanted(even, "rope_*") && bench_is_wanted(twin, "rope_*"));
    ck_assert(!bench_is_wanted(even, "*/awkward") && bench_is_wanted(twin, "*/awkward"));
    ck_assert(!bench_is_wanted(even, "rope") && !bench_is_wanted(even, ""));
    ck_assert(bench_is_wanted(even, NULL) && bench_is_wanted(case_named("tiny_3d"), NULL));
    ck_assert(!bench_is_wanted(case_named("doc/slice"), NULL));
    ck_assert(!bench_is_wanted(case_named("doc/slice"), "doc/slice"));
}
END_TEST

/* About a, as far as whole numbers of elements allow. */
static void assert_near(uint64_t a, uint64_t b, const char *name)
{
    ck_assert_msg(fabs((double)a / (double)b - 1) < 0.06, "%s: %" PRIu64 " and %" PRIu64, name, a,
                  b);
}

static void check_twin(const struct slice_case *even, const struct slice_case *twin)
{
    uint64_t sizes[2];

    ck_assert_uint_eq(twin->data_type, even->data_type);
    ck_assert_uint_eq(twin->rank, even->rank);
    for (uint32_t i = 0; i < twin->rank; ++i) {
        ck_assert_msg(is_prime(twin->in_sizes[i]) || twin->in_sizes[i] == even->in_sizes[i],
                      "%s: InputTensor.Sizes[%" PRIu32 "] = %" PRIu32, twin->name, i,
                      twin->in_sizes[i]);
        ck_assert_int_eq(twin->window_strides[i], even->window_strides[i]);
    }
    ck_assert(case_out_elements(even, &sizes[0]) && case_out_elements(twin, &sizes[1]));
    assert_near(sizes[0], sizes[1], twin->name);
    ck_assert(case_in_bytes(even, &sizes[0]) && case_in_bytes(twin, &sizes[1]));
    assert_near(sizes[0], sizes[1], twin->name);
}

START_TEST(every_large_case_has_a_twin_of_its_size)
{
    char name[64];

    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];

        if (!(c->flags & CASE_LARGE))
            continue;
        if (bench_is_twin(c)) {
            snprintf(name, sizeof name, "%.*s", (int)bench_family_length(c), c->name);
            check_twin(case_named(name), c);
            ck_assert_uint_eq(bench_in_offset(c) % 2, 1);
            ck_assert_uint_eq(bench_out_offset(c) % 2, 1);
        } else {
            snprintf(name, sizeof name, "%s/awkward", c->name);
            case_named(name);
            ck_assert_uint_eq(bench_in_offset(c) + bench_out_offset(c), 0);
        }
    }
}
END_TEST

/* ---- Scaling ---- */

#define ASSERT_SAME(field) ck_assert_mem_eq(scaled.field, c->field, sizeof c->field)

START_TEST(a_factor_of_1_changes_nothing)
{
    struct slice_case scaled;

    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];

        if (!bench_is_wanted(c, NULL))
            continue;
        ck_assert(bench_scale(c, 1, &scaled));
        ASSERT_SAME(in_sizes);
        ASSERT_SAME(in_strides);
        ASSERT_SAME(window_offsets);
        ASSERT_SAME(window_sizes);
        ASSERT_SAME(window_strides);
        ASSERT_SAME(out_sizes);
        ASSERT_SAME(out_strides);
    }
}
END_TEST

START_TEST(scaled_cases_are_valid_and_16_times_as_large)
{
    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];
        clslice_error error = {.size = sizeof error};
        struct slice_case scaled;
        struct case_desc desc;
        uint64_t elements;
        uint64_t scaled_elements;

        if (!bench_is_wanted(c, NULL))
            continue;
        ck_assert(bench_scale(c, BENCH_GPU_FACTOR, &scaled));
        case_desc_init(&desc, &scaled);
        ck_assert_msg(clslice_operator_create(NULL, &desc.op, NULL, &error) == CLSLICE_S_OK,
                      "%s: %s", c->name, error.text);
        ck_assert(case_out_elements(c, &elements));
        ck_assert(case_out_elements(&scaled, &scaled_elements));
        assert_near(scaled_elements, elements * BENCH_GPU_FACTOR, c->name);
    }
}
END_TEST

START_TEST(strides_over_the_first_dimension_grow_with_it)
{
    struct slice_case scaled;

    ck_assert(bench_scale(case_named("transpose_out"), 16, &scaled));
    ck_assert_uint_eq(scaled.in_sizes[0], 65536);
    ck_assert_uint_eq(scaled.out_sizes[0], 65536);
    ck_assert_uint_eq(scaled.out_strides[0], 1);
    ck_assert_uint_eq(scaled.out_strides[1], 65536);
    ck_assert(bench_scale(case_named("broadcast_in"), 16, &scaled));
    ck_assert_uint_eq(scaled.in_strides[0], 0);
    ck_assert_uint_eq(scaled.in_strides[1], 1);
}
END_TEST

START_TEST(a_first_step_takes_all_of_the_longer_window)
{
    struct slice_case scaled;

    ck_assert(bench_scale(case_named("rows_outer2/awkward"), 16, &scaled));
    ck_assert_uint_eq(scaled.window_offsets[0], 1);
    ck_assert_uint_eq(scaled.window_sizes[0], 65232);
    ck_assert_uint_eq(scaled.out_sizes[0], 32616);
    ck_assert(bench_scale(case_named("flip_rows"), 16, &scaled));
    ck_assert_uint_eq(scaled.out_sizes[0], 65536);
}
END_TEST

START_TEST(what_exceeds_32_bits_is_not_scaled)
{
    struct slice_case scaled;

    ck_assert(!bench_scale(case_named("copy_all"), UINT32_MAX, &scaled));
    ck_assert(!bench_scale(case_named("transpose_out"), 1 << 20, &scaled));
    ck_assert(!bench_scale(case_named("input/last-of-2^32-1"), 2, &scaled));
}
END_TEST

START_TEST(quantiles_are_samples)
{
    double samples[] = {5, 1, 4, 2, 3, 9, 8, 7, 6, 10, 11};

    ck_assert_double_eq(bench_quantile(samples, 11, 0.5), 6);
    ck_assert_double_eq(bench_quantile(samples, 11, 0.1), 2);
    ck_assert_double_eq(bench_quantile(samples, 11, 0), 1);
    ck_assert_double_eq(bench_quantile(samples, 11, 1), 11);
    ck_assert_double_eq(bench_quantile(samples, 4, 0.5), 2);
    ck_assert_double_eq(bench_quantile(samples + 3, 1, 0.5), 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bench case");
    TCase *tests = suite_case(suite, "bench case");
    tcase_add_test(tests, patterns_are_a_shells);
    tcase_add_test(tests, every_large_case_has_a_twin_of_its_size);
    tcase_add_test(tests, a_factor_of_1_changes_nothing);
    tcase_add_test(tests, scaled_cases_are_valid_and_16_times_as_large);
    tcase_add_test(tests, strides_over_the_first_dimension_grow_with_it);
    tcase_add_test(tests, a_first_step_takes_all_of_the_longer_window);
    tcase_add_test(tests, what_exceeds_32_bits_is_not_scaled);
    tcase_add_test(tests, quantiles_are_samples);
    return suite_run(suite);
}
