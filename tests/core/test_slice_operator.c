/* SPDX-License-Identifier: MIT */
/* DML_OPERATOR_SLICE becomes what the same SLICE1 becomes, and its rules name its own fields. */
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/random_case.h"

static clslice_error error;

/* A case as a SLICE; it has whole outputs and positive strides. */
struct described {
    struct case_desc of_case;
    DML_SLICE_OPERATOR_DESC slice;
    DML_OPERATOR_DESC op;
    uint32_t strides[CASE_MAX_RANK];
};

static void describe(struct described *d, const struct slice_case *c)
{
    case_desc_init(&d->of_case, c);
    for (uint32_t i = 0; i < c->rank; ++i)
        d->strides[i] = (uint32_t)c->window_strides[i];
    d->slice = (DML_SLICE_OPERATOR_DESC){.InputTensor = &d->of_case.in_tensor,
                                         .OutputTensor = &d->of_case.out_tensor,
                                         .DimensionCount = c->rank,
                                         .Offsets = c->window_offsets,
                                         .Sizes = c->out_sizes,
                                         .Strides = d->strides};
    d->op = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE, &d->slice};
}

START_TEST(a_slice_is_its_slice1)
{
    struct dice dice = {60};
    for (int n = 0; n < 2000; ++n) {
        struct slice_case c;
        struct described d;
        struct slice slice, slice1;
        random_case(&dice, &c);
        for (uint32_t i = 0; i < c.rank; ++i) {
            if (c.window_strides[i] < 0)
                c.window_strides[i] = c.window_strides[i] == INT32_MIN ? 1 : -c.window_strides[i];
            uint64_t window = (uint64_t)(c.out_sizes[i] - 1) * (uint32_t)c.window_strides[i] + 1;
            c.window_sizes[i] = (uint32_t)window;
        }
        describe(&d, &c);
        slice1 = slice_of(&c);
        ck_assert_msg(slice_from(&d.op, &slice, &error) == CLSLICE_S_OK, "%s", error.text);
        ck_assert_mem_eq(&slice, &slice1, sizeof slice);
    }
}
END_TEST

/* A column of every second row: 7, 9, 12, 14, 17 and 19 of 0 to 19. */
START_TEST(sizes_count_output_elements)
{
    struct slice_case c = CASE("rows", FLOAT32, IN(1, 1, 4, 5), FROM(0, 0, 1, 2),
                               WINDOW(1, 1, 3, 3), BY(1, 1, 1, 2), OUT(1, 1, 3, 2));
    struct described d;
    struct slice slice;
    describe(&d, &c);
    ck_assert_msg(slice_from(&d.op, &slice, &error) == CLSLICE_S_OK, "%s", error.text);
    ck_assert_uint_eq(slice.first, 7);
    ck_assert_uint_eq(slice.elements, 6);
    ck_assert_int_eq(slice.dim[2].in_stride, 5);
    ck_assert_int_eq(slice.dim[3].in_stride, 2);
}
END_TEST

/* Strides and offsets up to the largest do not wrap. */
START_TEST(broken_rules_have_slices_names)
{
    const struct {
        uint32_t offset, size, stride, out;
        uint32_t rule;
        const char *word;
    } broken[] = {
        {0, 3, 0, 3, CLSLICE_RULE_STRIDE_ZERO, "Strides[1] = 0"},
        {0, 0, 1, 3, CLSLICE_RULE_WINDOW_EMPTY, "Sizes[1] = 0"},
        {0, 4, 1, 3, CLSLICE_RULE_OUTPUT_SIZE_MISMATCH, "Sizes[1] = 4 and OutputTensor.Sizes[1]"},
        {8, 3, 1, 3, CLSLICE_RULE_WINDOW_BOUNDS,
         "Offsets[1] + (Sizes[1] - 1) * Strides[1] = 8 + 2"},
        {0, 3, 5, 3, CLSLICE_RULE_WINDOW_BOUNDS, "= 0 + 10 is not below InputTensor.Sizes[1] = 10"},
        {UINT32_MAX, 1, 1, 1, CLSLICE_RULE_WINDOW_BOUNDS, "4294967295 + 0"},
        {1, 3, UINT32_MAX, 3, CLSLICE_RULE_WINDOW_BOUNDS, "1 + 8589934590"},
        {10, 1, UINT32_MAX, 1, CLSLICE_RULE_WINDOW_BOUNDS, "10 + 0"},
    };
    for (size_t i = 0; i < COUNT_OF(broken); ++i) {
        struct slice_case c = CASE("broken", UINT8, IN(4, 10), FROM(0, broken[i].offset),
                                   WINDOW(4, 10), BY(1, 1), OUT(4, broken[i].out));
        struct described d;
        struct slice slice;
        uint32_t sizes[] = {4, broken[i].size};
        describe(&d, &c);
        d.slice.Sizes = sizes;
        d.strides[1] = broken[i].stride;
        error = (clslice_error){.size = sizeof error};
        ck_assert_int_eq(slice_from(&d.op, &slice, &error), CLSLICE_E_INVALIDARG);
        ck_assert_msg(error.rule == broken[i].rule && strstr(error.text, broken[i].word),
                      "rule %u: %s", error.rule, error.text);
        ck_assert_uint_eq(error.dimension, 1);
    }
    struct slice_case c =
        CASE("largest", UINT8, IN(4, 10), FROM(0, 9), WINDOW(4, 1), BY(1, 1), OUT(4, 1));
    struct described d;
    struct slice slice;
    describe(&d, &c);
    d.strides[1] = UINT32_MAX;
    ck_assert_int_eq(slice_from(&d.op, &slice, &error), CLSLICE_S_OK);
}
END_TEST

START_TEST(missing_arrays_have_slices_names)
{
    struct slice_case c = CASE("missing", UINT8, COPY(4, 10));
    struct described d;
    struct slice slice;
    describe(&d, &c);
    const uint32_t **const arrays[] = {&d.slice.Offsets, &d.slice.Sizes, &d.slice.Strides};
    static const char *const words[] = {"Offsets is NULL", "Sizes is NULL", "Strides is NULL"};
    for (int i = 0; i < 3; ++i) {
        const uint32_t *array = *arrays[i];
        *arrays[i] = NULL;
        error = (clslice_error){.size = sizeof error};
        ck_assert_int_eq(slice_from(&d.op, &slice, &error), CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_NULL_WINDOW_ARRAY);
        ck_assert(strncmp(error.text, words[i], strlen(words[i])) == 0);
        *arrays[i] = array;
    }
    d.slice.DimensionCount = 9;
    ck_assert_int_eq(slice_from(&d.op, &slice, &error), CLSLICE_E_INVALIDARG);
    ck_assert(strstr(error.text, "DML_SLICE_OPERATOR_DESC.DimensionCount = 9"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice_operator");
    TCase *tests = suite_case(suite, "slice_operator");
    tcase_add_test(tests, a_slice_is_its_slice1);
    tcase_add_test(tests, sizes_count_output_elements);
    tcase_add_test(tests, broken_rules_have_slices_names);
    tcase_add_test(tests, missing_arrays_have_slices_names);
    return suite_run(suite);
}
