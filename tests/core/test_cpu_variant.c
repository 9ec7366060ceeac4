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
    tcase_add_loop_test(tests, short_stepped_rows_between_gaps_are_gapped, 0, 8);
    tcase_add_loop_test(tests, long_rows_between_gaps_of_cpus_are_rows, 0, 4);
    tcase_add_loop_test(tests, short_runs_between_gaps_are_gapped, 0, 4);
    tcase_add_test(tests, short_runs_of_several_dimensions_are_gapped);
    tcase_add_test(tests, outputs_of_less_than_a_line_are_gapped);
    tcase_add_test(tests, repeated_rows_of_cpus_are_strided);
    tcase_add_test(tests, small_outputs_of_cpus_have_a_table_for_each_unit);
    return suite_run(suite);
}
