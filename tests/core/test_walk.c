/* SPDX-License-Identifier: MIT */
/* Plans, run on paper: every work-item of every launch takes the steps of kernels/walk.cl, and what
 * the kernels would then move is compared with the loop over the slice. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "core/runs.h"
#include "core/tile.h"
#include "plan_case.h"
#include "support/random_case.h"
#include "support/suite.h"
#include "walk_on_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements that 32-bit indices reach, and what blocks and tiles may take beyond a row's end. */
#define INDEX_32_MOST (INT32_MAX - 1024)
#define TILE_MOST 256

/* What a kernel asks of its walk beyond walk.cl, as its header comment says. */
static const struct {
    bool batches;    /* of any size, stepped through; else one block per work-item or group */
    bool rows;       /* the pattern is the row's and the column's strides */
    bool transposes; /* out_step = 1, in_pitch = 1 or -1 */
} kernels[PLAN_VARIANT_COUNT] = {
    [PLAN_ROWS_CPU] = {true, true, false},      [PLAN_ROWS_GPU] = {false, true, false},
    [PLAN_TRANSPOSE_CPU] = {true, false, true}, [PLAN_TRANSPOSE_GPU] = {false, false, true},
    [PLAN_STRIDED_CPU] = {true, false, false},  [PLAN_STRIDED_GPU] = {false, false, false},
};

/* Whether 32-bit indices reach the whole launch, tiles that begin behind its rows and columns
 * included. */
static bool is_small(const struct plan *plan, const struct launch *launch)
{
    uint64_t in = launch->range.in_high - launch->range.in_low,
             out = launch->range.out_high - launch->range.out_low;
    if (plan->variant == PLAN_TRANSPOSE_GPU) {
        in += TILE_MOST * (uint64_t)llabs(launch->walk.in_step);
        out += TILE_MOST * (uint64_t)launch->walk.out_pitch;
    }
    return in <= INDEX_32_MOST && out <= INDEX_32_MOST;
}

/* What a failure was about. */
struct subject {
    const struct slice_case *c;
    const struct slice *slice;
    const struct plan *plan;
    const struct launch *launch;
};

static void refuse(const struct subject *subject, const char *what)
{
    char bytes[4096];
    struct text text = text_in(bytes, sizeof bytes);
    slice_describe(subject->slice, &text);
    plan_describe(subject->plan, &text);
    launch_describe(subject->plan, &text);
    ck_abort_msg("%s: %s\n%s", subject->c->name, what, bytes);
}

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
    if (in < s->launch->range.in_low || in >= s->launch->range.in_high ||
        out < s->launch->range.out_low || out >= s->launch->range.out_high)
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

static bool fits(int64_t index, uint32_t bits)
{
    return bits == 64 || (index >= INT32_MIN && index <= INT32_MAX);
}

/* Whether rows have a block more, for kernels that begin theirs at the output's boundaries. */
static bool has_slack(const struct plan *plan)
{
    return plan->variant == PLAN_ROWS_GPU || plan->variant == PLAN_TRANSPOSE_GPU;
}

static void move_block(void *user, struct block block)
{
    struct run *run = user;
    const struct subject *s = &run->subject;
    const struct walk *walk = &s->launch->walk;
    int64_t last = (int64_t)block.width - 1, last_line = (int64_t)block.height - 1;
    if (block.height == 0 || (block.width == 0 && !has_slack(s->plan)))
        refuse(s, "a block is empty");
    if (block.width > 0 &&
        (!fits(block.in + last * walk->in_step + last_line * walk->in_pitch, s->plan->index_bits) ||
         !fits(block.out + last * walk->out_step + last_line * walk->out_pitch,
               s->plan->index_bits)))
        refuse(s, "an index does not fit");
    for (int64_t l = 0; l <= last_line; ++l)
        for (int64_t k = 0; k <= last; ++k)
            move_element(run, block.in + k * walk->in_step + l * walk->in_pitch,
                         block.out + k * walk->out_step + l * walk->out_pitch);
}

static void check_rows(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    const struct plan_pattern *pattern = &s->plan->pattern;
    bool broadcasts = pattern->group_stride == 0 && pattern->group_size == 1;
    if (pattern->group_size < 1 || pattern->group_size > 4 || abs(pattern->group_stride) > 4 ||
        ((uint32_t)abs(pattern->group_stride) < pattern->group_size && !broadcasts))
        refuse(s, "an impossible pattern");
    if (walk->in_step != pattern->group_stride || walk->out_step != (int64_t)pattern->group_size)
        refuse(s, "the row is not the pattern's");
    if (walk->column != pattern->group_size || walk->height != walk->column)
        refuse(s, "the column is not the pattern's");
    if (walk->column > 1 && (walk->in_pitch != pattern->element_stride || walk->out_pitch != 1))
        refuse(s, "the column's steps are not the pattern's");
    uint32_t bytes = walk->width * pattern->group_size * s->plan->element_size;
    if (s->plan->variant == PLAN_ROWS_GPU && bytes != (pattern->group_size == 3 ? 12 : 16))
        refuse(s, "blocks of 16 or 12 bytes were promised");
}

/* A row's blocks may begin so many elements before it. */
static void check_runs(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    uint64_t before = s->plan->variant == PLAN_ROWS_GPU        ? walk->width - 1
                      : s->plan->variant == PLAN_TRANSPOSE_GPU ? 32 / s->plan->element_size - 1
                                                               : 0;
    uint64_t runs = walk->dim[walk->transposes ? 1 : 0].size;
    if (runs * walk->width < walk->row + before)
        refuse(s, "a row has too few runs for some alignment");
}

static void check_guarantees(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    enum plan_variant variant = s->plan->variant;
    if (kernels[variant].rows)
        check_rows(s);
    else if (s->plan->pattern.group_size != 0)
        refuse(s, "a pattern for nobody");
    if (kernels[variant].transposes &&
        (walk->out_step != 1 || (walk->in_pitch != 1 && walk->in_pitch != -1)))
        refuse(s, "the output's rows are not the input's columns");
    if (!kernels[variant].batches && walk->batch != 1)
        refuse(s, "one block per work-item was promised");
    if (variant == PLAN_STRIDED_GPU && (walk->width != 1 || walk->column != 1))
        refuse(s, "one element per work-item was promised");
    check_runs(s);
    if (walk->rank < 1 || walk->rank > 8 || walk->width < 1 || walk->height < 1 || walk->batch < 1)
        refuse(s, "the walk is malformed");
    if (s->plan->local_size < 1 || s->launch->global_size % s->plan->local_size != 0)
        refuse(s, "the grid is no multiple of the group");
    if (kernels[variant].batches && s->plan->local_size != 1)
        refuse(s, "groups of one were promised");
    uint64_t items = (walk->blocks + walk->batch - 1) / walk->batch;
    if (variant == PLAN_TRANSPOSE_GPU)
        items *= s->plan->local_size;
    if (s->launch->global_size < items)
        refuse(s, "the grid is too small");
    if (s->launch->global_size >= items + s->plan->local_size)
        refuse(s, "the grid holds a group without work");
}

static void check_limit(const struct subject *s, uint64_t max_bytes)
{
    const struct plan_range *range = &s->launch->range;
    if ((range->in_high - range->in_low) * s->plan->element_size > max_bytes ||
        (range->out_high - range->out_low) * s->plan->element_size > max_bytes)
        refuse(s, "a box exceeds the limit");
}

/* A block with the plan's indices, which must be what wider ones give. */
static struct block block_of(const struct subject *s, uint64_t n)
{
    const struct walk *walk = &s->launch->walk;
    struct block block = walk_on_host_block(walk, s->plan->index_bits, n);
    struct block wide = walk_on_host_block(walk, 64, n);
    if (block.in != wide.in || block.out != wide.out || block.width != wide.width ||
        block.height != wide.height)
        refuse(s, "an index does not fit");
    return block;
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
        if (!kernels[run->subject.plan->variant].batches) {
            if (item < walk->blocks)
                move_block(run, block_of(&run->subject, item));
            continue;
        }
        uint64_t first = item * walk->batch, end = first + walk->batch;
        walk_on_host_blocks(walk, bits, first, end < walk->blocks ? end : walk->blocks, move_block,
                            run);
    }
    if (run->in_low != launch->range.in_low || run->in_high != launch->range.in_high ||
        run->out_low != launch->range.out_low || run->out_high != launch->range.out_high)
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
            out += at[i] * slice->dim[i].out_stride;
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
    uint64_t elements = launch.range.out_high - launch.range.out_low;
    memset(side + launch.range.out_low * parts, 0, (size_t)elements * parts * sizeof *side);
    run_launch(&run);
    if (run.moved != elements)
        refuse(&run.subject, "elements do not lie side by side");
    of_map.element_size = parts * (uint32_t)sizeof *side;
    struct plan_range place = plan_range(plan, box);
    struct runs runs = runs_of(&of_map, box);
    const unsigned char *from = (unsigned char *)(side + launch.range.out_low * parts);
    const unsigned char *end = runs_scatter(
        &runs, runs.rank, from, (unsigned char *)(expected->got + place.out_low * parts));
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
    if (plan->index_bits != (is_small(plan, &launch) ? 32 : 64))
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
    for (uint32_t n = 0; n < (forced ? CHOSEN + 2 : 2) * PLAN_ALIGNMENT_COUNT; ++n) {
        enum plan_alignment alignment = n % PLAN_ALIGNMENT_COUNT;
        uint32_t turn = n / PLAN_ALIGNMENT_COUNT;
        enum plan_variant variant = turn < 2 ? CHOSEN : (enum plan_variant)(turn - 2);
        struct plan_limits limits = {.cpu = turn % 2 == 0,
                                     .compute_units = 1 + (uint32_t)dice_below(dice, 300),
                                     .line_bytes = 32u << dice_below(dice, 2),
                                     .max_work_group_size = UINT64_C(1) << dice_below(dice, 12)};
        struct plan plan;
        if (!plan_from(&expected.slice, &limits, alignment, variant, &plan)) {
            struct plan chosen;
            ck_assert(variant != CHOSEN && (kernels[variant].rows || kernels[variant].transposes));
            ck_assert(plan_from(&expected.slice, &limits, alignment, CHOSEN, &chosen));
            if (kernels[chosen.variant].rows && kernels[variant].rows)
                refuse(&(struct subject){c, &expected.slice, &chosen, NULL}, "rows were refused");
            continue;
        }
        ck_assert(variant == CHOSEN || plan.variant == variant);
        ck_assert(plan.local_size <= limits.max_work_group_size);
        check_plan_itself(&expected, &plan, alignment);
        check_moves(&expected, &plan, 0);
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

/* A generator that forgets a kernel, or one of its programs, tests nothing of it. */
START_TEST(random_cases_meet_every_pattern)
{
    uint32_t met[PLAN_VARIANT_COUNT] = {0}, patterns[9][5][3] = {{{0}}}, different = 0;
    for (uint32_t n = 0; n < PARTS * CASES; ++n) {
        static struct dice dice;
        struct slice_case c;
        if (n % CASES == 0)
            dice.state = n / CASES + 40;
        random_case(&dice, &c);
        struct slice slice = slice_of(&c);
        for (uint32_t kind = 0; kind < (uint32_t)CHOSEN * PLAN_ALIGNMENT_COUNT; ++kind) {
            const struct plan_limits limits = {kind % 2, 4, 64, 1024, 0, 0};
            struct plan plan;
            if (!plan_from(&slice, &limits, kind % 2, (enum plan_variant)(kind / 2), &plan))
                continue;
            ++met[plan.variant];
            if (kernels[plan.variant].rows)
                different += patterns[plan.pattern.group_stride + 4][plan.pattern.group_size]
                                     [plan.pattern.element_stride + 1]++ == 0;
        }
    }
    for (uint32_t variant = 0; variant < PLAN_VARIANT_COUNT; ++variant)
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

/* ---- Too large to run whole ---- */

/* What the output element at an address is a copy of, where dimensions nest: UINT64_MAX where no
 * coordinate lies there. */
static uint64_t wanted_input(const struct slice *slice, uint64_t out)
{
    uint64_t in = slice->first;
    bool taken[TENSOR_RANK_MAX] = {false};
    for (uint32_t n = 0; n < slice->rank; ++n) {
        uint32_t widest = slice->rank;
        for (uint32_t i = 0; i < slice->rank; ++i)
            if (!taken[i] && slice->dim[i].size > 1 &&
                (widest == slice->rank || slice->dim[i].out_stride > slice->dim[widest].out_stride))
                widest = i;
        if (widest == slice->rank)
            break;
        taken[widest] = true;
        uint64_t at = out / slice->dim[widest].out_stride;
        out -= at * slice->dim[widest].out_stride;
        in += at * (uint64_t)slice->dim[widest].in_stride;
        if (at >= slice->dim[widest].size)
            return UINT64_MAX;
    }
    return out == 0 ? in : UINT64_MAX;
}

struct sample {
    struct subject subject;
    uint64_t blocks;
};

/* The first, a middle and the last element of a block. */
static void check_sample(void *user, struct block block)
{
    struct sample *sample = user;
    const struct subject *s = &sample->subject;
    const struct launch *launch = s->launch;
    uint32_t parts = s->plan->element_size / s->slice->input.element_size;
    const uint64_t ks[] = {0, block.width / 2, block.width - 1};
    const uint64_t ls[] = {block.height - 1, block.height / 2, 0};
    for (size_t i = 0; i < COUNT_OF(ks) && block.width > 0; ++i) {
        int64_t in = block.in + (int64_t)ks[i] * launch->walk.in_step +
                     (int64_t)ls[i] * launch->walk.in_pitch;
        int64_t out = block.out + (int64_t)ks[i] * launch->walk.out_step +
                      (int64_t)ls[i] * launch->walk.out_pitch;
        uint64_t in_at = launch->walk.in_first + (uint64_t)in,
                 out_at = launch->walk.out_first + (uint64_t)out;
        if (!fits(in, s->plan->index_bits) || !fits(out, s->plan->index_bits))
            refuse(s, "an index does not fit");
        if (in_at < launch->range.in_low || in_at >= launch->range.in_high ||
            out_at < launch->range.out_low || out_at >= launch->range.out_high ||
            launch->range.in_high * parts > s->slice->input.span ||
            launch->range.out_high * parts > s->slice->output.span)
            refuse(s, "an element lies outside the ranges");
        if (wanted_input(s->slice, out_at * parts) != in_at * parts)
            refuse(s, "an element comes from the wrong place");
    }
    ++sample->blocks;
}

/* What the walk's blocks hold together, by its own numbers. */
static uint64_t elements_of(const struct walk *walk)
{
    uint64_t rows = walk->blocks / walk->dim[0].size;
    if (walk->transposes)
        rows /= walk->dim[1].size;
    return rows * walk->row * walk->column;
}

static void check_samples(const struct subject *s, struct dice *dice, int items_tried)
{
    const struct walk *walk = &s->launch->walk;
    struct sample sample = {.subject = *s};
    uint32_t bits = s->plan->index_bits;
    uint64_t items = (walk->blocks + walk->batch - 1) / walk->batch;
    check_guarantees(s);
    for (int n = 0; n < items_tried; ++n) {
        uint64_t item = n == 0 ? 0 : n == 1 ? items - 1 : dice_below(dice, items);
        uint64_t first = item * walk->batch, end = first + walk->batch;
        if (kernels[s->plan->variant].batches)
            walk_on_host_blocks(walk, bits, first, end < walk->blocks ? end : walk->blocks,
                                check_sample, &sample);
        else
            check_sample(&sample, block_of(s, first));
    }
    ck_assert_uint_ge(sample.blocks, (uint64_t)items_tried);
}

/* Boxes at random, and that all of them together are the output. */
static void check_tiling(const struct subject *s, struct dice *dice, uint64_t max_bytes)
{
    uint64_t tile[TENSOR_RANK_MAX], boxes = tile_choose(s->plan, max_bytes, tile), elements = 0;
    for (uint64_t n = 0; n < boxes && n < 3000; ++n) {
        uint64_t index = boxes <= 3000 ? n : n == 0 ? boxes - 1 : dice_below(dice, boxes);
        struct plan_box box = tile_box(s->plan, tile, index);
        struct launch launch = launch_from(s->plan, &box);
        struct subject boxed = {s->c, s->slice, s->plan, &launch};
        elements += elements_of(&launch.walk);
        check_limit(&boxed, max_bytes);
        if (n < 3)
            check_samples(&boxed, dice, 5);
    }
    if (boxes <= 3000 &&
        elements * s->plan->element_size != s->slice->elements * s->slice->output.element_size)
        refuse(s, "the boxes are not the output");
}

static const struct slice_case huge[] = {
    CASE("all bytes backwards", UINT8, WHOLE(4294967295), BY(-1), OUT(4294967295)),
    CASE("all doubles", FLOAT64, IN(4294967295), FROM(1), WINDOW(4294967294), BY(1),
         OUT(4294967294)),
    CASE("2^31 bytes", INT8, WHOLE(2147483648), BY(-1), OUT(2147483648)),
    CASE("2^31 - 1 bytes", INT8, WHOLE(2147483647), BY(-1), OUT(2147483647)),
    CASE("crop", FLOAT32, IN(65535, 65537), FROM(1, 1), WINDOW(65533, 65535), BY(1, 1),
         OUT(65533, 65535)),
    CASE("aligned crop", UINT8, IN(60000, 65536), FROM(1, 16), WINDOW(59999, 65504), BY(-1, 1),
         OUT(59999, 65504)),
    CASE("transposed", INT32, WHOLE(65535, 65537), BY(-1, 1), OUT(65535, 65537),
         OUT_STRIDES(1, 65535)),
    CASE("far input rows", INT16, WHOLE(2, 3, 100), IN_STRIDES(2147483648, 1000000000, 1),
         BY(-1, -1, -1), OUT(2, 3, 100)),
    CASE("far output rows", INT64, WHOLE(2, 3, 100), BY(-1, -1, 1), OUT(2, 3, 100),
         OUT_STRIDES(2147483648, 1000000000, 2)),
    CASE("broadcast", FLOAT16, WHOLE(65535, 3, 21845), IN_STRIDES(0, 5, 0), BY(-1, -1, 1),
         OUT(65535, 3, 21845)),
    CASE("2^31 copies", UINT8, WHOLE(2147483648), IN_STRIDES(0), BY(1), OUT(2147483648)),
    CASE("2^31 - 1 copies", UINT8, WHOLE(2147483647), IN_STRIDES(0), BY(1), OUT(2147483647)),
    CASE("every INT_MAX-th", UINT8, WHOLE(4294967295), BY(INT32_MAX), OUT(3)),
    CASE("every INT_MIN-th", UINT64, WHOLE(4294967295), BY(INT32_MIN), OUT(2)),
    CASE("eight dimensions", UINT16, WHOLE(16, 16, 16, 16, 16, 16, 16, 15),
         BY(-1, 2, -1, 2, -1, 2, -1, 1), OUT(16, 8, 16, 8, 16, 8, 16, 15)),
    CASE("columns", FLOAT32, IN(858993459, 5), FROM(0, 3), WINDOW(858993459, 1), BY(1, 1),
         OUT(858993459, 1)),
    /* a tile behind a row's end begins beyond 31 bits */
    CASE("columns far apart", UINT8, IN(127, 16777216), WINDOW(127, 1000), BY(1, -1),
         OUT(127, 1000), OUT_STRIDES(1, 127)),
};

START_TEST(huge_cases_are_right_where_sampled)
{
    struct dice dice = {60 + (uint64_t)_i};
    const struct slice_case *c = &huge[_i];
    struct slice slice = slice_of(c);
    for (uint32_t n = 0; n < (uint32_t)PLAN_VARIANT_COUNT * PLAN_ALIGNMENT_COUNT; ++n) {
        struct plan_limits limits = {n % 2, 1 + (uint32_t)dice_below(&dice, 300), 64, 1024, 0, 0};
        struct plan plan;
        if (!plan_from(&slice, &limits, n % PLAN_ALIGNMENT_COUNT, n / PLAN_ALIGNMENT_COUNT, &plan))
            continue;
        struct launch launch = launch_of(&plan);
        struct subject subject = {c, &slice, &plan, &launch};
        ck_assert_uint_eq(elements_of(&launch.walk) * plan.element_size,
                          slice.elements * slice.output.element_size);
        ck_assert_uint_eq(plan.index_bits, is_small(&plan, &launch) ? 32 : 64);
        check_samples(&subject, &dice, 100);
        for (uint64_t limit = 16; limit <= UINT64_C(1) << 34; limit *= 32)
            check_tiling(&subject, &dice, limit);
    }
}
END_TEST

/* ---- Indices near 2^31 ---- */

/* Rows at both ends of what 32-bit indices reach. What a kernel computes on the way must fit, too:
 * it is a sanitizer that sees where it does not. */
static const struct slice_case edges[] = {
    CASE("far input rows", UINT8, WHOLE(2, 8), IN_STRIDES(2147482606, 1), BY(1, 1), OUT(2, 8)),
    CASE("far input rows backwards", UINT8, WHOLE(2, 8), IN_STRIDES(2147482606, 1), BY(-1, 1),
         OUT(2, 8)),
    CASE("far output rows", UINT32, WHOLE(2, 8), BY(1, -1), OUT(2, 8), OUT_STRIDES(2147482606, 1)),
    CASE("far elements", INT8, WHOLE(3, 2), IN_STRIDES(1073741303, 7), BY(1, 1), OUT(3, 2),
         OUT_STRIDES(1073741303, 5)),
    CASE("two far elements", INT8, WHOLE(2), IN_STRIDES(2147482622), BY(-1), OUT(2)),
    CASE("far input columns", UINT8, WHOLE(9, 9), IN_STRIDES(8134403, 1), BY(-1, 1), OUT(9, 9),
         OUT_STRIDES(1, 9)),
    CASE("far output columns", INT8, WHOLE(9, 9), BY(1, -1), OUT(9, 9), OUT_STRIDES(1, 8134403)),
};

START_TEST(no_step_leaves_32_bits)
{
    const struct slice_case *c = &edges[_i];
    struct slice slice = slice_of(c);
    struct dice dice = {70};
    for (uint32_t variant = 0; variant < PLAN_VARIANT_COUNT; ++variant) {
        struct plan_limits limits = {true, 1, 64, 256, 0, 0};
        struct plan plan;
        if (!plan_from(&slice, &limits, PLAN_ALIGNED_ELEMENT, variant, &plan))
            continue;
        struct launch launch = launch_of(&plan);
        ck_assert_uint_eq(plan.index_bits, 32);
        check_samples(&(struct subject){c, &slice, &plan, &launch}, &dice, 20);
    }
}
END_TEST

/* ---- Divisions ---- */

static void check_quotients(uint32_t size, struct dice *dice)
{
    const struct plan plan = {.variant = PLAN_STRIDED_GPU,
                              .element_size = 1,
                              .local_size = 1,
                              .rank = 2,
                              .dim = {{2, 0, 1}, {size, 1, 0}},
                              .row = 1,
                              .column = 2};
    struct launch launch = launch_of(&plan);
    ck_assert_uint_eq(launch.walk.dim[0].size, size);
    for (uint32_t n = 0; n < 200; ++n) {
        const uint64_t starts[] = {0,
                                   UINT64_C(1) << 31,
                                   UINT64_C(1) << 32,
                                   dice_below(dice, UINT32_MAX / size + UINT64_C(1)) * size,
                                   UINT32_MAX / size * (uint64_t)size,
                                   dice_roll(dice)};
        uint32_t number = (uint32_t)(starts[n % COUNT_OF(starts)] + n / COUNT_OF(starts) % 5 - 2);
        struct block block = walk_on_host_block(&launch.walk, 32, number);
        ck_assert_msg((uint32_t)block.out == number / size && (uint32_t)block.in == number % size,
                      "%" PRIu32 " / %" PRIu32 " = %" PRIu32 ", rest %" PRIu32, number, size,
                      (uint32_t)block.out, (uint32_t)block.in);
    }
}

START_TEST(quotients_are_exact)
{
    static const uint32_t primes[] = {7,     11,       97,        641,        8191,
                                      65537, 16777213, 858993459, 2147483629, 4294967291};
    struct dice dice = {90};
    for (uint32_t size = 1; size <= 5000; ++size)
        check_quotients(size, &dice);
    for (uint32_t bit = 2; bit <= 32; ++bit)
        for (uint32_t around = 1; around < 5 && (bit < 32 || around < 3); ++around)
            check_quotients((uint32_t)((UINT64_C(1) << bit) + around - 3), &dice);
    for (size_t i = 0; i < COUNT_OF(primes); ++i)
        check_quotients(primes[i], &dice);
    for (uint32_t n = 0; n < 20000; ++n)
        check_quotients(1 + (uint32_t)dice_below(&dice, UINT32_MAX) / (1 + n % 1000), &dice);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("walk");
    TCase *tests = suite_case(suite, "walk");
    tcase_add_test(tests, every_case_of_the_table_is_moved);
    tcase_add_test(tests, large_cases_of_the_table_are_moved);
    tcase_add_loop_test(tests, random_cases_are_moved, 0, PARTS);
    tcase_add_test(tests, random_cases_meet_every_pattern);
    tcase_add_test(tests, tilings_of_all_limits_are_partitions);
    tcase_add_loop_test(tests, huge_cases_are_right_where_sampled, 0, COUNT_OF(huge));
    tcase_add_loop_test(tests, no_step_leaves_32_bits, 0, COUNT_OF(edges));
    tcase_add_test(tests, quotients_are_exact);
    return suite_run(suite);
}
