/* SPDX-License-Identifier: MIT */
/* What a device's limits, and the size of a slice, make of its plan. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/case_slice.h"
#include "support/suite.h"

#include <inttypes.h>

START_TEST(groups_fit_the_device)
{
    struct slice slice = slice_of(case_named("step/2"));
    const uint64_t most[] = {1, 2, 7, 64, 255, 256, 257, 1024, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(most); ++i)
        for (uint32_t v = 0; v <= PLAN_VARIANT_COUNT; ++v) {
            struct plan_limits limits = {false, 4, 32, most[i], 0, 0, false, false};
            struct plan plan;
            if (!plan_from(&slice, &limits, PLAN_ALIGNED_16, v, &plan))
                continue;
            ck_assert_uint_ge(plan.local_size, 1);
            ck_assert_uint_le(plan.local_size, most[i]);
        }
}
END_TEST

/* A new local size costs some drivers a code generation. */
START_TEST(local_sizes_are_few)
{
    for (size_t i = 0; i < 2 * slice_case_count; ++i) {
        uint32_t local_size = chosen_plan(&slice_cases[i / 2], false, i % 2).local_size;
        ck_assert_msg(local_size == 128 || local_size == 256, "%" PRIu32, local_size);
        ck_assert_uint_eq(chosen_plan(&slice_cases[i / 2], true, i % 2).local_size, 1);
    }
}
END_TEST

/* Its blocks are for groups of 256. */
START_TEST(small_groups_never_transpose)
{
    struct slice slice = slice_of(case_named("big/transpose"));
    for (uint64_t most = 1; most <= 1024; most += most < 250 ? 50 : 1) {
        const struct plan_limits gpu = {false, 4, 32, most, 0, 0, false, false},
                                 cpu = {true, 4, 64, most, 0, 0, false, false};
        struct plan plan;
        ck_assert(plan_from(&slice, &gpu, PLAN_ALIGNED_16, CHOSEN, &plan));
        ck_assert_uint_eq(plan.variant, most < 256 ? PLAN_STRIDED_GPU : PLAN_TRANSPOSE_GPU);
        ck_assert_uint_le(plan.local_size, most);
        ck_assert(plan_from(&slice, &gpu, PLAN_ALIGNED_16, PLAN_TRANSPOSE_GPU, &plan) ==
                  (most >= 256));
        ck_assert(plan_from(&slice, &cpu, PLAN_ALIGNED_16, CHOSEN, &plan));
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_CPU);
    }
}
END_TEST

/* transpose_gpu needs 16 KiB for lines and 9.5 KiB for its tables. */
START_TEST(small_local_memories_never_transpose)
{
    static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_UINT8};
    for (size_t i = 0; i < COUNT_OF(types); ++i)
        for (uint64_t bytes = 0; bytes < 40000; bytes += 64) {
            struct slice_case c = *case_named("big/transpose");
            c.data_type = types[i];
            struct slice slice = slice_of(&c);
            struct plan_limits limits = {false, 4, 32, 1024, bytes, 0, false, false};
            bool fits = bytes == 0 || bytes >= (51 << 9) + 32;
            struct plan plan;
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, CHOSEN, &plan));
            ck_assert_uint_eq(plan.variant, fits ? PLAN_TRANSPOSE_GPU : PLAN_STRIDED_GPU);
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, PLAN_TRANSPOSE_GPU, &plan) ==
                      fits);
            limits.cpu = true;
            ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, CHOSEN, &plan));
            ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_CPU);
        }
}
END_TEST

/* A transpose's runs are alike, whatever the row: of work-items, compute units get equal
 * numbers. */
START_TEST(runs_of_transposes_are_even)
{
    for (uint32_t row = 1025; row < 8192; row += 3) {
        const struct slice_case c = CASE("transpose", FLOAT32, WHOLE(row, 4096), BY(1, 1),
                                         OUT(row, 4096), OUT_STRIDES(1, row));
        struct plan plan = chosen_plan(&c, true, PLAN_ALIGNED_ELEMENT);
        struct walk walk = launch_of(&plan).walk;
        uint64_t last = (row - 1) % walk.width + 1;
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_CPU);
        ck_assert_uint_ge(walk.width, 512);
        ck_assert(walk.width == row || walk.width % 16 == 0);
        ck_assert_msg(last * 5 >= walk.width * 4,
                      "%" PRIu32 ": runs of %" PRIu32 ", the last of %" PRIu64, row, walk.width,
                      last);
    }
}
END_TEST

/* A block's column, elements by steps, holds what lies side by side in the input, until it is long
 * enough to read; and rows are not lengthened by what it holds. Rows of up to 512 bytes go on
 * first, if the column has a vector without that dimension, of up to 128 bytes in any case. Columns
 * of up to 5 bytes go on to steps of up to four times their span, longer ones of twice. */
START_TEST(columns_of_transposes_are_long)
{
    static const struct {
        struct slice_case c;
        uint32_t width, height, step;
    } cases[] = {
        {CASE("one dimension", UINT16, WHOLE(15107, 2221), IN_STRIDES(1, 15107), BY(1, 1),
              OUT(15107, 2221)),
         1120, 512, 1},
        {CASE("by 3", UINT8, IN(31, 739), IN_STRIDES(1, 217), WINDOW(31, 739), BY(3, 1),
              OUT(11, 739)),
         739, 11, 1},
        {CASE("two", UINT16, WHOLE(11, 5550, 79), IN_STRIDES(1, 11, 61051), BY(1, 1, 1),
              OUT(11, 5550, 79)),
         948, 11, 1},
        {CASE("two, of long rows", UINT16, WHOLE(11, 5550, 257), IN_STRIDES(1, 11, 61051),
              BY(1, 1, 1), OUT(11, 5550, 257)),
         257, 506, 11},
        {CASE("two, of short columns", UINT16, WHOLE(7, 5550, 79), IN_STRIDES(1, 7, 38851),
              BY(1, 1, 1), OUT(7, 5550, 79)),
         79, 511, 7},
        {CASE("short columns far apart", UINT16, WHOLE(7, 5550, 79), IN_STRIDES(1, 100, 555001),
              BY(1, 1, 1), OUT(7, 5550, 79)),
         948, 7, 1},
        {CASE("short columns and rows", UINT16, WHOLE(7, 5550, 64), IN_STRIDES(1, 7, 38851),
              BY(1, 1, 1), OUT(7, 5550, 64)),
         1024, 7, 1},
        {CASE("three", UINT32, WHOLE(99, 5, 11, 2871), IN_STRIDES(55, 1, 5, 5445), BY(1, 1, 1, 1),
              OUT(99, 5, 11, 2871)),
         960, 55, 5},
        {CASE("far", UINT64, WHOLE(28, 479, 605), IN_STRIDES(1, 84, 40236), BY(1, 1, 1),
              OUT(28, 479, 605)),
         605, 28, 1},
        {CASE("overlapping", UINT8, WHOLE(20, 20, 20, 20, 100), IN_STRIDES(1, 1, 1, 1, 1000),
              BY(1, 1, 1, 1, 1), OUT(20, 20, 20, 20, 100)),
         100, 20, 1},
        {CASE("sparse, of few bytes", UINT8, WHOLE(668, 7, 5, 499), IN_STRIDES(15, 10020, 1, 70140),
              BY(1, 1, 1, 1), OUT(668, 7, 5, 499)),
         499, 170, 5},
        {CASE("sparse", UINT8, WHOLE(668, 7, 6, 499), IN_STRIDES(18, 12024, 1, 84168),
              BY(1, 1, 1, 1), OUT(668, 7, 6, 499)),
         499, 6, 1},
        {CASE("short rows", UINT8, WHOLE(9, 900, 9), IN_STRIDES(1, 9, 8100), BY(1, 1, 1),
              OUT(9, 900, 9)),
         1017, 9, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct plan plan = plan_of(&cases[i].c, true, PLAN_ALIGNED_ELEMENT, PLAN_TRANSPOSE_CPU);
        struct walk walk = launch_of(&plan).walk;
        ck_assert_msg(walk.width == cases[i].width && walk.height == cases[i].height &&
                          walk.full == cases[i].step,
                      "%s: %" PRIu32 " by %" PRIu32 " in steps of %" PRIu32, cases[i].c.name,
                      walk.width, walk.height, walk.full);
    }
}
END_TEST

/* A small slice is shared out as far as it pays, a large one to every compute unit. */
START_TEST(work_is_shared_out)
{
    for (uint32_t units = 1; units <= 256; units *= 4) {
        struct slice_case c = CASE("row", UINT8, WHOLE(4000000000), BY(1), OUT(4000000000));
        struct plan_limits limits = {true, units, 64, 4096, 0, 0, false, false};
        for (; c.in_sizes[0] > 0; c.in_sizes[0] /= 7) {
            c.out_sizes[0] = c.window_sizes[0] = c.in_sizes[0];
            struct plan plan = plan_within(&c, &limits, PLAN_ALIGNED_ELEMENT, CHOSEN);
            uint64_t items = launch_of(&plan).global_size;
            ck_assert_uint_lt(items, 65536);
            if (c.in_sizes[0] >= 1 << 20)
                ck_assert_uint_ge(items, units < 64 ? units : 64);
            if (c.in_sizes[0] <= 4096)
                ck_assert_uint_eq(items, 1);
        }
    }
}
END_TEST

/* Rows of a work-item's bytes or more are cut evenly, into whole lines. */
START_TEST(long_rows_are_cut_evenly)
{
    static const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, true, false};
    static const struct {
        uint32_t row, width;
    } rows[] = {{100, 100},     {32768, 32768}, {32769, 16448},
                {40000, 20032}, {65536, 32768}, {300001, 30016}};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        uint32_t n = rows[i].row;
        struct slice_case c = CASE("rows", UINT8, IN(1000, n + 1), WINDOW(1000, n), BY(1, 1));
        c.out_sizes[0] = 1000;
        c.out_sizes[1] = n;
        struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, PLAN_ROWS_CPU);
        ck_assert_uint_eq(launch_of(&plan).walk.width, rows[i].width);
    }
}
END_TEST

/* strided_cpu reads a row alone where the processor guesses its lines: later where they follow each
 * other downwards and few elements of each are read. */
START_TEST(rows_whose_lines_are_guessed_are_read_alone)
{
    static const struct plan_limits cpu = {true, 2, 64, 4096, 0, 12 << 20, false, false};
    static const struct {
        uint32_t data_type, row;
        int32_t step;
        bool is_alone;
    } rows[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 255, 16, false},
        {DML_TENSOR_DATA_TYPE_UINT8, 256, 16, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 280, -15, true},
        {DML_TENSOR_DATA_TYPE_UINT8, 2047, -16, false},
        {DML_TENSOR_DATA_TYPE_UINT8, 2048, -16, true},
        {DML_TENSOR_DATA_TYPE_UINT16, 750, 8, true},
        {DML_TENSOR_DATA_TYPE_UINT16, 750, -8, false},
        {DML_TENSOR_DATA_TYPE_UINT16, 750, -7, true},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 500, -5, false},
        {DML_TENSOR_DATA_TYPE_FLOAT32, 500, 5, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        uint32_t n = rows[i].row, span = (n - 1) * (uint32_t)abs(rows[i].step) + 1;
        struct slice_case c = CASE("rows", UINT8, IN(1000, span), WINDOW(1000, span), BY(1, 1));
        c.data_type = rows[i].data_type;
        c.window_strides[1] = rows[i].step;
        c.out_sizes[0] = 1000;
        c.out_sizes[1] = n;
        struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_CPU);
        ck_assert_msg((launch_of(&plan).walk.row == n) == rows[i].is_alone, "%zu", i);
    }
}
END_TEST

static bool goes_past_caches(const struct slice_case *c, const struct plan_limits *limits)
{
    struct plan plan = plan_within(c, limits, PLAN_ALIGNED_ELEMENT, CHOSEN);
    ck_assert_uint_eq(launch_of(&plan).walk.past_caches, plan.is_large);
    return plan.is_large;
}

/* From as much traffic on as the caches of a CPU hold: what is written and the lines that are
 * read. */
START_TEST(large_slices_go_past_the_caches)
{
    struct slice_case c = CASE("row", FLOAT32, IN(0), IN_STRIDES(0), BY(1));
    for (uint32_t units = 1; units <= 256; units *= 2)
        for (uint32_t step = 0; step <= 2; ++step) {
            uint32_t traffic = 4 * (1 + step), most = units * 6 << 20;
            const struct plan_limits cpu = {true, units, 64, 4096, 0, most, false, false},
                                     gpu = {false, units, 32, 1024, 0, most, false, false};
            uint32_t size = (most + traffic - 1) / traffic;
            c.in_strides[0] = step;
            c.out_sizes[0] = c.window_sizes[0] = c.in_sizes[0] = size;
            ck_assert(goes_past_caches(&c, &cpu));
            ck_assert(!goes_past_caches(&c, &gpu));
            c.out_sizes[0] -= 64; /* a line, of the input, too */
            ck_assert(!goes_past_caches(&c, &cpu));
        }
}
END_TEST

/* Transposes whose blocks hold a short part of the input's lines: the next block has more. Bands of
 * several of these, alike but for the last one, are numbered as a whole. Where parts are long, all
 * blocks are one band. */
START_TEST(blocks_that_share_lines_of_memory_are_neighbours)
{
    static const struct {
        uint32_t data_type, row, line, near, band_near, bands;
    } transposes[] = {
        {DML_TENSOR_DATA_TYPE_UINT8, 2544411, 211, 1, 2, 1},
        {DML_TENSOR_DATA_TYPE_UINT8, 200, 1601, 1, 7, 2},
        {DML_TENSOR_DATA_TYPE_INT16, 300, 2000, 1, 11, 2},
        {DML_TENSOR_DATA_TYPE_FLOAT64, 112034, 599, 0, 3502, 1},
    };
    for (size_t i = 0; i < COUNT_OF(transposes); ++i) {
        uint32_t row = transposes[i].row, line = transposes[i].line;
        struct slice_case c = CASE("transpose", UINT8, IN(line, row), IN_STRIDES(1, line),
                                   WINDOW(line, row), BY(1, 1), OUT(line, row));
        c.data_type = transposes[i].data_type;
        const struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(plan.variant, PLAN_TRANSPOSE_GPU);
        const struct walk walk = launch_of(&plan).walk;
        ck_assert_uint_eq(walk.near, transposes[i].near);
        ck_assert_uint_eq(walk.band_near, transposes[i].band_near);
        ck_assert_uint_eq(walk.blocks, (uint64_t)transposes[i].bands * walk.band);
        ck_assert_uint_gt(walk.dim[1].size, 1);
    }
}
END_TEST

/* Lines that are written in part come from memory: of short rows between gaps, too many. */
START_TEST(short_runs_stay_in_caches)
{
    static const struct plan_limits cpu = {true, 4, 64, 4096, 0, 1 << 20, false, false};
    for (uint32_t i = 0; i < 18; ++i) {
        const uint32_t row = i + (i < 9 ? 636u : 4092u - 9u);
        for (uint32_t gap = 0; gap < 2; ++gap) {
            const struct slice_case c = CASE("runs", UINT8, IN(9999, 4200), WINDOW(9999, row),
                                             BY(1, 1), OUT(9999, row), OUT_STRIDES(row + gap, 1));
            struct plan plan = plan_within(&c, &cpu, PLAN_ALIGNED_16, CHOSEN);
            ck_assert(plan.is_large);
            ck_assert(launch_of(&plan).walk.is_large);
            ck_assert_uint_eq(launch_of(&plan).walk.past_caches, gap == 0 || row >= 640);
            struct slice item = slice_of(&c); /* whose ends nobody asks for */
            item.is_item = true;
            ck_assert(plan_from(&item, &cpu, PLAN_ALIGNED_16, PLAN_ROWS_CPU, &plan));
            ck_assert_uint_eq(launch_of(&plan).walk.past_caches, gap == 0 || row >= 4096);
        }
    }
}
END_TEST

/* Of Intel's processors, shorter runs of what is eight times as much as caches hold. */
START_TEST(shorter_runs_of_intel_go_past_the_caches)
{
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 1 << 20, true, true};
    static const struct {
        enum plan_variant variant;
        uint32_t least;
    } runs[] = {{PLAN_ROWS_CPU, 320}, {PLAN_STRIDED_CPU, 320}, {PLAN_TRANSPOSE_CPU, 192}};
    for (size_t i = 0; i < COUNT_OF(runs); ++i)
        for (uint32_t kind = 0; kind < 4; ++kind) {
            const bool is_short = kind & 1, is_less = kind & 2;
            const bool is_column = runs[i].variant == PLAN_TRANSPOSE_CPU;
            const uint32_t row = runs[i].least - is_short,
                           rows = (is_less ? 3 << 20 : 5 << 20) / row;
            const struct slice_case c =
                CASE("runs", UINT8, IN(rows, row),
                     IN_STRIDES(is_column ? 1 : row + 1, is_column ? rows : 1), WINDOW(rows, row),
                     BY(1, 1), OUT(rows, row), OUT_STRIDES(row + 1, 1));
            const struct plan plan = plan_within(&c, &intel, PLAN_ALIGNED_ELEMENT, runs[i].variant);
            ck_assert(plan.is_large);
            ck_assert_uint_eq(launch_of(&plan).walk.past_caches, !is_short && !is_less);
        }
}
END_TEST

/* What the plan of aligned tensors needs: of the input, its own elements; of the output, too, or
 * whole words where rows are less than one. Blocks that fit exactly need all. */
START_TEST(aligned_plans_need_no_more_than_they_use)
{
    const struct {
        struct slice_case c;
        struct plan_alignments needed;
    } cases[] = {
        {CASE("crop", UINT8, IN(9999, 999), WINDOW(9999, 990), BY(1, 1), OUT(9999, 990)), {1, 1}},
        {CASE("wide", UINT8, IN(9999, 64), WINDOW(9999, 32), BY(3, 1), OUT(3333, 32)), {1, 1}},
        {CASE("wide", UINT8, IN(99999, 64), WINDOW(99999, 8), BY(1, 1), OUT(99999, 8)), {8, 8}},
        {CASE("rgba", UINT8, WHOLE(99999, 4), BY(1, -1), OUT(99999, 4)), {1, 1}},
        {CASE("rgb", UINT8, WHOLE(99999, 3), BY(1, -1), OUT(99999, 3)), {1, 1}},
        {CASE("gaps", FLOAT32, WHOLE(99999, 3), BY(1, 1), OUT(99999, 3), OUT_STRIDES(8, 1)),
         {4, 16}},
        {CASE("gaps", FLOAT32, WHOLE(99999, 4), BY(1, 1), OUT(99999, 4), OUT_STRIDES(5, 1)),
         {4, 4}},
        {CASE("transpose", FLOAT32, WHOLE(999, 992), IN_STRIDES(1, 1000), BY(1, 1), OUT(999, 992)),
         {16, 16}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        struct plan plan = chosen_plan(&cases[i].c, false, PLAN_ALIGNED_16);
        struct plan_alignments got = plan_alignments_of(&plan);
        ck_assert_msg(got.in == cases[i].needed.in && got.out == cases[i].needed.out,
                      "%zu: %s needs %" PRIu32 " and %" PRIu32, i, plan_variant_name(plan.variant),
                      got.in, got.out);
    }
}
END_TEST

/* strided_gpu writes pixels of up to 4 single bytes whole, where there are gaps. */
START_TEST(bytes_between_gaps_are_columns)
{
    for (uint32_t pixel = 2; pixel <= 5; ++pixel)
        for (uint32_t gap = 0; gap < 2; ++gap) {
            struct slice_case c = CASE("pixels", UINT8, WHOLE(99999, pixel), BY(1, -1),
                                       OUT(99999, pixel), OUT_STRIDES(pixel + gap, 1));
            for (int bytes = 1; bytes <= 2; ++bytes) {
                c.data_type = bytes == 1 ? DML_TENSOR_DATA_TYPE_UINT8 : DML_TENSOR_DATA_TYPE_UINT16;
                struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
                bool is_column = gap > 0 && bytes == 1 && pixel <= 4;
                ck_assert_uint_eq(launch_of(&plan).walk.column, is_column ? pixel : 1);
                if (!is_column)
                    continue;
                /* of 99999, for 32 Ki work-items; a batch has enough of them */
                ck_assert_uint_eq(launch_of(&plan).walk.width, 3);
                plan.is_item = true;
                ck_assert_uint_eq(launch_of(&plan).walk.width, 1);
            }
        }
}
END_TEST

/* What is too far apart for 32-bit indices is cut into launches only where each has 512 bytes
 * of the output side by side. */
START_TEST(launches_write_long_pieces_of_the_output)
{
    static const struct {
        struct slice_case c;
        bool is_cut;
    } slices[] = {
        {CASE("5 bytes", UINT8, WHOLE(104857, 1000, 5), BY(1, 1, 1), OUT(104857, 1000, 5),
              IN_STRIDES(1000, 1, 850000000)),
         false},
        {CASE("5 bytes 7 apart", UINT8, WHOLE(104857, 1000, 5), BY(1, 1, 1), OUT(104857, 1000, 5),
              IN_STRIDES(1000, 1, 850000000), OUT_STRIDES(35000, 35, 7)),
         false},
        {CASE("2 x 496 bytes", UINT8, WHOLE(400000, 992), BY(1, 1), OUT(400000, 992),
              IN_STRIDES(1, 3900000)),
         false},
        {CASE("2 x 512 bytes", UINT8, WHOLE(400000, 1024), BY(1, 1), OUT(400000, 1024),
              IN_STRIDES(1, 3900000)),
         true},
        {CASE("planes", UINT8, WHOLE(5, 20, 1000, 999), BY(1, 1, 1, 1), OUT(5, 20, 1000, 999),
              IN_STRIDES(850000000, 1000000, 1, 1000)),
         true},
    };
    for (size_t i = 0; i < COUNT_OF(slices); ++i) {
        const struct plan plan = chosen_plan(&slices[i].c, false, PLAN_ALIGNED_16);
        ck_assert_msg((plan.launch_bytes > 0) == slices[i].is_cut &&
                          plan.index_bits == (slices[i].is_cut ? 32 : 64),
                      "%s: %s", slices[i].c.name, plan_variant_name(plan.variant));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan_limits");
    TCase *tests = suite_case(suite, "plan_limits");
    tcase_add_test(tests, launches_write_long_pieces_of_the_output);
    tcase_add_test(tests, groups_fit_the_device);
    tcase_add_test(tests, local_sizes_are_few);
    tcase_add_test(tests, small_groups_never_transpose);
    tcase_add_test(tests, small_local_memories_never_transpose);
    tcase_add_test(tests, runs_of_transposes_are_even);
    tcase_add_test(tests, columns_of_transposes_are_long);
    tcase_add_test(tests, work_is_shared_out);
    tcase_add_test(tests, long_rows_are_cut_evenly);
    tcase_add_test(tests, rows_whose_lines_are_guessed_are_read_alone);
    tcase_add_test(tests, large_slices_go_past_the_caches);
    tcase_add_test(tests, short_runs_stay_in_caches);
    tcase_add_test(tests, shorter_runs_of_intel_go_past_the_caches);
    tcase_add_test(tests, blocks_that_share_lines_of_memory_are_neighbours);
    tcase_add_test(tests, aligned_plans_need_no_more_than_they_use);
    tcase_add_test(tests, bytes_between_gaps_are_columns);
    return suite_run(suite);
}
