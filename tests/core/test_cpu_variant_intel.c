/* SPDX-License-Identifier: MIT */
/* Which kernel a CPU of Intel's is given, where others get another, and what else differs. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/suite.h"

/* Two compute units, whose caches hold 12 MiB. */
static enum plan_variant variant_on(const struct slice_case *c, bool is_intel)
{
    const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true, is_intel};
    return plan_within(c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN).variant;
}

/* strided_cpu would make tables for little. */
START_TEST(small_outputs_of_intel_are_gapped)
{
    static const struct {
        uint32_t data_type, bytes; /* of an element */
        uint32_t step;             /* of a row */
        uint32_t most;             /* KiB of an output */
    } widths[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 1, 2, 0},      {DML_TENSOR_DATA_TYPE_UINT8, 1, 5, 0},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 2, 2, 0},    {DML_TENSOR_DATA_TYPE_FLOAT16, 2, 5, 0},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 4, 2, 2048}, {DML_TENSOR_DATA_TYPE_FLOAT32, 4, 5, 512},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 4, 4096},   {DML_TENSOR_DATA_TYPE_INT64, 8, 5, 1024}};
    for (size_t i = 0; i < COUNT_OF(widths); ++i)
        for (uint32_t kind = 0; kind < 8; ++kind) {
            const bool is_large = kind & 1, is_intel = kind & 2;
            const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, false, is_intel};
            const uint32_t kib = widths[i].most > 0 ? widths[i].most : 128;
            const uint32_t rows = kib * 256 / widths[i].bytes + is_large; /* rows of 4 elements */
            struct slice_case c =
                CASE("small", UNKNOWN, IN(rows, 4), IN_STRIDES(21, widths[i].step), WINDOW(rows, 4),
                     BY(1, kind & 4 ? -1 : 1), OUT(rows, 4));
            c.data_type = widths[i].data_type;
            ck_assert_uint_eq(plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                              is_intel && !is_large && widths[i].most > 0 ? PLAN_GAPPED_CPU
                                                                          : PLAN_STRIDED_CPU);
        }
}
END_TEST

/* Up to 64 KiB take as long with any kernel, and gapped_cpu compiles longest. */
START_TEST(smallest_outputs_of_intel_go_by_tables)
{
    for (uint32_t more = 0; more < 2; ++more) {
        const uint32_t rows = (64 << 10) / 32 + more; /* of 8 4-byte elements */
        const struct slice_case steps = CASE("steps", FLOAT32, IN(rows, 8), IN_STRIDES(19, 2),
                                             WINDOW(rows, 8), BY(1, 1), OUT(rows, 8)),
                                columns = CASE("columns", FLOAT32, IN(rows, 8), IN_STRIDES(1, 9999),
                                               WINDOW(rows, 8), BY(1, 1), OUT(rows, 8));
        ck_assert_uint_eq(variant_on(&steps, true), more ? PLAN_GAPPED_CPU : PLAN_STRIDED_CPU);
        ck_assert_uint_eq(variant_on(&columns, true), more ? PLAN_GAPPED_CPU : PLAN_STRIDED_CPU);
    }
    for (uint32_t more = 0; more < 2; ++more) {
        const uint32_t rows = (64 << 10) / 8 / 17 + more; /* of 17 8-byte elements */
        const struct slice_case columns = CASE("columns", INT64, IN(rows, 17), IN_STRIDES(1, 9999),
                                               WINDOW(rows, 17), BY(1, 1), OUT(rows, 17));
        ck_assert_uint_eq(variant_on(&columns, true), more ? PLAN_GAPPED_CPU : PLAN_TRANSPOSE_CPU);
    }
}
END_TEST

START_TEST(small_outputs_of_pairs_of_intel_are_gapped)
{
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    for (uint32_t more = 0; more < 2; ++more) {
        const uint32_t rows = (8 << 20) / 16 / 3 + more; /* 8 MiB, of rows of 3 pairs */
        const struct slice_case c = CASE("pairs", INT64, IN(rows, 3, 2), IN_STRIDES(14, 4, 1),
                                         WINDOW(rows, 3, 2), BY(1, 1, 1), OUT(rows, 3, 2));
        const struct plan plan = plan_within(&c, &intel, PLAN_ALIGNED_16, CHOSEN);
        ck_assert_uint_eq(plan.element_size, 16);
        ck_assert_uint_eq(plan.variant, more ? PLAN_STRIDED_CPU : PLAN_GAPPED_CPU);
    }
}
END_TEST

/* Rows of 1 KiB, of which two follow each other. */
START_TEST(few_long_rows_of_intel_are_rows)
{
    for (uint32_t count = 127; count <= 128; ++count)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const struct slice_case c =
                CASE("few", INT64, IN(9999, 3, count + 2), WINDOW(9999, 2, count), BY(1, 1, 1),
                     OUT(9999, 2, count));
            ck_assert_uint_eq(variant_on(&c, is_intel),
                              is_intel && count == 128 ? PLAN_ROWS_CPU : PLAN_STRIDED_CPU);
        }
}
END_TEST

/* Rows of which few follow each other, in an output that the caches of Intel's processors hold:
 * from 256 elements on, in rows of 16 bytes; of less than 512 KiB from 128 single bytes on, in rows
 * of 12. */
START_TEST(few_rows_in_caches_of_intel_are_rows)
{
    static const struct {
        uint32_t data_type, next, row, outer;
        enum plan_variant variant;
    } slices[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 16, 16, 9999, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 15, 17, 9999, PLAN_STRIDED_CPU}, /* 255 elements */
        {DML_TENSOR_DATA_TYPE_UINT8, 18, 15, 9999, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 16, 16, 49999, PLAN_STRIDED_CPU}, /* more than 12 MiB */
        {DML_TENSOR_DATA_TYPE_UINT8, 9, 15, 1500, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_UINT8, 9, 15, 3884, PLAN_STRIDED_CPU},  /* 512 KiB */
        {DML_TENSOR_DATA_TYPE_UINT8, 9, 14, 1500, PLAN_STRIDED_CPU},  /* 126 elements */
        {DML_TENSOR_DATA_TYPE_UINT8, 20, 11, 1500, PLAN_STRIDED_CPU}, /* less than 12 bytes */
        {DML_TENSOR_DATA_TYPE_FLOAT16, 32, 8, 9999, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 16, 16, 65, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 16, 16, 64, PLAN_STRIDED_CPU}, /* 64 KiB */
        {DML_TENSOR_DATA_TYPE_INT64, 16, 16, 513, PLAN_ROWS_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 16, 16, 512, PLAN_GAPPED_CPU}, /* 1 MiB */
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t outer = slices[i].outer, next = slices[i].next, row = slices[i].row;
            struct slice_case c =
                CASE("few", UNKNOWN, IN(outer, next + 2, row + 3), WINDOW(outer, next, row),
                     BY(1, 1, 1), OUT(outer, next, row));
            c.data_type = slices[i].data_type;
            ck_assert_msg(variant_on(&c, is_intel) ==
                              (is_intel ? slices[i].variant : PLAN_STRIDED_CPU),
                          "slice %zu", i);
        }
}
END_TEST

/* Rows of up to 32 bytes that are interleaved with others, in outputs of 4 MiB and more; but not
 * where the output's next row shares lines with one, nor where a block of strided_cpu has all that
 * are on a line. */
START_TEST(rows_of_intel_that_are_interleaved_are_strided)
{
    static const struct {
        uint32_t planes, others, rows, row, apart, pitch;
        bool is_strided;
    } slices[] = {{1, 15, 11000, 8, 8, 120, true}, {1, 15, 11000, 9, 9, 135, false},
                  {1, 15, 8700, 8, 8, 120, false}, {1, 15, 11000, 8, 99999, 9, false},
                  {1, 2, 70000, 8, 8, 16, false},  {1, 3, 50000, 8, 8, 24, true},
                  {15, 50, 200, 8, 8, 4096, true}, {60, 50, 64, 8, 8, 4096, false}};
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t planes = slices[i].planes, others = slices[i].others;
            const uint32_t rows = slices[i].rows, row = slices[i].row;
            const struct slice_case c =
                CASE("interleaved", FLOAT32, WHOLE(planes, others, rows, row),
                     IN_STRIDES(rows * slices[i].pitch, slices[i].apart, slices[i].pitch, 1),
                     BY(1, 1, 1, 1), OUT(planes, others, rows, row));
            ck_assert_msg((variant_on(&c, is_intel) == PLAN_STRIDED_CPU) ==
                              (is_intel && slices[i].is_strided),
                          "slice %zu, %d", i, is_intel);
        }
}
END_TEST

/* Of more than the caches hold, rows of less than 640 bytes, too, if fewer than 1,024 elements, or
 * 2,048 of 2 bytes, follow each other; not of a batch. */
START_TEST(few_longer_rows_of_intel_are_strided)
{
    static const struct {
        uint32_t data_type, next, row, outer;
        bool is_few;
    } slices[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 2, 511, 29999, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 2, 512, 29999, false},
        {DML_TENSOR_DATA_TYPE_UINT8, 3, 341, 29999, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 3, 342, 29999, false},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 6, 319, 29999, true},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 6, 320, 29999, false},
        {DML_TENSOR_DATA_TYPE_UINT8, 2, 511, 9999, false}, /* which caches hold */
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int kind = 0; kind < 4; ++kind) {
            const bool is_intel = kind & 1;
            const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true, is_intel};
            const uint32_t next = slices[i].next, row = slices[i].row, outer = slices[i].outer;
            struct slice_case c =
                CASE("few", UNKNOWN, IN(outer, next + 2, row + 3), WINDOW(outer, next, row),
                     BY(1, 1, 1), OUT(outer, next, row));
            c.data_type = slices[i].data_type;
            struct slice slice = slice_of(&c);
            struct plan plan;
            slice.is_item = kind & 2;
            ck_assert(plan_from(&slice, &cpu, PLAN_ALIGNED_ELEMENT, CHOSEN, &plan));
            ck_assert_msg(plan.variant == (is_intel && !slice.is_item && slices[i].is_few
                                               ? PLAN_STRIDED_CPU
                                               : PLAN_ROWS_CPU),
                          "slice %zu", i);
        }
}
END_TEST

/* Up to 20 columns of elements of 4 bytes and more, and any of 8 bytes, in outputs of up to 4 MiB;
 * but where 300 lines of a column, 1 KiB apart, crowd in a cache. */
START_TEST(columns_of_intel_are_gapped)
{
    static const struct {
        uint32_t data_type, row, pitch, bytes;
        enum plan_variant variant, other; /* of Intel's processors, and of others */
    } slices[] = {
        {DML_TENSOR_DATA_TYPE_FLOAT32, 20, 0, 4 << 20, PLAN_GAPPED_CPU, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 21, 0, 4 << 20, PLAN_STRIDED_CPU, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 16, 0, (4 << 20) + 64, PLAN_STRIDED_CPU, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 16, 0, 4 << 20, PLAN_STRIDED_CPU, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 16, 0, 4 << 20, PLAN_GAPPED_CPU, PLAN_STRIDED_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 300, 0, 4 << 20, PLAN_GAPPED_CPU, PLAN_TRANSPOSE_CPU},
        {DML_TENSOR_DATA_TYPE_INT64, 300, 128, 2 << 20, PLAN_TRANSPOSE_CPU, PLAN_TRANSPOSE_CPU},
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t row = slices[i].row, column = slices[i].pitch > 0 ? 100 : 1;
            const uint32_t elements = slices[i].bytes / case_type_bytes(slices[i].data_type) / row;
            const uint32_t rows = slices[i].pitch > 0 ? 100 : elements;
            const uint32_t pitch = slices[i].pitch > 0 ? slices[i].pitch : rows;
            struct slice_case c =
                CASE("columns", UNKNOWN, IN(elements / rows, rows, row),
                     IN_STRIDES(pitch * row + column, 1, pitch), WINDOW(elements / rows, rows, row),
                     BY(1, 1, 1), OUT(elements / rows, rows, row));
            c.data_type = slices[i].data_type;
            ck_assert_msg(variant_on(&c, is_intel) ==
                              (is_intel ? slices[i].variant : slices[i].other),
                          "slice %zu", i);
        }
    /* Pairs that are few for rows_cpu are no columns. */
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    const struct slice_case pairs =
        CASE("pairs", FLOAT32, IN(9999, 9, 4), WINDOW(9999, 8, 2), BY(1, 1, -1), OUT(9999, 8, 2));
    ck_assert_uint_eq(plan_within(&pairs, &intel, PLAN_ALIGNED_ELEMENT, CHOSEN).variant,
                      PLAN_STRIDED_CPU);
}
END_TEST

/* Of 4 bytes, up to 20 elements of a column in rows of up to 300, of 512 KiB to 4 MiB; and where
 * strided_cpu has no squares, rows of up to 20 of a larger output that reads all of its input. */
START_TEST(short_columns_of_intel_are_gapped)
{
    static const struct {
        uint32_t data_type, column, row, more, kib; /* more: of the input between two columns */
        bool is_gapped;
    } slices[] = {
        {DML_TENSOR_DATA_TYPE_FLOAT32, 20, 300, 0, 4096, true},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 21, 300, 0, 4096, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 20, 301, 0, 4096, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 80, 0, 515, true},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 80, 0, 512, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 80, 0, 4101, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 20, 0, 9999, true},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 21, 0, 9999, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 20, 1, 9999, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 64, 20, 0, 9999, false}, /* squares */
        {DML_TENSOR_DATA_TYPE_INT64, 8, 12, 0, 9999, true},
        {DML_TENSOR_DATA_TYPE_INT64, 8, 12, 1, 9999, false},
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t column = slices[i].column, row = slices[i].row;
            const uint32_t outer =
                slices[i].kib * 1024 / case_type_bytes(slices[i].data_type) / column / row;
            const uint32_t pitch = column * row + slices[i].more;
            struct slice_case c =
                CASE("short", UNKNOWN, WHOLE(outer, column, row), IN_STRIDES(pitch, 1, column),
                     BY(1, 1, 1), OUT(outer, column, row));
            c.data_type = slices[i].data_type;
            ck_assert_msg((variant_on(&c, is_intel) == PLAN_GAPPED_CPU) ==
                              (is_intel && slices[i].is_gapped),
                          "slice %zu", i);
        }
    /* The same columns twice, from half of an input. */
    const struct slice_case twice = CASE("twice", FLOAT32, WHOLE(2, 9999, 8, 20), BY(1, 1, 1, 1),
                                         IN_STRIDES(0, 320, 1, 8), OUT(2, 9999, 8, 20));
    ck_assert_uint_ne(variant_on(&twice, true), PLAN_GAPPED_CPU);
}
END_TEST

/* Squares have shorter rows where columns have fewer than 128 elements, and none that are whole
 * lines of memory, from 128 elements on. */
START_TEST(squares_of_intel_have_short_rows)
{
    static const struct {
        uint32_t data_type, column, row, mib;
        bool is_turned;
    } slices[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 127, 104, 4, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 127, 105, 4, false},
        {DML_TENSOR_DATA_TYPE_UINT8, 128, 105, 4, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 127, 105, 16, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 300, 128, 16, false},
        {DML_TENSOR_DATA_TYPE_UINT8, 300, 127, 16, true},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 127, 160, 16, true},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 127, 161, 16, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 127, 72, 8, true},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 127, 73, 8, false},
        {DML_TENSOR_DATA_TYPE_INT64, 127, 128, 16, true},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 127, 120, 4, true},
        {DML_TENSOR_DATA_TYPE_FLOAT16, 127, 121, 4, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 127, 120, 16, true},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 127, 121, 16, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 300, 192, 16, false},
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t row = slices[i].row, column = slices[i].column, pitch = column + 2;
            const uint32_t outer =
                (slices[i].mib << 20) / case_type_bytes(slices[i].data_type) / row / column;
            struct slice_case c = CASE(
                "squares", UNKNOWN, IN(outer, column, row), IN_STRIDES(pitch * row + 5, 1, pitch),
                WINDOW(outer, column, row), BY(1, 1, 1), OUT(outer, column, row));
            c.data_type = slices[i].data_type;
            ck_assert_msg(
                variant_on(&c, is_intel) ==
                    (is_intel && !slices[i].is_turned ? PLAN_TRANSPOSE_CPU : PLAN_STRIDED_CPU),
                "slice %zu", i);
        }
}
END_TEST

/* Contiguous rows between gaps, which rows_cpu would not write past the caches. */
START_TEST(near_rows_of_intel_are_gapped)
{
    static const struct {
        uint32_t row, apart;
        enum plan_variant variant;
    } slices[] = {
        {63, 1, PLAN_ROWS_CPU},   {64, 1, PLAN_GAPPED_CPU},  {64, 126, PLAN_GAPPED_CPU},
        {64, 127, PLAN_ROWS_CPU}, {319, 1, PLAN_GAPPED_CPU}, {320, 1, PLAN_ROWS_CPU},
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t row = slices[i].row, rows = 9999;
            const struct slice_case c =
                CASE("near", UINT8, IN(rows, row + slices[i].apart), WINDOW(rows, row), BY(1, 1),
                     OUT(rows, row), OUT_STRIDES(row + 1, 1));
            ck_assert_msg(variant_on(&c, is_intel) ==
                              (is_intel ? slices[i].variant : PLAN_ROWS_CPU),
                          "slice %zu", i);
        }
}
END_TEST

/* Rows that lie alone: fewer of those of which a third-level cache may hold some. */
START_TEST(longer_lone_rows_of_intel_are_rows)
{
    static const struct {
        uint32_t row, mib, most; /* MiB read and written */
    } slices[] = {{250, 95, 250}, {251, 95, 250}, {640, 97, 640}, {641, 97, 640}};
    for (size_t i = 0; i < COUNT_OF(slices); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t row = slices[i].row, each = 2 * row - 1 + 64; /* and a line */
            const uint32_t rows = (slices[i].mib << 20) / each;
            const struct slice_case c = CASE("lone", UINT8, IN(rows, row + 400), WINDOW(rows, row),
                                             BY(1, 1), OUT(rows, row));
            ck_assert_msg(variant_on(&c, is_intel) ==
                              (is_intel && row > slices[i].most ? PLAN_ROWS_CPU : PLAN_STRIDED_CPU),
                          "slice %zu", i);
        }
}
END_TEST

/* Pixels of four floats in reverse, between gaps: of more than 8 MiB, in rows of 32. */
START_TEST(reversed_pixels_of_16_bytes_of_intel_are_rows)
{
    for (int kind = 0; kind < 8; ++kind) {
        const bool is_intel = kind & 1, is_short = kind & 2, is_small = kind & 4;
        const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true, is_intel};
        const uint32_t row = is_short ? 31 : 32, rows = (8 << 20) / 16 / row + !is_small;
        const struct slice_case c = CASE("pixels", FLOAT32, WHOLE(rows, row, 4), BY(1, -1, 1),
                                         OUT(rows, row, 4), OUT_STRIDES(4 * (row + 1), 4, 1));
        const struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_16, CHOSEN);
        if (is_intel && !is_short && !is_small) {
            const struct plan_pattern pixels = {-4, 4, 1};
            ck_assert_uint_eq(plan.variant, PLAN_ROWS_CPU);
            ck_assert_uint_eq(plan.element_size, 4);
            ck_assert_mem_eq(&plan.pattern, &pixels, sizeof pixels);
            ck_assert_uint_eq(plan.first, 4 * (row - 1));
            ck_assert_uint_eq(plan.rank, 3);
            ck_assert_int_eq(plan.dim[0].out_stride, 4 * (row + 1));
        } else {
            ck_assert_uint_eq(plan.variant, PLAN_GAPPED_CPU);
            ck_assert_uint_eq(plan.element_size, 16);
        }
    }
    /* Without gaps, of 64: strided_cpu picks shorter rows. Pairs of 8 bytes are pixels, too. */
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    for (uint32_t row = 63; row <= 64; ++row) {
        const struct slice_case c =
            CASE("pairs", INT64, WHOLE(9999, row, 2), BY(1, -1, 1), OUT(9999, row, 2));
        const struct plan plan = plan_within(&c, &intel, PLAN_ALIGNED_16, CHOSEN);
        ck_assert_uint_eq(plan.variant, row < 64 ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
        ck_assert_uint_eq(plan.element_size, row < 64 ? 16 : 4);
        ck_assert_uint_eq(plan_alignments_of(&plan).in, row < 64 ? 16 : 4);
    }
}
END_TEST

/* Rows that are too short for rows_cpu where strided_cpu picks them: of 512 KiB, on Intel's. */
START_TEST(short_rows_are_picked_sooner_on_intel)
{
    for (uint32_t rows = 131071; rows <= 131072; ++rows)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const struct slice_case c =
                CASE("short", UINT8, IN(rows, 7), WINDOW(rows, 4), BY(1, 1), OUT(rows, 4));
            ck_assert_uint_eq(variant_on(&c, is_intel),
                              is_intel && rows == 131072 ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
        }
}
END_TEST

/* Rows between gaps: the memory of a large output is asked for ahead while gaps are shorter than a
 * line, or than what is used. */
START_TEST(dense_outputs_of_intel_are_asked_for)
{
    static const struct {
        uint32_t row, step, pitch, rows; /* 4-byte elements */
        bool is_asked;
    } outputs[] = {
        {704, 2, 1408, 20000, true},   /* every second element */
        {704, 3, 2112, 20000, true},   /* every third */
        {500, 2, 1000, 20000, true},   /* rows that two of which a table has room for */
        {5, 17, 85, 1000000, true},    /* a line between two */
        {5, 18, 90, 1000000, false},   /* more */
        {3, 1, 4, 9000000, true},      /* pixels */
        {30, 1, 60, 900000, true},     /* a gap as long as a row */
        {30, 1, 61, 900000, false},    /* a longer one */
        {704, 2, 2814, 20000, true},   /* a gap as long as a row with its steps */
        {704, 2, 2816, 20000, false},  /* a longer one */
        {8193, 2, 99999, 2000, true},  /* rows of 64 KiB, and any gap */
        {8192, 2, 99999, 2000, false}, /* shorter ones */
        {704, 2, 1408, 500, false},    /* the caches hold it */
    };
    for (size_t i = 0; i < COUNT_OF(outputs); ++i)
        for (int is_intel = 0; is_intel < 2; ++is_intel) {
            const uint32_t rows = outputs[i].rows, row = outputs[i].row, step = outputs[i].step;
            const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true, is_intel};
            const struct slice_case c =
                CASE("dense", FLOAT32, IN(rows, row + 1), WINDOW(rows, row), BY(1, 1),
                     OUT(rows, row), OUT_STRIDES(outputs[i].pitch, step));
            const struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, PLAN_GAPPED_CPU);
            const struct walk walk = launch_of(&plan).walk;
            ck_assert_msg(walk.out_ahead == (is_intel && outputs[i].is_asked ? 1024 : 0), "%zu: %u",
                          i, walk.out_ahead);
            ck_assert(walk.out_ahead == 0 || walk.width * walk.out_step <= walk.out_ahead / 4);
        }
}
END_TEST

/* 4 KiB ahead, but not by other kernels, nor where gaps of several dimensions are longer together
 * than what is used. */
START_TEST(outputs_of_intel_are_asked_for_by_bytes)
{
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    for (int width = 0; width < 4; ++width) {
        struct slice_case c = CASE("width", UNKNOWN, IN(90000, 705), WINDOW(90000, 704), BY(1, 1),
                                   OUT(90000, 704), OUT_STRIDES(1408, 2));
        c.data_type = type_of_width(width);
        const struct plan plan = plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, PLAN_GAPPED_CPU);
        const struct walk walk = launch_of(&plan).walk;
        ck_assert_uint_eq(walk.out_ahead, 4096u >> width);
        ck_assert_uint_gt(walk.width, 512u >> width >> 1);
        ck_assert_uint_le(walk.width, 512u >> width);
    }
    for (uint32_t more = 0; more < 2; ++more) {
        const uint32_t plane = 600 + more;
        const struct slice_case c =
            CASE("planes", FLOAT32, IN(50000, 10, 31), WINDOW(50000, 10, 30), BY(1, 1, 1),
                 OUT(50000, 10, 30), OUT_STRIDES(plane, 60, 1));
        const struct plan gapped = plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, PLAN_GAPPED_CPU),
                          strided = plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_CPU);
        ck_assert_uint_eq(launch_of(&gapped).walk.out_ahead, more ? 0 : 1024);
        ck_assert_uint_eq(launch_of(&strided).walk.out_ahead, 0);
    }
}
END_TEST

/* Of a batch, nobody knows how close items lie. */
START_TEST(outputs_of_items_are_not_asked_for)
{
    const struct slice_case c = CASE("item", FLOAT32, IN(20000, 704), WINDOW(20000, 704), BY(1, 1),
                                     OUT(20000, 704), OUT_STRIDES(1408, 2));
    const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    for (int is_item = 0; is_item < 2; ++is_item) {
        struct slice slice = slice_of(&c);
        struct plan plan;
        slice.is_item = is_item;
        ck_assert(plan_from(&slice, &intel, PLAN_ALIGNED_ELEMENT, PLAN_GAPPED_CPU, &plan));
        ck_assert_uint_eq(launch_of(&plan).walk.out_ahead, is_item ? 0 : 1024);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_variant_intel");
    TCase *tests = suite_case(suite, "cpu_variant_intel");
    tcase_add_test(tests, small_outputs_of_intel_are_gapped);
    tcase_add_test(tests, smallest_outputs_of_intel_go_by_tables);
    tcase_add_test(tests, small_outputs_of_pairs_of_intel_are_gapped);
    tcase_add_test(tests, few_long_rows_of_intel_are_rows);
    tcase_add_test(tests, few_rows_in_caches_of_intel_are_rows);
    tcase_add_test(tests, rows_of_intel_that_are_interleaved_are_strided);
    tcase_add_test(tests, few_longer_rows_of_intel_are_strided);
    tcase_add_test(tests, columns_of_intel_are_gapped);
    tcase_add_test(tests, short_columns_of_intel_are_gapped);
    tcase_add_test(tests, squares_of_intel_have_short_rows);
    tcase_add_test(tests, near_rows_of_intel_are_gapped);
    tcase_add_test(tests, longer_lone_rows_of_intel_are_rows);
    tcase_add_test(tests, reversed_pixels_of_16_bytes_of_intel_are_rows);
    tcase_add_test(tests, short_rows_are_picked_sooner_on_intel);
    tcase_add_test(tests, dense_outputs_of_intel_are_asked_for);
    tcase_add_test(tests, outputs_of_intel_are_asked_for_by_bytes);
    tcase_add_test(tests, outputs_of_items_are_not_asked_for);
    return suite_run(suite);
}
