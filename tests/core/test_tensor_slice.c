/* SPDX-License-Identifier: MIT */
/* The rules of a SLICE1 description. Each is broken alone, wherever it applies; its neighbours that
 * must pass stand beside it. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/slice.h"
#include "support/guarded_desc.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TYPES = 11 };

static const char *const tensors[] = {"InputTensor", "OutputTensor"};
static struct guarded_desc desc;
static struct slice slice;
static clslice_error error;

static void map_memory(void)
{
    guarded_desc_init(&desc);
}

/* Every dimension takes 3 of the 6 elements that begin at 1 of 9, forwards or backwards in turn. */
static struct slice_case base_case(uint32_t rank, uint32_t data_type)
{
    struct slice_case c = {.name = "base", .data_type = data_type, .rank = rank};
    for (uint32_t i = 0; i < rank; ++i) {
        c.in_sizes[i] = 9;
        c.window_offsets[i] = 1;
        c.window_sizes[i] = 6;
        c.window_strides[i] = i % 2 ? -2 : 2;
        c.out_sizes[i] = 3;
    }
    return c;
}

/* The same with both arrays of strides in use. */
static void fill_base(uint32_t rank, uint32_t data_type)
{
    struct slice_case c = base_case(rank, data_type);
    guarded_desc_fill(&desc, &c);
    desc.buffer[0]->Strides = desc.strides[0];
    desc.buffer[1]->Strides = desc.strides[1];
}

/* One dimension: `size` elements of the input, all of them taken. */
static void fill_row(uint32_t size, uint32_t data_type)
{
    struct slice_case c = {.data_type = data_type, WHOLE(size), BY(1), OUT(size)};
    guarded_desc_fill(&desc, &c);
}

/* ---- Expectations ---- */

/* "Sizes[2]", in one of a few buffers in turn. */
static const char *at(const char *name, uint32_t i)
{
    static char texts[4][64];
    static int turn;
    char *text = texts[turn++ % 4];
    snprintf(text, sizeof texts[0], "%s[%" PRIu32 "]", name, i);
    return text;
}

static const char *of(int tensor, const char *field)
{
    static char texts[4][64];
    static int turn;
    char *text = texts[turn++ % 4];
    snprintf(text, sizeof texts[0], "%s.%s", tensors[tensor], field);
    return text;
}

static void expect_named(const char *part)
{
    ck_assert_msg(strstr(error.text, part) != NULL, "\"%s\" does not name %s", error.text, part);
}

#define EXPECT(...) guarded_desc_expect(&desc, &(const struct broken){__VA_ARGS__}, &error)

static void expect_accepted(void)
{
    guarded_desc_accept(&desc, &slice);
}

/* ---- Pointers and types ---- */

START_TEST(null_pointers_have_rules_of_their_own)
{
    fill_base(2, 1);
    desc.op->Desc = NULL;
    EXPECT(.rule = CLSLICE_RULE_NULL_DESC);
    expect_named("DML_OPERATOR_DESC.Desc");
    desc.op = NULL;
    EXPECT(.rule = CLSLICE_RULE_NULL_DESC);
    expect_named("DML_OPERATOR_DESC");

    fill_base(2, 1);
    desc.slice1->InputTensor = NULL;
    EXPECT(.rule = CLSLICE_RULE_NULL_INPUT_TENSOR, .tensor = CLSLICE_TENSOR_INPUT);
    expect_named("InputTensor");
    fill_base(2, 1);
    desc.slice1->OutputTensor = NULL;
    EXPECT(.rule = CLSLICE_RULE_NULL_OUTPUT_TENSOR, .tensor = CLSLICE_TENSOR_OUTPUT);
    expect_named("OutputTensor");
    for (int t = 0; t < 2; ++t) {
        fill_base(2, 1);
        desc.tensor[t]->Desc = NULL;
        EXPECT(.rule = CLSLICE_RULE_NULL_BUFFER_TENSOR_DESC, .tensor = (uint32_t)t + 1);
        expect_named(of(t, "Desc"));
    }
}
END_TEST

START_TEST(null_arrays_have_rules_of_their_own)
{
    for (uint32_t rank = 1; rank <= 8; ++rank) {
        for (int t = 0; t < 2; ++t) {
            fill_base(rank, 1);
            desc.buffer[t]->Sizes = NULL;
            EXPECT(.rule = CLSLICE_RULE_NULL_SIZES, .tensor = (uint32_t)t + 1);
            expect_named(of(t, "Sizes"));
            fill_base(rank, 1);
            desc.buffer[t]->Strides = NULL;
            expect_accepted();
        }
        fill_base(rank, 1);
        desc.slice1->InputWindowOffsets = NULL;
        EXPECT(.rule = CLSLICE_RULE_NULL_WINDOW_ARRAY);
        expect_named("InputWindowOffsets");
        fill_base(rank, 1);
        desc.slice1->InputWindowSizes = NULL;
        EXPECT(.rule = CLSLICE_RULE_NULL_WINDOW_ARRAY);
        expect_named("InputWindowSizes");
        fill_base(rank, 1);
        desc.slice1->InputWindowStrides = NULL;
        EXPECT(.rule = CLSLICE_RULE_NULL_WINDOW_ARRAY);
        expect_named("InputWindowStrides");
    }
}
END_TEST

START_TEST(other_operators_are_unsupported)
{
    const uint32_t types[] = {0, 1, 60, 110, 112, 135, 177, 0x7FFFFFFF, 0xFFFFFFFF};
    for (size_t i = 0; i < COUNT_OF(types); ++i) {
        fill_base(2, 1);
        desc.op->Type = (DML_OPERATOR_TYPE)types[i];
        desc.op->Desc = desc.never;
        EXPECT(.status = CLSLICE_DXGI_ERROR_UNSUPPORTED, .rule = CLSLICE_RULE_OPERATOR_TYPE,
               .value = {types[i]});
        expect_named("DML_OPERATOR_DESC.Type");
    }
}
END_TEST

START_TEST(tensors_are_buffers)
{
    const uint32_t types[] = {0, 2, 3, 0x80000001, 0xFFFFFFFF};
    for (int t = 0; t < 2; ++t)
        for (size_t i = 0; i < COUNT_OF(types); ++i) {
            fill_base(2, 1);
            desc.tensor[t]->Type = (DML_TENSOR_TYPE)types[i];
            desc.tensor[t]->Desc = desc.never;
            EXPECT(.rule = CLSLICE_RULE_TENSOR_TYPE, .tensor = (uint32_t)t + 1,
                   .value = {types[i]});
            expect_named(of(t, "Type"));
        }
}
END_TEST

START_TEST(eleven_data_types_at_every_rank)
{
    const uint32_t refused[] = {0, 12, 13, 14, 255, 0x10001, 0x80000001, 0xFFFFFFFF};
    for (uint32_t rank = 1; rank <= 8; ++rank) {
        for (uint32_t type = 1; type <= TYPES; ++type) {
            fill_base(rank, type);
            expect_accepted();
            ck_assert_uint_eq(slice.input.element_size, case_type_bytes(type));
            ck_assert_uint_eq(slice.output.data_type, type);
        }
        for (int t = 0; t < 2; ++t)
            for (size_t i = 0; i < COUNT_OF(refused); ++i) {
                fill_base(rank, 5);
                desc.buffer[t]->DataType = (DML_TENSOR_DATA_TYPE)refused[i];
                EXPECT(.rule = CLSLICE_RULE_DATA_TYPE_UNSUPPORTED, .tensor = (uint32_t)t + 1,
                       .value = {refused[i]});
                expect_named(of(t, "DataType"));
                expect_named("unsupported");
            }
    }
    fill_base(1, 5);
    desc.buffer[0]->DataType = DML_TENSOR_DATA_TYPE_INT4;
    EXPECT(.rule = CLSLICE_RULE_DATA_TYPE_UNSUPPORTED, .tensor = CLSLICE_TENSOR_INPUT,
           .value = {DML_TENSOR_DATA_TYPE_INT4});
    expect_named("INT4");
}
END_TEST

START_TEST(data_types_are_equal)
{
    for (uint32_t in = 1; in <= TYPES; ++in)
        for (uint32_t out = 1; out <= TYPES; ++out) {
            if (in == out)
                continue;
            fill_base(2, in);
            desc.buffer[1]->DataType = (DML_TENSOR_DATA_TYPE)out;
            desc.buffer[1]->TotalTensorSizeInBytes = 9 * 8;
            EXPECT(.rule = CLSLICE_RULE_DATA_TYPE_MISMATCH, .value = {in, out});
            expect_named("InputTensor.DataType");
            expect_named("OutputTensor.DataType");
            expect_named(tensor_data_type_name(in));
            expect_named(tensor_data_type_name(out));
        }
}
END_TEST

START_TEST(unknown_flags_are_refused)
{
    for (int t = 0; t < 2; ++t) {
        for (uint32_t bit = 1; bit < 32; ++bit)
            for (uint32_t owned = 0; owned < 2; ++owned) {
                fill_base(2, 1);
                desc.buffer[t]->Flags = (DML_TENSOR_FLAGS)(1u << bit | owned);
                EXPECT(.rule = CLSLICE_RULE_FLAGS_UNKNOWN, .tensor = (uint32_t)t + 1,
                       .value = {1u << bit | owned});
                expect_named(of(t, "Flags"));
            }
        fill_base(2, 1);
        desc.buffer[t]->Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
        EXPECT(.rule = CLSLICE_RULE_OWNED_BY_DML, .tensor = (uint32_t)t + 1, .value = {1});
        expect_named(of(t, "Flags"));
    }
}
END_TEST

/* ---- Ranks ---- */

START_TEST(ranks_are_judged_before_any_array)
{
    const uint32_t ranks[] = {0, 9, 10, 255, 256, 0x10001, 0x80000000, 0xFFFFFFFF};
    for (size_t i = 0; i < COUNT_OF(ranks); ++i) {
        for (int t = 0; t < 2; ++t) {
            fill_base(8, 1);
            desc.buffer[t]->DimensionCount = ranks[i];
            desc.buffer[t]->Sizes = desc.buffer[t]->Strides = desc.never;
            EXPECT(.rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE, .tensor = (uint32_t)t + 1,
                   .value = {ranks[i]});
            expect_named(of(t, "DimensionCount"));
        }
        fill_base(8, 1);
        desc.slice1->DimensionCount = ranks[i];
        desc.slice1->InputWindowOffsets = desc.slice1->InputWindowSizes = desc.never;
        desc.slice1->InputWindowStrides = desc.never;
        EXPECT(.rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE, .value = {ranks[i]});
        expect_named("DimensionCount");
    }
}
END_TEST

/* Everything as it would be for the smaller of two ranks, so that nothing else is wrong. */
START_TEST(ranks_are_equal)
{
    for (uint32_t rank = 2; rank <= 8; ++rank)
        for (uint32_t fewer = 1; fewer < rank; ++fewer)
            for (int which = 0; which < 6; ++which) {
                uint32_t count[3]; /* of the operator, the input, the output */
                for (int i = 0; i < 3; ++i)
                    count[i] = (which % 3 == i) == (which < 3) ? fewer : rank;
                fill_base(rank, 1);
                desc.slice1->DimensionCount = count[0];
                desc.buffer[0]->DimensionCount = count[1];
                desc.buffer[1]->DimensionCount = count[2];
                desc.slice1->InputWindowOffsets = desc.never;
                EXPECT(.rule = CLSLICE_RULE_DIMENSION_COUNT_MATCH,
                       .value = {count[0], count[1], count[2]});
                expect_named("InputTensor.DimensionCount");
                expect_named("OutputTensor.DimensionCount");
                ck_assert_int_eq(strncmp(error.text, "DimensionCount", 14), 0);
            }
}
END_TEST

/* ---- Sizes ---- */

START_TEST(sizes_are_at_least_1)
{
    for (uint32_t rank = 1; rank <= 8; ++rank)
        for (int t = 0; t < 2; ++t)
            for (uint32_t i = 0; i < rank; ++i)
                for (int strided = 0; strided < 2; ++strided) {
                    fill_base(rank, 1);
                    desc.sizes[t][i] = 0;
                    if (!strided)
                        desc.buffer[t]->Strides = NULL;
                    EXPECT(.rule = CLSLICE_RULE_SIZE_ZERO, .tensor = (uint32_t)t + 1, DIMENSION(i));
                    expect_named(of(t, at("Sizes", i)));
                    expect_named("= 0");
                }
}
END_TEST

static const struct {
    uint32_t rank;
    bool strided;
    uint32_t sizes[8], strides[8];
    uint64_t span; /* 0: above the limit */
} spans[] = {
    {1, false, {4294967295}, {0}, 4294967295},
    {1, true, {4294967295}, {1}, 4294967295},
    {2, false, {65535, 65537}, {0}, 4294967295},
    {2, true, {2, 1}, {4294967294, 4294967295}, 4294967295},
    {2, true, {2, 2}, {4294967293, 1}, 4294967295},
    {3, true, {1, 3, 1}, {4294967295, 2147483647, 4294967295}, 4294967295},
    {8, true, {1, 1, 1, 1, 1, 1, 1, 1}, {4294967295, 4294967295, 0, 0, 1, 1, 1, 1}, 1},
    {8, false, {16, 16, 16, 16, 16, 16, 16, 15}, {0}, 4026531840},
    {4, false, {3, 5, 17, 16843009}, {0}, 4294967295},
    {2, false, {65536, 65536}, {0}, 0},
    {2, false, {4294967295, 2}, {0}, 0},
    {2, false, {2, 2147483648}, {0}, 0},
    {2, false, {4294967295, 4294967295}, {0}, 0},
    {4, false, {65536, 65536, 65536, 65536}, {0}, 0},
    {8, false, {256, 256, 256, 256, 256, 256, 256, 256}, {0}, 0},
    {8,
     false,
     {4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295,
      4294967295},
     {0},
     0},
    {3, false, {3, 2863311531, 2147483648}, {0}, 0},
    {2, true, {3, 3}, {2147483648, 1}, 0},
    {2, true, {2, 2}, {4294967295, 1}, 0},
    {2, true, {2, 2}, {4294967294, 1}, 0},
    {2, true, {1, 2}, {0, 4294967295}, 0},
    {3, true, {65537, 65537, 2}, {65536, 1, 4000000000}, 0},
    {2, true, {4294967295, 4294967295}, {4294967295, 4294967295}, 0},
    {8,
     true,
     {4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295,
      4294967295},
     {4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295,
      4294967295},
     0},
    {2, true, {4294967295, 4294967295}, {4294967295, 2}, 0},
    {8,
     true,
     {2, 2, 2, 2, 2, 2, 2, 2},
     {536870912, 536870912, 536870912, 536870912, 536870912, 536870912, 536870912, 536870912},
     0},
};

/* The dimension, counted from the innermost, at which a row passes the limit, and the size and
 * stride there. A long double holds every sum up to there exactly enough. */
static void expect_limit_at(int row, int t)
{
    long double span = 1, packed = 1;
    uint32_t i = spans[row].rank;
    uint64_t stride = 0;
    while (span <= 4294967295.0L && i-- > 0) {
        stride = spans[row].strided ? spans[row].strides[i] : (uint64_t)packed;
        packed *= spans[row].sizes[i];
        span += (spans[row].sizes[i] - 1.0L) * (long double)stride;
    }
    EXPECT(.rule = CLSLICE_RULE_TENSOR_ELEMENT_LIMIT, .tensor = (uint32_t)t + 1, .dimension = i + 1,
           .value = {spans[row].sizes[i], stride});
}

/* A valid operator of one element, in which one tensor then gets a table row's sizes. */
START_TEST(spans_are_below_2_to_the_32)
{
    const uint32_t type = _i % 2 ? DML_TENSOR_DATA_TYPE_FLOAT64 : DML_TENSOR_DATA_TYPE_UINT8;
    struct slice_case c = {.data_type = type, .rank = spans[_i].rank};
    for (int t = 0; t < 2; ++t) {
        for (uint32_t i = 0; i < c.rank; ++i) {
            c.in_sizes[i] = c.out_sizes[i] = c.window_sizes[i] = 1;
            c.window_strides[i] = 1;
            (t ? c.out_sizes : c.in_sizes)[i] = spans[_i].sizes[i];
            if (t && spans[_i].span)
                c.in_sizes[i] = c.window_sizes[i] = spans[_i].sizes[i];
        }
        c.in_strided = t == 0 ? spans[_i].strided : spans[_i].span != 0;
        c.out_strided = t == 1 && spans[_i].strided;
        memset(c.in_strides, 0, sizeof c.in_strides);
        memcpy(t ? c.out_strides : c.in_strides, spans[_i].strides, sizeof c.in_strides);
        c.in_total_bytes = c.out_total_bytes = UINT64_C(1) << 40;
        guarded_desc_fill(&desc, &c);
        if (spans[_i].span) {
            expect_accepted();
            ck_assert_uint_eq((t ? &slice.output : &slice.input)->span, spans[_i].span);
        } else {
            expect_limit_at(_i, t);
            expect_named(of(t, "Sizes"));
            if (spans[_i].strided)
                expect_named("Strides");
        }
    }
}
END_TEST

/* More logical elements than the limit over a small input: the span counts. */
START_TEST(broadcast_counts_what_it_spans)
{
    struct slice_case c = CASE("broadcast", UINT8, IN(UINT32_MAX, UINT32_MAX), IN_STRIDES(0),
                               WINDOW(1, UINT32_MAX), BY(1, INT32_MIN), OUT(1, 2));
    guarded_desc_fill(&desc, &c);
    expect_accepted();
    ck_assert_uint_eq(slice.input.span, 1);
    ck_assert_uint_eq(slice.first, 0);
    ck_assert_int_eq(slice.dim[1].in_stride, 0);
}
END_TEST

/* ---- Bytes ---- */

static uint64_t least_bytes(uint64_t span, uint32_t type)
{
    return (span * case_type_bytes(type) + 3) / 4 * 4;
}

START_TEST(total_sizes_hold_the_tensor)
{
    const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 1000003};
    for (uint32_t type = 1; type <= TYPES; ++type)
        for (size_t n = 0; n < COUNT_OF(counts); ++n)
            for (int t = 0; t < 2; ++t) {
                uint64_t least = least_bytes(counts[n], type);
                const uint64_t below[] = {0, least - 1, least - 4, least / 2};
                const uint64_t enough[] = {
                    least,     least + 1, least + 4, least + 64, least + (UINT64_C(1) << 33),
                    UINT64_MAX};
                for (size_t i = 0; i < COUNT_OF(below); ++i) {
                    fill_row(counts[n], type);
                    desc.buffer[t]->TotalTensorSizeInBytes = below[i];
                    EXPECT(.rule = CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL, .tensor = (uint32_t)t + 1,
                           .value = {below[i], least});
                    expect_named(of(t, "TotalTensorSizeInBytes"));
                }
                for (size_t i = 0; i < COUNT_OF(enough); ++i) {
                    fill_row(counts[n], type);
                    desc.buffer[t]->TotalTensorSizeInBytes = enough[i];
                    expect_accepted();
                    ck_assert_uint_eq((t ? &slice.output : &slice.input)->total_bytes, enough[i]);
                }
            }
}
END_TEST

/* Minima that 32-bit arithmetic gets wrong, and strided ones. */
START_TEST(total_sizes_are_64_bits)
{
    for (uint32_t type = 1; type <= TYPES; ++type)
        for (int t = 0; t < 2; ++t) {
            uint64_t least = least_bytes(UINT32_MAX, type);
            fill_row(UINT32_MAX, type);
            expect_accepted();
            desc.buffer[t]->TotalTensorSizeInBytes = least - 1;
            EXPECT(.rule = CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL, .tensor = (uint32_t)t + 1,
                   .value = {least - 1, least});
            fill_base(3, type);
            const uint32_t strides[] = {700, 1, 30};
            memcpy(desc.strides[t], strides, sizeof strides);
            uint64_t edge = t ? 2 : 8;
            least = least_bytes(1 + edge * 731, type);
            desc.buffer[t]->TotalTensorSizeInBytes = least;
            expect_accepted();
            desc.buffer[t]->TotalTensorSizeInBytes = least - 1;
            EXPECT(.rule = CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL, .tensor = (uint32_t)t + 1,
                   .value = {least - 1, least});
        }
}
END_TEST

START_TEST(alignments_are_powers_of_two)
{
    const uint32_t odd[] = {3, 5, 6, 7, 12, 17, 24, 48, 255, 0x80000001, 0xC0000000, 0xFFFFFFFF};
    for (uint32_t type = 1; type <= TYPES; ++type)
        for (int t = 0; t < 2; ++t) {
            uint32_t bytes = case_type_bytes(type);
            for (size_t i = 0; i < COUNT_OF(odd); ++i) {
                fill_base(2, type);
                desc.buffer[t]->GuaranteedBaseOffsetAlignment = odd[i];
                EXPECT(.rule = CLSLICE_RULE_BASE_OFFSET_ALIGNMENT, .tensor = (uint32_t)t + 1,
                       .value = {odd[i], bytes});
                expect_named(of(t, "GuaranteedBaseOffsetAlignment"));
            }
            for (uint32_t bit = 0; bit < 32; ++bit) {
                fill_base(2, type);
                desc.buffer[t]->GuaranteedBaseOffsetAlignment = 1u << bit;
                if (1u << bit < bytes) {
                    EXPECT(.rule = CLSLICE_RULE_BASE_OFFSET_ALIGNMENT, .tensor = (uint32_t)t + 1,
                           .value = {1u << bit, bytes});
                    continue;
                }
                expect_accepted();
                ck_assert_uint_eq((t ? &slice.output : &slice.input)->alignment, 1u << bit);
                ck_assert_uint_eq((t ? &slice.input : &slice.output)->alignment, bytes);
            }
        }
}
END_TEST

/* ---- Overlapping outputs ---- */

START_TEST(output_strides_do_not_overlap)
{
    static const struct {
        uint32_t rank;
        uint32_t sizes[4], strides[4];
        int dimension; /* of the overlap; -1: there is none */
    } rows[] = {
        {1, {3}, {0}, 0},
        {2, {3, 2}, {0, 1}, 0},
        {2, {2, 3}, {3, 0}, 1},
        {3, {1, 3, 2}, {0, 2, 0}, 2},
        {3, {1, 3, 1}, {0, 1, 0}, -1},
        {2, {3, 3}, {1, 3}, -1},
        {2, {3, 3}, {5, 1}, -1},
        {2, {2, 3}, {3, 2}, -1},
        {2, {3, 2}, {2, 3}, -1},
        {4, {1, 3, 3, 1}, {0, 3, 1, 4294967295}, -1},
        {3, {3, 3, 3}, {2, 6, 18}, -1},
        {3, {3, 3, 3}, {2, 7, 23}, -1},
    };
    for (size_t r = 0; r < COUNT_OF(rows); ++r) {
        struct slice_case c = base_case(rows[r].rank, DML_TENSOR_DATA_TYPE_INT16);
        memcpy(c.out_sizes, rows[r].sizes, sizeof rows[r].sizes);
        guarded_desc_fill(&desc, &c);
        memcpy(desc.strides[1], rows[r].strides, rows[r].rank * sizeof(uint32_t));
        desc.buffer[1]->Strides = desc.strides[1];
        desc.buffer[1]->TotalTensorSizeInBytes = 1000;
        if (rows[r].dimension < 0) {
            expect_accepted();
            continue;
        }
        uint32_t i = (uint32_t)rows[r].dimension;
        EXPECT(.rule = CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP, .tensor = CLSLICE_TENSOR_OUTPUT,
               DIMENSION(i), .value = {rows[r].strides[i], rows[r].sizes[i]});
        expect_named(at("OutputTensor.Strides", i));
    }
}
END_TEST

/* Where either of two dimensions may be blamed, the values are those of the one that is. */
START_TEST(an_overlap_blames_a_dimension_that_takes_part)
{
    static const struct {
        uint32_t sizes[3], strides[3];
        uint32_t part; /* bit i: dimension i takes part */
    } rows[] = {
        {{3, 3, 1}, {1, 1, 1}, 3}, {{3, 3, 1}, {1, 2, 7}, 3}, {{2, 3, 3}, {4, 4, 3}, 3},
        {{3, 3, 2}, {3, 3, 4}, 3}, {{2, 2, 3}, {9, 9, 4}, 3}, {{3, 2, 2}, {5, 8, 8}, 6},
    };
    for (size_t r = 0; r < COUNT_OF(rows); ++r) {
        struct slice_case c = base_case(3, DML_TENSOR_DATA_TYPE_INT64);
        memcpy(c.out_sizes, rows[r].sizes, sizeof rows[r].sizes);
        guarded_desc_fill(&desc, &c);
        memcpy(desc.strides[1], rows[r].strides, sizeof rows[r].strides);
        desc.buffer[1]->Strides = desc.strides[1];
        desc.buffer[1]->TotalTensorSizeInBytes = 1000;
        memset(&error, 0, sizeof error);
        error.size = sizeof error;
        ck_assert_int_eq(slice_from(desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP);
        ck_assert_msg(error.dimension < 3 && (rows[r].part >> error.dimension & 1), "row %zu: %s",
                      r, error.text);
        ck_assert_uint_eq(error.value[0], rows[r].strides[error.dimension]);
        ck_assert_uint_eq(error.value[1], rows[r].sizes[error.dimension]);
        expect_named(at("OutputTensor.Strides", error.dimension));
    }
}
END_TEST

/* Nobody's layout, but anybody's numbers: refused soon, and not as one that overlaps. */
START_TEST(output_strides_too_complex_to_decide)
{
    static const uint32_t strides[] = {32303424, 42528489, 36844638, 31095360,
                                       40094325, 41111075, 33663652, 36887295};
    struct slice_case c = base_case(8, DML_TENSOR_DATA_TYPE_UINT8);
    for (int i = 0; i < 8; ++i) {
        c.in_sizes[i] = c.window_sizes[i] = c.out_sizes[i] = 9;
        c.window_offsets[i] = 0;
        c.window_strides[i] = 1;
    }
    guarded_desc_fill(&desc, &c);
    memcpy(desc.strides[1], strides, sizeof strides);
    desc.buffer[1]->Strides = desc.strides[1];
    desc.buffer[1]->TotalTensorSizeInBytes = UINT64_C(1) << 32;
    EXPECT(.rule = CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP, .tensor = CLSLICE_TENSOR_OUTPUT);
    expect_named("OutputTensor.Strides");
    expect_named("too complex to decide");
}
END_TEST

START_TEST(input_strides_may_overlap)
{
    static const uint32_t strides[][3] = {{0, 0, 0}, {0, 9, 1}, {9, 0, 1},  {9, 1, 0},
                                          {1, 1, 1}, {3, 2, 1}, {81, 1, 9}, {1, 9, 81}};
    for (size_t r = 0; r < COUNT_OF(strides); ++r) {
        fill_base(3, 3);
        memcpy(desc.strides[0], strides[r], sizeof strides[r]);
        expect_accepted();
        for (int i = 0; i < 3; ++i)
            ck_assert_int_eq(slice.dim[i].in_stride, (i % 2 ? -2 : 2) * (int64_t)strides[r][i]);
    }
}
END_TEST

/* ---- Windows ---- */

START_TEST(window_strides_are_not_0)
{
    for (uint32_t rank = 1; rank <= 8; ++rank)
        for (uint32_t i = 0; i < rank; ++i) {
            fill_base(rank, 2);
            desc.steps[i] = 0;
            EXPECT(.rule = CLSLICE_RULE_STRIDE_ZERO, DIMENSION(i));
            expect_named(at("InputWindowStrides", i));
        }
}
END_TEST

START_TEST(windows_are_not_empty)
{
    const uint32_t offsets[] = {0, 1, 8, 9, 10, UINT32_MAX};
    for (uint32_t rank = 1; rank <= 8; ++rank)
        for (uint32_t i = 0; i < rank; ++i)
            for (size_t o = 0; o < COUNT_OF(offsets); ++o) {
                fill_base(rank, 2);
                desc.windows[i] = 0;
                desc.offsets[i] = offsets[o];
                EXPECT(.rule = CLSLICE_RULE_WINDOW_EMPTY, DIMENSION(i));
                expect_named(at("InputWindowSizes", i));
            }
}
END_TEST

START_TEST(windows_lie_inside_the_input)
{
    static const struct {
        uint32_t offset, window;
        bool fits;
    } rows[] = {
        {0, 9, true},
        {3, 6, true},
        {4, 5, true},
        {0, 10, false},
        {4, 6, false},
        {9, 6, false},
        {UINT32_MAX, 6, false},
        {UINT32_MAX, 5, false},
        {UINT32_MAX - 4, 5, false},
        {6, UINT32_MAX, false},
        {5, UINT32_MAX - 4, false},
        {1, UINT32_MAX, false},
        {UINT32_MAX, UINT32_MAX, false},
        {0x80000000, 0x80000000, false},
        {0x80000000, 0x80000005, false},
    };
    for (uint32_t rank = 1; rank <= 8; ++rank)
        for (uint32_t i = 0; i < rank; ++i)
            for (size_t r = 0; r < COUNT_OF(rows); ++r) {
                fill_base(rank, 2);
                desc.offsets[i] = rows[r].offset;
                desc.windows[i] = rows[r].window;
                if (rows[r].fits) {
                    expect_accepted();
                    continue;
                }
                EXPECT(.rule = CLSLICE_RULE_WINDOW_BOUNDS, .tensor = CLSLICE_TENSOR_INPUT,
                       DIMENSION(i), .value = {rows[r].offset, rows[r].window, 9});
                expect_named(at("InputWindowOffsets", i));
                expect_named(at("InputWindowSizes", i));
                expect_named(at("InputTensor.Sizes", i));
            }
}
END_TEST

START_TEST(outputs_are_at_most_what_the_window_gives)
{
    static const struct {
        uint32_t window;
        int32_t stride;
        uint32_t most;
    } rows[] = {
        {6, 1, 6},          {6, -1, 6},        {6, 2, 3},  {6, -2, 3}, {7, 2, 4},
        {7, -2, 4},         {7, 6, 2},         {7, -6, 2}, {7, 7, 1},  {7, -7, 1},
        {1, 1, 1},          {1, -1, 1},        {5, -3, 2}, {4, -2, 2}, {8, INT32_MAX, 1},
        {8, -INT32_MAX, 1}, {8, INT32_MIN, 1},
    };
    for (uint32_t rank = 1; rank <= 8; ++rank)
        for (uint32_t i = 0; i < rank; ++i)
            for (size_t r = 0; r < COUNT_OF(rows); ++r)
                for (uint32_t size = 1; size <= rows[r].most + 2; ++size) {
                    struct slice_case c = base_case(rank, 8);
                    c.window_sizes[i] = rows[r].window;
                    c.window_strides[i] = rows[r].stride;
                    c.out_sizes[i] = size;
                    guarded_desc_fill(&desc, &c);
                    if (size <= rows[r].most) {
                        expect_accepted();
                        continue;
                    }
                    EXPECT(.rule = CLSLICE_RULE_OUTPUT_EXCEEDS_MAX, .tensor = CLSLICE_TENSOR_OUTPUT,
                           DIMENSION(i),
                           .value = {size, rows[r].window, (uint64_t)(int64_t)rows[r].stride});
                    expect_named(at("OutputTensor.Sizes", i));
                    expect_named(at("InputWindowSizes", i));
                    expect_named(at("InputWindowStrides", i));
                    expect_named("MaxCopied");
                    bool hint = strstr(error.text, "SLICE counts") != NULL;
                    ck_assert_msg(hint == (size == rows[r].window), "%s", error.text);
                }
}
END_TEST

START_TEST(the_least_stride_has_a_magnitude)
{
    static const struct {
        uint32_t window, most;
    } rows[] = {{1, 1}, {4, 1}, {0x7FFFFFFF, 1}, {0x80000000, 1}, {0x80000001, 2}, {UINT32_MAX, 2}};
    for (size_t r = 0; r < COUNT_OF(rows); ++r)
        for (uint32_t size = 1; size <= 3; ++size) {
            struct slice_case c = CASE("least", UINT8, IN(UINT32_MAX), WINDOW(rows[r].window),
                                       BY(INT32_MIN), OUT(size));
            c.in_strided = r % 2 == 0;
            guarded_desc_fill(&desc, &c);
            if (size > rows[r].most) {
                EXPECT(.rule = CLSLICE_RULE_OUTPUT_EXCEEDS_MAX, .tensor = CLSLICE_TENSOR_OUTPUT,
                       DIMENSION(0), .value = {size, rows[r].window, UINT64_C(0xFFFFFFFF80000000)});
                expect_named("-2147483648");
                continue;
            }
            expect_accepted();
            int64_t stride = c.in_strided ? 0 : 1; /* a stride of 0: everything is one element */
            ck_assert_uint_eq(slice.first, c.in_strided ? 0 : rows[r].window - 1);
            ck_assert_int_eq(slice.dim[0].in_stride, size == 1 ? 0 : INT32_MIN * stride);
        }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, map_memory, NULL);
    tcase_add_test(tests, null_pointers_have_rules_of_their_own);
    tcase_add_test(tests, null_arrays_have_rules_of_their_own);
    tcase_add_test(tests, other_operators_are_unsupported);
    tcase_add_test(tests, tensors_are_buffers);
    tcase_add_test(tests, eleven_data_types_at_every_rank);
    tcase_add_test(tests, data_types_are_equal);
    tcase_add_test(tests, unknown_flags_are_refused);
    tcase_add_test(tests, ranks_are_judged_before_any_array);
    tcase_add_test(tests, ranks_are_equal);
    tcase_add_test(tests, sizes_are_at_least_1);
    tcase_add_loop_test(tests, spans_are_below_2_to_the_32, 0, COUNT_OF(spans));
    tcase_add_test(tests, broadcast_counts_what_it_spans);
    tcase_add_test(tests, total_sizes_hold_the_tensor);
    tcase_add_test(tests, total_sizes_are_64_bits);
    tcase_add_test(tests, alignments_are_powers_of_two);
    tcase_add_test(tests, output_strides_do_not_overlap);
    tcase_add_test(tests, an_overlap_blames_a_dimension_that_takes_part);
    tcase_add_test(tests, output_strides_too_complex_to_decide);
    tcase_add_test(tests, input_strides_may_overlap);
    tcase_add_test(tests, window_strides_are_not_0);
    tcase_add_test(tests, windows_are_not_empty);
    tcase_add_test(tests, windows_lie_inside_the_input);
    tcase_add_test(tests, outputs_are_at_most_what_the_window_gives);
    tcase_add_test(tests, the_least_stride_has_a_magnitude);
}

int main(void)
{
    Suite *suite = suite_create("tensor_slice");
    TCase *tests = suite_case(suite, "tensor_slice");
    add_tests(tests);
    return suite_run(suite);
}
