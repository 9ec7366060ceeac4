/* SPDX-License-Identifier: MIT */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "conformance/cases.h"
#include "conformance/reference.h"
#include "conformance/size_for.h"
#include "support/case_slice.h"
#include "support/suite.h"

#include <clslice/directml.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

START_TEST(documented_examples_are_met)
{
    static const struct {
        const char *name;
        float out[6];
        size_t count;
    } examples[] = {
        {"doc/positive", {2, 4, 10, 12}, 4},
        {"doc/negative", {14, 16, 6, 8}, 4},
        {"doc/slice", {7, 8, 11, 12, 15, 16}, 6},
        {"doc/sample", {7, 9, 12, 14, 17, 19}, 6},
    };
    float in[25];
    float out[6] = {0};

    for (size_t i = 0; i < COUNT_OF(in); ++i)
        in[i] = (float)(i + 1);
    reference_slice(case_named(examples[_i].name), in, out, NULL);
    ck_assert_mem_eq(out, examples[_i].out, examples[_i].count * sizeof(float));
}
END_TEST

/* Where a walk begins, in one dimension: the input holds its own indices. */
START_TEST(walks_start_at_the_end_that_the_sign_says)
{
    static const struct {
        uint32_t offset, window;
        int32_t stride;
        uint32_t count;
        uint8_t out[4];
    } walks[] = {
        {1, 12, 5, 3, {1, 6, 11}}, {1, 12, -5, 3, {12, 7, 2}},    {2, 9, -1, 2, {10, 9}},
        {2, 4, INT32_MAX, 1, {2}}, {2, 4, -INT32_MAX, 1, {5}},    {2, 4, INT32_MIN, 1, {5}},
        {3, 1, INT32_MIN, 1, {3}}, {0, 13, -4, 4, {12, 8, 4, 0}},
    };
    struct slice_case c =
        CASE("walk", UINT8, IN(13), FROM(walks[_i].offset), WINDOW(walks[_i].window),
             BY(walks[_i].stride), OUT(walks[_i].count));
    uint8_t in[13];
    uint8_t out[4] = {0};

    for (size_t i = 0; i < COUNT_OF(in); ++i)
        in[i] = (uint8_t)i;
    reference_slice(&c, in, out, NULL);
    ck_assert_mem_eq(out, walks[_i].out, walks[_i].count);
}
END_TEST

START_TEST(only_addressed_elements_are_written)
{
    const struct slice_case *c = case_named("output/interleaved-bytes");
    const uint8_t in[] = {0, 1, 2, 3, 4, 5};
    const uint8_t expected[] = {3, 0xEE, 4, 0, 5, 1, 0xEE, 2};
    const unsigned char addressed[] = {1, 0, 1, 1, 1, 1, 0, 1};
    uint8_t out[8];
    unsigned char written[8] = {0};

    memset(out, 0xEE, sizeof out);
    reference_slice(c, in, out, written);
    ck_assert_mem_eq(out, expected, sizeof out);
    ck_assert_mem_eq(written, addressed, sizeof written);
}
END_TEST

START_TEST(inputs_may_broadcast_and_overlap)
{
    struct slice_case c =
        CASE("rows", UINT16, WHOLE(3, 2), IN_STRIDES(0, 1), BY(-1, -1), OUT(3, 2));
    const uint16_t in[] = {7, 8, 9, 10};
    uint16_t out[6];

    reference_slice(&c, in, out, NULL);
    ck_assert_mem_eq(out, ((const uint16_t[]){8, 7, 8, 7, 8, 7}), sizeof out);
    c.in_strides[0] = 1;
    c.window_strides[1] = 1;
    reference_slice(&c, in, out, NULL);
    ck_assert_mem_eq(out, ((const uint16_t[]){9, 10, 8, 9, 7, 8}), sizeof out);
}
END_TEST

static void *zeros(uint64_t bytes)
{
    void *memory = calloc(size_for(bytes), 1);

    ck_assert_ptr_nonnull(memory);
    return memory;
}

static void check_packing(const struct slice_case *c)
{
    struct slice_case packed, unpack;
    uint64_t in_bytes, out_bytes, logical_bytes;

    reference_pack(c, &packed);
    reference_unpack(c, &unpack);
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes) &&
              case_out_bytes(&packed, &logical_bytes));
    void *in = zeros(in_bytes), *logical = zeros(logical_bytes);
    void *out = zeros(out_bytes), *again = zeros(out_bytes);
    reference_input(c, in, (size_t)in_bytes);
    reference_slice(c, in, out, NULL);
    reference_slice(&packed, in, logical, NULL);
    reference_slice(&unpack, logical, again, NULL);
    ck_assert_msg(memcmp(out, again, (size_t)out_bytes) == 0, "%s", c->name);
    free(in);
    free(out);
    free(again);
    free(logical);
}

START_TEST(packing_and_unpacking_meet)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        if (!(slice_cases[i].flags & CASE_LARGE))
            check_packing(&slice_cases[i]);
}
END_TEST

START_TEST(input_holds_values_that_arithmetic_changes)
{
    struct slice_case c = {.data_type = DML_TENSOR_DATA_TYPE_FLOAT32};
    float in[200], again[200];
    int nans = 0, denormals = 0, negative_zeros = 0;

    reference_input(&c, in, sizeof in);
    reference_input(&c, again, sizeof again);
    ck_assert_mem_eq(in, again, sizeof in);
    for (size_t i = 0; i < COUNT_OF(in); ++i) {
        nans += isnan(in[i]) ? 1 : 0;
        denormals += fpclassify(in[i]) == FP_SUBNORMAL ? 1 : 0;
        negative_zeros += fpclassify(in[i]) == FP_ZERO && signbit(in[i]) ? 1 : 0;
    }
    ck_assert_int_gt(nans, 0);
    ck_assert_int_gt(denormals, 0);
    ck_assert_int_gt(negative_zeros, 0);
}
END_TEST

static void check_legal(const struct slice_case *c)
{
    struct case_desc desc;
    uint64_t bytes;

    ck_assert_msg(c->rank >= 1 && c->rank <= CASE_MAX_RANK, "%s", c->name);
    ck_assert_msg(case_type_bytes(c->data_type) > 0, "%s", c->name);
    for (uint32_t i = 0; i < c->rank; ++i) {
        int64_t stride = c->window_strides[i];
        uint64_t step = (uint64_t)(stride < 0 ? -stride : stride);

        ck_assert_msg(step > 0 && c->window_sizes[i] > 0 && c->out_sizes[i] > 0, "%s", c->name);
        ck_assert_msg((uint64_t)c->window_offsets[i] + c->window_sizes[i] <= c->in_sizes[i], "%s",
                      c->name);
        ck_assert_msg(c->out_sizes[i] <= 1 + (c->window_sizes[i] - 1) / step, "%s", c->name);
    }
    case_desc_init(&desc, c);
    ck_assert_msg(case_in_bytes(c, &bytes) && bytes / case_type_bytes(c->data_type) <= UINT32_MAX &&
                      desc.in_buffer.TotalTensorSizeInBytes >= (bytes + 3) / 4 * 4,
                  "%s", c->name);
    ck_assert_msg(case_out_bytes(c, &bytes) &&
                      bytes / case_type_bytes(c->data_type) <= UINT32_MAX &&
                      desc.out_buffer.TotalTensorSizeInBytes >= (bytes + 3) / 4 * 4,
                  "%s", c->name);
}

START_TEST(every_case_is_legal)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        check_legal(&slice_cases[i]);
}
END_TEST

START_TEST(names_are_unique)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        ck_assert_ptr_eq(case_named(slice_cases[i].name), &slice_cases[i]);
}
END_TEST

/* No two coordinates of the output share a byte: as many are written as there are. */
static void check_no_overlap(const struct slice_case *c)
{
    struct slice_case unpack, packed;
    uint64_t bytes, logical_bytes, count = 0;

    reference_pack(c, &packed);
    reference_unpack(c, &unpack);
    ck_assert(case_out_bytes(c, &bytes) && case_out_bytes(&packed, &logical_bytes));
    unsigned char *written = zeros(bytes);
    void *out = zeros(bytes), *logical = zeros(logical_bytes);
    reference_slice(&unpack, logical, out, written);
    for (uint64_t i = 0; i < bytes; ++i)
        count += written[i];
    ck_assert_msg(count == logical_bytes, "%s", c->name);
    free(written);
    free(out);
    free(logical);
}

START_TEST(no_output_overlaps)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        if (!(slice_cases[i].flags & CASE_LARGE))
            check_no_overlap(&slice_cases[i]);
}
END_TEST

START_TEST(spans_end_behind_the_last_element)
{
    uint64_t span = 0;

    ck_assert(case_span(2, (const uint32_t[]){2, 3}, (const uint32_t[]){3, 2}, &span));
    ck_assert_uint_eq(span, 8);
    ck_assert(case_span(2, (const uint32_t[]){3, 3}, (const uint32_t[]){0x80000000, 1}, &span));
    ck_assert_uint_eq(span, 0x100000003);
    ck_assert(case_span(2, (const uint32_t[]){65536, 65536}, NULL, &span));
    ck_assert_uint_eq(span, 0x100000000);
    ck_assert(!case_span(4, (const uint32_t[]){65536, 65536, 65536, 65536}, NULL, &span));
    ck_assert(case_span(4, (const uint32_t[]){65536, 65536, 65536, 65535}, NULL, &span));
    ck_assert_uint_eq(span, 0xFFFF000000000000);
    ck_assert(!case_span(2, (const uint32_t[]){3, 0}, NULL, &span));
    ck_assert(!case_span(3, (const uint32_t[]){UINT32_MAX, UINT32_MAX, UINT32_MAX},
                         (const uint32_t[]){UINT32_MAX, UINT32_MAX, UINT32_MAX}, &span));
}
END_TEST

START_TEST(descriptions_are_of_the_case)
{
    struct slice_case c =
        CASE("gaps", UINT8, WHOLE(5), BY(1), OUT(5), OUT_STRIDES(2), OUT_TOTAL(64));
    struct case_desc desc;

    case_desc_init(&desc, &c);
    ck_assert_int_eq(desc.op.Type, DML_OPERATOR_SLICE1);
    ck_assert_ptr_eq(desc.op.Desc, &desc.slice1);
    ck_assert_uint_eq(desc.in_buffer.TotalTensorSizeInBytes, 8);
    ck_assert_uint_eq(desc.out_buffer.TotalTensorSizeInBytes, 64);
    ck_assert_ptr_null(desc.in_buffer.Strides);
    ck_assert_ptr_eq(desc.out_buffer.Strides, c.out_strides);
    ck_assert_ptr_eq(desc.slice1.InputWindowStrides, c.window_strides);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reference");
    TCase *walks = suite_case(suite, "walks");
    TCase *table = suite_case(suite, "table");
    tcase_add_loop_test(walks, documented_examples_are_met, 0, 4);
    tcase_add_loop_test(walks, walks_start_at_the_end_that_the_sign_says, 0, 8);
    tcase_add_test(walks, only_addressed_elements_are_written);
    tcase_add_test(walks, inputs_may_broadcast_and_overlap);
    tcase_add_test(walks, input_holds_values_that_arithmetic_changes);
    tcase_add_test(walks, spans_end_behind_the_last_element);
    tcase_add_test(walks, descriptions_are_of_the_case);
    tcase_add_test(table, names_are_unique);
    tcase_add_test(table, every_case_is_legal);
    tcase_add_test(table, packing_and_unpacking_meet);
    tcase_add_test(table, no_output_overlaps);
    return suite_run(suite);
}
