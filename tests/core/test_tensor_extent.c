/* SPDX-License-Identifier: MIT */
/* The rules of what a tensor spans: sizes, strides, bytes, alignment and overlap. Each is broken
 * alone, wherever it applies; its neighbours that must pass stand beside it. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "rule_rig.h"

#include <string.h>

/* One dimension: `size` elements of the input, all of them taken. */
static void fill_row(uint32_t size, uint32_t data_type)
{
    struct slice_case c = {.data_type = data_type, WHOLE(size), BY(1), OUT(size)};
    guarded_desc_fill(&desc, &c);
}

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

static void fill_output(uint32_t rank, const uint32_t *sizes, const uint32_t *strides)
{
    struct slice_case c = base_case(rank, DML_TENSOR_DATA_TYPE_INT16);
    memcpy(c.out_sizes, sizes, rank * sizeof *sizes);
    guarded_desc_fill(&desc, &c);
    memcpy(desc.strides[1], strides, rank * sizeof *strides);
    desc.buffer[1]->Strides = desc.strides[1];
    desc.buffer[1]->TotalTensorSizeInBytes = 1000;
}

static const struct {
    uint32_t rank;
    uint32_t sizes[4], strides[4];
    int dimension; /* of the overlap; -1: there is none */
} outputs[] = {
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

START_TEST(output_strides_do_not_overlap)
{
    const uint32_t *strides = outputs[_i].strides;
    fill_output(outputs[_i].rank, outputs[_i].sizes, strides);
    if (outputs[_i].dimension < 0) {
        expect_accepted();
        return;
    }
    uint32_t i = (uint32_t)outputs[_i].dimension;
    EXPECT(.rule = CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP, .tensor = CLSLICE_TENSOR_OUTPUT,
           DIMENSION(i), .value = {strides[i], outputs[_i].sizes[i]});
    expect_named(at("OutputTensor.Strides", i));
}
END_TEST

static const struct {
    uint32_t sizes[3], strides[3];
    uint32_t part; /* bit i: dimension i takes part */
} overlaps[] = {
    {{3, 3, 1}, {1, 1, 1}, 3}, {{3, 3, 1}, {1, 2, 7}, 3}, {{2, 3, 3}, {4, 4, 3}, 3},
    {{3, 3, 2}, {3, 3, 4}, 3}, {{2, 2, 3}, {9, 9, 4}, 3}, {{3, 2, 2}, {5, 8, 8}, 6},
};

/* Where either of two dimensions may be blamed, the values are those of the one that is. */
START_TEST(an_overlap_blames_a_dimension_that_takes_part)
{
    fill_output(3, overlaps[_i].sizes, overlaps[_i].strides);
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
    ck_assert_int_eq(slice_from(desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP);
    ck_assert_msg(error.dimension < 3 && (overlaps[_i].part >> error.dimension & 1), "%s",
                  error.text);
    ck_assert_uint_eq(error.value[0], overlaps[_i].strides[error.dimension]);
    ck_assert_uint_eq(error.value[1], overlaps[_i].sizes[error.dimension]);
    expect_named(at("OutputTensor.Strides", error.dimension));
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

int main(void)
{
    Suite *suite = suite_create("tensor_extent");
    TCase *tests = suite_case(suite, "tensor_extent");
    tcase_add_checked_fixture(tests, map_memory, NULL);
    tcase_add_test(tests, sizes_are_at_least_1);
    tcase_add_loop_test(tests, spans_are_below_2_to_the_32, 0, COUNT_OF(spans));
    tcase_add_test(tests, broadcast_counts_what_it_spans);
    tcase_add_test(tests, total_sizes_hold_the_tensor);
    tcase_add_test(tests, total_sizes_are_64_bits);
    tcase_add_test(tests, alignments_are_powers_of_two);
    tcase_add_loop_test(tests, output_strides_do_not_overlap, 0, COUNT_OF(outputs));
    tcase_add_loop_test(tests, an_overlap_blames_a_dimension_that_takes_part, 0,
                        COUNT_OF(overlaps));
    tcase_add_test(tests, output_strides_too_complex_to_decide);
    tcase_add_test(tests, input_strides_may_overlap);
    return suite_run(suite);
}
