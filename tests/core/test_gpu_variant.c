/* SPDX-License-Identifier: MIT */
/* Which kernel a GPU is given. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/variants/gpu_variant.h"
#include "support/case_slice.h"
#include "support/suite.h"

#include <inttypes.h>

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
    {DML_TENSOR_DATA_TYPE_UINT8, 1023, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_UINT8, 1024, 1, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_UINT8, 1023, -1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_UINT8, 1024, -1, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 511, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT16, 512, 1, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 511, -1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT16, 512, -1, 0, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 9999, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT64, 999, 1, 0, PLAN_STRIDED_GPU, 16},
    /* By what its blocks cost, transpose_gpu moves shorter ones, one way or the other. */
    {DML_TENSOR_DATA_TYPE_UINT8, 7, 1, 0, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT16, 7, 1, 0, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 5, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_INT16, 8, 1, 0, PLAN_STRIDED_GPU, 16},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 19, 1, 0, PLAN_STRIDED_GPU, 16},
    /* Gaps leave no words. */
    {DML_TENSOR_DATA_TYPE_UINT8, 25, 1, 8, PLAN_STRIDED_GPU, 1},
    {DML_TENSOR_DATA_TYPE_UINT8, 63, 1, 8, PLAN_STRIDED_GPU, 1},
    {DML_TENSOR_DATA_TYPE_UINT8, 250, 1, 25, PLAN_TRANSPOSE_GPU, 0},
    {DML_TENSOR_DATA_TYPE_UINT8, 256, 1, 8, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT16, 41, 1, 10, PLAN_STRIDED_GPU, 2},
    {DML_TENSOR_DATA_TYPE_INT16, 86, 1, 57, PLAN_STRIDED_GPU, 2},
    {DML_TENSOR_DATA_TYPE_INT16, 223, 1, 1, PLAN_STRIDED_GPU, 2},
    {DML_TENSOR_DATA_TYPE_INT16, 224, 1, 1, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 400, 1, 1, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 401, 1, 1, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 99, 1, 129, PLAN_STRIDED_GPU, 4},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 100, 1, 129, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT64, 400, 1, 128, PLAN_STRIDED_GPU, 8},
    {DML_TENSOR_DATA_TYPE_INT64, 401, 1, 128, PLAN_ROWS_GPU, 0},
    {DML_TENSOR_DATA_TYPE_INT64, 95, 1, 129, PLAN_STRIDED_GPU, 8},
    {DML_TENSOR_DATA_TYPE_INT64, 96, 1, 129, PLAN_ROWS_GPU, 0},
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

/* Rows that lie `row + pad` apart, in an aligned output. */
static const struct {
    uint32_t data_type, row, pad;
    enum plan_variant variant;
} gapped_rows[] = {
    {DML_TENSOR_DATA_TYPE_FLOAT32, 7, 13, PLAN_ROWS_GPU},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 7, 12, PLAN_STRIDED_GPU},
    {DML_TENSOR_DATA_TYPE_INT64, 7, 13, PLAN_STRIDED_GPU},
    {DML_TENSOR_DATA_TYPE_INT64, 8, 14, PLAN_ROWS_GPU},
    {DML_TENSOR_DATA_TYPE_INT64, 8, 13, PLAN_STRIDED_GPU},
    /* Unless gaps are so narrow that they are numbered. */
    {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 12, PLAN_STRIDED_GPU},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 16, PLAN_ROWS_GPU},
    {DML_TENSOR_DATA_TYPE_INT64, 94, 128, PLAN_STRIDED_GPU},
    {DML_TENSOR_DATA_TYPE_INT64, 94, 130, PLAN_ROWS_GPU},
    {DML_TENSOR_DATA_TYPE_INT16, 89, 7, PLAN_STRIDED_GPU},
    {DML_TENSOR_DATA_TYPE_INT16, 90, 6, PLAN_ROWS_GPU},
};

START_TEST(rows_between_gaps_that_begin_at_words_may_be_shorter)
{
    const uint32_t row = gapped_rows[_i].row;
    struct slice_case c = CASE("rows", UNKNOWN, IN(99999, row + 3), WINDOW(99999, row), BY(1, 1),
                               OUT(99999, row), OUT_STRIDES(row + gapped_rows[_i].pad, 1));
    c.data_type = gapped_rows[_i].data_type;
    ck_assert_uint_eq(chosen_plan(&c, false, PLAN_ALIGNED_16).variant, gapped_rows[_i].variant);
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

/* Of single bytes, by how far apart the next row lies, where they are contiguous, less than the
 * widest word, and many; elsewhere only where they are fewer than 8. */
START_TEST(rows_of_few_bytes_are_narrow_words)
{
    static const struct {
        uint32_t rows, row, step, pitch, word;
    } rows[] = {{999, 5, 1, 10, 8},  {999, 7, 1, 14, 8},     {999, 7, 1, 13, 16},
                {999, 8, 1, 23, 16}, {999, 8, 1, 24, 8},     {999, 8, 1, 95, 8},
                {999, 8, 1, 96, 4},  {999, 15, 1, 45, 8},    {999, 16, 1, 32, 16},
                {63, 15, 1, 30, 16}, {999, 12, 12, 2000, 4}, {999, 8, 3, 1000, 8}};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const uint32_t count = rows[i].rows, row = rows[i].row, pitch = rows[i].pitch;
        const uint32_t span = (row - 1) * rows[i].step + 1;
        const struct slice_case c =
            CASE("rows", UINT8, IN(99, count + 1, pitch), WINDOW(99, count, span),
                 BY(1, 1, (int32_t)rows[i].step), OUT(99, count, row));
        const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
        ck_assert_msg(plan.word_bytes == rows[i].word, "%zu: %" PRIu32, i, plan.word_bytes);
    }
}
END_TEST

/* As of smaller ones: they are moved by several launches. */
START_TEST(single_bytes_of_large_inputs_are_words)
{
    static const struct {
        uint32_t rows, row, step, pitch, word;
    } rows[] = {{199999, 999, 11, 12000, 8}, {199999, 999, 12, 12000, 4},
                {199999, 1999, 5, 11000, 8}, {99999999, 7, 1, 24, 8},
                {89999999, 7, 1, 23, 8},     {99999999, 3, 2, 24, 8}};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const uint32_t span = (rows[i].row - 1) * rows[i].step + 1;
        const struct slice_case c =
            CASE("large", UINT8, IN(rows[i].rows, rows[i].pitch), WINDOW(rows[i].rows, span),
                 BY(1, (int32_t)rows[i].step), OUT(rows[i].rows, rows[i].row));
        const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
        ck_assert_msg(plan.word_bytes == rows[i].word, "%zu: %" PRIu32, i, plan.word_bytes);
    }
}
END_TEST

/* Few bytes of many are not for rows_gpu. */
START_TEST(small_pixels_go_by_rows_at_any_alignment)
{
    static const struct {
        uint32_t columns, pixel, channels, step;
        int32_t column_step, channel_step;
        enum plan_variant variant;
    } pixels[] = {
        {1409, 4, 4, 1, 1, -1, PLAN_ROWS_GPU},     {233, 2, 2, 1, 1, -1, PLAN_ROWS_GPU},
        {1409, 2, 3, 1, 1, 1, PLAN_ROWS_GPU},      {1409, 3, 3, 1, 1, -1, PLAN_ROWS_GPU},
        {64, 4, 4, 1, 1, -1, PLAN_ROWS_GPU},       {211, 3, 3, 2, 2, 1, PLAN_STRIDED_GPU},
        {2313, 5, 5, 2, 2, 1, PLAN_TRANSPOSE_GPU}, {1009, 6, 6, 2, 2, 1, PLAN_TRANSPOSE_GPU},
        {1009, 7, 7, 2, 2, 1, PLAN_STRIDED_GPU},
    };
    const uint32_t columns = (pixels[_i].columns - 1) * pixels[_i].step + 1;
    const struct slice_case c =
        CASE("pixels", UINT8, IN(173, 1006, columns + 1, pixels[_i].channels),
             WINDOW(173, 502 * pixels[_i].step + 1, columns, pixels[_i].pixel),
             BY(1, (int32_t)pixels[_i].step, pixels[_i].column_step, pixels[_i].channel_step),
             OUT(173, 503, pixels[_i].columns, pixels[_i].pixel));
    for (enum plan_alignment a = 0; a < PLAN_ALIGNMENT_COUNT; ++a)
        ck_assert_uint_eq(chosen_plan(&c, false, a).variant, pixels[_i].variant);
}
END_TEST

/* Rows of at most 96 bytes, the next of which lies behind others in the input. */
START_TEST(rows_that_others_come_between_go_through_blocks)
{
    for (uint32_t row = 2; row < 150; ++row)
        for (uint32_t i = 0; i < 4; ++i) {
            struct slice_case c =
                CASE("apart", UNKNOWN, WHOLE(499, 3001, row), IN_STRIDES(row, 499 * row, 1),
                     BY(1, 1, 1), OUT(499, 3001, row));
            c.data_type = type_of_width((int)i);
            enum plan_variant variant = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT).variant;
            if (i != 1 || row <= 48) /* longer ones of pairs by what a block costs */
                ck_assert_msg((variant == PLAN_TRANSPOSE_GPU) == (row << i <= 96),
                              "%" PRIu32 " of %u bytes", row, 1 << i);
        }
}
END_TEST

/* By what a block costs and has of the rows between; strided_gpu in words of so many bytes. */
START_TEST(blocks_of_rows_that_others_come_between_gain_something)
{
    static const struct {
        struct slice_case c;
        enum plan_variant variant;
        uint32_t word;
    } slices[] = {
        {CASE("all of a line", UINT32, WHOLE(7, 1369568, 7), BY(1, 1, 1), OUT(7, 1369568, 7),
              IN_STRIDES(7, 49, 1)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("none between", UINT32, WHOLE(7, 1369568, 7), BY(1, 1, 1), OUT(7, 1369568, 7),
              IN_STRIDES(21, 133, 1)),
         PLAN_STRIDED_GPU, 4},
        {CASE("11 elements", UINT32, WHOLE(7, 99999, 11), BY(1, 1, 1), OUT(7, 99999, 11),
              IN_STRIDES(33, 231, 1)),
         PLAN_STRIDED_GPU, 4},
        {CASE("12 elements", UINT32, WHOLE(7, 99999, 12), BY(1, 1, 1), OUT(7, 99999, 12),
              IN_STRIDES(36, 252, 1)),
         PLAN_STRIDED_GPU, 16},
        {CASE("none between, long", UINT32, WHOLE(30, 193, 653, 23), BY(1, 1, 1, 1),
              OUT(30, 193, 653, 23), IN_STRIDES(46, 653000, 1400, 1)),
         PLAN_STRIDED_GPU, 16},
        {CASE("none between, but cheap", UINT32, WHOLE(37, 90687, 20), BY(1, 1, 1),
              OUT(37, 90687, 20), IN_STRIDES(20, 740, 1)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("late", UINT32, WHOLE(14, 131, 3162, 11), BY(1, 1, 1, 1), OUT(14, 131, 3162, 11),
              IN_STRIDES(12840882, 31, 4061, 3)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("soon", UINT32, WHOLE(29, 2959, 34, 23), BY(1, 1, 1, 1), OUT(29, 2959, 34, 23),
              IN_STRIDES(6740602, 67, 198253, 3)),
         PLAN_STRIDED_GPU, 16},
        {CASE("soon, but cheap", UINT32, WHOLE(285569, 47, 5), BY(1, 1, 1), OUT(285569, 47, 5),
              IN_STRIDES(10, 2855690, 1)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("8 bytes", UINT64, WHOLE(137, 8, 37, 74, 11), BY(1, 1, 1, 1, 1),
              OUT(137, 8, 37, 74, 11), IN_STRIDES(18104, 31, 496, 2480248, 3)),
         PLAN_STRIDED_GPU, 16},
        {CASE("few pairs", UINT16, WHOLE(39, 5903, 53, 11), BY(1, 1, 1, 1), OUT(39, 5903, 53, 11),
              IN_STRIDES(31, 2418, 14273454, 3)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("few bytes", UINT8, WHOLE(103, 537, 701, 7), BY(1, 1, 1, 1), OUT(103, 537, 701, 7),
              IN_STRIDES(19, 4111657, 5871, 3)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("20 bytes", UINT8, WHOLE(64, 99999, 20), BY(1, 1, 1), OUT(64, 99999, 20),
              IN_STRIDES(64, 4096, 3)),
         PLAN_TRANSPOSE_GPU, 0},
        {CASE("21 bytes", UINT8, WHOLE(64, 99999, 21), BY(1, 1, 1), OUT(64, 99999, 21),
              IN_STRIDES(64, 4096, 3)),
         PLAN_STRIDED_GPU, 8},
        {CASE("more bytes", UINT8, WHOLE(31, 247469, 35), BY(1, 1, 1), OUT(31, 247469, 35),
              IN_STRIDES(103, 3193, 3)),
         PLAN_STRIDED_GPU, 8},
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i) {
        const struct plan plan = chosen_plan(&slices[i].c, false, PLAN_ALIGNED_16);
        ck_assert_msg(plan.variant == slices[i].variant && plan.word_bytes == slices[i].word,
                      "%s: %s, %" PRIu32, slices[i].c.name, plan_variant_name(plan.variant),
                      plan.word_bytes);
    }
    /* Not items of a batch, nor rows across the input's. */
    static const struct plan_limits gpu = {false, 132, 64, 1024, 48 << 10, 0, false, false};
    struct slice item = slice_of(&slices[1].c);
    const struct slice_case across = CASE("across", UINT32, WHOLE(50, 9999, 7), BY(1, 1, 1),
                                          OUT(50, 9999, 7), IN_STRIDES(1, 400, 52));
    struct plan plan;
    item.is_item = true;
    ck_assert(plan_from(&item, &gpu, PLAN_ALIGNED_16, PLAN_STRIDED_GPU, &plan));
    ck_assert_uint_eq(plan.word_bytes, 16);
    plan = plan_of(&across, false, PLAN_ALIGNED_16, PLAN_STRIDED_GPU);
    ck_assert_uint_eq(plan.word_bytes, 16);
}
END_TEST

/* Short rows of one narrow element each. */
START_TEST(repeated_elements_of_gpus_go_through_blocks)
{
    for (uint32_t row = 3; row < 150; ++row) {
        struct slice_case c = CASE("repeated", UNKNOWN, WHOLE(99999, row), IN_STRIDES(1, 0),
                                   BY(1, 1), OUT(99999, row));
        c.data_type = type_of_width(_i);
        enum plan_variant variant = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT).variant;
        if (_i == 0 && row > 64 && row <= 128) /* of single bytes, by what the blocks cost */
            ck_assert(variant == PLAN_TRANSPOSE_GPU || variant == PLAN_STRIDED_GPU);
        else
            ck_assert_uint_eq(variant, row <= 128 && (_i == 1 || (_i == 0 && row > 3))
                                           ? PLAN_TRANSPOSE_GPU
                                           : PLAN_STRIDED_GPU);
    }
}
END_TEST

/* On a GPU, in an output without alignment: elements, or pixels of 3. */
START_TEST(rows_of_bytes_between_gaps_are_long)
{
    for (uint32_t count = 5; count < 300; ++count) {
        const struct slice_case bytes = CASE("bytes", UINT8, COPY(9999, count),
                                             OUT_STRIDES(count + count / 4 + 1, 1)),
                                pixels = CASE("pixels", UINT8, WHOLE(9999, count, 3), BY(1, 1, -1),
                                              OUT(9999, count, 3),
                                              OUT_STRIDES(3 * count + count / 4 + 1, 3, 1));
        const enum plan_variant of_bytes = chosen_plan(&bytes, false, PLAN_ALIGNED_ELEMENT).variant;
        ck_assert_uint_eq(of_bytes == PLAN_ROWS_GPU, count >= 256);
        ck_assert_uint_eq(chosen_plan(&pixels, false, PLAN_ALIGNED_ELEMENT).variant,
                          3 * count >= 96 ? PLAN_ROWS_GPU : PLAN_STRIDED_GPU);
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
            c.data_type = type_of_width(_i);
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
            c.data_type = type_of_width(_i);
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
         PLAN_STRIDED_GPU},
        {CASE("longer pairs in runs", UINT16, WHOLE(9, 99999, 17), BY(1, 1, 1), OUT(9, 99999, 17),
              IN_STRIDES(2099999, 20, 1), OUT_STRIDES(17 * 99999 + 1, 17, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("short bytes in runs", UINT8, WHOLE(9999, 5, 11), BY(1, 1, 1), OUT(9999, 5, 11),
              IN_STRIDES(75, 15, 1), OUT_STRIDES(56, 11, 1)),
         PLAN_STRIDED_GPU},
        {CASE("bytes in runs", UINT8, WHOLE(9999, 5, 13), BY(1, 1, 1), OUT(9999, 5, 13),
              IN_STRIDES(85, 17, 1), OUT_STRIDES(66, 13, 1)),
         PLAN_ROWS_GPU},
        {CASE("in 2 dimensions", UINT8, COPY(99999, 100), OUT_STRIDES(110, 1)), PLAN_STRIDED_GPU},
        {CASE("in 4 dimensions", UINT8, COPY(99, 5, 23, 100), OUT_STRIDES(12664, 2532, 110, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("pairs in 2 dimensions", UINT16, COPY(99999, 110), OUT_STRIDES(113, 1)),
         PLAN_STRIDED_GPU},
        {CASE("pairs in 4 dimensions", UINT16, COPY(99, 5, 23, 110),
              OUT_STRIDES(13011, 2602, 113, 1)),
         PLAN_TRANSPOSE_GPU},
        {CASE("aligned pairs", UINT16, COPY(99999, 120), OUT_STRIDES(128, 1)), PLAN_TRANSPOSE_GPU},
        {CASE("pixels of 5", UINT8, WHOLE(999, 300, 3), BY(1, 1, 1), OUT(999, 300, 3),
              IN_STRIDES(1507, 5, 1), OUT_STRIDES(907, 3, 1)),
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

/* Gaps of at most 1.5 rows and 128 elements are numbered as if they were elements, if these have 4
 * bytes or more, rows have at most 400, and planes begin whole sectors apart; groups begin at lines
 * of memory where what is numbered lies evenly in the output. */
START_TEST(narrow_gaps_have_work_items_and_groups_begin_at_lines)
{
    static const struct {
        uint32_t data_type, row, pitch, plane; /* plane: elements behind its 99 rows */
        uint32_t step;                         /* of the output's elements */
        uint32_t numbered, apart;              /* elements of a row; 0: unevenly */
    } rows[] = {
        {DML_TENSOR_DATA_TYPE_INT64, 3, 4, 0, 1, 4, 1},
        {DML_TENSOR_DATA_TYPE_INT64, 400, 528, 0, 1, 528, 1},
        {DML_TENSOR_DATA_TYPE_INT64, 400, 529, 0, 1, 400, 0},
        {DML_TENSOR_DATA_TYPE_INT64, 401, 402, 0, 1, 401, 0},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 20, 0, 1, 20, 1},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 21, 0, 1, 8, 0},
        {DML_TENSOR_DATA_TYPE_INT64, 3, 4, 4, 1, 4, 1},
        {DML_TENSOR_DATA_TYPE_INT64, 3, 4, 3, 1, 3, 0},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 3, 4, 0, 1, 4, 1},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 3, 4, 8, 1, 4, 1},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 3, 4, 4, 1, 3, 0},
        {DML_TENSOR_DATA_TYPE_INT16, 3, 4, 0, 1, 3, 0},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 5, 10, 0, 2, 5 * 99 * 99, 2},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 5, 11, 0, 2, 5, 0},
        {DML_TENSOR_DATA_TYPE_INT64, 5, 15, 0, 3, 5 * 99 * 99, 3},
        {DML_TENSOR_DATA_TYPE_INT64, 5, 14, 0, 3, 5, 0},
    };
    struct slice_case c =
        CASE("rows", UNKNOWN, COPY(99, 99, rows[_i].row),
             OUT_STRIDES(99 * rows[_i].pitch + rows[_i].plane, rows[_i].pitch, rows[_i].step));
    c.data_type = rows[_i].data_type;
    const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
    const struct plan_box whole = plan_whole(&plan);
    const struct walk walk = launch_from(&plan, &whole).walk;
    ck_assert_uint_eq(walk.dim[0].size, rows[_i].numbered);
    ck_assert_uint_eq(walk.full,
                      rows[_i].pitch == walk.dim[0].size ? rows[_i].row : walk.dim[0].size);
    ck_assert_uint_eq(walk.units, 128 / plan.element_size);
    for (uint32_t n = 0; n < walk.units; ++n)
        ck_assert_uint_eq(n * walk.by_units >> 16, rows[_i].apart > 0 ? n / rows[_i].apart : 0);
    struct plan item = plan;
    item.is_item = true;
    ck_assert(!gpu_variant_numbers_gaps(&item));
}
END_TEST

/* With their gaps, 2^31 elements. */
START_TEST(gaps_of_too_many_elements_are_not_numbered)
{
    for (uint32_t more = 0; more < 2; ++more) {
        const struct slice_case c =
            CASE("many", FLOAT32, COPY((1 << 29) - 1 + more, 3), OUT_STRIDES(4, 1));
        const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
        ck_assert_uint_eq(plan.numbers_gaps, more == 0);
    }
}
END_TEST

/* Work-items of strided_gpu wait for fewer elements where these lie more than 4 bytes apart, or are
 * wide. */
START_TEST(work_items_have_few_elements_that_lie_far_apart)
{
    static const uint32_t apart[] = {1, 2, 3, 5};
    static const uint32_t most[][4] = {{4, 4, 4, 2}, {4, 4, 2, 2}, {2, 2, 2, 2}, {1, 1, 1, 1}};
    for (size_t i = 0; i < COUNT_OF(apart); ++i) {
        struct slice_case c =
            CASE("apart", UNKNOWN, COPY(2000, 300, 7), OUT_STRIDES(300 * 50, 50, apart[i]));
        c.data_type = type_of_width(_i);
        const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
        ck_assert_uint_eq(launch_of(&plan).walk.width, most[_i][i]);
    }
}
END_TEST

/* Rows that repeat have words that come again, also rows shorter than a word; wide elements are
 * stored one by one, but of a batch. */
START_TEST(words_of_narrow_elements_come_again)
{
    const uint32_t rows[] = {953, 3};
    for (int width = 0; width < 4; ++width)
        for (uint32_t i = 0; i < 2 * COUNT_OF(rows); ++i) {
            const uint32_t row = rows[i / 2], step = i % 2;
            struct slice_case c = CASE("repeated", UNKNOWN, WHOLE(999999, row), BY(1, 1),
                                       OUT(999999, row), IN_STRIDES(0, step));
            c.data_type = type_of_width(width);
            struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
            const struct plan_box whole = plan_whole(&plan);
            const struct walk walk = launch_from(&plan, &whole).walk;
            ck_assert_int_eq(walk.repeat > 0, walk.makes_words && plan.element_size < 4);
            plan.is_item = true;
            ck_assert_int_eq(launch_from(&plan, &whole).walk.repeat > 0, walk.makes_words);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_variant");
    TCase *tests = suite_case(suite, "gpu_variant");
    tcase_add_test(tests, small_outputs_of_gpus_are_strided);
    tcase_add_loop_test(tests, rows_between_gaps_that_begin_at_words_may_be_shorter, 0,
                        COUNT_OF(gapped_rows));
    tcase_add_loop_test(tests, narrow_gaps_have_work_items_and_groups_begin_at_lines, 0, 14);
    tcase_add_test(tests, gaps_of_too_many_elements_are_not_numbered);
    tcase_add_loop_test(tests, work_items_have_few_elements_that_lie_far_apart, 0, 4);
    tcase_add_test(tests, words_of_narrow_elements_come_again);
    tcase_add_test(tests, rows_of_few_bytes_are_narrow_words);
    tcase_add_test(tests, single_bytes_of_large_inputs_are_words);
    tcase_add_loop_test(tests, short_rows_of_gpus_are_words, 0, COUNT_OF(gpu_rows));
    tcase_add_loop_test(tests, small_pixels_go_by_rows_at_any_alignment, 0, 9);
    tcase_add_test(tests, rows_that_others_come_between_go_through_blocks);
    tcase_add_test(tests, blocks_of_rows_that_others_come_between_gain_something);
    tcase_add_loop_test(tests, repeated_elements_of_gpus_go_through_blocks, 0, 4);
    tcase_add_test(tests, rows_of_bytes_between_gaps_are_long);
    tcase_add_loop_test(tests, columns_that_the_memory_delivers_together_are_transposed, 0, 4);
    tcase_add_loop_test(tests, rows_that_follow_each_other_between_gaps_are_rows, 1, 4);
    tcase_add_loop_test(tests, outputs_with_gaps_are_transposed_where_that_costs_little, 0, 20);
    return suite_run(suite);
}
