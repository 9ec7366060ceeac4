/* SPDX-License-Identifier: MIT */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/tile.h"
#include "support/case_slice.h"
#include "support/random_case.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts ---- */

static const struct {
    const char *name;
    bool cpu;
    enum plan_alignment alignment;
    const char *forced; /* NULL: the planner's choice */
    const char *text;
} printed[] = {
    {"doc/negative", true, PLAN_ALIGNED_16, NULL,
     "plan:   gapped_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 13, dimensions 2 (in -8, out 2) 2 (in 2, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 4 elements\n"},
    {"doc/negative", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices, stride 2\n"
     "        from input element 13, dimensions 2 (in -8, out 2) 2 (in 2, out 1)\n"
     "        128 work-items in groups of 128, each 1 blocks of 4 elements\n"},
    {"window/whole", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 4-byte elements, 64-bit indices\n"
     "        from input element 0, dimensions 693 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 693 elements\n"},
    {"window/whole", false, PLAN_ALIGNED_ELEMENT, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 693 (in 1, out 1)\n"
     "        256 work-items in groups of 128, each 1 blocks of 4 elements\n"},
    {"window/aligned-bytes", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 1-byte elements, 32-bit indices\n"
     "        from input element 144, dimensions 5 (in 64, out 32) 32 (in 1, out 1)\n"
     "        128 work-items in groups of 128, each 1 blocks of 16 elements\n"},
    {"window/even-bytes", true, PLAN_ALIGNED_16, NULL,
     "plan:   strided_cpu, 1-byte elements, 32-bit indices\n"
     "        from input element 130, dimensions 5 (in 62, out 34) 34 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 170 elements\n"},
    {"window/odd-offset-u8", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 1-byte elements, 64-bit indices\n"
     "        from input element 398, dimensions 11 (in 131, out 101) 101 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 11 blocks of 101 elements\n"},
    {"rank/8/flip", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 8-byte elements, 64-bit indices, stride -1\n"
     "        from input element 863, dimensions 864 (in -1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 864 elements\n"},
    {"rank/8/ones-around", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices, stride 2\n"
     "        from input element 30, dimensions 4 (in -7, out 3) 3 (in 2, out 1)\n"
     "        128 work-items in groups of 128, each 1 blocks of 4 elements\n"},
    {"rank/8/one-element", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 8-byte elements, 64-bit indices\n"
     "        from input element 0, dimensions 1 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 1 elements\n"},
    {"channels/rgb-to-bgr", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 1-byte elements, 64-bit indices, groups of 3, group stride 3, element "
     "stride -1\n"
     "        from input element 2, dimensions 221 (in 3, out 3) 3 (in -1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 221 x 3 elements\n"},
    {"channels/mirror-rgba", true, PLAN_ALIGNED_16, NULL,
     "plan:   strided_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 16, dimensions 13 (in 17, out 17) 17 (in -1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 221 elements\n"},
    {"channels/mirror-rgba", false, PLAN_ALIGNED_ELEMENT, "rows_gpu",
     "plan:   rows_gpu, 1-byte elements, 32-bit indices, groups of 4, group stride -4, element "
     "stride 1\n"
     "        from input element 64, dimensions 13 (in 68, out 68) 17 (in -4, out 4) 4 (in 1, out "
     "1)\n"
     "        128 work-items in groups of 128, each 1 blocks of 4 x 4 elements\n"},
    {"channels/red-and-blue", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices, stride 2\n"
     "        from input element 0, dimensions 221 (in 3, out 2) 2 (in 2, out 1)\n"
     "        512 work-items in groups of 128, each 1 blocks of 4 elements\n"},
    {"output/transposed", true, PLAN_ALIGNED_16, NULL,
     "plan:   transpose_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 23 (in 1, out 19) 19 (in 23, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 19 x 23 elements\n"},
    {"output/transposed", false, PLAN_ALIGNED_16, "transpose_gpu",
     "plan:   transpose_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 23 (in 1, out 19) 19 (in 23, out 1)\n"
     "        1 groups of 256 work-items, for blocks of 23 x 19 elements, 1 lines of 1760 bytes "
     "of the input\n"},
    {"output/interleaved", true, PLAN_ALIGNED_16, NULL,
     "plan:   gapped_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 2 (in 3, out 3) 3 (in 1, out 2)\n"
     "        1 work-items in groups of 1, each 2 blocks of 3 elements\n"},
    {"transpose/16-byte-pixels", false, PLAN_ALIGNED_16, "transpose_gpu",
     "plan:   transpose_gpu, 16-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 11 (in 1, out 19) 19 (in 11, out 1)\n"
     "        2 groups of 256 work-items, for blocks of 11 x 10 elements, 1 lines of 1760 bytes "
     "of the input\n"},
    {"transpose/16-byte-pixels", false, PLAN_ALIGNED_ELEMENT, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 11 (in 4, out 76) 19 (in 44, out 4) 4 (in 1, out "
     "1)\n"
     "        512 work-items in groups of 128, each 1 blocks of 4 elements\n"},
    {"transpose/four-dimensions", true, PLAN_ALIGNED_16, NULL,
     "plan:   gapped_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 297, dimensions 2 (in -297, out 400) 3 (in 99, out 120) 9 (in 1, "
     "out 12) 11 (in 9, out 1)\n"
     "        1 work-items in groups of 1, each 54 blocks of 11 elements\n"},
    {"input/broadcast-middle", true, PLAN_ALIGNED_16, NULL,
     "plan:   strided_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 3 (in 5, out 20) 4 (in 0, out 5) 5 (in 1, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 60 elements\n"},
    {"input/broadcast-inner", true, PLAN_ALIGNED_16, "rows_cpu",
     "plan:   rows_cpu, 1-byte elements, 64-bit indices, stride 0\n"
     "        from input element 0, dimensions 16 (in 1, out 21) 21 (in 0, out 1)\n"
     "        1 work-items in groups of 1, each 16 blocks of 21 elements\n"},
    {"input/INT_MIN-twice", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices, stride -1\n"
     "        from input element 2, dimensions 2 (in 0, out 3) 3 (in -1, out 1)\n"
     "        128 work-items in groups of 128, each 1 blocks of 4 elements\n"},
    {"input/sliding-window", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 20 (in 1, out 5) 5 (in 1, out 1)\n"
     "        256 work-items in groups of 256, each 1 blocks of 4 elements\n"},
    {"big/crop", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 4-byte elements, 64-bit indices\n"
     "        from input element 11707, dimensions 601 (in 900, out 803) 803 (in 1, out 1)\n"
     "        61 work-items in groups of 1, each 10 blocks of 803 elements\n"},
    {"big/long-rows", true, PLAN_ALIGNED_ELEMENT, NULL,
     "plan:   rows_cpu, 1-byte elements, 64-bit indices\n"
     "        from input element 300010, dimensions 3 (in 300007, out 300001) 300001 (in 1, out "
     "1)\n"
     "        30 work-items in groups of 1, each 1 blocks of 30016 elements\n"},
    {"big/block", true, PLAN_ALIGNED_ELEMENT, NULL,
     "plan:   rows_cpu, 2-byte elements, 64-bit indices\n"
     "        from input element 1, dimensions 1000001 (in 1, out 1)\n"
     "        62 work-items in groups of 1, each 1 blocks of 16192 elements\n"},
    {"rows/70", false, PLAN_ALIGNED_16, "rows_gpu",
     "plan:   rows_gpu, 1-byte elements, 32-bit indices\n"
     "        from input element 78, dimensions 3 (in 75, out 70) 70 (in 1, out 1)\n"
     "        128 work-items in groups of 128, each 1 blocks of 16 elements\n"},
    {"window/one-column", true, PLAN_ALIGNED_16, NULL,
     "plan:   strided_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 8, dimensions 33 (in 9, out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 33 elements\n"},
    {"step/remainders", true, PLAN_ALIGNED_16, NULL,
     "plan:   gapped_cpu, 2-byte elements, 32-bit indices\n"
     "        from input element 1860, dimensions 3 (in -728, out 9) 3 (in 56, out 3) 3 (in -5, "
     "out 1)\n"
     "        1 work-items in groups of 1, each 1 blocks of 27 elements\n"},
    {"big/rgb-to-bgr", false, PLAN_ALIGNED_16, NULL,
     "plan:   rows_gpu, 1-byte elements, 32-bit indices, groups of 3, group stride 3, element "
     "stride -1\n"
     "        from input element 2, dimensions 460160 (in 3, out 3) 3 (in -1, out 1)\n"
     "        115072 work-items in groups of 128, each 1 blocks of 4 x 3 elements\n"},
    {"big/transpose", true, PLAN_ALIGNED_16, NULL,
     "plan:   transpose_cpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 771 (in 1, out 517) 517 (in 771, out 1)\n"
     "        20 work-items in groups of 1, each 1 blocks of 112 x 256 elements\n"},
    {"big/transpose", false, PLAN_ALIGNED_16, NULL,
     "plan:   transpose_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 771 (in 1, out 517) 517 (in 771, out 1)\n"
     "        72 groups of 256 work-items, for blocks of 65 x 88 elements, 91 lines of 272 bytes "
     "of the input\n"},
    {"copy_all", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 4-byte elements, 64-bit indices\n"
     "        from input element 0, dimensions 16777216 (in 1, out 1)\n"
     "        2048 work-items in groups of 1, each 1 blocks of 8192 elements\n"},
    {"transpose_out", false, PLAN_ALIGNED_16, NULL,
     "plan:   transpose_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 4096 (in 1, out 4096) 4096 (in 4096, out 1)\n"
     "        2816 groups of 256 work-items, for blocks of 96 x 64 elements, 64 lines of 384 "
     "bytes of the input\n"},
    {"transpose_out", false, PLAN_ALIGNED_ELEMENT, NULL,
     "plan:   transpose_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 4096 (in 1, out 4096) 4096 (in 4096, out 1)\n"
     "        2624 groups of 256 work-items, for blocks of 64 x 100 elements, 103 lines of 272 "
     "bytes of the input\n"},
    {"broadcast_in", true, PLAN_ALIGNED_16, NULL,
     "plan:   rows_cpu, 4-byte elements, 64-bit indices\n"
     "        from input element 0, dimensions 4096 (in 0, out 4096) 4096 (in 1, out 1)\n"
     "        2048 work-items in groups of 1, each 2 blocks of 4096 elements\n"},
    {"broadcast_in", false, PLAN_ALIGNED_16, NULL,
     "plan:   strided_gpu, 4-byte elements, 32-bit indices\n"
     "        from input element 0, dimensions 4096 (in 0, out 4096) 4096 (in 1, out 1)\n"
     "        4194560 work-items in groups of 256, each 1 blocks of 4 elements\n"},
};

START_TEST(plans_of_named_cases_are_printed)
{
    char bytes[1024];
    struct text text = text_in(bytes, sizeof bytes);
    const char *forced = printed[_i].forced;
    struct plan plan = plan_of(case_named(printed[_i].name), printed[_i].cpu, printed[_i].alignment,
                               forced ? plan_variant_named(forced) : CHOSEN);
    plan_describe(&plan, &text);
    launch_describe(&plan, &text);
    ck_assert_msg(strcmp(bytes, printed[_i].text) == 0, "%s is now\n%s", printed[_i].name, bytes);
    ck_assert_uint_eq(text.length, strlen(bytes));
}
END_TEST

START_TEST(variants_have_names)
{
    for (uint32_t v = 0; v < PLAN_SLICE_VARIANTS; ++v) {
        const char *name = plan_variant_name(v);
        ck_assert(name[0] != '\0');
        ck_assert_uint_eq(plan_variant_named(name), v);
    }
    const char *const none[] = {"", "rows", "rows_cpu ", "ROWS_CPU", "rows_cp", "strided"};
    for (size_t i = 0; i < COUNT_OF(none); ++i)
        ck_assert_uint_eq(plan_variant_named(none[i]), PLAN_VARIANT_COUNT);
}
END_TEST

/* ---- Widths ---- */

/* Two rows of a crop, whose elements are moved as one where every number allows it. */
static const struct {
    uint32_t in_row, first, count, out_row; /* elements; out_row 0: packed */
    uint32_t data_type;
    uint32_t width; /* where bases are multiples of 16 */
} widths[] = {
    {64, 16, 16, 0, DML_TENSOR_DATA_TYPE_UINT8, 16},
    {64, 16, 8, 0, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {64, 16, 4, 0, DML_TENSOR_DATA_TYPE_INT8, 4},
    {64, 16, 2, 0, DML_TENSOR_DATA_TYPE_INT8, 2},
    {64, 8, 16, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 8, 8, 0, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {64, 2, 4, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 1, 2, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {72, 16, 16, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {72, 16, 8, 0, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {65, 16, 2, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 12, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 32, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 33, 0, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 16, 48, DML_TENSOR_DATA_TYPE_UINT8, 16},
    {64, 16, 16, 40, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {64, 16, 8, 40, DML_TENSOR_DATA_TYPE_UINT8, 8},
    {64, 16, 2, 33, DML_TENSOR_DATA_TYPE_UINT8, 1},
    {32, 8, 8, 0, DML_TENSOR_DATA_TYPE_FLOAT16, 16},
    {32, 8, 4, 0, DML_TENSOR_DATA_TYPE_FLOAT16, 8},
    {32, 8, 2, 0, DML_TENSOR_DATA_TYPE_UINT16, 4},
    {32, 1, 2, 0, DML_TENSOR_DATA_TYPE_INT16, 2},
    {32, 4, 4, 0, DML_TENSOR_DATA_TYPE_FLOAT32, 16},
    {32, 2, 2, 0, DML_TENSOR_DATA_TYPE_INT32, 8},
    {32, 3, 2, 0, DML_TENSOR_DATA_TYPE_UINT32, 4},
    {32, 4, 12, 0, DML_TENSOR_DATA_TYPE_FLOAT32, 4},
    {32, 2, 2, 0, DML_TENSOR_DATA_TYPE_FLOAT64, 16},
    {32, 3, 2, 0, DML_TENSOR_DATA_TYPE_INT64, 8},
    {33, 2, 2, 0, DML_TENSOR_DATA_TYPE_UINT64, 8},
};

START_TEST(short_rows_become_one_element)
{
    struct slice_case c = CASE("width", UNKNOWN, IN(3, widths[_i].in_row),
                               FROM(0, widths[_i].first), WINDOW(2, widths[_i].count), BY(1, 1),
                               OUT(2, widths[_i].count), OUT_STRIDES(widths[_i].out_row, 1));
    c.data_type = widths[_i].data_type;
    c.out_strided = widths[_i].out_row != 0;
    for (int cpu = 0; cpu < 2; ++cpu) {
        struct plan wide = chosen_plan(&c, cpu, PLAN_ALIGNED_16);
        ck_assert_uint_eq(wide.element_size, widths[_i].width);
        ck_assert_uint_eq(wide.first * wide.element_size,
                          widths[_i].first * case_type_bytes(c.data_type));
        struct plan narrow = chosen_plan(&c, cpu, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(narrow.element_size, case_type_bytes(c.data_type));
        ck_assert_uint_eq(narrow.first, widths[_i].first);
    }
}
END_TEST

/* ---- Patterns ---- */

/* Rows of 20 groups of `count` elements a step apart, groups a pitch apart, either way. */
static struct plan plan_of_groups(uint32_t data_type, int32_t pitch, uint32_t count, int32_t step,
                                  enum plan_variant variant)
{
    struct slice_case c = CASE("groups", UNKNOWN, WHOLE(300, 20, count),
                               IN_STRIDES(101, (uint32_t)abs(pitch), (uint32_t)abs(step)),
                               BY(1, pitch < 0 ? -1 : 1, step < 0 ? -1 : 1), OUT(300, 20, count));
    c.data_type = data_type;
    bool cpu = variant == CHOSEN || plan_variant_is_cpu(variant);
    return plan_of(&c, cpu, PLAN_ALIGNED_ELEMENT, variant);
}

static void check_pattern(const struct plan *plan, int32_t pitch, uint32_t count, int32_t step)
{
    const struct plan_pattern *found = &plan->pattern;
    ck_assert_msg(
        found->group_stride == pitch && found->group_size == count && found->element_stride == step,
        "%" PRId32 ", %" PRIu32 ", %" PRId32 " instead of %" PRId32 ", %" PRIu32 ", %" PRId32,
        found->group_stride, found->group_size, found->element_stride, pitch, count, step);
}

START_TEST(groups_of_up_to_four_are_patterns)
{
    static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_UINT8, DML_TENSOR_DATA_TYPE_INT16,
                                     DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_INT64};
    for (size_t t = 0; t < COUNT_OF(types); ++t)
        for (int32_t pitch = -6; pitch <= 6; ++pitch)
            for (uint32_t count = 2; count <= 6; ++count)
                for (int32_t step = -2; step <= 2; ++step) {
                    enum plan_variant variant =
                        count % 2 || step == 0 ? PLAN_ROWS_CPU : PLAN_ROWS_GPU;
                    struct plan plan = plan_of_groups(types[t], pitch, count, step, variant);
                    bool joins = pitch == (int32_t)count * step;
                    if (!joins && case_type_bytes(types[t]) <= 4 && abs(step) == 1 && count <= 4 &&
                        abs(pitch) <= 4 && abs(pitch) >= (int32_t)count)
                        check_pattern(&plan, pitch, count, step);
                    else
                        check_pattern(&plan, step, 1, 0);
                }
}
END_TEST

START_TEST(single_elements_up_to_four_apart_are_patterns)
{
    for (int32_t pitch = -6; pitch <= 6; ++pitch) {
        bool is_pattern = abs(pitch) <= 4;
        struct plan plan = plan_of_groups(DML_TENSOR_DATA_TYPE_FLOAT64, pitch, 1, 1, CHOSEN);
        ck_assert_uint_eq(plan.variant, is_pattern ? PLAN_ROWS_CPU : PLAN_STRIDED_CPU);
        check_pattern(&plan, is_pattern ? pitch : 0, is_pattern, 0);
    }
}
END_TEST

/* Two bytes would be one element that has nothing of rows; single bytes still have. */
START_TEST(a_forced_variant_may_keep_elements_narrow)
{
    const struct slice_case c =
        CASE("pairs", UINT8, WHOLE(3, 2), BY(1, 1), OUT(3, 2), OUT_STRIDES(64, 1));
    ck_assert_uint_eq(plan_of(&c, true, PLAN_ALIGNED_16, PLAN_GAPPED_CPU).element_size, 2);
    ck_assert_uint_eq(plan_of(&c, true, PLAN_ALIGNED_16, PLAN_ROWS_CPU).element_size, 1);
}
END_TEST

/* A launch whose column is not a whole group would be another program's. */
START_TEST(tiles_hold_whole_groups)
{
    for (int32_t pitch = -4; pitch <= 4; ++pitch)
        for (uint32_t count = 2; count <= 4; ++count)
            for (uint64_t bytes = 16; bytes < 1000; bytes += 3) {
                struct plan plan =
                    plan_of_groups(DML_TENSOR_DATA_TYPE_INT32, pitch, count, -1, PLAN_ROWS_GPU);
                uint64_t tile[TENSOR_RANK_MAX];
                if (plan.pattern.group_size == 1)
                    continue;
                tile_choose(&plan, bytes, tile);
                ck_assert_uint_eq(tile[plan.column], count);
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
            launch_describe(&x, &text);
            plan_describe(&y, &text);
            launch_describe(&y, &text);
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
    for (size_t a = 0; a < COUNT_OF(arrays); ++a) {
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
        {CASE("rows", FLOAT32, WHOLE(6, 5), BY(1, 1), OUT(6, 5)),
         CASE("row", FLOAT32, WHOLE(30), BY(1), OUT(30))},
        {CASE("rows backwards", UINT8, WHOLE(2, 3, 5), BY(-1, -1, -1), OUT(2, 3, 5)),
         CASE("row backwards", UINT8, WHOLE(30), BY(-1), OUT(30))},
        {CASE("blocks", UINT8, IN(4, 3, 5), WINDOW(2, 3, 5), BY(1, 1, 1), OUT(2, 3, 5)),
         CASE("block", UINT8, IN(4, 15), WINDOW(2, 15), BY(1, 1), OUT(2, 15))},
        {CASE("wide rows", UINT8, IN(8, 32), WINDOW(4, 16), BY(2, 1), OUT(2, 16)),
         CASE("split rows", UINT8, IN(8, 2, 16), WINDOW(4, 1, 16), BY(2, 1, 1), OUT(2, 1, 16))},
    };
    check_equal(&pairs[_i][0], &pairs[_i][1]);
}
END_TEST

START_TEST(different_plans_are_not_equal)
{
    struct plan plan = chosen_plan(case_named("step/remainders"), true, PLAN_ALIGNED_16);
    struct plan others[12];
    for (size_t i = 0; i < COUNT_OF(others); ++i)
        others[i] = plan;
    others[0].variant = PLAN_STRIDED_GPU;
    others[1].element_size *= 2;
    others[2].index_bits = 64;
    others[3].local_size += 1;
    others[4].first += 1;
    others[5].dim[plan.rank - 1].in_stride += 1;
    others[6].dim[0].out_stride += 1;
    others[7].item_bytes += 1;
    others[8].pattern.group_stride += 1;
    others[9].row += 1;
    others[10].column += 1;
    others[11].is_large = true;
    for (size_t i = 0; i < COUNT_OF(others); ++i)
        ck_assert_msg(!plan_equal(&plan, &others[i]), "%zu", i);
    ck_assert(plan_equal(&plan, &plan));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tests = suite_case(suite, "plan");
    tcase_add_loop_test(tests, plans_of_named_cases_are_printed, 0, COUNT_OF(printed));
    tcase_add_test(tests, variants_have_names);
    tcase_add_loop_test(tests, short_rows_become_one_element, 0, COUNT_OF(widths));
    tcase_add_test(tests, groups_of_up_to_four_are_patterns);
    tcase_add_test(tests, single_elements_up_to_four_apart_are_patterns);
    tcase_add_test(tests, a_forced_variant_may_keep_elements_narrow);
    tcase_add_test(tests, tiles_hold_whole_groups);
    tcase_add_test(tests, one_slice_has_one_plan_however_it_is_spelled);
    tcase_add_loop_test(tests, joined_dimensions_leave_no_trace, 0, 4);
    tcase_add_test(tests, different_plans_are_not_equal);
    return suite_run(suite);
}
