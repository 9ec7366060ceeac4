/* SPDX-License-Identifier: MIT */
/* What a device's limits, and the size of a slice, make of its plan. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/suite.h"

#include <inttypes.h>

START_TEST(groups_fit_the_device)
{
    struct slice slice = slice_of(case_named("step/2"));
    const uint64_t most[] = {1, 2, 7, 64, 255, 256, 257, 1024, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(most); ++i)
        for (uint32_t v = 0; v <= PLAN_VARIANT_COUNT; ++v) {
            struct plan_limits limits = {false, 4, 32, most[i], 0, 0, false};
            struct plan plan;
            if (!plan_from(&slice, &limits, PLAN_ALIGNED_16, v, &plan))
                continue;
            ck_assert_uint_ge(plan.local_size, 1);
            ck_assert_uint_le(plan.local_size, most[i]);
        }
}
END_TEST

/* A new local size costs some drivers a code generation. */
START_TEST(local_sizes_are_few)
{
    for (size_t i = 0; i < 2 * slice_case_count; ++i) {
        uint32_t local_size = chosen_plan(&slice_cases[i / 2], false, i % 2).local_size;
        ck_assert_msg(local_size == 128 || local_size == 256, "%" PRIu32, local_size);
        ck_assert_uint_eq(chosen_plan(&slice_cases[i / 2], true, i % 2).local_size, 1);
    }
}
END_TEST

/* Its tiles are for groups of 256. */
START_TEST(small_groups_never_transpose)
{
    struct slice slice = slice_of(case_named("big/transpose"));
    for (uint64_t most = 1; most <= 1024; most += most < 250 ? 50 : 1) {
        const struct plan_limits gpu = {false, 4, 32, most, 0, 0, false},
                                 cpu = {true, 4, 64, most, 0, 0, false};
        struct plan plan;
        ck_assert(plan_from(&slice, &gpu, PLAN_ALIGNED_16, CHOSEN, &plan));
        ck_assert_uint_eq(plan.variant, most < 256 ? PLAN_STRIDED_GPU : PLAN_TRANSPOSE_GPU);
        ck_assert_uint_le(plan.local_size, most);
        ck_assert(plan_from(&slice, &gpu, PLAN_ALIGNED_16, PLAN_TRANSPOSE_GPU, &plan) ==
                  (most >= 256));
        ck_assert(plan_from(&slice, &cpu, PLAN_ALIGNED_16, CHOSEN, &plan));
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_CPU);
    }
}
END_TEST

/* transpose_gpu needs 16 KiB for lines and 9.5 KiB for its tables. */
START_TEST(small_local_memories_never_transpose)
{
    static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_UINT8};
    for (size_t i = 0; i < COUNT_OF(types); ++i)
        for (uint64_t bytes = 0; bytes < 40000; bytes += 64) {
            struct slice_case c = *case_named("big/transpose");
            c.data_type = types[i];
            struct slice slice = slice_of(&c);
            struct plan_limits limits = {false, 4, 32, 1024, bytes, 0, false};
            bool fits = bytes == 0 || bytes >= (51 << 9) + 32;
            struct plan plan;
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, CHOSEN, &plan));
            ck_assert_uint_eq(plan.variant, fits ? PLAN_TRANSPOSE_GPU : PLAN_STRIDED_GPU);
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, PLAN_TRANSPOSE_GPU, &plan) ==
                      fits);
            limits.cpu = true;
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, CHOSEN, &plan));
            ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_CPU);
        }
}
END_TEST

/* Of 2 rows, as a crop: what a work-item of a GPU waits for decides, until there are many. */
START_TEST(small_outputs_of_gpus_are_strided)
{
    for (uint32_t elements = 8190; elements <= 8194; elements += 2) {
        const struct slice_case c = CASE("small", UINT8, IN(2, 5001), WINDOW(2, elements / 2),
                                         BY(1, 1), OUT(2, elements / 2));
        struct plan gpu = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(gpu.variant, elements <= 8192 ? PLAN_STRIDED_GPU : PLAN_ROWS_GPU);
        ck_assert_uint_eq(gpu.pattern.group_size, elements <= 8192 ? 0 : 1);
        gpu = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_ROWS_GPU);
        ck_assert_uint_eq(gpu.variant, PLAN_ROWS_GPU);
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant, PLAN_ROWS_CPU);
    }
}
END_TEST

/* What GPUs move in words of the whole output, and in which. */
static const struct {
    uint32_t data_type, row;
    int32_t step;
    uint32_t pad; /* of the output's rows */
    enum plan_variant variant;
    uint32_t word;
} gpu_rows[] = {
    {DML_TENSOR_DATA_TYPE_UINT8, 255, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_UINT8, 256, 1, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 127, -1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT16, 129, -1, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 9999, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT64, 999, 1, 0, PLAN_STRIDED_GPU, 16},
    /* By what its blocks cost, transpose_gpu moves shorter ones, one way or the other. */
    {DML_TENSOR_DATA_TYPE_UINT8, 12, 1, 0, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_UINT8, 27, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT16, 35, 1, 0, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 35, -1, 0, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 71, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 19, 1, 0, PLAN_STRIDED_GPU, 16},
    /* Gaps leave no words. */
    {DML_TENSOR_DATA_TYPE_UINT8, 25, 1, 8, PLAN_STRIDED_GPU, 1},
    {DML_TENSOR_DATA_TYPE_UINT8, 63, 1, 8, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_UINT8, 256, 1, 8, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 41, 1, 10, PLAN_STRIDED_GPU, 2},
    {DML_TENSOR_DATA_TYPE_INT16, 127, 1, 1, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 128, 1, 1, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 31, 1, 1, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 32, 1, 1, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT64, 95, 1, 1, PLAN_STRIDED_GPU, 8},
    {DML_TENSOR_DATA_TYPE_INT64, 96, 1, 1, PLAN_ROWS_GPU, 0},
    /* Steps, where a word is several elements. */
    {DML_TENSOR_DATA_TYPE_INT16, 128, -4, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 999, 2, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 999, -2, 1, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_UINT8, 99, 2, 0, PLAN_STRIDED_GPU, 8},
    /* No pattern: the farther apart, the fewer. */
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 5, 0, PLAN_STRIDED_GPU, 8},
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 12, 0, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_INT16, 999, 5, 0, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 999, 12, 0, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_INT64, 999, 12, 0, PLAN_STRIDED_GPU, 8},
};

/* Of 4 and 8 bytes, in an aligned output whose rows lie `row + pad` apart. */
START_TEST(rows_between_gaps_that_begin_at_words_may_be_shorter)
{
    static const struct {
        uint32_t data_type, row, pad;
        enum plan_variant variant;
    } rows[] = {
        {DML_TENSOR_DATA_TYPE_FLOAT32, 7, 1, PLAN_ROWS_GPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 7, 2, PLAN_STRIDED_GPU},
        {DML_TENSOR_DATA_TYPE_INT64, 7, 1, PLAN_STRIDED_GPU},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 2, PLAN_ROWS_GPU},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 1, PLAN_STRIDED_GPU},
    };
    struct slice_case c =
        CASE("rows", UNKNOWN, IN(99999, rows[_i].row + 3), WINDOW(99999, rows[_i].row), BY(1, 1),
             OUT(99999, rows[_i].row), OUT_STRIDES(rows[_i].row + rows[_i].pad, 1));
    c.data_type = rows[_i].data_type;
    ck_assert_uint_eq(chosen_plan(&c, false, PLAN_ALIGNED_16).variant, rows[_i].variant);
    ck_assert_uint_eq(chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT).variant, PLAN_STRIDED_GPU);
}
END_TEST

START_TEST(short_rows_of_gpus_are_words)
{
    uint32_t row = gpu_rows[_i].row, taken = (row - 1) * (uint32_t)abs(gpu_rows[_i].step) + 1;
    struct slice_case c =
        CASE("rows", UNKNOWN, IN(99999, taken + 3), WINDOW(99999, taken), BY(1, gpu_rows[_i].step),
             OUT(99999, row), OUT_STRIDES(row + gpu_rows[_i].pad, 1));
    c.data_type = gpu_rows[_i].data_type;
    struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
    ck_assert_uint_eq(plan.variant, gpu_rows[_i].variant);
    ck_assert_uint_eq(plan.word_bytes, gpu_rows[_i].word);
}
END_TEST

static const uint32_t types_of_width[] = {DML_TENSOR_DATA_TYPE_UINT8, DML_TENSOR_DATA_TYPE_INT16,
                                          DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_INT64};

/* Rows of at most 96 bytes, the next of which lies behind others in the input. */
START_TEST(rows_that_others_come_between_go_through_blocks)
{
    for (uint32_t row = 2; row < 150; ++row)
        for (uint32_t i = 0; i < 4; ++i) {
            struct slice_case c =
                CASE("apart", UNKNOWN, WHOLE(499, 3001, row), IN_STRIDES(row, 499 * row, 1),
                     BY(1, 1, 1), OUT(499, 3001, row));
            c.data_type = types_of_width[i];
            enum plan_variant variant = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT).variant;
            if (i != 1 || row <= 48) /* longer ones of pairs by what a block costs */
                ck_assert_msg((variant == PLAN_TRANSPOSE_GPU) == (row << i <= 96),
                              "%" PRIu32 " of %u bytes", row, 1 << i);
        }
}
END_TEST

/* Short rows of one element each. */
START_TEST(repeated_elements_of_gpus_go_through_blocks)
{
    for (uint32_t row = 3; row < 150; ++row) {
        struct slice_case c = CASE("repeated", UNKNOWN, WHOLE(99999, row), IN_STRIDES(1, 0),
                                   BY(1, 1), OUT(99999, row));
        c.data_type = types_of_width[_i];
        enum plan_variant variant = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT).variant;
        if (_i == 0 && row > 64 && row <= 128) /* of single bytes, by what the blocks cost */
            ck_assert(variant == PLAN_TRANSPOSE_GPU || variant == PLAN_STRIDED_GPU);
        else
            ck_assert_uint_eq(variant, row <= 128 && (_i > 0 || row > 3) ? PLAN_TRANSPOSE_GPU
                                                                         : PLAN_STRIDED_GPU);
    }
}
END_TEST

/* Rows of 4 bytes and more are worth starting, where so many elements follow each
 * other; long ones anywhere. */
START_TEST(few_rows_of_cpus_are_strided)
{
    static const struct {
        uint32_t data_type;
        uint32_t count, rows; /* elements of a row, rows that follow each other */
        enum plan_variant variant;
    } rows[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 3, 999, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 8, 127, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 8, 128, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_UINT16, 255, 8, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT16, 256, 8, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_UINT16, 3, 682, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT16, 3, 683, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_UINT64, 2, 511, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT64, 2, 512, PLAN_ROWS_CPU},
    };
    uint32_t count = rows[_i].count;
    struct slice_case c = CASE("few", UNKNOWN, IN(rows[_i].rows, count + 3),
                               WINDOW(rows[_i].rows, count), BY(1, 1), OUT(rows[_i].rows, count));
    c.data_type = rows[_i].data_type;
    ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant, rows[_i].variant);
}
END_TEST

/* Of a CPU that picks, short rows that follow each other, if each compute unit has 1 MiB. */
START_TEST(short_rows_of_cpus_that_pick_are_strided)
{
    enum { UNITS = 4, BYTES = UNITS << 20 };
    static const struct {
        uint32_t data_type, bytes;    /* of an element */
        uint32_t most, reversed_most; /* elements of a row */
    } widths[] = {{DML_TENSOR_DATA_TYPE_UINT8, 1, 10, 19},
                  {DML_TENSOR_DATA_TYPE_UINT16, 2, 3, 9},
                  {DML_TENSOR_DATA_TYPE_UINT32, 4, 0, 5},
                  {DML_TENSOR_DATA_TYPE_UINT64, 8, 0, 2}};
    for (size_t i = 0; i < COUNT_OF(widths); ++i)
        for (uint32_t count = 2; count < 24; ++count)
            for (uint32_t kind = 0; kind < 8; ++kind) {
                const bool picks = kind % 4 != 1, is_large = kind % 4 != 2,
                           is_gapped = kind % 4 == 3;
                const uint32_t most = kind < 4 ? widths[i].most : widths[i].reversed_most;
                const struct plan_limits cpu = {true, UNITS, 64, 4096, 0, 24 << 20, picks};
                const uint32_t row = count * widths[i].bytes;
                const uint32_t rows = BYTES / row + (is_large && BYTES % row > 0) - !is_large;
                struct slice_case c =
                    CASE("short", UNKNOWN, IN(rows, count + 5), WINDOW(rows, count),
                         BY(1, kind < 4 ? 1 : -1), OUT(rows, count));
                c.data_type = widths[i].data_type;
                c.out_strided = is_gapped;
                c.out_strides[0] = count + 1;
                c.out_strides[1] = 1;
                bool is_few = is_gapped ? count < 4 || row < 16 : count < 4 && row < 4;
                bool is_picked = picks && is_large && !is_gapped && count <= most;
                ck_assert_uint_eq(plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                                  is_few && is_gapped   ? PLAN_GAPPED_CPU
                                  : is_few || is_picked ? PLAN_STRIDED_CPU
                                                        : PLAN_ROWS_CPU);
            }
}
END_TEST

/* Rows with steps, either way, are longer before that pays. */
START_TEST(short_stepped_rows_of_cpus_are_strided)
{
    uint32_t count = 17 + (uint32_t)_i / 2, taken = 2 * count - 1;
    const struct slice_case c = CASE("stepped", UINT8, IN(9999, taken + 3), WINDOW(9999, taken),
                                     BY(1, _i % 2 > 0 ? 2 : -2), OUT(9999, count));
    ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                      count < 18 ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
}
END_TEST

/* Stepped rows of less than 48 bytes are, where the next one lies 384 bytes behind the last element
 * of one. */
START_TEST(short_stepped_rows_of_cpus_that_lie_alone_are_strided)
{
    const uint32_t size = 1u << _i / 2;
    for (uint32_t count = 18; count < 60; ++count)
        for (uint32_t is_alone = 0; is_alone < 2; ++is_alone) {
            const uint32_t taken = 2 * count - 1, pitch = taken - 1 + 384 / size - 1 + is_alone;
            struct slice_case c = CASE("alone", UINT8, IN(9999, pitch), WINDOW(9999, taken),
                                       BY(1, _i % 2 == 0 ? 2 : -2), OUT(9999, count));
            c.data_type = types_of_width[_i / 2];
            ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                              is_alone && count * size < 48 ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
        }
}
END_TEST

/* However few of them follow each other: elements of 2^i bytes. */
START_TEST(long_rows_between_gaps_of_cpus_are_rows)
{
    static const int32_t steps[] = {1, -1, 2, -3};
    for (uint32_t count = 5; count < 100; ++count)
        for (uint32_t k = 0; k < COUNT_OF(steps); ++k) {
            const uint32_t taken = (count - 1) * (uint32_t)abs(steps[k]) + 1;
            struct slice_case c = CASE(
                "few", UNKNOWN, IN(9999, 3, taken + 3), WINDOW(9999, 3, taken), BY(1, 1, steps[k]),
                OUT(9999, 3, count), OUT_STRIDES(3 * count + 20, count + 3, 1));
            c.data_type = types_of_width[_i];
            const bool are_long = count << _i >= (_i < 2 || steps[k] == -1 ? 64 : 256);
            if (are_long)
                ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                                  PLAN_ROWS_CPU);
            else if (3 * count << _i < 640)
                ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                                  PLAN_GAPPED_CPU);
        }
}
END_TEST

/* Between gaps, rows_cpu is fast for whole lines alone, but for contiguous and reversed rows. */
START_TEST(short_stepped_rows_between_gaps_are_gapped)
{
    static const struct {
        uint32_t data_type, bytes; /* of an element */
        uint32_t reversed;         /* bytes of a reversed row, for rows_cpu */
    } widths[] = {{DML_TENSOR_DATA_TYPE_UINT8, 1, 16},
                  {DML_TENSOR_DATA_TYPE_UINT16, 2, 16},
                  {DML_TENSOR_DATA_TYPE_UINT32, 4, 16},
                  {DML_TENSOR_DATA_TYPE_UINT64, 8, 32}};
    const uint32_t bytes = widths[_i / 2].bytes;
    for (uint32_t count = 2; count < 100; ++count) {
        const bool is_reversed = _i % 2 > 0;
        const uint32_t taken = is_reversed ? count : 2 * count - 1;
        const uint32_t least = is_reversed ? widths[_i / 2].reversed : 64;
        struct slice_case c = CASE("stepped", UNKNOWN, IN(9999, taken + 3), WINDOW(9999, taken),
                                   BY(1, is_reversed ? -1 : 2), OUT(9999, count));
        c.data_type = widths[_i / 2].data_type;
        c.out_strided = true;
        c.out_strides[0] = count + 1;
        c.out_strides[1] = 1;
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                          count * bytes < least ? PLAN_GAPPED_CPU : PLAN_ROWS_CPU);
    }
}
END_TEST

/* Elements too far apart for rows_cpu: strided_cpu writes whole lines of long runs, and all of
 * outputs without gaps. */
START_TEST(short_runs_between_gaps_are_gapped)
{
    static const struct {
        uint32_t data_type, bytes, least; /* bytes of an element; and of a run, for strided_cpu */
    } widths[] = {{DML_TENSOR_DATA_TYPE_UINT8, 1, 64},
                  {DML_TENSOR_DATA_TYPE_UINT16, 2, 256},
                  {DML_TENSOR_DATA_TYPE_UINT32, 4, 384},
                  {DML_TENSOR_DATA_TYPE_UINT64, 8, 640}};
    for (uint32_t count = 2; count < 1000 / widths[_i].bytes; ++count) {
        const uint32_t taken = 5 * (count - 1) + 1;
        struct slice_case c = CASE("apart", UNKNOWN, WHOLE(999, taken), BY(1, 5), OUT(999, count));
        c.data_type = widths[_i].data_type;
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant, PLAN_STRIDED_CPU);
        c.out_strided = true;
        c.out_strides[0] = count + 1;
        c.out_strides[1] = 1;
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                          count * widths[_i].bytes < widths[_i].least ? PLAN_GAPPED_CPU
                                                                      : PLAN_STRIDED_CPU);
    }
}
END_TEST

/* On a GPU; rows of less than 16 bytes only where the output is aligned. */
START_TEST(rows_of_bytes_between_narrow_gaps_are_rows)
{
    for (uint32_t count = 5; count < 32; ++count)
        for (uint32_t kind = 0; kind < 4; ++kind) { /* kinds 1 and 3 are not such rows */
            const uint32_t gap = count / 4 + (kind == 1), taken = kind == 2 ? 2 * count - 1 : count;
            struct slice_case c = CASE("bytes", UINT8, WHOLE(9999, taken), BY(1, kind == 2 ? 2 : 1),
                                       OUT(9999, count), OUT_STRIDES(count + gap, 1));
            if (kind == 3)
                c.data_type = DML_TENSOR_DATA_TYPE_UINT16;
            const enum plan_alignment alignment = _i == 0 ? PLAN_ALIGNED_16 : PLAN_ALIGNED_ELEMENT;
            const uint32_t least = alignment == PLAN_ALIGNED_16 ? 7 : 16;
            const struct plan plan = chosen_plan(&c, false, alignment);
            if (kind != 3 && plan.element_size > 1) /* pairs of bytes are other elements */
                continue;
            ck_assert_uint_eq(plan.variant,
                              kind % 2 == 0 && count >= least ? PLAN_ROWS_GPU : PLAN_STRIDED_GPU);
        }
}
END_TEST

/* On a GPU, what lies between a column's neighbours is read with them, as one line of the block. */
START_TEST(columns_that_the_memory_delivers_together_are_transposed)
{
    const uint32_t size = 1u << _i, rows[] = {3, 63, 64, 300};
    for (size_t k = 0; k < COUNT_OF(rows); ++k)
        for (uint32_t step = 5; step < 70; ++step) {
            const uint32_t most = size > 1 ? 64 / size : rows[k] < 64 ? 16 : 32;
            struct slice_case c = CASE("columns", UNKNOWN, WHOLE(9999, rows[k]), BY(1, 1),
                                       OUT(9999, rows[k]), IN_STRIDES(step, 9999 * 70));
            c.data_type = types_of_width[_i];
            const struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
            ck_assert_uint_eq(plan.variant, step <= most ? PLAN_TRANSPOSE_GPU : PLAN_STRIDED_GPU);
            if (step <= most) {
                const struct plan_box whole = plan_whole(&plan);
                ck_assert_uint_gt(launch_from(&plan, &whole).walk.units, 1);
            }
        }
}
END_TEST

/* On a GPU, of whatever alignment: elements of 2^i bytes. */
START_TEST(rows_that_follow_each_other_between_gaps_are_rows)
{
    static const uint32_t least[] = {0, 64, 36, 120}; /* bytes; single ones are blocks, too */
    for (uint32_t alignment = 0; alignment < PLAN_ALIGNMENT_COUNT; ++alignment)
        for (uint32_t count = 3; count < 50; count += 2) {
            struct slice_case c =
                CASE("runs", UNKNOWN, IN(9999, 5, count + 4), WINDOW(9999, 5, count), BY(1, 1, 1),
                     OUT(9999, 5, count), OUT_STRIDES(5 * count + 1, count, 1));
            c.data_type = types_of_width[_i];
            const bool are_rows = chosen_plan(&c, false, alignment).variant == PLAN_ROWS_GPU;
            ck_assert_uint_eq(are_rows, count << _i >= least[_i]);
        }
}
END_TEST

/* On a GPU, strided_gpu writes outputs with gaps element by element; the farther apart these lie in
 * the input, the longer that takes. */
START_TEST(outputs_with_gaps_are_transposed_where_that_costs_little)
{
    static const struct {
        struct slice_case c;
        enum plan_variant variant;
    } slices[] = {
        {CASE("planes", UINT16, WHOLE(999999, 3), BY(1, 1), OUT(999999, 3), IN_STRIDES(3, 3999999),
              OUT_STRIDES(4, 1)),
         PLAN_STRIDED_GPU},
        {CASE("rows in runs", UINT8, WHOLE(10, 9999, 20), BY(1, 1, 1), OUT(10, 9999, 20),
              IN_STRIDES(259999, 25, 1), OUT_STRIDES(20 * 9999 + 1, 20, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("pairs in runs", UINT16, WHOLE(9, 99999, 5), BY(1, 1, 1), OUT(9, 99999, 5),
              IN_STRIDES(1399999, 14, 1), OUT_STRIDES(5 * 99999 + 1, 5, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("pairs between gaps", UINT16, WHOLE(99999, 5), BY(1, 1), OUT(99999, 5),
              IN_STRIDES(10, 1), OUT_STRIDES(6, 1)),
         PLAN_STRIDED_GPU},
        {CASE("pixels in runs", UINT8, WHOLE(9999, 5, 6, 3), BY(1, 1, 1, 1), OUT(9999, 5, 6, 3),
              IN_STRIDES(140, 27, 4, 1), OUT_STRIDES(91, 18, 3, 1)),
         PLAN_ROWS_GPU},
        {CASE("repeated", UINT16, WHOLE(9, 99999), BY(1, 1), OUT(9, 99999), IN_STRIDES(99999, 0),
              OUT_STRIDES(100000, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("far", UINT16, WHOLE(199999, 11), BY(1, 1), OUT(199999, 11), IN_STRIDES(1, 199999),
              OUT_STRIDES(19, 1)),
         PLAN_STRIDED_GPU},
        {CASE("far, in long rows", UINT32, WHOLE(9999, 636), BY(1, 1), OUT(9999, 636),
              IN_STRIDES(3, 39999), OUT_STRIDES(700, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("wide, far, in long rows", FLOAT64, WHOLE(999, 999, 2), BY(1, 1, 1), OUT(999, 999, 2),
              IN_STRIDES(2, 1998, 1), OUT_STRIDES(2002, 2, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("wide", FLOAT64, WHOLE(9999, 9, 2), BY(1, -1, 1), OUT(9999, 9, 2),
              IN_STRIDES(20, 2, 1), OUT_STRIDES(20, 2, 1)),
         PLAN_STRIDED_GPU},
        {CASE("far, and rows apart", UINT16, WHOLE(13, 5, 9999, 9), BY(1, 1, 1, 1),
              OUT(13, 5, 9999, 9), IN_STRIDES(1, 13, 78, 799999),
              OUT_STRIDES(5 * 99990, 99990, 10, 1)),
         PLAN_TRANSPOSE_GPU},
    };
    ck_assert_uint_eq(chosen_plan(&slices[_i].c, false, PLAN_ALIGNED_16).variant,
                      slices[_i].variant);
}
END_TEST

/* What lies side by side in the output may be of several dimensions, and of wider elements. */
START_TEST(short_runs_of_several_dimensions_are_gapped)
{
    for (uint32_t count = 2; count < 60; ++count) {
        const uint32_t taken = 3 * (count - 1) + 1;
        const struct slice_case c = CASE("pairs", UINT64, WHOLE(99, taken, 2), BY(1, 3, 1),
                                         OUT(99, count, 2), OUT_STRIDES(2 * count + 2, 2, 1));
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_16).element_size, 16);
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_16).variant,
                          count * 16 < 640 ? PLAN_GAPPED_CPU : PLAN_STRIDED_CPU);
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                          count * 16 < 640 ? PLAN_GAPPED_CPU : PLAN_STRIDED_CPU);
    }
}
END_TEST

/* strided_cpu writes whole lines of memory: an output of less than one is none. */
START_TEST(outputs_of_less_than_a_line_are_gapped)
{
    for (uint32_t count = 2; count < 100; ++count) {
        const struct slice_case c =
            CASE("apart", UINT8, WHOLE(5 * (count - 1) + 1), BY(5), OUT(count));
        ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                          count < 64 ? PLAN_GAPPED_CPU : PLAN_STRIDED_CPU);
    }
}
END_TEST

/* A row that the input repeats is read once. */
START_TEST(repeated_rows_of_cpus_are_strided)
{
    const struct slice_case rows =
        CASE("rows", UINT8, WHOLE(999, 100), IN_STRIDES(0, 1), BY(1, 1), OUT(999, 100));
    ck_assert_uint_eq(chosen_plan(&rows, true, PLAN_ALIGNED_16).variant, PLAN_STRIDED_CPU);
    static const struct {
        uint32_t data_type, bytes, least; /* bytes of an element; and of a row, for rows_cpu */
    } widths[] = {{DML_TENSOR_DATA_TYPE_UINT8, 1, 28},
                  {DML_TENSOR_DATA_TYPE_UINT16, 2, 24},
                  {DML_TENSOR_DATA_TYPE_UINT32, 4, 24},
                  {DML_TENSOR_DATA_TYPE_UINT64, 8, 16}};
    for (size_t i = 0; i < COUNT_OF(widths); ++i)
        for (uint32_t row = 2; row < 300 / widths[i].bytes; ++row) {
            const uint32_t bytes = row * widths[i].bytes;
            struct slice_case elements = CASE("elements", UNKNOWN, WHOLE(999, row),
                                              IN_STRIDES(1, 0), BY(1, 1), OUT(999, row));
            elements.data_type = widths[i].data_type;
            ck_assert_uint_eq(chosen_plan(&elements, true, PLAN_ALIGNED_ELEMENT).variant,
                              bytes < widths[i].least ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
            struct slice_case gapped = CASE("gapped", UNKNOWN, WHOLE(999, row), IN_STRIDES(1, 0),
                                            BY(1, 1), OUT(999, row), OUT_STRIDES(row + 1, 1));
            gapped.data_type = widths[i].data_type;
            ck_assert_uint_eq(chosen_plan(&gapped, true, PLAN_ALIGNED_ELEMENT).variant,
                              bytes < 64 ? PLAN_GAPPED_CPU : PLAN_ROWS_CPU);
        }
}
END_TEST

/* A transpose's runs are alike, whatever the row: of work-items, compute units get equal
 * numbers. */
START_TEST(runs_of_transposes_are_even)
{
    for (uint32_t row = 1025; row < 8192; row += 3) {
        const struct slice_case c = CASE("transpose", FLOAT32, WHOLE(row, 4096), BY(1, 1),
                                         OUT(row, 4096), OUT_STRIDES(1, row));
        struct plan plan = chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT);
        struct walk walk = launch_of(&plan).walk;
        uint64_t last = (row - 1) % walk.width + 1;
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_CPU);
        ck_assert_uint_ge(walk.width, 512);
        ck_assert(walk.width == row || walk.width % 16 == 0);
        ck_assert_msg(last * 5 >= walk.width * 4,
                      "%" PRIu32 ": runs of %" PRIu32 ", the last of %" PRIu64, row, walk.width,
                      last);
    }
}
END_TEST

/* A block's column, elements by steps, holds what lies side by side in the input, until it is long
 * enough to read; and rows are not lengthened by what it holds. */
START_TEST(columns_of_transposes_are_long)
{
    static const struct {
        struct slice_case c;
        uint32_t width, height, step;
    } cases[] = {
        {CASE("one dimension", UINT16, WHOLE(15107, 2221), IN_STRIDES(1, 15107), BY(1, 1),
              OUT(15107, 2221)),
         1120, 512, 1},
        {CASE("by 3", UINT8, IN(31, 739), IN_STRIDES(1, 217), WINDOW(31, 739), BY(3, 1),
              OUT(11, 739)),
         739, 11, 1},
        {CASE("two", UINT16, WHOLE(11, 5550, 79), IN_STRIDES(1, 11, 61051), BY(1, 1, 1),
              OUT(11, 5550, 79)),
         79, 506, 11},
        {CASE("three", UINT32, WHOLE(99, 5, 11, 2871), IN_STRIDES(55, 1, 5, 5445), BY(1, 1, 1, 1),
              OUT(99, 5, 11, 2871)),
         960, 55, 5},
        {CASE("far", UINT64, WHOLE(28, 479, 605), IN_STRIDES(1, 84, 40236), BY(1, 1, 1),
              OUT(28, 479, 605)),
         605, 28, 1},
        {CASE("overlapping", UINT8, WHOLE(20, 20, 20, 20, 100), IN_STRIDES(1, 1, 1, 1, 1000),
              BY(1, 1, 1, 1, 1), OUT(20, 20, 20, 20, 100)),
         100, 20, 1},
        {CASE("short rows", UINT8, WHOLE(9, 900, 9), IN_STRIDES(1, 9, 8100), BY(1, 1, 1),
              OUT(9, 900, 9)),
         1017, 9, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct plan plan = plan_of(&cases[i].c, true, PLAN_ALIGNED_ELEMENT, PLAN_TRANSPOSE_CPU);
        struct walk walk = launch_of(&plan).walk;
        ck_assert_msg(walk.width == cases[i].width && walk.height == cases[i].height &&
                          walk.full == cases[i].step,
                      "%s: %" PRIu32 " by %" PRIu32 " in steps of %" PRIu32, cases[i].c.name,
                      walk.width, walk.height, walk.full);
    }
}
END_TEST

/* A small slice is shared out as far as it pays, a large one to every compute unit. */
START_TEST(work_is_shared_out)
{
    for (uint32_t units = 1; units <= 256; units *= 4) {
        struct slice_case c = CASE("row", UINT8, WHOLE(4000000000), BY(1), OUT(4000000000));
        struct plan_limits limits = {true, units, 64, 4096, 0, 0, false};
        for (; c.in_sizes[0] > 0; c.in_sizes[0] /= 7) {
            c.out_sizes[0] = c.window_sizes[0] = c.in_sizes[0];
            struct plan plan = plan_within(&c, &limits, PLAN_ALIGNED_ELEMENT, CHOSEN);
            uint64_t items = launch_of(&plan).global_size;
            ck_assert_uint_lt(items, 65536);
            if (c.in_sizes[0] >= 1 << 20)
                ck_assert_uint_ge(items, units < 64 ? units : 64);
            if (c.in_sizes[0] <= 4096)
                ck_assert_uint_eq(items, 1);
        }
    }
}
END_TEST

static bool goes_past_caches(const struct slice_case *c, const struct plan_limits *limits)
{
    struct plan plan = plan_within(c, limits, PLAN_ALIGNED_ELEMENT, CHOSEN);
    ck_assert_uint_eq(launch_of(&plan).walk.past_caches, plan.is_large);
    return plan.is_large;
}

/* From as much traffic on as the caches of a CPU hold: what is written and the lines that are
 * read. */
START_TEST(large_slices_go_past_the_caches)
{
    struct slice_case c = CASE("row", FLOAT32, IN(0), IN_STRIDES(0), BY(1));
    for (uint32_t units = 1; units <= 256; units *= 2)
        for (uint32_t step = 0; step <= 2; ++step) {
            uint32_t traffic = 4 * (1 + step), most = units * 6 << 20;
            const struct plan_limits cpu = {true, units, 64, 4096, 0, most, false},
                                     gpu = {false, units, 32, 1024, 0, most, false};
            uint32_t size = (most + traffic - 1) / traffic;
            c.in_strides[0] = step;
            c.out_sizes[0] = c.window_sizes[0] = c.in_sizes[0] = size;
            ck_assert(goes_past_caches(&c, &cpu));
            ck_assert(!goes_past_caches(&c, &gpu));
            c.out_sizes[0] -= 64; /* a line, of the input, too */
            ck_assert(!goes_past_caches(&c, &cpu));
        }
}
END_TEST

/* Planes out of small pixels: strided_cpu where the pixels stay in the caches from one plane to the
 * next, and a plane's row is long. */
START_TEST(planes_of_pixels_in_caches_are_read_one_after_the_other)
{
    static const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true};
    static const struct {
        uint32_t data_type, apart, pixels;
        enum plan_variant variant;
    } planes[] = {
        {DML_TENSOR_DATA_TYPE_INT64, 5, 157287, PLAN_STRIDED_CPU}, /* 6 MiB */
        {DML_TENSOR_DATA_TYPE_INT64, 5, 157288, PLAN_TRANSPOSE_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 1 << 16, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 9, 1 << 16, PLAN_TRANSPOSE_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 5, 384, PLAN_STRIDED_CPU}, /* 3 KiB */
        {DML_TENSOR_DATA_TYPE_INT64, 5, 383, PLAN_TRANSPOSE_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 1 << 16, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 9, 1 << 16, PLAN_TRANSPOSE_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 6, 1 << 16, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 7, 1 << 16, PLAN_TRANSPOSE_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 5, 1 << 16, PLAN_TRANSPOSE_CPU},
    };
    for (size_t i = 0; i < COUNT_OF(planes); ++i) {
        uint32_t apart = planes[i].apart, pixels = planes[i].pixels;
        struct slice_case c =
            CASE("planes", UINT8, IN(100, apart, pixels), IN_STRIDES(apart * pixels, 1, apart),
                 WINDOW(100, apart, pixels), BY(1, 1, 1), OUT(100, apart, pixels));
        c.data_type = planes[i].data_type;
        struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN);
        ck_assert_msg(plan.variant == planes[i].variant, "%zu: %s", i,
                      plan_variant_name(plan.variant));
    }
    /* Pairs of rows lie between a plane's pixels and the next plane's. */
    struct slice_case between = CASE("between", INT64, IN(5, 2, 1 << 16), IN_STRIDES(1, 5 << 17, 5),
                                     WINDOW(5, 2, 1 << 16), BY(1, 1, 1), OUT(5, 2, 1 << 16));
    ck_assert_uint_eq(plan_within(&between, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                      PLAN_TRANSPOSE_CPU);
    between.window_strides[2] = -1; /* of the pixels, which are as near */
    between.in_strides[1] = 5 << 16;
    ck_assert_uint_eq(plan_within(&between, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                      PLAN_STRIDED_CPU);
    /* Rows of one element each, of 16 bytes. */
    struct slice_case same = CASE("same", FLOAT32, IN(100, 192, 4), IN_STRIDES(4, 0, 1),
                                  WINDOW(100, 192, 4), BY(1, 1, 1), OUT(100, 192, 4));
    ck_assert_uint_eq(plan_within(&same, &cpu, PLAN_ALIGNED_16, CHOSEN).variant,
                      PLAN_TRANSPOSE_CPU);
}
END_TEST

/* Transposes whose blocks hold a short part of the input's lines: the next block has more. Where
 * parts are long, or the rows have fewer blocks, rows are numbered first. */
START_TEST(blocks_that_share_lines_of_memory_are_neighbours)
{
    static const struct {
        uint32_t data_type, row, line, near;
    } transposes[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 2544411, 211, 1},
        {DML_TENSOR_DATA_TYPE_INT16, 803699, 151, 1},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 803699, 167, 0},
        {DML_TENSOR_DATA_TYPE_UINT8, 1 << 10, 100000, 0},
    };
    for (size_t i = 0; i < COUNT_OF(transposes); ++i) {
        uint32_t row = transposes[i].row, line = transposes[i].line;
        struct slice_case c = CASE("transpose", UINT8, IN(line, row), IN_STRIDES(1, line),
                                   WINDOW(line, row), BY(1, 1), OUT(line, row));
        c.data_type = transposes[i].data_type;
        const struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_GPU);
        const struct walk walk = launch_of(&plan).walk;
        ck_assert_uint_eq(walk.near, transposes[i].near);
        ck_assert_uint_gt(walk.dim[1].size, 1);
        ck_assert(walk.near == 0 || walk.dim[1].size < walk.dim[0].size);
    }
}
END_TEST

/* Of gradients across the input's neighbours, 4 KiB at a time; of others, the whole row. */
START_TEST(rows_of_gradients_are_made_in_parts)
{
    static const struct plan_limits cpu = {true, 4, 64, 4096, 0, 1 << 20, false};
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

/* Lines that are written in part come from memory: of short rows between gaps, too many. */
START_TEST(short_runs_stay_in_caches)
{
    static const struct plan_limits cpu = {true, 4, 64, 4096, 0, 1 << 20, false};
    for (uint32_t row = 2044; row <= 2052; ++row) {
        for (uint32_t gap = 0; gap < 2; ++gap) {
            const struct slice_case c = CASE("runs", UINT8, IN(9999, 2100), WINDOW(9999, row),
                                             BY(1, 1), OUT(9999, row), OUT_STRIDES(row + gap, 1));
            struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_16, CHOSEN);
            ck_assert(plan.is_large);
            ck_assert(launch_of(&plan).walk.is_large);
            ck_assert_uint_eq(launch_of(&plan).walk.past_caches, gap == 0 || row >= 2048);
        }
    }
}
END_TEST

/* What the plan of aligned tensors needs: of the input, its own elements; of the output, whole
 * pixels, or whole words where rows are less than one. Blocks that fit exactly need all. */
START_TEST(aligned_plans_need_no_more_than_they_use)
{
    const struct {
        struct slice_case c;
        struct plan_alignments needed;
    } cases[] = {
        {CASE("crop", UINT8, IN(9999, 999), WINDOW(9999, 990), BY(1, 1), OUT(9999, 990)), {1, 1}},
        {CASE("wide", UINT8, IN(9999, 64), WINDOW(9999, 32), BY(3, 1), OUT(3333, 32)), {1, 1}},
        {CASE("wide", UINT8, IN(99999, 64), WINDOW(99999, 8), BY(1, 1), OUT(99999, 8)), {8, 8}},
        {CASE("rgba", UINT8, WHOLE(99999, 4), BY(1, -1), OUT(99999, 4)), {1, 4}},
        {CASE("rgb", UINT8, WHOLE(99999, 3), BY(1, -1), OUT(99999, 3)), {1, 1}},
        {CASE("gaps", FLOAT32, WHOLE(99999, 3), BY(1, 1), OUT(99999, 3), OUT_STRIDES(4, 1)),
         {4, 16}},
        {CASE("gaps", FLOAT32, WHOLE(99999, 4), BY(1, 1), OUT(99999, 4), OUT_STRIDES(5, 1)),
         {4, 4}},
        {CASE("transpose", FLOAT32, WHOLE(999, 992), IN_STRIDES(1, 1000), BY(1, 1), OUT(999, 992)),
         {16, 16}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct plan plan = chosen_plan(&cases[i].c, false, PLAN_ALIGNED_16);
        struct plan_alignments got = plan_alignments_of(&plan);
        ck_assert_msg(got.in == cases[i].needed.in && got.out == cases[i].needed.out,
                      "%zu: %s needs %" PRIu32 " and %" PRIu32, i, plan_variant_name(plan.variant),
                      got.in, got.out);
    }
}
END_TEST

/* strided_gpu writes pixels of up to 4 single bytes whole, where there are gaps. */
START_TEST(bytes_between_gaps_are_columns)
{
    for (uint32_t pixel = 2; pixel <= 5; ++pixel)
        for (uint32_t gap = 0; gap < 2; ++gap) {
            struct slice_case c = CASE("pixels", UINT8, WHOLE(99999, pixel), BY(1, -1),
                                       OUT(99999, pixel), OUT_STRIDES(pixel + gap, 1));
            for (int bytes = 1; bytes <= 2; ++bytes) {
                c.data_type = bytes == 1 ? DML_TENSOR_DATA_TYPE_UINT8 : DML_TENSOR_DATA_TYPE_UINT16;
                struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
                bool is_column = gap > 0 && bytes == 1 && pixel <= 4;
                ck_assert_uint_eq(launch_of(&plan).walk.column, is_column ? pixel : 1);
            }
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan_limits");
    TCase *tests = suite_case(suite, "plan_limits");
    tcase_add_test(tests, groups_fit_the_device);
    tcase_add_test(tests, local_sizes_are_few);
    tcase_add_test(tests, small_groups_never_transpose);
    tcase_add_test(tests, small_local_memories_never_transpose);
    tcase_add_test(tests, small_outputs_of_gpus_are_strided);
    tcase_add_loop_test(tests, rows_between_gaps_that_begin_at_words_may_be_shorter, 0, 5);
    tcase_add_loop_test(tests, short_rows_of_gpus_are_words, 0, COUNT_OF(gpu_rows));
    tcase_add_test(tests, rows_that_others_come_between_go_through_blocks);
    tcase_add_loop_test(tests, repeated_elements_of_gpus_go_through_blocks, 0, 4);
    tcase_add_loop_test(tests, few_rows_of_cpus_are_strided, 0, 9);
    tcase_add_test(tests, short_rows_of_cpus_that_pick_are_strided);
    tcase_add_loop_test(tests, short_stepped_rows_of_cpus_are_strided, 0, 4);
    tcase_add_loop_test(tests, short_stepped_rows_of_cpus_that_lie_alone_are_strided, 0, 4);
    tcase_add_loop_test(tests, short_stepped_rows_between_gaps_are_gapped, 0, 8);
    tcase_add_loop_test(tests, long_rows_between_gaps_of_cpus_are_rows, 0, 4);
    tcase_add_loop_test(tests, short_runs_between_gaps_are_gapped, 0, 4);
    tcase_add_loop_test(tests, rows_of_bytes_between_narrow_gaps_are_rows, 0, 2);
    tcase_add_loop_test(tests, columns_that_the_memory_delivers_together_are_transposed, 0, 4);
    tcase_add_loop_test(tests, rows_that_follow_each_other_between_gaps_are_rows, 1, 4);
    tcase_add_loop_test(tests, outputs_with_gaps_are_transposed_where_that_costs_little, 0, 11);
    tcase_add_test(tests, short_runs_of_several_dimensions_are_gapped);
    tcase_add_test(tests, outputs_of_less_than_a_line_are_gapped);
    tcase_add_test(tests, repeated_rows_of_cpus_are_strided);
    tcase_add_test(tests, runs_of_transposes_are_even);
    tcase_add_test(tests, columns_of_transposes_are_long);
    tcase_add_test(tests, work_is_shared_out);
    tcase_add_test(tests, large_slices_go_past_the_caches);
    tcase_add_test(tests, short_runs_stay_in_caches);
    tcase_add_test(tests, planes_of_pixels_in_caches_are_read_one_after_the_other);
    tcase_add_test(tests, blocks_that_share_lines_of_memory_are_neighbours);
    tcase_add_test(tests, rows_of_gradients_are_made_in_parts);
    tcase_add_test(tests, aligned_plans_need_no_more_than_they_use);
    tcase_add_test(tests, bytes_between_gaps_are_columns);
    return suite_run(suite);
}
