/* SPDX-License-Identifier: MIT */
/* Which kernel a CPU is given for columns. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/suite.h"

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

int main(void)
{
    Suite *suite = suite_create("cpu_columns");
    TCase *tests = suite_case(suite, "cpu_columns");
    tcase_add_test(tests, squares_of_long_rows_are_turned);
    tcase_add_test(tests, squares_of_channels_are_turned);
    tcase_add_test(tests, short_rows_across_neighbours_are_read_singly);
    tcase_add_test(tests, columns_with_steps_are_read_singly);
    tcase_add_test(tests, squares_of_two_dimensions_are_turned);
    tcase_add_test(tests, planes_of_pixels_in_caches_are_read_one_after_the_other);
    return suite_run(suite);
}
