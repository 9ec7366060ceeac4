/* SPDX-License-Identifier: MIT */
/* DML_OPERATOR_SLICE_GRAD: its rules name its own fields, and its launches make what the reference
 * makes, whole and in parts. */
#include "conformance/case_words.h"
#include "conformance/reference.h"
#include "core/tile.h"
#include "support/case_slice.h"
#include "support/random_case.h"

#include <stdlib.h>

static clslice_error error = {.size = sizeof error};

/* ---- What launches make ---- */

struct bytes {
    unsigned char *in, *out, *expected; /* owned */
    size_t out_size;
};

static struct bytes bytes_of(const struct slice_case *c)
{
    uint64_t in_size, out_size;
    ck_assert(case_in_bytes(c, &in_size) && case_out_bytes(c, &out_size));
    struct bytes b = {malloc((size_t)in_size), malloc((size_t)out_size), malloc((size_t)out_size),
                      (size_t)out_size};
    ck_assert(b.in && b.out && b.expected);
    for (size_t i = 0; i < in_size; ++i)
        b.in[i] = (unsigned char)(1 + i * 167 % 255); /* never 0 */
    memset(b.out, 0x5A, b.out_size);
    memset(b.expected, 0x5A, b.out_size);
    reference_slice(c, b.in, b.expected, NULL);
    return b;
}

static void release(struct bytes *b)
{
    free(b->in);
    free(b->out);
    free(b->expected);
}

/* Where the input of a launch's element lies, from the launch's first; false where it has none. */
static bool source_of(const struct walk *walk, uint64_t number, int64_t *in, int64_t *out)
{
    bool has_input = true;
    *in = *out = 0;
    for (uint32_t d = 0; d < walk->rank; ++d) {
        const struct walk_scatter *s = &walk->scatter[d];
        uint64_t at = number % walk->dim[d].size, k = at < s->start ? 0 : (at - s->start) / s->step;
        number /= walk->dim[d].size;
        has_input = has_input && at >= s->start && s->start + k * s->step == at && k < s->count;
        *in += (int64_t)k * walk->dim[d].in_stride;
        *out += (int64_t)at * walk->dim[d].out_stride;
    }
    return has_input;
}

static void run_launch(const struct plan *plan, const struct launch *launch, struct bytes *b)
{
    const struct walk *walk = &launch->walk;
    size_t size = plan->element_size;
    uint64_t units = launch->global_size * walk->blocks_each;
    ck_assert_uint_ge(units, walk->blocks);
    ck_assert_uint_ge(walk->blocks * walk->width,
                      walk->row + (walk->makes_words ? walk->width - 1 : 0));
    for (uint64_t number = 0; number < walk->row; ++number) {
        int64_t in, out;
        bool has_input = source_of(walk, number, &in, &out);
        unsigned char *to = b->out + (walk->out_first + (uint64_t)out) * size;
        memset(to, 0, size);
        if (!has_input)
            continue;
        ck_assert(in >= walk->in_low && in < walk->in_high);
        memcpy(to, b->in + (walk->in_first + (uint64_t)in) * size, size);
    }
}

static void check_case(const struct slice_case *c, const struct plan_limits *limits,
                       enum plan_alignment alignment, uint64_t part_bytes)
{
    struct slice slice = slice_of(c);
    struct plan plan;
    struct bytes b = bytes_of(c);
    uint64_t tile[TENSOR_RANK_MAX];
    ck_assert(plan_from(&slice, limits, alignment, CHOSEN, &plan));
    if (slice_reads(&slice) == slice.elements) {
        ck_assert(plan_variant_kind(plan.variant) != PLAN_GRADIENTS);
        release(&b);
        return;
    }
    ck_assert_int_eq(plan.variant, limits->cpu ? PLAN_GRADIENT_CPU : PLAN_GRADIENT_GPU);
    uint64_t count = tile_choose(&plan, part_bytes, tile);
    for (uint64_t i = 0; i < count; ++i) {
        struct plan_box box = tile_box(&plan, tile, i);
        struct launch launch = launch_from(&plan, &box);
        run_launch(&plan, &launch, &b);
    }
    if (memcmp(b.out, b.expected, b.out_size) != 0) {
        char text[2048];
        random_case_text(c, text, sizeof text);
        ck_abort_msg("not what the reference makes, in parts of %llu bytes: %s",
                     (unsigned long long)part_bytes, text);
    }
    release(&b);
}

START_TEST(launches_make_what_the_reference_makes)
{
    struct dice dice = {135};
    const struct random_limits of_cases = {.elements_log2 = 10, .bytes = 40000};
    for (int n = 0; n < 3000; ++n) {
        const struct plan_limits limits = {n % 2, 1 + dice_pick(&dice, 8), 64, 1024, 0, 0, false,
                                           false};
        struct slice_case c;
        if (!random_gradient_within(&dice, &of_cases, &c))
            continue;
        check_case(&c, &limits, n / 2 % 2, UINT64_MAX);
        check_case(&c, &limits, n / 2 % 2, 64 + dice_below(&dice, 4000));
    }
}
END_TEST

/* 8 rows of 10, of which rows 1, 3 and 5 have inputs 2, 1 and 0 in columns 2, 5 and 8. */
START_TEST(a_gradient_is_zeros_and_its_inputs)
{
    const uint8_t in[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    uint8_t out[8][10], expected[8][10] = {{0}};
    struct slice_case c =
        CASE("gradient", UINT8, IN(8, 10), FROM(1, 2), WINDOW(6, 7), BY(-2, 3), OUT(3, 3));
    case_turn(&c);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            expected[6 - 2 * row][2 + 3 * column] = in[row][column];
    reference_slice(&c, in, out, NULL);
    ck_assert_mem_eq(out, expected, sizeof out);
    struct slice slice = slice_of(&c);
    ck_assert_uint_eq(slice.elements, 80);
    ck_assert_uint_eq(slice.first, 6); /* the last row's: its output is the first */
    ck_assert_int_eq(slice.dim[0].in_stride, -3);
    ck_assert_uint_eq(slice.scatter[0].start, 2);
    ck_assert_uint_eq(slice.scatter[0].step, 2);
    ck_assert_uint_eq(slice.scatter[1].start, 2);
    uint64_t first;
    ck_assert(!slice_is_alias(&slice, &first));
}
END_TEST

/* ---- Variants ---- */

START_TEST(slices_and_gradients_have_variants_of_their_own)
{
    const struct plan_limits limits = {true, 4, 64, 1024, 0, 0, false, false};
    struct slice_case c = CASE("crop", UINT8, IN(4, 10), FROM(1, 2), CROP(2, 3)), gradient = c;
    struct slice_case whole = CASE("copy", UINT8, COPY(4, 10));
    case_turn(&gradient);
    case_turn(&whole);
    struct slice slices[] = {slice_of(&c), slice_of(&gradient)}, without_zeros = slice_of(&whole);
    struct plan plan;
    for (enum plan_variant v = 0; v < PLAN_VARIANT_COUNT; ++v) {
        bool of_gradient = v >= PLAN_SLICE_VARIANTS;
        bool is_possible = plan_from(&slices[of_gradient], &limits, PLAN_ALIGNED_16, v, &plan);
        ck_assert(is_possible || plan_variant_kind(v) == PLAN_TRANSPOSES);
        ck_assert(!plan_from(&slices[!of_gradient], &limits, PLAN_ALIGNED_16, v, &plan));
    }
    ck_assert(plan_from(&without_zeros, &limits, PLAN_ALIGNED_16, PLAN_ROWS_CPU, &plan));
    ck_assert(!plan_from(&without_zeros, &limits, PLAN_ALIGNED_16, PLAN_GRADIENT_CPU, &plan));
}
END_TEST

/* ---- Rules ---- */

static void expect_refused(const struct slice_case *c, uint32_t rule, const char *words)
{
    struct case_desc desc;
    struct slice slice;
    case_desc_init(&desc, c);
    error = (clslice_error){.size = sizeof error};
    ck_assert_int_eq(slice_from(&desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
    ck_assert_msg(error.rule == rule && strstr(error.text, words), "rule %u: %s", error.rule,
                  error.text);
}

START_TEST(broken_rules_have_the_gradients_names)
{
    struct slice_case whole =
        CASE("rules", UINT8, IN(4, 10), FROM(0, 1), WINDOW(4, 9), BY(1, 2), OUT(4, 5));
    struct slice_case c;
    case_turn(&whole);
    c = whole;
    c.window_offsets[1] = 2;
    expect_refused(&c, CLSLICE_RULE_WINDOW_BOUNDS,
                   "InputWindowOffsets[1] + InputWindowSizes[1] = 2 + 9 = 11 exceeds "
                   "OutputGradientTensor.Sizes[1] = 10");
    c = whole;
    c.window_sizes[1] = 8;
    expect_refused(&c, CLSLICE_RULE_OUTPUT_EXCEEDS_MAX,
                   "InputGradientTensor.Sizes[1] = 5 exceeds MaxCopiedElements[1] = 4");
    c = whole;
    c.window_sizes[0] = 0;
    expect_refused(&c, CLSLICE_RULE_WINDOW_EMPTY, "InputWindowSizes[0] = 0");
    c = whole;
    c.window_strides[1] = 0;
    expect_refused(&c, CLSLICE_RULE_STRIDE_ZERO, "InputWindowStrides[1] = 0");
    c = whole;
    c.out_strided = true;
    c.out_strides[0] = 9;
    c.out_strides[1] = 1;
    expect_refused(&c, CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP, "OutputGradientTensor.Strides[1] = 1");
    c = whole;
    c.in_total_bytes = 16;
    expect_refused(&c, CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL,
                   "InputGradientTensor.TotalTensorSizeInBytes = 16");
    c = whole;
    c.out_sizes[0] = 0;
    c.out_total_bytes = 40;
    expect_refused(&c, CLSLICE_RULE_SIZE_ZERO, "OutputGradientTensor.Sizes[0] = 0");
}
END_TEST

START_TEST(tensors_of_a_gradient_have_its_names)
{
    struct slice_case c = CASE("tensors", UINT8, COPY(4, 10));
    struct case_desc desc;
    struct slice slice;
    case_turn(&c);
    case_desc_init(&desc, &c);
    const DML_TENSOR_DESC **const tensors[] = {&desc.gradient.InputGradientTensor,
                                               &desc.gradient.OutputGradientTensor};
    static const char *const words[] = {"InputGradientTensor is NULL",
                                        "OutputGradientTensor is NULL"};
    for (int i = 0; i < 2; ++i) {
        const DML_TENSOR_DESC *tensor = *tensors[i];
        *tensors[i] = NULL;
        ck_assert_int_eq(slice_from(&desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
        ck_assert(strstr(error.text, words[i]));
        *tensors[i] = tensor;
    }
    desc.out_buffer.DataType = DML_TENSOR_DATA_TYPE_INT8;
    ck_assert_int_eq(slice_from(&desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
    ck_assert(strstr(error.text, "InputGradientTensor.DataType = UINT8 and "
                                 "OutputGradientTensor.DataType = INT8"));
    desc.out_buffer.DataType = DML_TENSOR_DATA_TYPE_UINT8;
    desc.gradient.DimensionCount = 3;
    ck_assert_int_eq(slice_from(&desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
    ck_assert(strstr(error.text, "OutputGradientTensor.DimensionCount = 2"));
    desc.gradient.DimensionCount = 9;
    ck_assert_int_eq(slice_from(&desc.op, &slice, &error), CLSLICE_E_INVALIDARG);
    ck_assert(strstr(error.text, "DML_SLICE_GRAD_OPERATOR_DESC.DimensionCount = 9"));
}
END_TEST

/* Launches of host memory are cut by what they read: coordinates without inputs take none. */
START_TEST(tiles_span_the_inputs_alone)
{
    struct slice_case c =
        CASE("far", UINT8, IN(4096, 4096), FROM(7, 0), WINDOW(2, 4096), BY(1, 1), OUT(2, 4096));
    const struct plan_limits limits = {true, 4, 64, 4096, 0, 0, false, false};
    uint64_t tile[TENSOR_RANK_MAX];
    struct plan plan;
    case_turn(&c);
    c.in_strided = true;
    c.in_strides[0] = 1 << 24;
    c.in_strides[1] = 1;
    struct slice slice = slice_of(&c);
    ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_ELEMENT, CHOSEN, &plan));
    ck_assert_uint_eq(tile_choose(&plan, 1 << 25, tile), 1);
    ck_assert_uint_eq(tile_choose(&plan, 1 << 24, tile), 4096);
    check_case(&c, &limits, PLAN_ALIGNED_ELEMENT, 1 << 20);
}
END_TEST

/* Where the library says so alone, verify, bench and other tests would lose the strides. */
START_TEST(gradients_of_cases_keep_their_strides)
{
    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];
        struct slice_case gradient = case_gradient(c);
        bool is_plain = c->rank == 1 && c->in_strided && c->in_strides[0] > 0;
        ck_assert_msg(!is_plain || gradient.out_strided, "%s", c->name);
    }
}
END_TEST

/* An input that is read for several outputs of the same value. */
START_TEST(the_input_may_be_broadcast)
{
    struct slice_case c =
        CASE("broadcast", UINT16, IN(4, 10), FROM(0, 1), WINDOW(4, 9), BY(1, 2), OUT(4, 5));
    case_turn(&c);
    c.in_strided = true;
    c.in_strides[0] = 0;
    c.in_strides[1] = 1;
    for (int i = 0; i < 8; ++i) {
        const struct plan_limits limits = {i % 2, 4, 64, 1024, 0, 0, false, false};
        check_case(&c, &limits, i / 2 % 2, i / 4 ? 16 : UINT64_MAX);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice_gradient");
    TCase *tests = suite_case(suite, "slice_gradient");
    tcase_add_test(tests, launches_make_what_the_reference_makes);
    tcase_add_test(tests, a_gradient_is_zeros_and_its_inputs);
    tcase_add_test(tests, slices_and_gradients_have_variants_of_their_own);
    tcase_add_test(tests, broken_rules_have_the_gradients_names);
    tcase_add_test(tests, tensors_of_a_gradient_have_its_names);
    tcase_add_test(tests, tiles_span_the_inputs_alone);
    tcase_add_test(tests, gradients_of_cases_keep_their_strides);
    tcase_add_test(tests, the_input_may_be_broadcast);
    return suite_run(suite);
}
