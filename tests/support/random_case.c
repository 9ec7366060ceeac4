/* SPDX-License-Identifier: MIT */
#include "support/random_case.h"

#include "base/text.h"
#include "conformance/case_desc.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG_STEP = 64,              /* beyond it a dimension has one element */
    SHORT_ROWS_ELEMENTS = 8400,  /* more than GPU_WAVE of gpu_variant.c: a GPU writes words */
    SHORT_ROWS_ELEMENTS_LOG2 = 9 /* where cases may have so many, larger ones are wanted too */
};

/* ---- Windows ---- */

static int32_t draw_step(struct dice *dice)
{
    static const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MIN / 2,
                                       INT32_MAX / 2 + 1};
    uint32_t kind = dice_pick(dice, 100);
    if (kind < 38)
        return 1;
    if (kind < 60)
        return -1;
    if (kind >= 95)
        return extremes[dice_pick(dice, COUNT_OF(extremes))];
    int32_t step = 2 + (int32_t)dice_pick(dice, kind < 88 ? 4 : 40);
    return dice_percent(dice, 50) ? step : -step;
}

/* A whole dimension, for joining with its neighbours. */
static void draw_whole(struct dice *dice, struct slice_case *c, uint32_t i, uint32_t out)
{
    c->window_sizes[i] = c->in_sizes[i] = c->out_sizes[i] = out;
    c->window_strides[i] = dice_percent(dice, 80) ? 1 : -1;
}

/* Multiples of `even` elements that follow one another, for moving as fewer and wider ones. */
static void draw_even(struct dice *dice, struct slice_case *c, uint32_t i, uint32_t out,
                      uint32_t even)
{
    out = dice_percent(dice, 60) ? (1 + dice_pick(dice, 3)) * even : (out + even - 1) / even * even;
    c->out_sizes[i] = out;
    c->window_strides[i] = dice_percent(dice, 85) ? 1 : -1;
    c->window_sizes[i] = out + dice_pick(dice, 2) * even;
    c->window_offsets[i] = dice_pick(dice, 4) * even;
    c->in_sizes[i] = c->window_offsets[i] + c->window_sizes[i] + dice_pick(dice, 4) * even;
}

/* A dimension with `out` output elements, or with one where its step is long. */
static void draw_dimension(struct dice *dice, struct slice_case *c, uint32_t i, uint32_t out)
{
    int32_t step = draw_step(dice);
    uint32_t distance = step < 0 ? 0u - (uint32_t)step : (uint32_t)step;
    if (distance > LONG_STEP)
        out = 1;
    uint32_t copied =
        out + (distance <= LONG_STEP && dice_percent(dice, 25) ? dice_pick(dice, 9) : 0);
    c->out_sizes[i] = out;
    c->window_strides[i] = step;
    c->window_sizes[i] = 1 + dice_pick(dice, distance < 8 ? distance : 8);
    if (copied > 1)
        c->window_sizes[i] += (copied - 1) * distance;
    c->window_offsets[i] = dice_percent(dice, 40) ? 0 : dice_pick(dice, 9);
    c->in_sizes[i] = c->window_offsets[i] + c->window_sizes[i] +
                     (dice_percent(dice, 40) ? 0 : dice_pick(dice, 9));
}

/* Sizes whose product is at most about 2 to a random power, large ones more often innermost. */
static void draw_window(struct dice *dice, uint32_t elements_log2, uint32_t even,
                        struct slice_case *c)
{
    uint32_t one = dice_pick(dice, elements_log2 + 1), other = dice_pick(dice, elements_log2 + 1);
    uint32_t left = 1u << (one > other ? one : other);
    for (uint32_t i = c->rank; i-- > 0;) {
        uint32_t most = dice_percent(dice, 60) && left > 12 ? 12 : left;
        uint32_t out = i == 0 && dice_percent(dice, 50) ? left : 1 + dice_pick(dice, most);
        if (even > 1 && i + 1 == c->rank)
            draw_even(dice, c, i, out, even);
        else if (dice_percent(dice, 25))
            draw_whole(dice, c, i, out);
        else
            draw_dimension(dice, c, i, out);
        left = left / out ? left / out : 1;
    }
}

/* The innermost dimension becomes pixels of up to four channels, of which some are taken, either
 * way. */
static void draw_pixels(struct dice *dice, struct slice_case *c)
{
    uint32_t last = c->rank - 1, channels = 2 + dice_pick(dice, 3);
    uint32_t count = 1 + dice_pick(dice, channels);
    c->in_sizes[last] = channels;
    c->window_sizes[last] = c->out_sizes[last] = count;
    c->window_offsets[last] = dice_pick(dice, channels - count + 1);
    c->window_strides[last] = dice_percent(dice, 50) ? 1 : -1;
    c->window_strides[last - 1] = dice_percent(dice, 50) ? 1 : -1;
}

/* ---- Strides ---- */

static void draw_order(struct dice *dice, uint32_t rank, uint32_t *order)
{
    for (uint32_t i = 0; i < rank; ++i) {
        uint32_t j = dice_pick(dice, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Packed in an order of the dimensions, of which the first is innermost, then padded by multiples
 * of `even`. */
static void draw_padded(struct dice *dice, uint32_t rank, const uint32_t *sizes,
                        const uint32_t *order, uint32_t even, uint32_t *strides)
{
    uint32_t percent = 10 + dice_pick(dice, 50);
    uint64_t stride = 1 + (dice_percent(dice, 25) ? dice_pick(dice, 5) : 0);
    for (uint32_t n = 0; n < rank; ++n) {
        strides[order[n]] = stride > UINT32_MAX ? UINT32_MAX : (uint32_t)stride;
        stride = strides[order[n]] * (uint64_t)sizes[order[n]];
        if (dice_percent(dice, percent))
            stride += dice_pick(dice, 20 / even + 3) * even;
    }
}

static uint32_t divisor_of(uint32_t a, uint32_t b)
{
    return b == 0 ? a : divisor_of(b, a % b);
}

/* Two innermost dimensions whose addresses mingle: the stride of the first is coprime to the
 * second's and not below the second's size. */
static void draw_interleaved(struct dice *dice, uint32_t rank, const uint32_t *sizes,
                             const uint32_t *order, uint32_t *strides)
{
    uint32_t a = order[0], b = order[1];
    strides[a] = sizes[b] + dice_pick(dice, 3);
    do
        strides[b] = 1 + dice_pick(dice, 9);
    while (divisor_of(strides[a], strides[b]) != 1);
    uint64_t stride =
        1 + (sizes[a] - 1) * (uint64_t)strides[a] + (sizes[b] - 1) * (uint64_t)strides[b];
    for (uint32_t n = 2; n < rank; ++n) {
        strides[order[n]] = stride > UINT32_MAX ? UINT32_MAX : (uint32_t)stride;
        stride = strides[order[n]] * (uint64_t)sizes[order[n]];
    }
}

/* Anything small: broadcast and sliding windows in an input, interleaved rows in an output. */
static void draw_small(struct dice *dice, uint32_t rank, uint32_t *strides)
{
    uint32_t most = 2 + dice_pick(dice, 30);
    for (uint32_t i = 0; i < rank; ++i)
        strides[i] = dice_pick(dice, most);
}

/* The stride of a dimension of one element means nothing. */
static void draw_idle(struct dice *dice, uint32_t rank, const uint32_t *sizes, uint32_t *strides)
{
    for (uint32_t i = 0; i < rank; ++i)
        if (sizes[i] == 1 && dice_percent(dice, 60))
            strides[i] = dice_percent(dice, 50) ? 0 : (uint32_t)dice_roll(dice);
}

/* False where the tensor is to have none. */
static bool draw_strides(struct dice *dice, uint32_t rank, const uint32_t *sizes, bool is_input,
                         uint32_t even, uint32_t *strides)
{
    uint32_t order[CASE_MAX_RANK], packed = 1;
    uint32_t kind = dice_pick(dice, even > 1 ? 58 : 100); /* up to 58 an even distance stays one */
    if (kind < 26)
        return false;
    for (uint32_t i = 0; i < rank; ++i)
        order[i] = rank - 1 - i;
    if (dice_percent(dice, even > 1 ? 30 : 60))
        draw_order(dice, rank, order);
    draw_padded(dice, rank, sizes, order, even, strides);
    if (kind < 34) { /* packed, in words */
        for (uint32_t i = rank; i-- > 0; packed *= sizes[i])
            strides[i] = packed;
    } else if (is_input && kind >= 80) {
        for (uint32_t i = 0; i < rank; ++i)
            if (dice_percent(dice, 40))
                strides[i] = 0;
    } else if (kind >= 66) {
        draw_small(dice, rank, strides);
    } else if (kind >= 58 && rank >= 2) {
        draw_interleaved(dice, rank, sizes, order, strides);
    }
    draw_idle(dice, rank, sizes, strides);
    return true;
}

/* ---- Cases ---- */

/* The obvious way: mark every address. */
static bool is_injective(const struct slice_case *c, uint64_t bytes)
{
    uint64_t strides[CASE_MAX_RANK];
    uint32_t coordinate[CASE_MAX_RANK] = {0};
    unsigned char *seen = calloc((size_t)bytes, 1);
    bool injective = seen != NULL;
    case_out_strides(c, strides);
    do {
        uint64_t at = 0;
        for (uint32_t i = 0; i < c->rank; ++i)
            at += coordinate[i] * strides[i];
        injective = injective && !seen[at];
        if (injective)
            seen[at] = 1;
    } while (injective && case_next(c->rank, c->out_sizes, coordinate));
    free(seen);
    return injective;
}

/* Rows shorter than a word: a packed output of narrow elements whose dimensions are short, but for
 * the outermost, and lie in any order in the input. */
static void draw_short_rows(struct dice *dice, struct slice_case *c)
{
    uint32_t order[CASE_MAX_RANK], left = SHORT_ROWS_ELEMENTS;
    c->data_type = dice_percent(dice, 70) ? DML_TENSOR_DATA_TYPE_UINT8 : DML_TENSOR_DATA_TYPE_INT16;
    c->rank = 3 + dice_pick(dice, 4);
    for (uint32_t i = c->rank; i-- > 0;) {
        uint32_t out = i == 0 ? left + dice_pick(dice, 9) : 2 + dice_pick(dice, 3);
        draw_whole(dice, c, i, out);
        left = left / out + 1;
    }
    draw_order(dice, c->rank, order);
    draw_padded(dice, c->rank, c->in_sizes, order, 1, c->in_strides);
    if (dice_percent(dice, 25))
        c->in_strides[0] = 0;
    c->in_strided = true;
}

static void draw_case(struct dice *dice, uint32_t elements_log2, struct slice_case *c)
{
    static const uint32_t evens[] = {1, 1, 1, 1, 1, 1, 2, 4, 8, 16};
    *c = (struct slice_case){.name = "random"};
    if (elements_log2 >= SHORT_ROWS_ELEMENTS_LOG2 && dice_percent(dice, 4)) {
        draw_short_rows(dice, c);
        return;
    }
    c->data_type = 1 + dice_pick(dice, 11);
    c->rank = 1 + dice_pick(dice, CASE_MAX_RANK);
    uint32_t even = evens[dice_pick(dice, COUNT_OF(evens))];
    draw_window(dice, elements_log2, even, c);
    if (c->rank >= 2 && dice_percent(dice, 27)) {
        draw_pixels(dice, c);
        if (dice_percent(dice, 80))
            return;
    }
    c->in_strided = draw_strides(dice, c->rank, c->in_sizes, true, even, c->in_strides);
    c->out_strided = draw_strides(dice, c->rank, c->out_sizes, false, even, c->out_strides);
}

bool random_case_within(struct dice *dice, const struct random_limits *limits, struct slice_case *c)
{
    static const uint32_t pads[] = {0, 1, 4, 64, 4096};
    uint64_t in_bytes, out_bytes;
    do
        draw_case(dice, limits->elements_log2, c);
    while (!case_in_bytes(c, &in_bytes) || in_bytes > limits->bytes ||
           !case_out_bytes(c, &out_bytes) || out_bytes > limits->bytes);
    if (dice_percent(dice, 30)) {
        c->in_total_bytes = (in_bytes + 3) / 4 * 4 + 4 * pads[dice_pick(dice, COUNT_OF(pads))];
        c->out_total_bytes = (out_bytes + 3) / 4 * 4 + 4 * pads[dice_pick(dice, COUNT_OF(pads))];
    }
    return !c->out_strided || is_injective(c, out_bytes);
}

bool random_gradient_within(struct dice *dice, const struct random_limits *limits,
                            struct slice_case *c)
{
    uint64_t bytes;
    bool injective;
    do {
        while (!random_case_within(dice, limits, c))
            ;
        case_turn(c);
        injective = !c->out_strided || (case_out_bytes(c, &bytes) && is_injective(c, bytes));
        /* Few are refused, so that many run. */
        if (!injective && dice_percent(dice, 90)) {
            c->out_strided = false;
            c->out_total_bytes = 0;
            injective = true;
        }
    } while (!case_out_bytes(c, &bytes) || bytes > limits->bytes);
    return injective;
}

void random_case(struct dice *dice, struct slice_case *c)
{
    static const struct random_limits limits = {.elements_log2 = 12, .bytes = 240000};
    while (!random_case_within(dice, &limits, c))
        ;
}

/* ---- Words ---- */

/* Appends a list of numbers after its name. */
static void list(struct text *text, const char *name, uint32_t rank, const uint32_t *numbers,
                 bool is_signed)
{
    text_append(text, ", %s", name);
    for (uint32_t i = 0; i < rank; ++i) {
        int64_t number = is_signed ? (int32_t)numbers[i] : (int64_t)numbers[i];
        text_append(text, "%c%" PRId64, i ? ',' : ' ', number);
    }
}

int random_case_text(const struct slice_case *c, char *bytes, size_t size)
{
    struct text text = text_in(bytes, size);
    uint32_t steps[CASE_MAX_RANK];
    memcpy(steps, c->window_strides, sizeof steps);
    text_append(&text, "%stype %" PRIu32, c->op == CASE_SLICE_GRAD ? "gradient of " : "",
                c->data_type);
    list(&text, "in", c->rank, c->in_sizes, false);
    if (c->in_strided)
        list(&text, "in strides", c->rank, c->in_strides, false);
    list(&text, "offsets", c->rank, c->window_offsets, false);
    list(&text, "windows", c->rank, c->window_sizes, false);
    list(&text, "steps", c->rank, steps, true);
    list(&text, "out", c->rank, c->out_sizes, false);
    if (c->out_strided)
        list(&text, "out strides", c->rank, c->out_strides, false);
    text_append(&text, ", totals %" PRIu64 ",%" PRIu64, c->in_total_bytes, c->out_total_bytes);
    return (int)text.length;
}
