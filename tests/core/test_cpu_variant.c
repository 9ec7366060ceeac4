/* SPDX-License-Identifier: MIT */
/* Which kernel a CPU is given. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/suite.h"

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
                  {DML_TENSOR_DATA_TYPE_UINT16, 2, 6, 9},
                  {DML_TENSOR_DATA_TYPE_UINT32, 4, 0, 5},
                  {DML_TENSOR_DATA_TYPE_UINT64, 8, 0, 2}};
    for (size_t i = 0; i < COUNT_OF(widths); ++i)
        for (uint32_t count = 2; count < 24; ++count)
            for (uint32_t kind = 0; kind < 8; ++kind) {
                const bool picks = kind % 4 != 1, is_large = kind % 4 != 2,
                           is_gapped = kind % 4 == 3;
                const uint32_t most = kind < 4 ? widths[i].most : widths[i].reversed_most;
                const struct plan_limits cpu = {true, UNITS, 64, 4096, 0, 24 << 20, picks, false};
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

/* So are pixels, in rows of fewer than 256 elements. */
START_TEST(short_rows_of_pixels_of_cpus_that_pick_are_strided)
{
    for (uint32_t n = 0; n < 12; ++n) {
        const bool picks = n % 2 > 0;
        const uint32_t pixels = 84 + n / 2 % 2 * 2;
        const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, picks, false};
        struct slice_case c = CASE("pixels", UNKNOWN, IN(9999, pixels + 1, 4),
                                   WINDOW(9999, pixels, 3), BY(1, 1, 1), OUT(9999, pixels, 3));
        c.data_type = type_of_width((int)n / 4);
        ck_assert_uint_eq(plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                          picks && pixels * 3 < 256 ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
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
            c.data_type = type_of_width(_i / 2);
            ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant,
                              is_alone && count * size < 48 ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
        }
}
END_TEST

/* Rows of 8 to 2100 bytes are, too, shorter ones than 128 from 128 bytes on, where what they read
 * and write is twice what the caches hold: elements of 2^i bytes, whose rows lie so far apart or an
 * element less, of so much or a row less. */
START_TEST(rows_of_cpus_that_lie_alone_in_memory_are_strided)
{
    static const int32_t steps[] = {1, -1, 2, -3};
    const uint32_t size = 1u << _i, least = 8 / size, few = 128 / size, most = 2100 / size;
    const uint32_t counts[] = {least - 1, least, 2 * least, few - 1, few, most, most + 1};
    for (uint32_t n = 0; n < 8 * COUNT_OF(counts) * COUNT_OF(steps); ++n) {
        const uint32_t count = counts[n / 8 % COUNT_OF(counts)];
        const int32_t step = steps[n / 8 / COUNT_OF(counts)];
        const bool picks = n / 4 % 2 > 0;
        const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, picks, false};
        const uint32_t few_of[] = {11, 7, 1, 1}, few_turned[] = {20, 10, 6, 3};
        const uint32_t rows_least = step != 1 && step != -1 ? 18
                                    : !picks                ? 4 / size
                                    : step == 1             ? few_of[_i]
                                                            : few_turned[_i];
        if (count < 2 || count < rows_least)
            continue; /* strided wherever they lie */
        const bool is_alone = n % 2 > 0, is_large = n / 2 % 2 > 0;
        const uint32_t taken = (count - 1) * (uint32_t)abs(step) + 1;
        const uint32_t row = count * size + (taken - 1) * size + 64;
        const uint32_t rows = ((24 << 20) + row - 1) / row - !is_large;
        const uint32_t apart = count < few ? 128 : 384;
        const uint32_t pitch = taken - 1 + apart / size - 1 + is_alone;
        struct slice_case c = CASE("alone", UINT8, IN(rows, pitch), WINDOW(rows, taken),
                                   BY(1, step), OUT(rows, count));
        c.data_type = type_of_width(_i);
        const struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN);
        const bool is_between = count >= least && count <= most;
        ck_assert_uint_eq(plan.variant,
                          is_alone && is_large && is_between ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
    }
}
END_TEST

/* Rows of 65 to 256 elements across neighbours of the input, as far as a table holds squares of
 * them, go by strided_cpu, unless the columns' lines meet in few sets of a cache. */
START_TEST(squares_of_long_rows_are_turned)
{
    static const struct {
        int32_t width;
        uint32_t row, pitch, columns;
        int32_t step; /* of the columns */
        uint32_t pad; /* of the output */
        enum plan_variant variant;
    } squares[] = {
        {0, 65, 20011, 20000, 1, 0, PLAN_STRIDED_CPU},
        {0, 256, 20011, 20000, 1, 0, PLAN_STRIDED_CPU},
        {0, 2048, 20491, 20000, 1, 0, PLAN_STRIDED_CPU},
        {0, 2049, 20491, 20000, 1, 0, PLAN_TRANSPOSE_CPU},
        {1, 1024, 20011, 20000, 1, 0, PLAN_STRIDED_CPU},
        {1, 1025, 20011, 20000, 1, 0, PLAN_TRANSPOSE_CPU},
        {2, 512, 20011, 20000, 1, 0, PLAN_STRIDED_CPU},
        {2, 513, 20011, 20000, 1, 0, PLAN_TRANSPOSE_CPU},
        {3, 256, 20011, 20000, 1, 0, PLAN_STRIDED_CPU},
        {3, 257, 20011, 20000, 1, 0, PLAN_TRANSPOSE_CPU},
        {0, 100, 20011, 20000, -1, 0, PLAN_STRIDED_CPU},
        {1, 1000, 20011, 20000, -1, 0, PLAN_STRIDED_CPU},
        {0, 100, 20011, 20000, 1, 1, PLAN_TRANSPOSE_CPU},
        {0, 65, 5 << 12, 20000, 1, 0, PLAN_TRANSPOSE_CPU},        /* 65 lines of a set, */
        {0, 112, 9 << 11, 18000, 1, 0, PLAN_STRIDED_CPU},         /* 56, */
        {0, 113, 9 << 11, 18000, 1, 0, PLAN_TRANSPOSE_CPU},       /* 57 */
        {0, 65, (1 << 20) + 64, 20000, 1, 0, PLAN_TRANSPOSE_CPU}, /* 65 pages of a set */
        {0, 128, 5003, 4096, 1, 0, PLAN_STRIDED_CPU},             /* 512 KiB */
        {0, 128, 5003, 4095, 1, 0, PLAN_TRANSPOSE_CPU},
        {0, 256, 5003, 17, 1, 0, PLAN_TRANSPOSE_CPU}, /* blocks of 9 rows and 8, */
        {0, 400, 5003, 31, 1, 0, PLAN_STRIDED_CPU},   /* of 16 and 15 */
        /* Blocks of several planes. */
        {0, 128, 5003, 16, 1, 0, PLAN_TRANSPOSE_CPU},
        {0, 129, 5003, 16, 1, 0, PLAN_STRIDED_CPU},
        {1, 128, 5003, 8, 1, 0, PLAN_TRANSPOSE_CPU},
        {2, 100, 5003, 5, 1, 0, PLAN_TRANSPOSE_CPU},
    };
    for (size_t i = 0; i < COUNT_OF(squares); ++i) {
        const uint32_t row = squares[i].row, columns = squares[i].columns,
                       planes = columns < 100 ? 2000 : 1;
        struct slice_case c =
            CASE("squares", UNKNOWN, WHOLE(planes, columns, row),
                 IN_STRIDES(row * squares[i].pitch, 1, squares[i].pitch), BY(1, squares[i].step, 1),
                 OUT(planes, columns, row),
                 OUT_STRIDES(columns * (row + squares[i].pad), row + squares[i].pad, 1));
        c.data_type = type_of_width(squares[i].width);
        const struct plan plan = chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT);
        ck_assert_msg(plan.variant == squares[i].variant, "%zu: %s", i,
                      plan_variant_name(plan.variant));
    }
}
END_TEST

/* Columns in few pages count once for each page, however their dimensions follow each other. */
START_TEST(squares_of_channels_are_turned)
{
    const struct slice_case c =
        CASE("channels", UINT8, WHOLE(8192, 130, 40, 3), IN_STRIDES(3 * 40 * 130, 1, 130, 40 * 130),
             BY(1, 1, 1, 1), OUT(8192, 130, 40, 3));
    ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT).variant, PLAN_STRIDED_CPU);
}
END_TEST

/* The same of rows that two dimensions make, one of which strided_cpu would else read alone. */
START_TEST(squares_of_two_dimensions_are_turned)
{
    const struct slice_case c =
        CASE("two", UINT8, IN(500, 32, 2, 128), IN_STRIDES(16400, 1, 5000, 35),
             WINDOW(500, 32, 2, 100), BY(1, 1, 1, 1), OUT(500, 32, 2, 100));
    const struct plan plan = chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT);
    ck_assert_uint_eq(plan.variant, PLAN_STRIDED_CPU);
    const struct launch launch = launch_of(&plan);
    ck_assert_uint_ge(launch.walk.width, 16 * 2 * 100);
    ck_assert_int_eq(launch.walk.in_step, 1);
}
END_TEST

/* Rows across neighbours, as long as strided_cpu is faster for them; in outputs of at most 64 KiB,
 * shorter ones, as transpose_cpu compiles sooner; but not of a batch's items, of which there are
 * many. */
START_TEST(short_rows_across_neighbours_are_read_singly)
{
    static const struct {
        uint32_t row, column;
        enum plan_variant variant;
    } rows[] = {
        {16, 1 << 10, PLAN_STRIDED_CPU},        {17, (1 << 14) / 17, PLAN_TRANSPOSE_CPU},
        {64, 1 << 8, PLAN_TRANSPOSE_CPU},       {64, (1 << 8) + 1, PLAN_STRIDED_CPU},
        {65, (1 << 8) + 1, PLAN_TRANSPOSE_CPU},
    };
    static const struct plan_limits cpu = {true, 4, 64, 1024, 0, 24 << 20, false, false};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const uint32_t row = rows[i].row, column = rows[i].column;
        const struct slice_case c = CASE("across", FLOAT32, IN(column, row), IN_STRIDES(1, column),
                                         WINDOW(column, row), BY(1, 1), OUT(column, row));
        struct slice slice = slice_of(&c);
        struct plan plan;
        for (int k = 0; k < 2; ++k) {
            slice.is_item = k > 0;
            ck_assert(plan_from(&slice, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN, &plan));
            ck_assert_uint_eq(plan.variant,
                              k > 0 && row <= 64 ? PLAN_STRIDED_CPU : rows[i].variant);
        }
    }
}
END_TEST

/* Rows across columns with steps, as long as strided_cpu keeps their lines; shorter ones where the
 * caches hold the output. */
START_TEST(columns_with_steps_are_read_singly)
{
    static const struct {
        int32_t width;
        uint32_t row, pitch, column;
        int32_t step;
        enum plan_variant variant;
    } rows[] = {
        {0, 64, 800011, 400000, 2, PLAN_STRIDED_CPU},
        {0, 65, 800011, 400000, -2, PLAN_TRANSPOSE_CPU},
        {0, 120, 900011, 300000, 3, PLAN_STRIDED_CPU},
        {0, 121, 900011, 300000, 3, PLAN_TRANSPOSE_CPU},
        {0, 200, 1300021, 300000, -4, PLAN_STRIDED_CPU},
        {0, 201, 1300021, 300000, 4, PLAN_TRANSPOSE_CPU},
        {0, 400, 2000003, 200000, -5, PLAN_STRIDED_CPU},
        {0, 401, 2000003, 200000, 8, PLAN_TRANSPOSE_CPU},
        {0, 401, 2000003, 200000, 9, PLAN_STRIDED_CPU},
        {1, 110, 700001, 300000, 2, PLAN_STRIDED_CPU},
        {1, 111, 700001, 300000, 2, PLAN_TRANSPOSE_CPU},
        {1, 300, 900011, 300000, 3, PLAN_STRIDED_CPU},
        {1, 301, 900011, 300000, 3, PLAN_TRANSPOSE_CPU},
        {2, 250, 400009, 100000, 2, PLAN_STRIDED_CPU},
        {2, 251, 400009, 100000, 2, PLAN_TRANSPOSE_CPU},
        {2, 1000, 200003, 40000, 4, PLAN_STRIDED_CPU},
        {2, 1001, 200003, 40000, 4, PLAN_TRANSPOSE_CPU},
        {3, 200, 160001, 80000, 2, PLAN_STRIDED_CPU},
        {3, 201, 160001, 80000, 2, PLAN_TRANSPOSE_CPU},
        {3, 600, 100003, 30000, 3, PLAN_STRIDED_CPU},
        {3, 601, 100003, 30000, 3, PLAN_TRANSPOSE_CPU},
        /* Lines of one set of a cache, */
        {0, 22, 3 << 19, 700000, 2, PLAN_STRIDED_CPU},
        {0, 23, 3 << 19, 700000, 2, PLAN_TRANSPOSE_CPU},
        {1, 24, 5 << 17, 300000, 2, PLAN_STRIDED_CPU},
        {1, 25, 5 << 17, 300000, 2, PLAN_TRANSPOSE_CPU},
        {2, 36, 5 << 16, 150000, -2, PLAN_STRIDED_CPU},
        {2, 37, 5 << 16, 150000, 2, PLAN_TRANSPOSE_CPU},
        {3, 80, 5 << 16, 150000, 2, PLAN_STRIDED_CPU},
        {3, 81, 5 << 16, 150000, 2, PLAN_TRANSPOSE_CPU},
        /* Pages of one of a TLB. */
        {0, 22, (3 << 20) + 64, 1500000, 2, PLAN_STRIDED_CPU},
        {0, 23, (3 << 20) + 64, 1500000, 2, PLAN_TRANSPOSE_CPU},
        /* Outputs of 4 to 10 MB. */
        {1, 64, 80021, 30000, 2, PLAN_STRIDED_CPU},
        {1, 65, 80021, 30000, 2, PLAN_TRANSPOSE_CPU},
        {2, 500, 20011, 5000, 4, PLAN_STRIDED_CPU},
        {2, 501, 20011, 5000, 4, PLAN_TRANSPOSE_CPU},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const uint32_t row = rows[i].row, column = rows[i].column;
        const uint32_t window = (column - 1) * (uint32_t)abs(rows[i].step) + 1;
        struct slice_case c =
            CASE("steps", UNKNOWN, IN(rows[i].pitch, row), IN_STRIDES(1, rows[i].pitch),
                 WINDOW(window, row), BY(rows[i].step, 1), OUT(column, row));
        c.data_type = type_of_width(rows[i].width);
        const struct plan plan = chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT);
        ck_assert_msg(plan.variant == rows[i].variant, "%zu: %s", i,
                      plan_variant_name(plan.variant));
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
            c.data_type = type_of_width(_i);
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
    const struct slice_case few = /* that lie alone, but stay in the caches */
        CASE("few", UINT8, WHOLE(99999, 5, 1000), IN_STRIDES(0, 3000, 1), BY(1, 1, 1),
             OUT(99999, 5, 1000));
    ck_assert_uint_eq(chosen_plan(&few, true, PLAN_ALIGNED_16).variant, PLAN_ROWS_CPU);
    for (uint32_t row = 255; row < 258; ++row) /* contiguous ones */
        for (uint32_t step = 1; step < 3; ++step) {
            const uint32_t count = step > 1 ? row + 3840 : row; /* others as far as a table goes */
            const struct slice_case c =
                CASE("repeated", UINT8, IN(9999, step * count), IN_STRIDES(0, 1),
                     WINDOW(9999, step * count), BY(1, (int32_t)step), OUT(9999, count));
            ck_assert_uint_eq(chosen_plan(&c, true, PLAN_ALIGNED_16).variant,
                              row < (step > 1 ? 257 : 256) ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
        }
    static const struct {
        uint32_t data_type, bytes, least; /* bytes of an element; and of a row, for rows_cpu */
    } widths[] = {{DML_TENSOR_DATA_TYPE_UINT8, 1, 20},
                  {DML_TENSOR_DATA_TYPE_UINT16, 2, 20},
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

/* Planes out of small pixels: strided_cpu where the pixels stay in the caches from one plane to the
 * next, and a plane's row is long. */
START_TEST(planes_of_pixels_in_caches_are_read_one_after_the_other)
{
    static const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true, false};
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
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 257, PLAN_STRIDED_CPU}, /* squares have fewer pixels */
        {DML_TENSOR_DATA_TYPE_UINT8, 6, 1 << 16, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 5, 192, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 5, 191, PLAN_TRANSPOSE_CPU},
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
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    for (uint32_t apart = 5; apart <= 7; ++apart)
        for (uint32_t more = 0; more < 2; ++more) {
            uint32_t pixels = (1 << 20) / 8 / apart + 1 + more; /* 1 MiB */
            struct slice_case c =
                CASE("planes", INT64, IN(100, apart, pixels), IN_STRIDES(apart * pixels, 1, apart),
                     WINDOW(100, apart, pixels), BY(1, 1, 1), OUT(100, apart, pixels));
            ck_assert_uint_eq(plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                              apart < 7 && !more ? PLAN_STRIDED_CPU : PLAN_TRANSPOSE_CPU);
            c.data_type = DML_TENSOR_DATA_TYPE_FLOAT32; /* half as many bytes */
            ck_assert_uint_eq(plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                              apart < 7 ? PLAN_STRIDED_CPU : PLAN_TRANSPOSE_CPU);
            c.data_type = DML_TENSOR_DATA_TYPE_UINT8;
            ck_assert_uint_eq(plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                              PLAN_TRANSPOSE_CPU);
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

/* A compute unit has one work-item, and so one table, for up to 64 KiB; several for more. */
START_TEST(small_outputs_of_cpus_have_a_table_for_each_unit)
{
    static const struct {
        uint32_t kib, work_items;
    } outputs[] = {{16, 1}, {32, 2}, {64, 2}, {128, 2}, {256, 4}, {512, 8}, {1024, 8}};
    static const struct plan_limits cpu = {true, 2, 64, 4096, 0, 24 << 20, false, false};
    for (size_t i = 0; i < COUNT_OF(outputs); ++i) {
        const uint32_t rows = outputs[i].kib * 128;
        const struct slice_case c = CASE("tables", UINT8, IN(rows, 8), IN_STRIDES(19, 2),
                                         WINDOW(rows, 8), BY(1, 1), OUT(rows, 8));
        const struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN);
        uint64_t launches;
        ck_assert_uint_eq(plan.variant, PLAN_STRIDED_CPU);
        ck_assert_uint_eq(launch_first(&plan, &launches).global_size, outputs[i].work_items);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_variant");
    TCase *tests = suite_case(suite, "cpu_variant");
    tcase_add_loop_test(tests, few_rows_of_cpus_are_strided, 0, 9);
    tcase_add_test(tests, short_rows_of_cpus_that_pick_are_strided);
    tcase_add_test(tests, short_rows_of_pixels_of_cpus_that_pick_are_strided);
    tcase_add_loop_test(tests, short_stepped_rows_of_cpus_are_strided, 0, 4);
    tcase_add_loop_test(tests, short_stepped_rows_of_cpus_that_lie_alone_are_strided, 0, 4);
    tcase_add_loop_test(tests, rows_of_cpus_that_lie_alone_in_memory_are_strided, 0, 4);
    tcase_add_test(tests, squares_of_long_rows_are_turned);
    tcase_add_test(tests, squares_of_channels_are_turned);
    tcase_add_test(tests, short_rows_across_neighbours_are_read_singly);
    tcase_add_test(tests, columns_with_steps_are_read_singly);
    tcase_add_test(tests, squares_of_two_dimensions_are_turned);
    tcase_add_loop_test(tests, short_stepped_rows_between_gaps_are_gapped, 0, 8);
    tcase_add_loop_test(tests, long_rows_between_gaps_of_cpus_are_rows, 0, 4);
    tcase_add_loop_test(tests, short_runs_between_gaps_are_gapped, 0, 4);
    tcase_add_test(tests, short_runs_of_several_dimensions_are_gapped);
    tcase_add_test(tests, outputs_of_less_than_a_line_are_gapped);
    tcase_add_test(tests, repeated_rows_of_cpus_are_strided);
    tcase_add_test(tests, planes_of_pixels_in_caches_are_read_one_after_the_other);
    tcase_add_test(tests, small_outputs_of_cpus_have_a_table_for_each_unit);
    return suite_run(suite);
}
