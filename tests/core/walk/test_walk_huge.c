/* SPDX-License-Identifier: MIT */
/* Walks that are too large to run whole, whose blocks are looked at here and there, and the numbers
 * that they take close to what their type holds. */
#include "conformance/case_words.h"
#include "core/tile.h"
#include "support/dice.h"
#include "support/gpu_block_walk.h"
#include "walk_check.h"

#include <inttypes.h>

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
        uint64_t at = out / (uint64_t)slice->dim[widest].out_stride;
        out -= at * (uint64_t)slice->dim[widest].out_stride;
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

static void check_element(void *user, int64_t in, int64_t out)
{
    const struct subject *s = &((struct sample *)user)->subject;
    const struct launch *launch = s->launch;
    uint32_t parts = s->plan->element_size / s->slice->input.element_size;
    uint64_t in_at = launch->walk.in_first + (uint64_t)in,
             out_at = launch->walk.out_first + (uint64_t)out;
    if (!fits(in, s->plan->index_bits) || !fits(out, s->plan->index_bits))
        refuse(s, "an index does not fit");
    if (in_at < launch->range.in.low || in_at >= launch->range.in.high ||
        out_at < launch->range.out.low || out_at >= launch->range.out.high ||
        launch->range.in.high * parts > s->slice->input.span ||
        launch->range.out.high * parts > s->slice->output.span)
        refuse(s, "an element lies outside the ranges");
    if (wanted_input(s->slice, out_at * parts) != in_at * parts)
        refuse(s, "an element comes from the wrong place");
}

/* The first, a middle and the last element of a block. */
static void check_sample(void *user, struct block block)
{
    struct sample *sample = user;
    const struct walk *walk = &sample->subject.launch->walk;
    const uint64_t ks[] = {0, block.width / 2, block.width - 1};
    const uint64_t ls[] = {block.height - 1, block.height / 2, 0};
    for (size_t i = 0; i < COUNT_OF(ks) && block.width > 0; ++i) {
        const struct slice_place row = along_column(walk, ls[i]);
        check_element(sample, block.in + along_row(walk, ks[i]) + row.in,
                      block.out + (int64_t)ks[i] * walk->out_step + row.out);
    }
    ++sample->blocks;
}

/* What the walk's blocks hold together, by its own numbers. */
static uint64_t elements_of(const struct plan *plan, const struct walk *walk)
{
    if (plan->variant == PLAN_STRIDED_GPU) {
        uint64_t gap = walk->makes_words || walk->column > 1 ? 0 : walk->dim[0].size - walk->full;
        return (walk->row - walk->row / walk->dim[0].size * gap) * walk->column;
    }
    if (plan->variant == PLAN_TRANSPOSE_GPU) {
        uint64_t elements = (uint64_t)gpu_row_size(walk);
        for (uint32_t d = walk->run_rank; d < walk->rank; ++d)
            elements *= d < GPU_BLOCK_RANK ? (uint64_t)gpu_block_size(walk, d) : walk->dim[d].size;
        return elements;
    }
    uint64_t rows = walk->blocks / walk->dim[walk->row_dim].size;
    if (walk->transposes)
        rows /= walk->dim[0].size;
    return rows * walk->row * walk->column;
}

static void check_samples(const struct subject *s, struct dice *dice, int items_tried)
{
    const struct walk *walk = &s->launch->walk;
    struct sample sample = {.subject = *s};
    uint32_t bits = s->plan->index_bits;
    uint64_t items = items_of(walk);
    check_guarantees(s);
    /* Of strided_gpu, others may have nothing to do. */
    uint64_t surely = s->plan->variant == PLAN_STRIDED_GPU ? word_of_first(s) : 0;
    for (int n = 0; n < items_tried; ++n) {
        uint64_t item = n == 0 ? surely : n == 1 ? items - 1 : dice_below(dice, items);
        uint64_t first = item * walk->blocks_each, end = first + walk->blocks_each;
        if (s->plan->variant == PLAN_TRANSPOSE_GPU) {
            uint64_t block = n == 1 ? gpu_last_block(walk) : item;
            sample.blocks += gpu_block_visit(walk, block, s->plan->element_size, before_output(s),
                                             check_element, &sample);
        } else if (s->plan->variant == PLAN_STRIDED_GPU)
            visit_words(s, item, check_sample, &sample);
        else if (walk_promises[s->plan->variant].takes_many)
            walk_on_host_blocks(walk, bits, first, end < walk->blocks ? end : walk->blocks,
                                check_sample, &sample);
        else
            check_sample(&sample, block_of(s, first));
    }
    bool has_numbers_without_work =
        s->plan->variant == PLAN_STRIDED_GPU || s->plan->variant == PLAN_TRANSPOSE_GPU;
    ck_assert_uint_ge(sample.blocks, has_numbers_without_work ? 1 : (uint64_t)items_tried);
}

/* Boxes at random, and that all of them together are the output. */
static void check_boxes(const struct subject *s, struct dice *dice,
                        const uint64_t tile[TENSOR_RANK_MAX], uint64_t boxes, uint64_t max_bytes)
{
    uint64_t elements = 0;
    for (uint64_t n = 0; n < boxes && n < 3000; ++n) {
        uint64_t index = boxes <= 3000 ? n : n == 0 ? boxes - 1 : dice_below(dice, boxes);
        struct plan_box box = tile_box(s->plan, tile, index);
        struct launch launch = launch_from(s->plan, &box);
        struct subject boxed = {s->c, s->slice, s->plan, &launch};
        elements += elements_of(s->plan, &launch.walk);
        check_limit(&boxed, max_bytes);
        if (s->plan->launch_bytes > 0 && !is_small(s->plan, &launch))
            refuse(&boxed, "a launch reaches too far");
        if (n < 3)
            check_samples(&boxed, dice, 5);
    }
    if (boxes <= 3000 &&
        elements * s->plan->element_size != s->slice->elements * s->slice->output.element_size)
        refuse(s, "the boxes are not the output");
}

static void check_tiling(const struct subject *s, struct dice *dice, uint64_t max_bytes)
{
    uint64_t tile[TENSOR_RANK_MAX], boxes = tile_choose(s->plan, max_bytes, tile);
    check_boxes(s, dice, tile, boxes, max_bytes);
}

/* A launch writes 16 MiB or more, in the mean, and begins where the plan's alignment holds. */
static void check_launches(const struct subject *s, struct dice *dice)
{
    uint64_t tile[TENSOR_RANK_MAX];
    bool are_aligned;
    uint64_t boxes = tile_launches(s->plan, tile, &are_aligned);
    ck_assert_uint_eq(s->plan->index_bits, 32);
    ck_assert_uint_ge(boxes, 2);
    bool makes_words = s->plan->variant == PLAN_STRIDED_GPU && !plan_has_gaps(s->plan);
    const struct plan_box first = tile_box(s->plan, tile, 0),
                          last = tile_box(s->plan, tile, boxes - 1);
    ck_assert(!makes_words || plan_is_packed(s->plan, &first));
    ck_assert_uint_ge(2 * plan_box_elements(s->plan, &last), plan_box_elements(s->plan, &first));
    ck_assert_uint_ge(plan_elements(s->plan) * s->plan->element_size / boxes, 16 << 20);
    ck_assert(are_aligned || (!s->plan->rows_are_aligned && !s->plan->block.is_aligned));
    for (uint32_t i = 0; i < s->plan->rank && are_aligned; ++i)
        ck_assert(tile[i] == s->plan->dim[i].size || tile[i] % 16 == 0);
    check_boxes(s, dice, tile, boxes, s->plan->launch_bytes);
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
    CASE("seventeen rows", UINT8, WHOLE(17, 142000000), BY(-1, 1), OUT(17, 142000000)),
    /* a block behind a row's end begins beyond 31 bits */
    CASE("columns far apart", UINT8, IN(127, 16777216), WINDOW(127, 1000), BY(1, -1),
         OUT(127, 1000), OUT_STRIDES(1, 127)),
};

START_TEST(huge_cases_are_right_where_sampled)
{
    struct dice dice = {60 + (uint64_t)_i};
    const struct slice_case *c = &huge[_i];
    struct slice slice = slice_of(c);
    uint64_t bytes = slice.elements * slice.output.element_size;
    for (uint32_t n = 0; n < (uint32_t)PLAN_SLICE_VARIANTS * PLAN_ALIGNMENT_COUNT; ++n) {
        struct plan_limits limits = {
            n % 2, 1 + (uint32_t)dice_below(&dice, 300), 64, 1024, 0, 0, false, 0};
        struct plan plan;
        if (!plan_from(&slice, &limits, n % PLAN_ALIGNMENT_COUNT, n / PLAN_ALIGNMENT_COUNT, &plan))
            continue;
        uint64_t most = plan.launch_bytes > 0 ? plan.launch_bytes : UINT64_C(1) << 34;
        struct launch launch = launch_of(&plan);
        struct subject subject = {c, &slice, &plan, &launch};
        for (uint64_t limit = 16; limit <= most; limit *= 32)
            check_tiling(&subject, &dice, limit);
        if (plan.launch_bytes > 0) {
            check_launches(&subject, &dice);
            continue;
        }
        /* Launches of these would not be packed, or small, as blocks count far beyond them. */
        bool stays_whole =
            (plan.variant == PLAN_STRIDED_GPU && strcmp(c->name, "transposed") == 0) ||
            (plan.variant == PLAN_TRANSPOSE_GPU && strcmp(c->name, "seventeen rows") == 0);
        ck_assert(plan_variant_is_cpu(plan.variant) || is_small(&plan, &launch) ||
                  bytes < 1 << 30 || stays_whole);
        ck_assert_uint_eq(elements_of(&plan, &launch.walk) * plan.element_size, bytes);
        ck_assert_uint_eq(plan.index_bits, is_small(&plan, &launch) ? 32 : 64);
        check_samples(&subject, &dice, 100);
    }
}
END_TEST

/* Rows too far apart for indices of 32 bits, in two bands of blocks. */
START_TEST(bands_are_found_with_64_bits)
{
    struct dice dice = {59};
    const struct slice_case c =
        CASE("bands", UINT8, WHOLE(1601, 200), IN_STRIDES(1, 20000000), BY(-1, 1), OUT(1601, 200));
    const struct plan_limits limits = {false, 1, 64, 1024, 0, 0, false, false};
    struct slice slice = slice_of(&c);
    struct plan plan;
    ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_ELEMENT, PLAN_TRANSPOSE_GPU, &plan));
    struct launch launch = launch_of(&plan);
    struct subject subject = {&c, &slice, &plan, &launch};
    ck_assert_uint_eq(plan.index_bits, 64);
    ck_assert_uint_eq(launch.walk.blocks, 2 * launch.walk.band);
    ck_assert_uint_lt(gpu_last_block(&launch.walk), launch.walk.blocks - 1);
    ck_assert_uint_eq(elements_of(&plan, &launch.walk), 1601 * 200);
    check_samples(&subject, &dice, 100);
}
END_TEST

/* ---- Indices near 2^31 ---- */

/* Rows at both ends of what 32-bit indices reach. What a kernel computes on the way must fit, too:
 * it is a sanitizer that sees where it does not. */
static const struct slice_case edges[] = {
    CASE("far input rows", UINT8, WHOLE(2, 8), IN_STRIDES(2147482606, 1), BY(1, 1), OUT(2, 8)),
    CASE("far input rows backwards", UINT8, WHOLE(2, 8), IN_STRIDES(2147482606, 1), BY(-1, 1),
         OUT(2, 8)),
    CASE("far lines", UINT8, WHOLE(2, 8), IN_STRIDES(2147453934, 1), BY(1, 1), OUT(2, 8)),
    CASE("far lines backwards", UINT8, WHOLE(2, 8), IN_STRIDES(2147453934, 1), BY(-1, 1),
         OUT(2, 8)),
    CASE("far rows", UINT8, WHOLE(22, 66), IN_STRIDES(1, 26511773), BY(1, 1), OUT(22, 66)),
    CASE("far output rows", UINT32, WHOLE(2, 8), BY(1, -1), OUT(2, 8), OUT_STRIDES(2147482606, 1)),
    CASE("far elements", INT8, WHOLE(3, 2), IN_STRIDES(1073741303, 7), BY(1, 1), OUT(3, 2),
         OUT_STRIDES(1073741303, 5)),
    CASE("two far elements", INT8, WHOLE(2), IN_STRIDES(2147482622), BY(-1), OUT(2)),
    CASE("far input columns", UINT8, WHOLE(9, 9), IN_STRIDES(8134403, 1), BY(-1, 1), OUT(9, 9),
         OUT_STRIDES(1, 9)),
    CASE("far elements and gaps", FLOAT32, COPY(2, 64), IN_STRIDES(1, 22605080),
         OUT_STRIDES(96, 1)),
    CASE("far output columns", INT8, WHOLE(9, 9), BY(1, -1), OUT(9, 9), OUT_STRIDES(1, 8134403)),
};

START_TEST(no_step_leaves_32_bits)
{
    const struct slice_case *c = &edges[_i];
    struct slice slice = slice_of(c);
    struct dice dice = {70};
    for (uint32_t variant = 0; variant < PLAN_SLICE_VARIANTS; ++variant) {
        struct plan_limits limits = {true, 1, 64, 256, 0, 0, false, false};
        struct plan plan;
        if (!plan_from(&slice, &limits, PLAN_ALIGNED_ELEMENT, variant, &plan))
            continue;
        struct launch launch = launch_of(&plan);
        ck_assert_uint_eq(plan.index_bits, is_small(&plan, &launch) ? 32 : 64);
        ck_assert(plan.index_bits == 32 || variant == PLAN_ROWS_CPU ||
                  variant == PLAN_TRANSPOSE_GPU);
        ck_assert(plan.index_bits == 32 || variant == PLAN_ROWS_CPU ||
                  strncmp(c->name, "far lines", strlen("far lines")) != 0);
        check_guarantees(&(struct subject){c, &slice, &plan, &launch});
        check_samples(&(struct subject){c, &slice, &plan, &launch}, &dice, 20);
    }
}
END_TEST

/* A packed output, as staging makes one, has no gaps where rows of blocks would end. */
START_TEST(packed_rows_do_not_leave_32_bits)
{
    static const struct slice_case c =
        CASE("far rows with gaps", UINT64, WHOLE(256, 4), IN_STRIDES(8421489, 1), BY(1, 1),
             OUT(256, 4), OUT_STRIDES(8421489, 1));
    const struct plan_limits gpu = {false, 4, 32, 256, 0, 0, false, false};
    struct slice slice = slice_of(&c);
    struct plan plan;
    ck_assert(plan_from(&slice, &gpu, PLAN_ALIGNED_ELEMENT, PLAN_TRANSPOSE_GPU, &plan));
    ck_assert_uint_eq(plan.index_bits, 64);
}
END_TEST

/* ---- Divisions ---- */

static void check_quotient(uint32_t size, uint32_t number, struct block block)
{
    ck_assert_msg((uint32_t)block.out == number / size && (uint32_t)block.in == number % size,
                  "%" PRIu32 " / %" PRIu32 " = %" PRIu32 ", rest %" PRIu32, number, size,
                  (uint32_t)block.out, (uint32_t)block.in);
}

/* Of those up to `most`, all bits: 30 kinds near multiples of the size, and others. */
static uint32_t number_of(uint32_t n, uint32_t size, uint32_t most, struct dice *dice)
{
    const uint64_t starts[] = {0,
                               most / 2 + UINT64_C(1),
                               most + UINT64_C(1),
                               dice_below(dice, most / size + UINT64_C(1)) * size,
                               most / size * (uint64_t)size,
                               dice_roll(dice)};
    return (uint32_t)(starts[n % COUNT_OF(starts)] + n / COUNT_OF(starts) % 5 - 2) & most;
}

/* As launches with indices of 64 and of 32 bits divide, and as an item of a batch with the latter
 * does, by its last dimension, too. strided_gpu has no dimension of size 1. */
static void check_quotients(uint32_t size, struct dice *dice)
{
    for (uint32_t way = 0; way < 3; ++way) {
        const bool is_small = way > 0, is_item = way > 1;
        const uint32_t most = is_small ? INT32_MAX : UINT32_MAX;
        const struct plan plan = {.variant = size > 1 ? PLAN_STRIDED_GPU : PLAN_ROWS_GPU,
                                  .pattern = {1, 1, 0},
                                  .rows_are_aligned = true,
                                  .is_item = is_item,
                                  .index_bits = is_small ? 32 : 64,
                                  .element_size = 1,
                                  .word_bytes = 1,
                                  .local_size = 1,
                                  .rank = 2,
                                  .dim = {{is_item ? INT32_MAX / size + 1 : 2, 0, 1}, {size, 1, 0}},
                                  .row = 1,
                                  .column = 2};
        struct launch launch = launch_of(&plan);
        ck_assert_uint_eq(launch.walk.dim[0].size, size);
        for (uint32_t n = 0; n < 100 && size <= most; ++n) {
            uint32_t number = number_of(n, size, most, dice);
            check_quotient(size, number,
                           is_item ? walk_block_small(&launch.walk, number)
                                   : walk_on_host_block(&launch.walk, plan.index_bits, number));
        }
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
    Suite *suite = suite_create("walk_huge");
    TCase *tests = suite_case(suite, "walk_huge");
    tcase_add_loop_test(tests, huge_cases_are_right_where_sampled, 0, COUNT_OF(huge));
    tcase_add_test(tests, bands_are_found_with_64_bits);
    tcase_add_loop_test(tests, no_step_leaves_32_bits, 0, COUNT_OF(edges));
    tcase_add_test(tests, packed_rows_do_not_leave_32_bits);
    tcase_add_test(tests, quotients_are_exact);
    return suite_run(suite);
}
