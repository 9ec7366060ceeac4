/* SPDX-License-Identifier: MIT */
/* What kernels are compiled with, and how many programs that makes: each costs its first user a
 * build. */
#include "conformance/case_words.h"
#include "conformance/sweep.h"
#include "core/definitions.h"
#include "support/case_slice.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRAMS_MOST = 40, DRAWS = 100 }; /* of each class of slices */

struct programs {
    char text[PROGRAMS_MOST][160];
    uint32_t count;
};

static void add_program(struct programs *programs, const struct plan *plan, const char *name)
{
    char bytes[sizeof programs->text[0]];
    struct text text = text_in(bytes, sizeof bytes);
    text_append(&text, "%s ", plan_variant_name(plan->variant));
    plan_define(plan, &text);
    ck_assert_uint_lt(text.length, sizeof bytes);
    for (uint32_t i = 0; i < programs->count; ++i)
        if (strcmp(programs->text[i], bytes) == 0)
            return;
    ck_assert_msg(programs->count < PROGRAMS_MOST, "%s needs one more: %s", name, bytes);
    strcpy(programs->text[programs->count++], bytes);
}

/* Of the sizes that are measured, whatever the tensors' addresses. */
START_TEST(a_thousand_slices_share_forty_programs)
{
    static const uint64_t seeds[] = {1, 0xa0fdaae3, 0x30ee91f0, 0xabcdef};
    static const struct plan_limits devices[] = {{true, 2, 64, 4096, 0, 12 << 20, false, false},
                                                 {true, 16, 64, 4096, 0, 48 << 20, false, false},
                                                 {false, 132, 32, 1024, 48 << 10, 0, false, false}};
    const struct plan_limits *device = &devices[_i % 3];
    struct programs programs = {.count = 0};
    for (uint32_t n = 0; n < SWEEP_CLASS_COUNT * DRAWS; ++n) {
        struct sweep_draw draw;
        sweep_draw(&draw, seeds[_i / 3], n / DRAWS, n % DRAWS, device->cpu ? 64 << 20 : 256 << 20);
        for (int alignment = 0; alignment < PLAN_ALIGNMENT_COUNT; ++alignment) {
            struct plan plan = plan_within(&draw.c, device, alignment, CHOSEN);
            add_program(&programs, &plan, draw.name);
        }
    }
}
END_TEST

/* Rows of 999 elements, so many apart. */
static const struct {
    uint32_t data_type;
    int32_t step;
    enum plan_variant variant;
    const char *text;
} defined[] = {
    {DML_TENSOR_DATA_TYPE_INT16, 1, PLAN_ROWS_CPU, " -DGROUP_SIZE=1 -DGROUP_STRIDE=1"},
    {DML_TENSOR_DATA_TYPE_INT16, -1, PLAN_ROWS_CPU, " -DGROUP_SIZE=1 -DGROUP_STRIDE=-1"},
    {DML_TENSOR_DATA_TYPE_INT16, -4, PLAN_ROWS_CPU, " -DGROUP_SIZE=1 -DGROUP_STRIDE=0"},
    {DML_TENSOR_DATA_TYPE_UINT8, 1, PLAN_ROWS_GPU,
     " -DGROUP_SIZE=1 -DGROUP_STRIDE=1 -DELEMENT_STRIDE=0"},
    {DML_TENSOR_DATA_TYPE_UINT8, -1, PLAN_ROWS_GPU,
     " -DGROUP_SIZE=1 -DGROUP_STRIDE=-1 -DELEMENT_STRIDE=0"},
    {DML_TENSOR_DATA_TYPE_UINT8, 3, PLAN_ROWS_GPU,
     " -DGROUP_SIZE=1 -DGROUP_STRIDE=0 -DELEMENT_STRIDE=0"},
    {DML_TENSOR_DATA_TYPE_UINT8, -2, PLAN_ROWS_GPU,
     " -DGROUP_SIZE=1 -DGROUP_STRIDE=0 -DELEMENT_STRIDE=0"},
    {DML_TENSOR_DATA_TYPE_UINT8, 7, PLAN_STRIDED_CPU, ""},
    {DML_TENSOR_DATA_TYPE_UINT8, 7, PLAN_STRIDED_GPU, " -DWORD_BYTES=8"},
    {DML_TENSOR_DATA_TYPE_INT64, 7, PLAN_STRIDED_GPU, " -DWORD_BYTES=8"},
    {DML_TENSOR_DATA_TYPE_INT64, 2, PLAN_STRIDED_GPU, " -DWORD_BYTES=16"},
};

START_TEST(definitions_are_what_kernels_need)
{
    char bytes[160], expected[160];
    struct text text = text_in(bytes, sizeof bytes), all = text_in(expected, sizeof expected);
    uint32_t taken = 998 * (uint32_t)abs(defined[_i].step) + 1;
    struct slice_case c = CASE("rows", UNKNOWN, IN(999, taken + 3), WINDOW(999, taken),
                               BY(1, defined[_i].step), OUT(999, 999));
    c.data_type = defined[_i].data_type;
    struct plan plan =
        plan_of(&c, plan_variant_is_cpu(defined[_i].variant), PLAN_ALIGNED_16, defined[_i].variant);
    plan_define(&plan, &text);
    text_append(&all, "-DELEMENT_SIZE=%u -DINDEX_BITS=%d%s", case_type_bytes(c.data_type),
                defined[_i].variant == PLAN_ROWS_CPU ? 64 : 32, defined[_i].text);
    ck_assert_str_eq(bytes, expected);
}
END_TEST

START_TEST(rows_are_compiled_for_intel)
{
    const struct slice_case c = CASE("rows", INT16, COPY(999, 999), IN_STRIDES(1000, 1));
    for (int intel = 0; intel < 2; ++intel)
        for (int strided = 0; strided < 2; ++strided) {
            const struct plan_limits limits = {true, 2, 64, 4096, 0, 12 << 20, true, intel};
            char bytes[160];
            struct text text = text_in(bytes, sizeof bytes);
            struct plan plan = plan_within(&c, &limits, PLAN_ALIGNED_16,
                                           strided ? PLAN_STRIDED_CPU : PLAN_ROWS_CPU);
            plan_define(&plan, &text);
            ck_assert_int_eq(strstr(bytes, " -DINTEL") != NULL, intel && !strided);
        }
}
END_TEST

START_TEST(pixels_are_defined)
{
    const struct slice_case c = CASE("mirrored red and green", UINT8, IN(999, 999, 3),
                                     WINDOW(999, 999, 2), BY(1, -1, -1), OUT(999, 999, 2));
    for (int cpu = 0; cpu < 2; ++cpu) {
        char bytes[160];
        struct text text = text_in(bytes, sizeof bytes);
        struct plan plan = plan_of(&c, cpu, PLAN_ALIGNED_16, cpu ? PLAN_ROWS_CPU : PLAN_ROWS_GPU);
        plan_define(&plan, &text);
        ck_assert_str_eq(bytes, cpu ? "-DELEMENT_SIZE=1 -DINDEX_BITS=64 -DGROUP_SIZE=2 "
                                      "-DGROUP_STRIDE=0"
                                    : "-DELEMENT_SIZE=1 -DINDEX_BITS=32 -DGROUP_SIZE=2 "
                                      "-DGROUP_STRIDE=-3 -DELEMENT_STRIDE=-1");
    }
}
END_TEST

/* The other elements of its rows come so late that it is a transpose, which has no pattern. */
START_TEST(transposes_of_pixels_have_no_pattern)
{
    const struct slice_case c =
        CASE("planes", UINT8, WHOLE(3, 12000000), IN_STRIDES(1, 4), BY(1, 1), OUT(3, 12000000));
    char bytes[160];
    struct text text = text_in(bytes, sizeof bytes);
    struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
    plan_define(&plan, &text);
    ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_GPU);
    ck_assert_uint_eq(plan.pattern.group_size, 0);
    ck_assert_str_eq(bytes, "-DELEMENT_SIZE=1 -DINDEX_BITS=32 -DGROUP=256 -DBLOCK_BYTES=28672");
}
END_TEST

/* How many depends on the device, so whoever compiles it says so. */
START_TEST(kernels_for_few_items_know_their_words)
{
    const struct slice_case c = CASE("rows", FLOAT32, COPY(999, 999));
    char bytes[160];
    struct text text = text_in(bytes, sizeof bytes);
    struct slice slice = slice_of(&c), item = slice_item(&slice);
    const struct plan_limits limits = {false, 4, 32, 1024, 0, 24 << 20, false, false};
    struct plan plan;
    ck_assert(plan_from(&item, &limits, PLAN_ALIGNED_ELEMENT, PLAN_ROWS_GPU, &plan));
    ck_assert_uint_eq(plan.few_words, 0);
    plan.few_words = 76;
    plan_define(&plan, &text);
    ck_assert_ptr_nonnull(strstr(bytes, " -DBATCH -DFEW_WORDS=76"));
}
END_TEST

/* Blocks of transpose_gpu that four units for each work-item fill have a program of their own. */
START_TEST(small_blocks_have_a_program)
{
    for (uint32_t columns = 64; columns <= 68; ++columns) {
        const struct slice_case c =
            CASE("matrices", FLOAT32, WHOLE(999, columns, 64), IN_STRIDES(columns * 64, 1, columns),
                 BY(1, 1, 1), OUT(999, columns, 64));
        char bytes[160];
        struct text text = text_in(bytes, sizeof bytes);
        struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_16);
        plan_define(&plan, &text);
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_GPU);
        ck_assert_ptr_nonnull(
            strstr(bytes, columns == 64 ? " -DBLOCK_BYTES=17408" : " -DBLOCK_BYTES=28672"));
    }
}
END_TEST

/* Rows of so many elements, of which every second is taken where the step is 2, and so many between
 * one and the next. */
static const struct {
    uint32_t data_type, row, gap;
    int32_t step;
    uint32_t times; /* that all of them are repeated */
    const char *text;
} rows[] = {
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 1, 1, 1, " -DNEIGHBOURS -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 16, 1, 1, " -DNEIGHBOURS -DWORD_BYTES=8"},
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 88, 1, 1, " -DNEIGHBOURS -DWORD_BYTES=4"},
    {DML_TENSOR_DATA_TYPE_INT16, 999, 1, -1, 1, " -DNEIGHBOURS -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 7, 1, 1, 1, " -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 1, 2, 1, " -DWORD_BYTES=8"},
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 1, 1, 99, " -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 999, 1, 1, 1, " -DWORD_BYTES=16"},
};

START_TEST(neighbours_of_rows_are_defined)
{
    char bytes[160], expected[160];
    struct text text = text_in(bytes, sizeof bytes), all = text_in(expected, sizeof expected);
    const uint32_t row = rows[_i].row, times = rows[_i].times;
    const uint32_t taken = (row - 1) * (uint32_t)abs(rows[_i].step) + 1,
                   next = taken + rows[_i].gap;
    struct slice_case c = CASE(
        "rows", UNKNOWN, IN(times, 9999, next), IN_STRIDES(times > 1 ? 0 : 9999 * next, next, 1),
        WINDOW(times, 9999, taken), BY(1, 1, rows[_i].step), OUT(times, 9999, row));
    c.data_type = rows[_i].data_type;
    struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
    plan_define(&plan, &text);
    text_append(&all, "-DELEMENT_SIZE=%u -DINDEX_BITS=32%s", case_type_bytes(c.data_type),
                rows[_i].text);
    ck_assert_str_eq(bytes, expected);
}
END_TEST

/* Gradients of rows of so many inputs, in rows of three elements more than these span, put so many
 * apart. */
static const struct {
    uint32_t data_type;
    uint32_t inputs, apart, in_stride;
    int32_t step;
    const char *text;
} gradients[] = {
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 1, 1, 1, " -DNEIGHBOURS -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_INT16, 999, 1, 1, -1, " -DNEIGHBOURS -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 1, 1, 2, " -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 1, 2, 1, " -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 999, 2, 1, 1, " -DWORD_BYTES=0"},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 999, 1, 1, 1, " -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 1, 1, 1, " -DSHORT_ROWS -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 9, 1, 1, 1, " -DNEIGHBOURS -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_UINT8, 8, 2, 1, 1, " -DWORD_BYTES=0"},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 8, 1, 1, 1, " -DWORD_BYTES=16"},
    {DML_TENSOR_DATA_TYPE_FLOAT32, 2, 1, 1, 1, " -DSHORT_ROWS -DWORD_BYTES=16"},
};

START_TEST(words_of_gradients_are_defined)
{
    char bytes[160], expected[160];
    struct text text = text_in(bytes, sizeof bytes), all = text_in(expected, sizeof expected);
    uint32_t inputs = gradients[_i].inputs;
    uint32_t taken = (inputs - 1) * (uint32_t)abs(gradients[_i].step) + 1;
    struct slice_case c = CASE("gradient", UNKNOWN, AS(SLICE_GRAD), IN(999, inputs),
                               IN_STRIDES(1998, gradients[_i].in_stride), FROM(0, 1),
                               WINDOW(999, taken), BY(1, gradients[_i].step), OUT(999, taken + 3),
                               OUT_STRIDES((taken + 3) * gradients[_i].apart, gradients[_i].apart));
    c.data_type = gradients[_i].data_type;
    struct plan plan = plan_of(&c, false, PLAN_ALIGNED_16, PLAN_GRADIENT_GPU);
    plan_define(&plan, &text);
    text_append(&all, "-DELEMENT_SIZE=%u -DINDEX_BITS=32 -DGRADIENT%s",
                case_type_bytes(c.data_type), gradients[_i].text);
    ck_assert_str_eq(bytes, expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("definitions");
    TCase *definitions = suite_case(suite, "definitions");
    tcase_add_loop_test(definitions, a_thousand_slices_share_forty_programs, 0, 12);
    tcase_add_loop_test(definitions, definitions_are_what_kernels_need, 0, COUNT_OF(defined));
    tcase_add_loop_test(definitions, neighbours_of_rows_are_defined, 0, COUNT_OF(rows));
    tcase_add_loop_test(definitions, words_of_gradients_are_defined, 0, COUNT_OF(gradients));
    tcase_add_test(definitions, rows_are_compiled_for_intel);
    tcase_add_test(definitions, pixels_are_defined);
    tcase_add_test(definitions, transposes_of_pixels_have_no_pattern);
    tcase_add_test(definitions, small_blocks_have_a_program);
    tcase_add_test(definitions, kernels_for_few_items_know_their_words);
    return suite_run(suite);
}
