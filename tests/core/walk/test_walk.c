/* SPDX-License-Identifier: MIT */
/* Plans, run on paper: every work-item of every launch takes the steps of kernels/walk.cl, and what
 * the kernels would then move is compared with the loop over the slice. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/runs.h"
#include "core/tile.h"
#include "support/case_slice.h"
#include "support/gpu_block_walk.h"
#include "support/random_case.h"
#include "support/suite.h"
#include "walk_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Running a launch ---- */

/* Maps of the output: 1 + the input element that each element holds, 0 where none. */
struct run {
    struct subject subject;
    uint64_t *map;
    uint64_t moved; /* elements of the plan's width */
    uint64_t in_low, in_high, out_low, out_high;
};

static void widen_range(uint64_t at, uint64_t *low, uint64_t *high)
{
    *low = at < *low ? at : *low;
    *high = at + 1 > *high ? at + 1 : *high;
}

static void move_element(struct run *run, int64_t in_relative, int64_t out_relative)
{
    const struct subject *s = &run->subject;
    uint64_t in = s->launch->walk.in_first + (uint64_t)in_relative;
    uint64_t out = s->launch->walk.out_first + (uint64_t)out_relative;
    uint32_t parts = s->plan->element_size / s->slice->input.element_size;
    if (in < s->launch->range.in.low || in >= s->launch->range.in.high ||
        out < s->launch->range.out.low || out >= s->launch->range.out.high)
        refuse(s, "an element lies outside the launch's ranges");
    if ((in + 1) * parts > s->slice->input.span || (out + 1) * parts > s->slice->output.span)
        refuse(s, "an element lies outside the tensor");
    widen_range(in, &run->in_low, &run->in_high);
    widen_range(out, &run->out_low, &run->out_high);
    for (uint32_t i = 0; i < parts; ++i) {
        if (run->map[out * parts + i] != 0)
            refuse(s, "an element is written twice");
        run->map[out * parts + i] = 1 + in * parts + i;
    }
    ++run->moved;
}

static void move_block(void *user, struct block block)
{
    struct run *run = user;
    const struct subject *s = &run->subject;
    const struct walk *walk = &s->launch->walk;
    int64_t last = (int64_t)block.width - 1;
    if (block.height == 0 || (block.width == 0 && !has_slack(s->plan)))
        refuse(s, "a block is empty");
    for (uint64_t l = 0; l < block.height; ++l) {
        const struct slice_place row = along_column(walk, l);
        if (block.width > 0 &&
            (!fits(block.in + along_row(walk, (uint64_t)last) + row.in, s->plan->index_bits) ||
             !fits(block.out + last * walk->out_step + row.out, s->plan->index_bits)))
            refuse(s, "an index does not fit");
        for (int64_t k = 0; k <= last; ++k)
            move_element(run, block.in + along_row(walk, (uint64_t)k) + row.in,
                         block.out + k * walk->out_step + row.out);
    }
}

static void move_gpu_element(void *user, int64_t in, int64_t out)
{
    const struct run *run = user;
    if (!fits(in, run->subject.plan->index_bits) || !fits(out, run->subject.plan->index_bits))
        refuse(&run->subject, "an index does not fit");
    move_element(user, in, out);
}

/* Every work-item of a launch, as the kernels do it. */
static void run_launch(struct run *run)
{
    const struct launch *launch = run->subject.launch;
    const struct walk *walk = &launch->walk;
    uint32_t bits = run->subject.plan->index_bits;
    run->in_low = run->out_low = UINT64_MAX;
    run->in_high = run->out_high = 0;
    check_guarantees(&run->subject);
    for (uint64_t item = 0; item < launch->global_size; ++item) {
        if (run->subject.plan->variant == PLAN_TRANSPOSE_GPU) {
            if (item < walk->blocks)
                gpu_block_visit(walk, item, run->subject.plan->element_size,
                                before_output(&run->subject), move_gpu_element, run);
            continue;
        }
        if (run->subject.plan->variant == PLAN_STRIDED_GPU) {
            visit_words(&run->subject, item, move_block, run);
            continue;
        }
        if (!walk_promises[run->subject.plan->variant].takes_many) {
            if (item < walk->blocks)
                move_block(run, block_of(&run->subject, item));
            continue;
        }
        uint64_t first = item * walk->blocks_each, end = first + walk->blocks_each;
        walk_on_host_blocks(walk, bits, first, end < walk->blocks ? end : walk->blocks, move_block,
                            run);
    }
    if (run->in_low != launch->range.in.low || run->in_high != launch->range.in.high ||
        run->out_low != launch->range.out.low || run->out_high != launch->range.out.high)
        refuse(&run->subject, "the launch's ranges are wider than what it touches");
}

/* ---- One plan of one case ---- */

struct expected {
    struct slice_case c;
    struct slice slice;
    uint64_t *map, *got; /* owned, of the output's span */
};

static struct expected expect(const struct slice_case *c)
{
    struct expected expected = {.c = *c, .slice = slice_of(c)};
    const struct slice *slice = &expected.slice;
    uint32_t at[CASE_MAX_RANK] = {0};
    expected.map = calloc((size_t)slice->output.span, sizeof *expected.map);
    expected.got = calloc((size_t)slice->output.span, sizeof *expected.got);
    ck_assert(expected.map && expected.got);
    do {
        uint64_t in = slice->first, out = 0;
        for (uint32_t i = 0; i < slice->rank; ++i) {
            in += at[i] * (uint64_t)slice->dim[i].in_stride;
            out += at[i] * (uint64_t)slice->dim[i].out_stride;
        }
        expected.map[out] = 1 + in;
    } while (case_next(c->rank, c->out_sizes, at));
    return expected;
}

static void release(struct expected *expected)
{
    free(expected->map);
    free(expected->got);
}

/* The boxes of a tiling, or the whole as one box where max_bytes is 0. */
static void check_moves(struct expected *expected, const struct plan *plan, uint64_t max_bytes)
{
    uint64_t tile[TENSOR_RANK_MAX], boxes = max_bytes ? tile_choose(plan, max_bytes, tile) : 1;
    size_t bytes = (size_t)expected->slice.output.span * sizeof *expected->got;
    struct run run = {.subject = {&expected->c, &expected->slice, plan, NULL},
                      .map = expected->got};
    memset(expected->got, 0, bytes);
    for (uint64_t i = 0; i < boxes; ++i) {
        struct plan_box box = max_bytes ? tile_box(plan, tile, i) : plan_whole(plan);
        struct launch launch = launch_from(plan, &box);
        run.subject.launch = &launch;
        run_launch(&run);
        if (max_bytes)
            check_limit(&run.subject, max_bytes);
    }
    if (run.moved * plan->element_size !=
        expected->slice.elements * expected->slice.output.element_size)
        refuse(&run.subject, "not every element is written");
    if (memcmp(expected->got, expected->map, bytes) != 0)
        refuse(&run.subject, "an element comes from the wrong place");
}

/* As staged output goes: a box's elements side by side, its runs from there to where they
 * belong. */
static void move_packed(struct expected *expected, const struct plan *plan,
                        const struct plan_box *box, uint64_t *side)
{
    struct plan packed = plan_packed(plan, box), of_map = *plan;
    struct launch launch = launch_from(&packed, box);
    struct run run = {.subject = {&expected->c, &expected->slice, &packed, &launch}, .map = side};
    uint32_t parts = plan->element_size / expected->slice.input.element_size;
    uint64_t elements = launch.range.out.high - launch.range.out.low;
    memset(side + launch.range.out.low * parts, 0, (size_t)elements * parts * sizeof *side);
    run_launch(&run);
    if (run.moved != elements)
        refuse(&run.subject, "elements do not lie side by side");
    of_map.element_size = parts * (uint32_t)sizeof *side;
    struct plan_range place = plan_range(plan, box);
    struct runs runs = runs_of(&of_map, box);
    const unsigned char *from = (unsigned char *)(side + launch.range.out.low * parts);
    const unsigned char *end = runs_scatter(
        &runs, runs.rank, from, (unsigned char *)(expected->got + place.out.low * parts));
    ck_assert_uint_eq((uint64_t)(end - from), runs_bytes(&runs, runs.rank));
    ck_assert_uint_eq((uint64_t)(end - from), elements * parts * sizeof *side);
}

static void check_packed(struct expected *expected, const struct plan *plan, uint64_t max_bytes)
{
    struct plan_box box = plan_whole(plan);
    struct plan packed = plan_packed(plan, &box);
    uint64_t tile[TENSOR_RANK_MAX], boxes = max_bytes ? tile_choose(&packed, max_bytes, tile) : 1;
    size_t bytes = (size_t)expected->slice.output.span * sizeof *expected->got;
    uint64_t *side = malloc(bytes);
    ck_assert_ptr_nonnull(side);
    memset(expected->got, 0, bytes);
    for (uint64_t i = 0; i < boxes; ++i) {
        if (max_bytes)
            box = tile_box(plan, tile, i);
        move_packed(expected, plan, &box, side);
    }
    if (memcmp(expected->got, expected->map, bytes) != 0)
        refuse(&(struct subject){&expected->c, &expected->slice, plan, NULL},
               "an element was put in the wrong place");
    free(side);
}

static void check_plan_itself(const struct expected *expected, const struct plan *plan,
                              enum plan_alignment alignment)
{
    struct subject subject = {&expected->c, &expected->slice, plan, NULL};
    uint32_t element = expected->slice.input.element_size;
    struct plan_box whole = plan_whole(plan);
    struct launch launch = launch_from(plan, &whole);
    if (plan->element_size < element || plan->element_size > 16 ||
        (plan->element_size & (plan->element_size - 1)))
        refuse(&subject, "an impossible width");
    if (alignment == PLAN_ALIGNED_ELEMENT && plan->element_size != element)
        refuse(&subject, "wider than the alignment that was proven");
    if (plan->rank < 1 || plan->rank > expected->slice.rank)
        refuse(&subject, "an impossible rank");
    if (plan->launch_bytes == 0 && plan->index_bits != (is_small(plan, &launch) ? 32 : 64))
        refuse(&subject, "the wrong width of indices");
    for (uint32_t i = 0; i < plan->rank; ++i)
        if (whole.at[i] != 0 || whole.size[i] != plan->dim[i].size || plan->dim[i].size < 1 ||
            (i > 0 && plan->dim[i].out_stride > plan->dim[i - 1].out_stride))
            refuse(&subject, "malformed dimensions");
}

/* Both device classes' own choice and every forced variant, whole and, where asked for, tiled. */
static void check_case(const struct slice_case *c, struct dice *dice, bool forced, int tilings)
{
    struct expected expected = expect(c);
    for (uint32_t n = 0; n < (forced ? PLAN_SLICE_VARIANTS + 2 : 2) * PLAN_ALIGNMENT_COUNT; ++n) {
        enum plan_alignment alignment = n % PLAN_ALIGNMENT_COUNT;
        uint32_t turn = n / PLAN_ALIGNMENT_COUNT;
        enum plan_variant variant = turn < 2 ? CHOSEN : (enum plan_variant)(turn - 2);
        /* one compute unit has the largest blocks */
        uint32_t units = dice_below(dice, 2) > 0 ? 1 : 1 + (uint32_t)dice_below(dice, 300);
        struct plan_limits limits = {.cpu = turn % 2 == 0,
                                     .compute_units = units,
                                     .line_bytes = 32u << dice_below(dice, 2),
                                     .max_work_group_size = UINT64_C(1) << dice_below(dice, 12)};
        struct plan plan;
        if (!plan_from(&expected.slice, &limits, alignment, variant, &plan)) {
            struct plan chosen;
            const struct walk_promise *promise = &walk_promises[variant];
            ck_assert(variant != CHOSEN &&
                      (promise->rows || promise->transposes || promise->lines));
            ck_assert(plan_from(&expected.slice, &limits, alignment, CHOSEN, &chosen));
            if (walk_promises[chosen.variant].rows && walk_promises[variant].rows)
                refuse(&(struct subject){c, &expected.slice, &chosen, NULL}, "rows were refused");
            if (promise->lines && chosen.dim[chosen.rank - 1].out_stride == 1)
                refuse(&(struct subject){c, &expected.slice, &chosen, NULL},
                       "rows without gaps were refused");
            continue;
        }
        ck_assert(variant == CHOSEN || plan.variant == variant);
        ck_assert(plan.local_size <= limits.max_work_group_size);
        check_plan_itself(&expected, &plan, alignment);
        check_moves(&expected, &plan, 0);
        plan_forget_alignment(&plan);
        check_packed(&expected, &plan, 0);
        for (int i = 0; i < tilings; ++i) {
            uint64_t most = expected.slice.input.span * expected.slice.input.element_size;
            uint64_t bytes = 16 + dice_below(dice, most + 1) / (1 + dice_below(dice, 50));
            check_moves(&expected, &plan, bytes);
            check_packed(&expected, &plan, bytes);
        }
    }
    release(&expected);
}

/* ---- Tests over cases ---- */

static bool is_large(const struct slice_case *c)
{
    uint64_t bytes = 0;
    return !case_out_bytes(c, &bytes) || bytes > 200000;
}

START_TEST(every_case_of_the_table_is_moved)
{
    struct dice dice = {30};
    for (size_t i = 0; i < slice_case_count; ++i)
        if (!is_large(&slice_cases[i]))
            check_case(&slice_cases[i], &dice, true, 2);
}
END_TEST

START_TEST(large_cases_of_the_table_are_moved)
{
    struct dice dice = {31};
    for (size_t i = 0; i < slice_case_count; ++i)
        if (is_large(&slice_cases[i]) && !(slice_cases[i].flags & CASE_LARGE))
            check_case(&slice_cases[i], &dice, false, 0);
}
END_TEST

/* Blocks of transpose_gpu in two bands, of which the last one is not full. */
START_TEST(bands_of_blocks_are_moved)
{
    const struct slice_case *c = case_named("transpose/200x1601/1/1/0");
    struct expected expected = expect(c);
    for (uint32_t alignment = 0; alignment < PLAN_ALIGNMENT_COUNT; ++alignment) {
        const struct plan plan =
            plan_of(c, false, (enum plan_alignment)alignment, PLAN_TRANSPOSE_GPU);
        const struct walk walk = launch_of(&plan).walk;
        ck_assert_uint_eq(walk.blocks, 2 * walk.band);
        ck_assert_uint_lt(gpu_last_block(&walk), walk.blocks - 1);
        check_moves(&expected, &plan, 0);
    }
    release(&expected);
}
END_TEST

/* Whole, and in tiles of at most so many bytes. */
static void check_whole_and_tiled(struct expected *expected, const struct plan *plan,
                                  uint64_t bytes)
{
    check_moves(expected, plan, 0);
    check_packed(expected, plan, 0);
    check_moves(expected, plan, bytes);
    check_packed(expected, plan, bytes);
}

/* Pixels of 16 bytes in reverse, of more than 8 MiB, which are groups on Intel's processors; whole
 * and tiled. */
START_TEST(reversed_pixels_of_intel_are_moved)
{
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 12 << 20, true, true};
    const uint32_t row = 73, rows = 7300, gap = 4 * (uint32_t)_i;
    const struct slice_case c =
        CASE("pixels", FLOAT32, IN(rows, row + 1, 4), FROM(0, 1, 0), WINDOW(rows, row, 4),
             BY(1, -1, 1), OUT(rows, row, 4), OUT_STRIDES(4 * row + gap, 4, 1));
    struct expected expected = expect(&c);
    struct plan plan;
    ck_assert(plan_from(&expected.slice, &intel, PLAN_ALIGNED_16, CHOSEN, &plan));
    ck_assert_uint_eq(plan.variant, PLAN_ROWS_CPU);
    ck_assert_uint_eq(plan.pattern.group_size, 4);
    check_whole_and_tiled(&expected, &plan, 1 << 20);
    release(&expected);
}
END_TEST

/* Outputs that gapped_cpu asks for ahead, by blocks of less than its table: rows with steps that
 * follow each other, and rows between gaps; whole and tiled. */
START_TEST(dense_outputs_of_intel_are_moved)
{
    static const struct plan_limits intel = {true, 2, 64, 4096, 0, 1 << 16, true, true};
    static const uint32_t rows[] = {5, 41, 500}, counts[] = {9001, 2003, 301};
    const uint32_t row = rows[_i % 3], count = counts[_i % 3], step = _i < 3 ? 2 : 1;
    const struct slice_case c =
        CASE("dense", FLOAT32, IN(3, count, row + 1), WINDOW(3, count, row), BY(1, 1, 1),
             OUT(3, count, row), OUT_STRIDES(2 * row * count, 2 * row, step));
    struct expected expected = expect(&c);
    struct plan plan;
    ck_assert(plan_from(&expected.slice, &intel, PLAN_ALIGNED_ELEMENT, PLAN_GAPPED_CPU, &plan));
    ck_assert_uint_gt(launch_of(&plan).walk.out_ahead, 0);
    check_whole_and_tiled(&expected, &plan, 1 << 18);
    release(&expected);
}
END_TEST

/* Rows of which a table has no room for a square, in blocks of more; the last one has one row. */
START_TEST(squares_of_long_rows_are_moved)
{
    static const uint32_t rows[] = {259, 301, 259, 129}, columns[] = {241, 57, 49, 49};
    const int width = _i % 4;
    const uint32_t row = rows[width], column = columns[width];
    struct dice dice = {32};
    struct slice_case c = CASE("squares", UNKNOWN, WHOLE(2, column, row), BY(1, _i < 4 ? 1 : -1, 1),
                               OUT(2, column, row), IN_STRIDES(row * 251, 1, 251));
    c.data_type = type_of_width(width);
    const struct plan plan = plan_of(&c, true, PLAN_ALIGNED_16, PLAN_STRIDED_CPU);
    ck_assert_uint_gt(launch_of(&plan).walk.width, 4096u >> width);
    check_case(&c, &dice, true, 2);
}
END_TEST

/* Rows of 9 elements, `pitch` apart; in two further dimensions `plane` and `apart`. */
static struct slice_case short_rows(uint32_t near, uint32_t planes, uint32_t plane, uint32_t rows,
                                    uint32_t apart, uint32_t pitch)
{
    const struct slice_case c =
        CASE("short rows", FLOAT32, IN(near, planes, rows, 9), IN_STRIDES(apart, plane, pitch, 1),
             WINDOW(near, planes, rows, 9), BY(-1, 1, -1, 1), OUT(near, planes, rows, 9));
    return c;
}

START_TEST(blocks_follow_each_other_in_pages)
{
    static const struct {
        uint32_t planes, plane, rows, apart, pitch; /* 4 bytes each */
        int64_t near; /* how far apart blocks of the first dimension are, if it is not the row's */
    } cases[] = {
        {1, 0, 128, 16, 1024, -16},     {1, 0, 127, 16, 1024, 0}, /* pages */
        {1, 0, 129, 16, 1023, -16},     {1, 0, 128, 16, 1023, 0},     {1, 0, 700, 9, 1024, -9},
        {1, 0, 128, 1023, 9999, -1023}, {1, 0, 128, 1024, 9999, 0}, /* a page of its own */
        {1, 0, 9999, 12, 17, -12},      {1, 0, 9999, 12, 16, 0},    /* rows share lines */
        {1, 0, 9999, 20, 17, 0},                                    /* and are nearer */
        {2, 1 << 17, 64, 9, 1024, -9},  {2, 1 << 17, 63, 9, 1024, 0}, {2, 600, 128, 9, 1024, -9},
        {2, 9, 128, 600, 1024, 9},      {2, 0, 700, 9, 1024, 0},  /* the same rows */
        {2, 0, 113, 9, 1024, 0},        {7, 9, 64, 600, 1024, 0}, /* the nearest has few pages */
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const struct slice_case c = short_rows(50, cases[i].planes, cases[i].plane, cases[i].rows,
                                               cases[i].apart, cases[i].pitch);
        struct plan plan = plan_of(&c, true, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_CPU);
        const struct plan gapped = plan_of(&c, true, PLAN_ALIGNED_ELEMENT, PLAN_GAPPED_CPU);
        const struct walk walk = launch_of(&plan).walk;
        ck_assert_msg(walk.row_dim == (cases[i].near != 0), "case %zu", i);
        ck_assert_int_eq(walk.dim[walk.row_dim].in_stride,
                         -(int64_t)cases[i].pitch * (walk.width / 9));
        if (walk.row_dim > 0)
            ck_assert_int_eq(walk.dim[0].in_stride, cases[i].near);
        ck_assert_uint_eq(launch_of(&gapped).walk.row_dim, 0);
        plan.is_item = true;
        ck_assert_uint_eq(launch_of(&plan).walk.row_dim, 0);
    }
}
END_TEST

/* Also by launches that have a part of that dimension. */
START_TEST(blocks_in_any_order_are_moved)
{
    const struct slice_case c =
        short_rows(301, 1 + (uint32_t)_i % 2, 1 << 18, _i < 2 ? 137 : 163, 3, 1031);
    const uint64_t most = 700 << 10;
    struct expected expected = expect(&c);
    const struct plan plan = plan_of(&c, true, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_CPU);
    uint64_t tile[TENSOR_RANK_MAX], parts = 0;
    const uint64_t launches = tile_choose(&plan, most, tile);
    for (uint64_t n = 0; n < launches; ++n) {
        const struct plan_box box = tile_box(&plan, tile, n);
        const struct walk walk = launch_from(&plan, &box).walk;
        parts += walk.row_dim > 0 && walk.dim[0].size < 301;
    }
    ck_assert_uint_gt(parts, 0);
    ck_assert_uint_eq(launch_of(&plan).walk.row_dim, 1);
    check_whole_and_tiled(&expected, &plan, most);
    release(&expected);
}
END_TEST

/* A plane of them is a launch, whose rows come again, but those of the whole slice do not. */
START_TEST(rows_that_come_again_in_a_part_are_moved_whole)
{
    enum { ROWS = 700, ROW = 999 };
    const struct slice_case c = CASE("planes", UINT8, IN(2, ROWS, ROW), IN_STRIDES(ROW + 9, 0, 1),
                                     WINDOW(2, ROWS, ROW), BY(1, 1, 1), OUT(2, ROWS, ROW));
    struct expected expected = expect(&c);
    const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
    ck_assert(plan.has_neighbours);
    check_moves(&expected, &plan, 0);
    check_moves(&expected, &plan, ROWS * ROW);
    check_packed(&expected, &plan, ROWS * ROW);
    release(&expected);
}
END_TEST

/* Of an odd number of single bytes, words come again after 16 times of it. */
START_TEST(repeated_rows_are_read_as_they_lie_unless_words_come_again)
{
    for (uint32_t times = 4; times <= 64; times *= 16) {
        const uint32_t rows = times == 4 ? 901 : 91;
        const struct slice_case c =
            CASE("times", UINT8, IN(times, rows, 777), IN_STRIDES(0, 800, 1),
                 WINDOW(times, rows, 777), BY(1, 1, _i ? -1 : 1), OUT(times, rows, 777));
        struct expected expected = expect(&c);
        const struct plan plan = chosen_plan(&c, false, PLAN_ALIGNED_ELEMENT);
        ck_assert_uint_eq(plan.variant, PLAN_STRIDED_GPU);
        ck_assert_uint_eq(launch_of(&plan).walk.repeat > 0, times > 4);
        ck_assert_uint_eq(plan.has_neighbours, times == 4);
        check_moves(&expected, &plan, 0);
        release(&expected);
    }
}
END_TEST

enum { PARTS = 4, CASES = 600 };

START_TEST(random_cases_are_moved)
{
    struct dice dice = {(uint64_t)_i + 40};
    for (int n = 0; n < CASES; ++n) {
        struct slice_case c;
        random_case(&dice, &c);
        check_case(&c, &dice, true, 1);
    }
}
END_TEST

/* A generator that forgets a kernel, or one of its patterns, tests nothing of it. */
START_TEST(random_cases_meet_every_pattern)
{
    uint32_t met[PLAN_SLICE_VARIANTS] = {0}, patterns[9][5][3] = {{{0}}}, different = 0;
    for (uint32_t n = 0; n < PARTS * CASES; ++n) {
        static struct dice dice;
        struct slice_case c;
        if (n % CASES == 0)
            dice.state = n / CASES + 40;
        random_case(&dice, &c);
        struct slice slice = slice_of(&c);
        for (uint32_t kind = 0; kind < (uint32_t)PLAN_SLICE_VARIANTS * PLAN_ALIGNMENT_COUNT;
             ++kind) {
            const struct plan_limits limits = {kind % 2, 4, 64, 1024, 0, 0, false, false};
            struct plan plan;
            if (!plan_from(&slice, &limits, kind % 2, (enum plan_variant)(kind / 2), &plan))
                continue;
            ++met[plan.variant];
            if (walk_promises[plan.variant].rows)
                different += patterns[plan.pattern.group_stride + 4][plan.pattern.group_size]
                                     [plan.pattern.element_stride + 1]++ == 0;
        }
    }
    for (uint32_t variant = 0; variant < PLAN_SLICE_VARIANTS; ++variant)
        ck_assert_msg(met[variant] > 0, "no %s", plan_variant_name(variant));
    ck_assert_uint_eq(different, 27);
}
END_TEST

/* Every limit that there is: one element per box, and everything in one. */
START_TEST(tilings_of_all_limits_are_partitions)
{
    struct dice dice = {50};
    for (uint32_t n = 0; n < 400; ++n) {
        struct slice_case c;
        struct plan plan;
        struct plan_limits limits = {
            .cpu = n % 2, .compute_units = 2, .line_bytes = 64, .max_work_group_size = 64};
        do
            random_case(&dice, &c);
        while (slice_of(&c).elements > 200);
        struct expected expected = expect(&c);
        ck_assert(plan_from(&expected.slice, &limits, n / 2 % 2, CHOSEN, &plan));
        uint64_t bytes = 16;
        for (; bytes < 6000; bytes += 1 + bytes / 4)
            check_moves(&expected, &plan, bytes);
        for (bytes = 16; bytes < 6000; bytes += 1 + bytes / 4)
            check_packed(&expected, &plan, bytes);
        uint64_t tile[TENSOR_RANK_MAX];
        ck_assert_uint_eq(tile_choose(&plan, UINT64_MAX, tile), 1);
        release(&expected);
    }
}
END_TEST

/* As gradient_gpu divides by what a dimension of a gradient has. */
static void check_divisor(uint32_t index_bits, uint32_t size, uint32_t reciprocal, uint32_t shift)
{
    const uint32_t top = index_bits == 32 ? INT32_MAX : UINT32_MAX;
    for (uint32_t part = 0; part <= 100; ++part)
        for (uint32_t near = 0; near < 3 && size > 1; ++near) {
            const uint64_t n = (uint64_t)(top / 100) * part / size * size + near;
            const uint32_t number = n > 0 && n - 1 < top ? (uint32_t)(n - 1) : top;
            ck_assert_uint_eq(walk_on_host_quotient(index_bits, number, reciprocal, shift),
                              number / size);
        }
}

START_TEST(gradients_divide_by_counts_and_steps)
{
    static const uint32_t counts[] = {2, 3, 5, 64, 127, 641, 4096, 65537},
                          steps[] = {1, 2, 7, 1000};
    for (size_t i = 0; i < COUNT_OF(counts) * COUNT_OF(steps) * 2; ++i) {
        const uint32_t count = counts[i / 2 % COUNT_OF(counts)];
        const uint32_t step = steps[i / 2 / COUNT_OF(counts)], last = (count - 1) * step;
        const struct slice_case c =
            CASE("gradient", UINT8, AS(SLICE_GRAD), IN(3, count), FROM(0, 1), WINDOW(3, last + 1),
                 BY(1, (int32_t)step), OUT(3, last + 9));
        struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_GRADIENT_GPU);
        plan.index_bits = i % 2 > 0 ? 64 : 32;
        const struct walk walk = launch_of(&plan).walk;
        const struct walk_scatter *s = &walk.scatter[0];
        ck_assert_uint_eq(s->count, count);
        ck_assert_uint_eq(s->step, step);
        check_divisor(plan.index_bits, count, walk.dim[0].by_count, s->count_shift);
        check_divisor(plan.index_bits, step, s->by_step, s->step_shift);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("walk");
    TCase *tests = suite_case(suite, "walk");
    tcase_add_test(tests, every_case_of_the_table_is_moved);
    tcase_add_test(tests, large_cases_of_the_table_are_moved);
    tcase_add_test(tests, bands_of_blocks_are_moved);
    tcase_add_loop_test(tests, reversed_pixels_of_intel_are_moved, 0, 2);
    tcase_add_loop_test(tests, dense_outputs_of_intel_are_moved, 0, 6);
    tcase_add_loop_test(tests, squares_of_long_rows_are_moved, 0, 8);
    tcase_add_test(tests, blocks_follow_each_other_in_pages);
    tcase_add_loop_test(tests, blocks_in_any_order_are_moved, 0, 4);
    tcase_add_test(tests, rows_that_come_again_in_a_part_are_moved_whole);
    tcase_add_loop_test(tests, repeated_rows_are_read_as_they_lie_unless_words_come_again, 0, 2);
    tcase_add_loop_test(tests, random_cases_are_moved, 0, PARTS);
    tcase_add_test(tests, random_cases_meet_every_pattern);
    tcase_add_test(tests, tilings_of_all_limits_are_partitions);
    tcase_add_test(tests, gradients_divide_by_counts_and_steps);
    return suite_run(suite);
}
