/* SPDX-License-Identifier: MIT */
/* The rules of a SLICE1 description: pointers, types, ranks and windows. Each is broken alone,
 * wherever it applies; its neighbours that must pass stand beside it. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "rule_rig.h"

#include <string.h>

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
    const uint32_t types[] = {0, 1, 59, 61, 110, 112, 134, 136, 177, 0x7FFFFFFF, 0xFFFFFFFF};
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

int main(void)
{
    Suite *suite = suite_create("tensor_slice");
    TCase *tests = suite_case(suite, "tensor_slice");
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
    tcase_add_test(tests, window_strides_are_not_0);
    tcase_add_test(tests, windows_are_not_empty);
    tcase_add_test(tests, windows_lie_inside_the_input);
    tcase_add_test(tests, outputs_are_at_most_what_the_window_gives);
    tcase_add_test(tests, the_least_stride_has_a_magnitude);
    return suite_run(suite);
}
