/* SPDX-License-Identifier: MIT */
/* The floor, counted the slow way: byte by byte, with a count for every line. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/floor.h"
#include "support/case_slice.h"
#include "support/random_case.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    uint64_t touched, whole;
    uint64_t all; /* from the first to the last one touched */
};

static uint64_t stride_of(const struct slice *slice, uint32_t i, bool is_output)
{
    return (uint64_t)(is_output ? slice->dim[i].out_stride : slice->dim[i].in_stride);
}

/* Of the input's reads or the output's writes. A byte that is read twice counts once. */
static struct lines lines_of(const struct slice_case *c, const struct slice *slice, bool is_output,
                             uint64_t line)
{
    const struct tensor *tensor = is_output ? &slice->output : &slice->input;
    uint64_t width = tensor->element_size, bytes = tensor->span * width, low = bytes, high = 0;
    uint32_t at[CASE_MAX_RANK] = {0};
    struct lines lines = {0};
    unsigned char *marks = calloc((size_t)(bytes + 2 * line), 1);
    ck_assert_ptr_nonnull(marks);
    do {
        uint64_t element = is_output ? 0 : slice->first;
        for (uint32_t i = 0; i < slice->rank; ++i)
            element += at[i] * stride_of(slice, i, is_output);
        memset(marks + element * width, 1, width);
        low = element * width < low ? element * width : low;
        high = element * width + width - 1 > high ? element * width + width - 1 : high;
    } while (case_next(c->rank, c->out_sizes, at));
    for (uint64_t begin = 0; begin < bytes; begin += line) {
        uint64_t marked = 0;
        for (uint64_t b = 0; b < line; ++b)
            marked += marks[begin + b];
        lines.touched += marked > 0;
        lines.whole += marked == line;
    }
    free(marks);
    lines.all = high / line - low / line + 1;
    return lines;
}

/* Whether every dimension steps over all that lies inside it; of an output also, whether no run
 * begins where another ends: then a line may be filled by two. */
static bool nests(const struct slice *slice, bool is_output)
{
    uint64_t step[TENSOR_RANK_MAX], size[TENSOR_RANK_MAX], inside = 1;
    uint32_t count = 0;
    bool has_gaps = false;
    for (uint32_t i = 0; i < slice->rank; ++i) {
        int64_t stride = (int64_t)stride_of(slice, i, is_output);
        uint64_t distance = (uint64_t)(stride < 0 ? -stride : stride);
        if (stride == 0)
            continue;
        uint32_t j = count++;
        for (; j > 0 && step[j - 1] > distance; --j) {
            step[j] = step[j - 1];
            size[j] = size[j - 1];
        }
        step[j] = distance;
        size[j] = slice->dim[i].size;
    }
    for (uint32_t j = 0; j < count; ++j) {
        if (step[j] < inside || (is_output && has_gaps && step[j] == inside))
            return false;
        has_gaps = has_gaps || step[j] > inside;
        inside += (size[j] - 1) * step[j];
    }
    return true;
}

/* Returns whether the case had to be exact. */
static bool check_floor(const struct slice_case *c, uint64_t line)
{
    struct slice slice = slice_of(c);
    struct lines in = lines_of(c, &slice, false, line), out = lines_of(c, &slice, true, line);
    uint64_t packed = slice.elements * slice.output.element_size;
    bool has_gaps = slice.output.span > slice.elements;
    uint64_t least = has_gaps ? (2 * out.touched - out.whole) * line : packed;
    uint64_t most = has_gaps ? 2 * out.all * line : packed;
    uint64_t floor = floor_bytes(&slice, line);
    char bytes[2048];
    struct text text = text_in(bytes, sizeof bytes);
    bool exact = nests(&slice, false) && nests(&slice, true);
    slice_describe(&slice, &text);
    if (floor < packed || floor > most + in.all * line)
        ck_abort_msg("%s, line %" PRIu64 ": impossible floor %" PRIu64 "\n%s", c->name, line, floor,
                     bytes);
    if (exact && floor != least + in.touched * line)
        ck_abort_msg("%s, line %" PRIu64 ": floor %" PRIu64 ", not %" PRIu64 " + %" PRIu64
                     " lines\n%s",
                     c->name, line, floor, least, in.touched, bytes);
    return exact;
}

START_TEST(floors_of_the_table_are_counted_lines)
{
    uint32_t exact = 0;
    for (size_t i = 0; i < slice_case_count; ++i) {
        uint64_t in, out;
        const struct slice_case *c = &slice_cases[i];
        if (!case_in_bytes(c, &in) || !case_out_elements(c, &out) || in > 3000000 || out > 500000)
            continue;
        for (uint64_t line = 32; line <= 64; line *= 2)
            exact += check_floor(c, line);
    }
    ck_assert_uint_gt(exact, 200);
}
END_TEST

/* The case with as much of its first dimension as can be counted byte by byte. */
static struct slice_case shortened(const struct slice_case *c)
{
    struct slice_case short_case = *c;
    uint64_t strides[CASE_MAX_RANK];
    case_in_strides(c, strides);
    uint32_t rows = 1 + 300000 / (uint32_t)(strides[0] > 0 ? strides[0] : c->in_sizes[1]);
    int64_t step = c->window_strides[0] < 0 ? -c->window_strides[0] : c->window_strides[0];
    if (rows < c->window_sizes[0])
        short_case.window_sizes[0] = rows;
    short_case.in_sizes[0] = short_case.window_offsets[0] + short_case.window_sizes[0];
    short_case.out_sizes[0] = (uint32_t)((short_case.window_sizes[0] - 1) / step + 1);
    return short_case;
}

START_TEST(floors_of_large_cases_are_counted_lines)
{
    for (size_t i = 0; i < slice_case_count; ++i) {
        if (!(slice_cases[i].flags & CASE_LARGE))
            continue;
        struct slice_case c = shortened(&slice_cases[i]);
        for (uint64_t line = 32; line <= 64; line *= 2)
            ck_assert_msg(check_floor(&c, line), "%s", c.name);
    }
}
END_TEST

START_TEST(floors_of_random_cases_are_counted_lines)
{
    struct dice dice = {(uint64_t)_i + 90};
    uint32_t exact = 0;
    for (int n = 0; n < 2000; ++n) {
        struct slice_case c;
        random_case(&dice, &c);
        exact += check_floor(&c, 32);
        exact += check_floor(&c, 64);
        check_floor(&c, UINT64_C(1) << dice_below(&dice, 9));
    }
    ck_assert_uint_gt(exact, 2000);
}
END_TEST

/* Rows and columns around the length of a line, at every offset in it: ends share lines. */
START_TEST(floors_of_rows_around_a_line_are_counted_lines)
{
    struct dice dice = {100};
    for (int n = 0; n < 6000; ++n) {
        struct slice_case c = {
            .name = "rows", .rank = 3, .data_type = 1 + (uint32_t)dice_below(&dice, 11)};
        for (uint32_t i = 0; i < c.rank; ++i) {
            uint32_t longest = i == 2 ? 90 : 7, step = 1 + (uint32_t)dice_below(&dice, 3);
            if (i == 2 && dice_one_in(&dice, 3))
                step = 1 + (uint32_t)dice_below(&dice, 70);
            c.out_sizes[i] = 1 + (uint32_t)dice_below(&dice, longest);
            c.window_sizes[i] = (c.out_sizes[i] - 1) * step + 1;
            c.window_offsets[i] = (uint32_t)dice_below(&dice, 40);
            c.in_sizes[i] =
                c.window_offsets[i] + c.window_sizes[i] + (uint32_t)dice_below(&dice, 40);
            c.window_strides[i] = dice_one_in(&dice, 2) ? (int32_t)step : -(int32_t)step;
        }
        c.window_offsets[0] %= 3;
        c.in_sizes[0] = c.window_offsets[0] + c.window_sizes[0];
        c.in_sizes[1] = c.window_offsets[1] + c.window_sizes[1] + (uint32_t)dice_below(&dice, 3);
        ck_assert(check_floor(&c, 32));
        ck_assert(check_floor(&c, 64));
    }
}
END_TEST

/* Totals that another program counted. */
static const struct {
    uint64_t floor_32, floor_64;
    struct slice_case c;
} totals[] = {
    {49152, 49152, CASE("copy_all", FLOAT32, WHOLE(64, 96), BY(1, 1), OUT(64, 96))},
    {32768, 32768,
     CASE("crop_aligned", FLOAT32, IN(64, 96), FROM(0, 16), WINDOW(64, 64), BY(1, 1), OUT(64, 64))},
    {48896, 48896,
     CASE("crop_odd", FLOAT32, IN(64, 97), FROM(0, 1), WINDOW(64, 94), BY(1, 1), OUT(64, 94))},
    {49088, 49088,
     CASE("crop_odd_u8", UINT8, IN(64, 385), FROM(0, 1), WINDOW(64, 382), BY(1, 1), OUT(64, 382))},
    {22144, 22656,
     CASE("qkv_split", FLOAT16, IN(16, 3, 4, 85), FROM(0, 1, 0, 0), WINDOW(16, 1, 4, 85),
          BY(1, 1, 1, 1), OUT(16, 1, 4, 85))},
    {12800, 12928,
     CASE("kv_cache_head", FLOAT16, IN(4, 81, 16), WINDOW(4, 50, 16), BY(1, 1, 1), OUT(4, 50, 16))},
    {6144, 6144,
     CASE("rope_even", FLOAT16, IN(32, 4, 16), WINDOW(32, 4, 15), BY(1, 1, 2), OUT(32, 4, 8))},
    {6144, 6144,
     CASE("rope_odd", FLOAT16, IN(32, 4, 16), FROM(0, 0, 1), WINDOW(32, 4, 15), BY(1, 1, 2),
          OUT(32, 4, 8))},
    {28800, 32640,
     CASE("focus", FLOAT32, IN(2, 3, 40, 40), FROM(0, 0, 0, 1), WINDOW(2, 3, 39, 39),
          BY(1, 1, 2, 2), OUT(2, 3, 20, 20))},
    {37376, 37376, CASE("stride2_f32", FLOAT32, WHOLE(64, 97), BY(1, 2), OUT(64, 49))},
    {36992, 36992, CASE("stride2_u8", UINT8, WHOLE(64, 385), BY(1, 2), OUT(64, 193))},
    {21888, 21888, CASE("stride3_i16", INT16, IN(64, 128), WINDOW(64, 127), BY(1, 3), OUT(64, 43))},
    {25728, 26752, CASE("rows_outer2", FLOAT32, IN(64, 97), WINDOW(63, 97), BY(2, 1), OUT(32, 97))},
    {49664, 49664, CASE("flip_f32", FLOAT32, WHOLE(64, 97), BY(1, -1), OUT(64, 97))},
    {49664, 49664, CASE("flip_rows", FLOAT32, WHOLE(64, 97), BY(-1, 1), OUT(64, 97))},
    {32640, 32640, CASE("rgb_to_bgr", UINT8, WHOLE(64, 85, 3), BY(1, 1, -1), OUT(64, 85, 3))},
    {28672, 28672,
     CASE("rgba_to_rgb", UINT8, IN(64, 64, 4), WINDOW(64, 64, 3), BY(1, 1, 1), OUT(64, 64, 3))},
    {21760, 21760,
     CASE("one_channel", UINT8, IN(64, 85, 3), FROM(0, 0, 1), WINDOW(64, 85, 1), BY(1, 1, 1),
          OUT(64, 85, 1))},
    {20480, 36864,
     CASE("column", FLOAT64, IN(512, 16), FROM(0, 7), WINDOW(512, 1), BY(1, 1), OUT(512, 1))},
    {20480, 24576,
     CASE("column_odd", FLOAT64, IN(512, 5), FROM(0, 2), WINDOW(512, 1), BY(1, 1), OUT(512, 1))},
    {5775, 7215,
     CASE("stride_40", UINT8, IN(7, 1000), FROM(0, 39), WINDOW(7, 961), BY(1, -40), OUT(7, 25))},
    {6144, 6144,
     CASE("rank8_stride2", FLOAT32, IN(2, 4, 2, 4, 2, 4, 2, 8), WINDOW(2, 3, 2, 3, 2, 3, 2, 7),
          BY(1, 2, 1, 2, 1, 2, 1, 2), OUT(2, 2, 2, 2, 2, 2, 2, 4))},
    {4096, 4096,
     CASE("rank8_flip", INT32, WHOLE(2, 2, 2, 2, 2, 2, 2, 4), BY(-1, -1, -1, -1, -1, -1, -1, -1),
          OUT(2, 2, 2, 2, 2, 2, 2, 4))},
    {4406, 4438,
     CASE("crop_rows_share", UINT8, IN(40, 70), FROM(3, 1), WINDOW(34, 59), BY(1, 1), OUT(34, 59))},
    {512, 544,
     CASE("tiny_3d", FLOAT32, IN(2, 3, 20), FROM(0, 1, 0), WINDOW(2, 2, 19), BY(1, 1, 2),
          OUT(2, 2, 10))},
    {31248, 31248,
     CASE("tiny_64", FLOAT32, IN(64, 64), FROM(1, 1), WINDOW(62, 62), BY(1, 1), OUT(62, 62))},
    {2084880, 2084880,
     CASE("small_1m", FLOAT32, IN(512, 512), FROM(1, 1), WINDOW(510, 510), BY(1, 1),
          OUT(510, 510))},
    {2244, 3332,
     CASE("every_third_row", UINT16, IN(100, 37), FROM(1, 5), WINDOW(97, 18), BY(3, 17),
          OUT(33, 2))},
};

START_TEST(floors_are_what_another_program_counted)
{
    struct slice slice = slice_of(&totals[_i].c);
    ck_assert_uint_eq(floor_bytes(&slice, 32), totals[_i].floor_32);
    ck_assert_uint_eq(floor_bytes(&slice, 64), totals[_i].floor_64);
}
END_TEST

/* Slices that no bitmap holds, where the total is plain. */
START_TEST(huge_floors_do_not_overflow)
{
    struct slice_case row = CASE("row", FLOAT64, WHOLE(4294967295), BY(-1), OUT(4294967295));
    struct slice slice = slice_of(&row);
    uint64_t bytes = UINT64_C(4294967295) * 8;
    ck_assert_uint_eq(floor_bytes(&slice, 64), bytes + (bytes + 63) / 64 * 64);

    struct slice_case columns = CASE("columns", UINT8, IN(16777216, 255), FROM(0, 7),
                                     WINDOW(16777216, 1), BY(1, 1), OUT(16777216, 1));
    slice = slice_of(&columns);
    ck_assert_uint_eq(floor_bytes(&slice, 32), UINT64_C(16777216) * 33);

    struct slice_case one = CASE("one element", UINT16, WHOLE(65535, 65537), IN_STRIDES(0),
                                 BY(1, 1), OUT(65535, 65537));
    slice = slice_of(&one);
    ck_assert_uint_eq(floor_bytes(&slice, 32), UINT64_C(4294967295) * 2 + 32);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("floor");
    TCase *tests = suite_case(suite, "floor");
    tcase_add_test(tests, floors_of_the_table_are_counted_lines);
    tcase_add_loop_test(tests, floors_of_random_cases_are_counted_lines, 0, 4);
    tcase_add_test(tests, floors_of_rows_around_a_line_are_counted_lines);
    tcase_add_loop_test(tests, floors_are_what_another_program_counted, 0, COUNT_OF(totals));
    tcase_add_test(tests, floors_of_large_cases_are_counted_lines);
    tcase_add_test(tests, huge_floors_do_not_overflow);
    return suite_run(suite);
}
