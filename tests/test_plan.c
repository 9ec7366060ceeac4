/* SPDX-License-Identifier: MIT */
#include "cli/case_desc.h"
#include "core/plan.h"
#include "random_case.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define CHOSEN PLAN_VARIANT_COUNT

static struct slice slice_of(const struct slice_case *c)
{
    struct case_desc desc;
    struct slice slice;
    clslice_error error = {.size = sizeof error};
    case_desc_init(&desc, c);
    if (slice_from(&desc.op, &slice, &error) != CLSLICE_S_OK)
        ck_abort_msg("%s: %s", c->name, error.text);
    return slice;
}

static const struct slice_case *case_named(const char *name)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        if (strcmp(slice_cases[i].name, name) == 0)
            return &slice_cases[i];
    ck_abort_msg("no case %s", name);
    return NULL;
}

/* A device of 4 compute units and the class. */
static struct plan_limits limits_of(bool cpu)
{
    return (struct plan_limits){cpu, 4, cpu ? 64 : 32, 1024};
}

static struct plan chosen_plan(const struct slice_case *c, bool cpu, enum plan_alignment alignment)
{
    struct slice slice = slice_of(c);
    struct plan_limits limits = limits_of(cpu);
    struct plan plan;
    memset(&plan, 0xA5, sizeof plan);
    ck_assert(plan_from(&slice, &limits, alignment, CHOSEN, &plan));
    return plan;
}

/* ---- Texts ---- */

static const struct {
    const char *name;
    bool cpu;
    enum plan_alignment alignment;
    const char *text;
} printed[] = {
    {"doc/negative", true, PLAN_ALIGNED_16,
     "plan:   strided_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 13, dimensions 2 (in -8, out 2) 2 (in 2, out 1)\n"
     "        1 work-items in groups of 1, each 2 runs of 2 elements\n"},
    {"doc/negative", false, PLAN_ALIGNED_16,
     "plan:   strided_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 13, dimensions 2 (in -8, out 2) 2 (in 2, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 1 elements\n"},
    {"window/whole", true, PLAN_ALIGNED_16,
     "plan:   rows_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 693 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 1 runs of 693 elements\n"},
    {"window/whole", false, PLAN_ALIGNED_ELEMENT,
     "plan:   rows_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 693 (in 1, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 4 elements\n"},
    {"window/widens-bytes-to-16", false, PLAN_ALIGNED_16,
     "plan:   rows_gpu, 16-byte elements, 32-bit indices\n"
     "        from input element 9, dimensions 5 (in 4, out 2) 2 (in 1, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 1 elements\n"},
    {"window/widens-bytes-to-16", false, PLAN_ALIGNED_ELEMENT,
     "plan:   rows_gpu, 1-byte elements, 32-bit indices\n"
     "        from input element 144, dimensions 5 (in 64, out 32) 32 (in 1, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 16 elements\n"},
    {"window/widens-bytes-to-2", true, PLAN_ALIGNED_16,
     "plan:   rows_cpu, 1-byte elements, 32-bit indices\n"
     "        from input element 130, dimensions 5 (in 62, out 34) 34 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 5 runs of 34 elements\n"},
    {"window/odd-offset-u8", true, PLAN_ALIGNED_16,
     "plan:   rows_cpu, 1-byte elements, 32-bit indices\n"
     "        from input element 398, dimensions 11 (in 131, out 101) 101 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 11 runs of 101 elements\n"},
    {"rank/8/flip", true, PLAN_ALIGNED_16,
     "plan:   strided_cpu, 8-byte elements, 32-bit indices\n"
     "        from input element 863, dimensions 864 (in -1, out 1)\n"
     "        2 work-items in groups of 1, each 1 runs of 512 elements\n"},
    {"rank/8/ones-around", false, PLAN_ALIGNED_16,
     "plan:   strided_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 30, dimensions 4 (in -7, out 3) 3 (in 2, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 1 elements\n"},
    {"rank/8/one-element", true, PLAN_ALIGNED_16,
     "plan:   rows_cpu, 8-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 1 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 1 runs of 1 elements\n"},
    {"channels/rgb-to-bgr", true, PLAN_ALIGNED_16,
     "plan:   strided_cpu, 1-byte elements, 32-bit indices\n"
     "        from input element 2, dimensions 221 (in 3, out 3) 3 (in -1, out 1)\n"
     "        1 work-items in groups of 1, each 221 runs of 3 elements\n"},
    {"output/transposed", false, PLAN_ALIGNED_16,
     "plan:   strided_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 23 (in 1, out 19) 19 (in 23, out 1)\n"
     "        512 work-items in groups of 256, each 1 runs of 1 elements\n"},
    {"output/interleaved", true, PLAN_ALIGNED_16,
     "plan:   strided_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 2 (in 3, out 3) 3 (in 1, out 2)\n"
     "        1 work-items in groups of 1, each 2 runs of 3 elements\n"},
    {"input/broadcast-middle", true, PLAN_ALIGNED_16,
     "plan:   rows_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 3 (in 5, out 20) 4 (in 0, out 5) 5 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 12 runs of 5 elements\n"},
    {"input/INT_MIN-twice", false, PLAN_ALIGNED_16,
     "plan:   strided_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 2, dimensions 2 (in 0, out 3) 3 (in -1, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 1 elements\n"},
    {"big/crop", true, PLAN_ALIGNED_16,
     "plan:   rows_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 11707, dimensions 601 (in 900, out 803) 803 (in 1, out 1)\n"
     "        61 work-items in groups of 1, each 10 runs of 803 elements\n"},
    {"big/long-rows", true, PLAN_ALIGNED_ELEMENT,
     "plan:   rows_cpu, 1-byte elements, 32-bit indices\n"
     "        from input element 300010, dimensions 3 (in 300007, out 300001) 300001 (in 1, out "
     "1)\n"
     "        30 work-items in groups of 1, each 1 runs of 32768 elements\n"},
    {"big/block", true, PLAN_ALIGNED_ELEMENT,
     "plan:   rows_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 1, dimensions 1000001 (in 1, out 1)\n"
     "        62 work-items in groups of 1, each 1 runs of 16384 elements\n"},
    {"rows/70", false, PLAN_ALIGNED_16,
     "plan:   rows_gpu, 1-byte elements, 32-bit indices\n"
     "        from input element 78, dimensions 3 (in 75, out 70) 70 (in 1, out 1)\n"
     "        256 work-items in groups of 256, each 1 runs of 16 elements\n"},
    {"window/one-column", true, PLAN_ALIGNED_16,
     "plan:   strided_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 8, dimensions 33 (in 9, out 1)\n"
     "        1 work-items in groups of 1, each 1 runs of 33 elements\n"},
    {"step/remainders", true, PLAN_ALIGNED_16,
     "plan:   strided_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 1860, dimensions 3 (in -728, out 9) 3 (in 56, out 3) 3 (in -5, "
     "out 1)\n"
     "        1 work-items in groups of 1, each 9 runs of 3 elements\n"},
    {"big/rgb-to-bgr", false, PLAN_ALIGNED_16,
     "plan:   strided_gpu, 1-byte elements, 32-bit indices\n"
     "        from input element 2, dimensions 460160 (in 3, out 3) 3 (in -1, out 1)\n"
     "        1380608 work-items in groups of 256, each 1 runs of 1 elements\n"},
};

START_TEST(plans_of_named_cases)
{
    char bytes[1024];
    struct text text = text_in(bytes, sizeof bytes);
    struct plan plan =
        chosen_plan(case_named(printed[_i].name), printed[_i].cpu, printed[_i].alignment);
    plan_describe(&plan, &text);
    ck_assert_msg(strcmp(bytes, printed[_i].text) == 0, "%s is now\n%s", printed[_i].name, bytes);
    ck_assert_uint_eq(text.length, strlen(bytes));
}
END_TEST

START_TEST(variants_have_names)
{
    for (uint32_t v = 0; v < PLAN_VARIANT_COUNT; ++v) {
        const char *name = plan_variant_name(v);
        ck_assert(name[0] != '\0');
        ck_assert_uint_eq(plan_variant_named(name), v);
    }
    const char *const none[] = {"", "rows", "rows_cpu ", "ROWS_CPU", "rows_cp", "strided"};
    for (size_t i = 0; i < COUNT(none); ++i)
        ck_assert_uint_eq(plan_variant_named(none[i]), PLAN_VARIANT_COUNT);
}
END_TEST

/* ---- Widths ---- */

/* Two rows of a crop: every number decides by the largest power of two that divides it. */
static const struct {
    uint32_t in_row, first, count, out_row; /* elements; out_row 0: packed */
    uint32_t data_type;
    uint32_t width; /* where bases are multiples of 16 */
} widths[] = {
    {64, 16, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 16},
    {64, 8, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {64, 4, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 4},
    {64, 2, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 2},
    {64, 1, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {72, 16, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {65, 16, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 36, 0, DML_TENSOR_DATA_TYPE_UINT8, 4},
    {64, 16, 33, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 32, 40, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {64, 16, 32, 33, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 16, 48, DML_TENSOR_DATA_TYPE_INT8, 16},
    {64, 0, 2, 0, DML_TENSOR_DATA_TYPE_INT8, 2},
    {32, 8, 16, 0, DML_TENSOR_DATA_TYPE_FLOAT16, 16},
    {32, 4, 16, 0, DML_TENSOR_DATA_TYPE_FLOAT16, 8},
    {32, 1, 16, 0, DML_TENSOR_DATA_TYPE_INT16, 2},
    {32, 4, 12, 0, DML_TENSOR_DATA_TYPE_FLOAT32, 16},
    {32, 2, 12, 0, DML_TENSOR_DATA_TYPE_INT32, 8},
    {32, 3, 12, 0, DML_TENSOR_DATA_TYPE_UINT32, 4},
    {32, 2, 12, 0, DML_TENSOR_DATA_TYPE_FLOAT64, 16},
    {32, 3, 12, 0, DML_TENSOR_DATA_TYPE_INT64, 8},
    {33, 2, 12, 0, DML_TENSOR_DATA_TYPE_UINT64, 8},
};

START_TEST(the_widest_move_that_everything_allows)
{
    const struct slice_case c = {
        .name = "width",
        .data_type = widths[_i].data_type,
        .rank = 2,
        .in_sizes = {3, widths[_i].in_row},
        .window_offsets = {0, widths[_i].first},
        .window_sizes = {2, widths[_i].count},
        .window_strides = {1, 1},
        .out_sizes = {2, widths[_i].count},
        .out_strided = widths[_i].out_row != 0,
        .out_strides = {widths[_i].out_row, 1},
    };
    uint32_t element = case_type_bytes(c.data_type);
    bool vanishes = widths[_i].count * element == widths[_i].width; /* the row is one move */
    for (int cpu = 0; cpu < 2; ++cpu) {
        struct plan wide = chosen_plan(&c, cpu, PLAN_ALIGNED_16);
        ck_assert_uint_eq(wide.width, cpu && !vanishes ? element : widths[_i].width);
        ck_assert_uint_eq(wide.first * wide.width, widths[_i].first * case_type_bytes(c.data_type));
        struct plan narrow = chosen_plan(&c, cpu, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(narrow.width, case_type_bytes(c.data_type));
        ck_assert_uint_eq(narrow.first, widths[_i].first);
    }
}
END_TEST

/* ---- Limits ---- */

START_TEST(groups_fit_the_device)
{
    struct slice slice = slice_of(case_named("step/2"));
    const uint64_t most[] = {1, 2, 7, 64, 255, 256, 257, 1024, UINT64_MAX};
    for (size_t i = 0; i < COUNT(most); ++i)
        for (uint32_t v = 0; v <= PLAN_VARIANT_COUNT; ++v) {
            struct plan_limits limits = {false, 4, 32, most[i]};
            struct plan plan;
            if (!plan_from(&slice, &limits, PLAN_ALIGNED_16, v, &plan))
                continue;
            ck_assert_uint_ge(plan.local_size, 1);
            ck_assert_uint_le(plan.local_size, most[i]);
        }
}
END_TEST

/* One local size for everything of a class: a new one costs some drivers a code generation. */
START_TEST(few_local_sizes)
{
    for (int cpu = 0; cpu < 2; ++cpu) {
        uint32_t first = chosen_plan(&slice_cases[0], cpu, PLAN_ALIGNED_16).local_size;
        for (size_t i = 0; i < slice_case_count; ++i)
            ck_assert_uint_eq(chosen_plan(&slice_cases[i], cpu, i % 2).local_size, first);
    }
}
END_TEST

/* A small slice is shared out as far as it pays, a large one to every compute unit. */
START_TEST(work_is_shared_out)
{
    for (uint32_t units = 1; units <= 256; units *= 4) {
        struct slice_case c = {.name = "row",
                               .data_type = 5,
                               .rank = 1,
                               .in_sizes = {4000000000},
                               .window_sizes = {4000000000},
                               .window_strides = {1},
                               .out_sizes = {4000000000}};
        struct plan_limits limits = {true, units, 64, 4096};
        for (; c.in_sizes[0] > 0; c.in_sizes[0] /= 7) {
            c.out_sizes[0] = c.window_sizes[0] = c.in_sizes[0];
            struct slice slice = slice_of(&c);
            struct plan plan;
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_ELEMENT, CHOSEN, &plan));
            struct plan_box whole = plan_whole(&plan);
            uint64_t items = plan_launch(&plan, &whole).global_size;
            ck_assert_uint_lt(items, 65536);
            if (c.in_sizes[0] >= 1 << 20)
                ck_assert_uint_ge(items, units < 64 ? units : 64);
            if (c.in_sizes[0] <= 4096)
                ck_assert_uint_eq(items, 1);
        }
    }
}
END_TEST

/* ---- Equality ---- */

static void check_equal(const struct slice_case *a, const struct slice_case *b)
{
    for (uint32_t n = 0; n < 2 * PLAN_ALIGNMENT_COUNT; ++n) {
        struct plan x = chosen_plan(a, n / 2, n % 2), y = chosen_plan(b, n / 2, n % 2);
        if (!plan_equal(&x, &y)) {
            char bytes[2048];
            struct text text = text_in(bytes, sizeof bytes);
            plan_describe(&x, &text);
            plan_describe(&y, &text);
            ck_abort_msg("not equal:\n%s", bytes);
        }
    }
}

static void spell_strides_out(const struct slice_case *c, struct slice_case *spelled)
{
    uint64_t in[CASE_MAX_RANK], out[CASE_MAX_RANK];
    case_in_strides(c, in);
    case_out_strides(c, out);
    *spelled = *c;
    spelled->in_strided = spelled->out_strided = true;
    for (uint32_t i = 0; i < c->rank; ++i) {
        spelled->in_strides[i] = (uint32_t)in[i];
        spelled->out_strides[i] = (uint32_t)out[i];
    }
}

/* Inserts a dimension of one element. */
static void insert_one(struct slice_case *c, uint32_t at)
{
    uint32_t *const arrays[] = {c->in_sizes,     c->in_strides, c->window_offsets,
                                c->window_sizes, c->out_sizes,  c->out_strides};
    const uint32_t one[] = {1, 0, 0, 1, 1, 0};
    for (size_t a = 0; a < COUNT(arrays); ++a) {
        memmove(arrays[a] + at + 1, arrays[a] + at, (c->rank - at) * sizeof(uint32_t));
        arrays[a][at] = one[a];
    }
    memmove(c->window_strides + at + 1, c->window_strides + at, (c->rank - at) * sizeof(int32_t));
    c->window_strides[at] = -1;
    ++c->rank;
}

START_TEST(one_slice_has_one_plan_however_it_is_spelled)
{
    struct dice dice = {80};
    for (int n = 0; n < 2000; ++n) {
        struct slice_case c, other;
        random_case(&dice, &c);
        check_equal(&c, &c);
        spell_strides_out(&c, &other);
        check_equal(&c, &other);
        if (c.rank < CASE_MAX_RANK) {
            insert_one(&other, (uint32_t)dice_below(&dice, c.rank + 1));
            check_equal(&c, &other);
        }
    }
}
END_TEST

/* Dimensions that join are as if they had been one from the start. */
START_TEST(joined_dimensions_leave_no_trace)
{
    const struct slice_case pairs[][2] = {
        {{.name = "rows",
          .data_type = 1,
          .rank = 2,
          .in_sizes = {6, 5},
          .window_sizes = {6, 5},
          .window_strides = {1, 1},
          .out_sizes = {6, 5}},
         {.name = "row",
          .data_type = 1,
          .rank = 1,
          .in_sizes = {30},
          .window_sizes = {30},
          .window_strides = {1},
          .out_sizes = {30}}},
        {{.name = "rows backwards",
          .data_type = 5,
          .rank = 3,
          .in_sizes = {2, 3, 5},
          .window_sizes = {2, 3, 5},
          .window_strides = {-1, -1, -1},
          .out_sizes = {2, 3, 5}},
         {.name = "row backwards",
          .data_type = 5,
          .rank = 1,
          .in_sizes = {30},
          .window_sizes = {30},
          .window_strides = {-1},
          .out_sizes = {30}}},
        {{.name = "blocks",
          .data_type = 5,
          .rank = 3,
          .in_sizes = {4, 3, 5},
          .window_sizes = {2, 3, 5},
          .window_strides = {1, 1, 1},
          .out_sizes = {2, 3, 5}},
         {.name = "block",
          .data_type = 5,
          .rank = 2,
          .in_sizes = {4, 15},
          .window_sizes = {2, 15},
          .window_strides = {1, 1},
          .out_sizes = {2, 15}}},
        {{.name = "wide rows",
          .data_type = 5,
          .rank = 2,
          .in_sizes = {8, 32},
          .window_sizes = {4, 16},
          .window_strides = {2, 1},
          .out_sizes = {2, 16}},
         {.name = "split rows",
          .data_type = 5,
          .rank = 3,
          .in_sizes = {8, 2, 16},
          .window_sizes = {4, 1, 16},
          .window_strides = {2, 1, 1},
          .out_sizes = {2, 1, 16}}},
    };
    check_equal(&pairs[_i][0], &pairs[_i][1]);
}
END_TEST

START_TEST(different_plans_are_not_equal)
{
    struct plan plan = chosen_plan(case_named("step/remainders"), true, PLAN_ALIGNED_16);
    struct plan others[8];
    for (size_t i = 0; i < COUNT(others); ++i)
        others[i] = plan;
    others[0].variant = PLAN_STRIDED_GPU;
    others[1].width *= 2;
    others[2].index_bits = 64;
    others[3].local_size += 1;
    others[4].first += 1;
    others[5].dim[plan.rank - 1].in_stride += 1;
    others[6].dim[0].out_stride += 1;
    others[7].group_bytes += 1;
    for (size_t i = 0; i < COUNT(others); ++i)
        ck_assert_msg(!plan_equal(&plan, &others[i]), "%zu", i);
    ck_assert(plan_equal(&plan, &plan));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("plan");
    SRunner *runner = srunner_create(suite);

    tcase_add_loop_test(tests, plans_of_named_cases, 0, COUNT(printed));
    tcase_add_test(tests, variants_have_names);
    tcase_add_loop_test(tests, the_widest_move_that_everything_allows, 0, COUNT(widths));
    tcase_add_test(tests, groups_fit_the_device);
    tcase_add_test(tests, few_local_sizes);
    tcase_add_test(tests, work_is_shared_out);
    tcase_add_test(tests, one_slice_has_one_plan_however_it_is_spelled);
    tcase_add_loop_test(tests, joined_dimensions_leave_no_trace, 0, 4);
    tcase_add_test(tests, different_plans_are_not_equal);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
