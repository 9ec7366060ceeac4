/* SPDX-License-Identifier: MIT */
/* What valid descriptions become, and random ones with a single fault. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/slice.h"
#include "support/guarded_desc.h"
#include "support/random_case.h"
#include "support/suite.h"

#include <inttypes.h>
#include <string.h>

static struct guarded_desc desc;
static struct slice slice;
static clslice_error error;

static void map_memory(void)
{
    guarded_desc_init(&desc);
}

/* ---- What a valid description becomes ---- */

static uint64_t input_element(const struct slice_case *c, const uint32_t *at_output)
{
    uint64_t strides[CASE_MAX_RANK], element = 0;
    case_in_strides(c, strides);
    for (uint32_t i = 0; i < c->rank; ++i) {
        int64_t start = c->window_offsets[i];
        start += c->window_strides[i] < 0 ? (int64_t)c->window_sizes[i] - 1 : 0;
        element += (uint64_t)(start + (int64_t)at_output[i] * c->window_strides[i]) * strides[i];
    }
    return element;
}

/* Compares the slice with the case element by element, and says whether the output lies as one run
 * of the input's elements does. */
static bool check_slice(const struct slice_case *c)
{
    uint64_t out_strides[CASE_MAX_RANK], in_bytes, out_bytes, elements;
    uint32_t coordinate[CASE_MAX_RANK] = {0};
    bool alias = true;
    case_out_strides(c, out_strides);
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes));
    ck_assert(case_out_elements(c, &elements));
    ck_assert(slice.rank == c->rank && slice.elements == elements);
    ck_assert_uint_eq(slice.input.span * slice.input.element_size, in_bytes);
    ck_assert_uint_eq(slice.output.span * slice.output.element_size, out_bytes);
    uint64_t row = 0;
    do {
        uint64_t in = slice.first, out = 0, wanted = 0;
        for (uint32_t i = 0; i < c->rank; ++i) {
            in += (uint64_t)slice.dim[i].in_stride * coordinate[i];
            out += (uint64_t)slice.dim[i].out_stride * coordinate[i];
            wanted += out_strides[i] * coordinate[i];
        }
        if (in != input_element(c, coordinate) || out != wanted || in >= slice.input.span ||
            out >= slice.output.span)
            ck_abort_msg("%s: output element %" PRIu64 " reads %" PRIu64, c->name, out, in);
        alias = alias && out == row && in == slice.first + row;
        ++row;
    } while (case_next(c->rank, c->out_sizes, coordinate));
    return alias;
}

static void check_case(const struct slice_case *c)
{
    uint64_t first = UINT64_MAX;
    guarded_desc_fill(&desc, c);
    guarded_desc_accept(&desc, &slice);
    bool alias = check_slice(c);
    ck_assert_msg(slice_is_alias(&slice, &first) == alias, "%s: alias", c->name);
    ck_assert_uint_eq(first, alias ? slice.first : UINT64_MAX);
    for (uint32_t i = 0; i < c->rank; ++i)
        if (slice.dim[i].size == 1)
            ck_assert(slice.dim[i].in_stride == 0 && slice.dim[i].out_stride == 0);
}

START_TEST(every_case_of_the_table_is_accepted)
{
    for (size_t i = 0; i < slice_case_count; ++i) {
        uint64_t elements;
        if (case_out_elements(&slice_cases[i], &elements) && elements <= 100000)
            check_case(&slice_cases[i]);
    }
}
END_TEST

START_TEST(random_cases_are_accepted)
{
    struct dice dice = {20};
    for (int n = 0; n < 3000; ++n) {
        struct slice_case c;
        random_case(&dice, &c);
        check_case(&c);
    }
}
END_TEST

START_TEST(a_slice_can_be_printed)
{
    char bytes[1024];
    struct text text = text_in(bytes, sizeof bytes);
    struct slice_case c = CASE("printed", FLOAT16, IN(4, 5, 6), IN_STRIDES(0, 8, 1), FROM(1, 1, 0),
                               WINDOW(2, 4, 6), BY(1, -2, 5), OUT(2, 2, 1));
    guarded_desc_fill(&desc, &c);
    guarded_desc_accept(&desc, &slice);
    slice_describe(&slice, &text);
    ck_assert_str_eq(bytes, "input:  FLOAT16, sizes 4 5 6, strides 0 8 1, 76 bytes\n"
                            "output: FLOAT16, sizes 2 2 1, strides 2 1 1, 8 bytes\n"
                            "slice:  from input element 32, 4 elements, steps 0 -16 0\n");
}
END_TEST

/* ---- Random descriptions with one fault ---- */

static bool break_tensor(struct dice *dice, const struct slice_case *c, int t, uint32_t i,
                         struct broken *broken)
{
    DML_BUFFER_TENSOR_DESC *buffer = desc.buffer[t];
    uint32_t bytes = case_type_bytes(c->data_type);
    uint64_t least = (buffer->TotalTensorSizeInBytes + 3) / 4 * 4;
    broken->tensor = (uint32_t)t + 1;
    switch (dice_below(dice, 10)) {
    case 0:
        desc.tensor[t]->Type = (DML_TENSOR_TYPE)(2 + dice_below(dice, 100));
        broken->rule = CLSLICE_RULE_TENSOR_TYPE;
        broken->value[0] = desc.tensor[t]->Type;
        return true;
    case 1:
        desc.tensor[t]->Desc = NULL;
        broken->rule = CLSLICE_RULE_NULL_BUFFER_TENSOR_DESC;
        return true;
    case 2:
        buffer->DataType = (DML_TENSOR_DATA_TYPE)(12 + dice_below(dice, 1000));
        broken->rule = CLSLICE_RULE_DATA_TYPE_UNSUPPORTED;
        broken->value[0] = buffer->DataType;
        return true;
    case 3:
        buffer->Flags = (DML_TENSOR_FLAGS)(2 + dice_below(dice, 1000));
        broken->rule = CLSLICE_RULE_FLAGS_UNKNOWN;
        broken->value[0] = buffer->Flags;
        return true;
    case 4:
        buffer->DimensionCount = dice_one_in(dice, 2) ? 0 : 9 + (uint32_t)dice_below(dice, 1000);
        buffer->Sizes = buffer->Strides = desc.never;
        broken->rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE;
        broken->value[0] = buffer->DimensionCount;
        return true;
    case 5:
        buffer->Sizes = NULL;
        broken->rule = CLSLICE_RULE_NULL_SIZES;
        return true;
    case 6:
        desc.sizes[t][i] = 0;
        broken->rule = CLSLICE_RULE_SIZE_ZERO;
        broken->dimension = i + 1;
        return true;
    case 7:
        broken->rule = CLSLICE_RULE_TENSOR_ELEMENT_LIMIT;
        buffer->Strides = desc.strides[t];
        desc.sizes[t][i] += 1;
        desc.strides[t][i] = UINT32_MAX;
        broken->dimension = i + 1;
        broken->value[0] = desc.sizes[t][i];
        broken->value[1] = UINT32_MAX;
        return true;
    case 8:
        buffer->TotalTensorSizeInBytes = dice_below(dice, least);
        broken->rule = CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL;
        broken->value[0] = buffer->TotalTensorSizeInBytes;
        broken->value[1] = least;
        return !(t ? c->out_total_bytes : c->in_total_bytes);
    default:
        buffer->GuaranteedBaseOffsetAlignment =
            dice_one_in(dice, 2) && bytes > 1 ? bytes / 2 : 3 + 2 * (uint32_t)dice_below(dice, 99);
        broken->rule = CLSLICE_RULE_BASE_OFFSET_ALIGNMENT;
        broken->value[0] = buffer->GuaranteedBaseOffsetAlignment;
        broken->value[1] = bytes;
        return true;
    }
}

/* Rules of one window dimension. False where this one cannot break the rule that was drawn. */
static bool break_window(struct dice *dice, const struct slice_case *c, uint32_t i,
                         struct broken *broken)
{
    broken->dimension = i + 1;
    switch (dice_below(dice, 4)) {
    case 0:
        desc.steps[i] = 0;
        broken->rule = CLSLICE_RULE_STRIDE_ZERO;
        return true;
    case 1:
        desc.windows[i] = 0;
        broken->rule = CLSLICE_RULE_WINDOW_EMPTY;
        return true;
    case 2:
        desc.offsets[i] = c->in_sizes[i] - c->window_sizes[i] + 1;
        desc.offsets[i] += dice_one_in(dice, 2) ? 0 : (uint32_t)dice_below(dice, 4000000000);
        broken->rule = CLSLICE_RULE_WINDOW_BOUNDS;
        broken->tensor = CLSLICE_TENSOR_INPUT;
        broken->value[0] = desc.offsets[i];
        broken->value[1] = c->window_sizes[i];
        broken->value[2] = c->in_sizes[i];
        return true;
    default:
        desc.steps[i] = (int32_t)c->window_sizes[i] * (dice_one_in(dice, 2) ? -1 : 1);
        broken->rule = CLSLICE_RULE_OUTPUT_EXCEEDS_MAX;
        broken->tensor = CLSLICE_TENSOR_OUTPUT;
        broken->value[0] = c->out_sizes[i];
        broken->value[1] = c->window_sizes[i];
        broken->value[2] = (uint64_t)(int64_t)desc.steps[i];
        return c->out_sizes[i] > 1;
    }
}

static bool break_operator(struct dice *dice, const struct slice_case *c, uint32_t i,
                           struct broken *broken)
{
    const uint32_t *const arrays[] = {NULL, desc.windows, desc.offsets};
    uint32_t turn = (uint32_t)dice_below(dice, 3);
    switch (dice_below(dice, 4)) {
    case 0:
        desc.slice1->DimensionCount = c->rank % 8 + 1;
        desc.slice1->InputWindowSizes = desc.never;
        broken->rule = CLSLICE_RULE_DIMENSION_COUNT_MATCH;
        broken->value[0] = c->rank % 8 + 1;
        broken->value[1] = broken->value[2] = c->rank;
        return true;
    case 1:
        desc.slice1->InputWindowOffsets = arrays[turn];
        desc.slice1->InputWindowSizes = arrays[(turn + 1) % 3];
        desc.slice1->InputWindowStrides = turn == 1 ? NULL : desc.steps;
        broken->rule = CLSLICE_RULE_NULL_WINDOW_ARRAY;
        return true;
    case 2:
        desc.slice1->DimensionCount = 9 + (uint32_t)dice_below(dice, 1000);
        broken->rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE;
        broken->value[0] = desc.slice1->DimensionCount;
        return true;
    default:
        desc.buffer[1]->Strides = desc.strides[1];
        desc.strides[1][i] = 0;
        desc.buffer[1]->TotalTensorSizeInBytes = UINT64_MAX;
        broken->rule = CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP;
        broken->tensor = CLSLICE_TENSOR_OUTPUT;
        broken->dimension = i + 1;
        broken->value[1] = c->out_sizes[i];
        return c->out_sizes[i] > 1;
    }
}

START_TEST(random_faults_are_named)
{
    struct dice dice = {21};
    int broken_count = 0;
    for (int n = 0; n < 6000; ++n) {
        struct slice_case c;
        struct broken broken = {0};
        random_case(&dice, &c);
        guarded_desc_fill(&desc, &c);
        uint32_t i = (uint32_t)dice_below(&dice, c.rank);
        uint64_t kind = dice_below(&dice, 4);
        bool done = kind < 2    ? break_tensor(&dice, &c, (int)kind, i, &broken)
                    : kind == 2 ? break_window(&dice, &c, i, &broken)
                                : break_operator(&dice, &c, i, &broken);
        if (!done)
            continue;
        guarded_desc_expect(&desc, &broken, &error);
        ++broken_count;
    }
    ck_assert_int_gt(broken_count, 4000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice");
    TCase *tests = suite_case(suite, "slice");
    tcase_add_checked_fixture(tests, map_memory, NULL);
    tcase_add_test(tests, every_case_of_the_table_is_accepted);
    tcase_add_test(tests, random_cases_are_accepted);
    tcase_add_test(tests, a_slice_can_be_printed);
    tcase_add_test(tests, random_faults_are_named);
    return suite_run(suite);
}
