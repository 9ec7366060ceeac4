/* SPDX-License-Identifier: MIT */
#include "support/wild_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/case_desc.h"
#include "support/suite.h"

enum { LONG_STEP = 64 }; /* beyond it a dimension has one element */

uint32_t wild_below(struct dice *dice, uint32_t count)
{
    return (uint32_t)dice_below(dice, count);
}

bool wild_chance(struct dice *dice, uint32_t percent)
{
    return dice_below(dice, 100) < percent;
}

/* ---- Windows ---- */

static int32_t draw_step(struct dice *dice)
{
    static const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MIN / 2,
                                       INT32_MAX / 2 + 1};
    uint32_t kind = wild_below(dice, 100);
    int32_t step;
    if (kind < 45)
        return 1;
    if (kind < 65)
        return -1;
    if (kind >= 95)
        return extremes[wild_below(dice, COUNT_OF(extremes))];
    step = 2 + (int32_t)wild_below(dice, kind < 85 ? 3 : 40);
    return wild_chance(dice, 50) ? -step : step;
}

/* A dimension with `out` output elements, or with one where its step is long. */
static void draw_dimension(struct dice *dice, struct slice_case *c, uint32_t i, uint32_t out)
{
    int32_t step = draw_step(dice);
    uint32_t distance = step < 0 ? 0u - (uint32_t)step : (uint32_t)step;
    uint32_t copied = out + (wild_chance(dice, 25) ? wild_below(dice, 4) : 0);
    if (wild_chance(dice, 30)) { /* a whole dimension, for joining with its neighbours */
        c->window_sizes[i] = c->in_sizes[i] = c->out_sizes[i] = out;
        c->window_strides[i] = wild_chance(dice, 80) ? 1 : -1;
        return;
    }
    if (distance > LONG_STEP)
        out = copied = 1;
    c->out_sizes[i] = out;
    c->window_strides[i] = step;
    c->window_sizes[i] = 1 + wild_below(dice, distance < 8 ? distance : 8);
    if (copied > 1)
        c->window_sizes[i] += (copied - 1) * distance;
    c->window_offsets[i] = wild_chance(dice, 40) ? 0 : wild_below(dice, 9);
    c->in_sizes[i] = c->window_offsets[i] + c->window_sizes[i] +
                     (wild_chance(dice, 40) ? 0 : wild_below(dice, 9));
}

/* Sizes whose product is at most 2 to a random power, large ones more often innermost. */
static void draw_window(struct dice *dice, const struct wild_limits *limits, struct slice_case *c)
{
    uint32_t left = 1u << wild_below(dice, limits->elements_log2 + 1);
    for (uint32_t i = c->rank; i-- > 0;) {
        uint32_t most = wild_chance(dice, 60) && left > 12 ? 12 : left;
        uint32_t out = i == 0 && wild_chance(dice, 50) ? left : 1 + wild_below(dice, most);
        draw_dimension(dice, c, i, out);
        left = left / out ? left / out : 1;
    }
}

/* ---- Strides ---- */

static void draw_order(struct dice *dice, uint32_t rank, uint32_t *order)
{
    for (uint32_t i = 0; i < rank; ++i) {
        uint32_t j = wild_below(dice, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Packed in any order of the dimensions, then padded. */
static void draw_padded(struct dice *dice, uint32_t rank, const uint32_t *sizes, uint32_t *strides)
{
    uint32_t order[CASE_MAX_RANK], percent = 10 + wild_below(dice, 50);
    uint64_t stride = 1 + (wild_chance(dice, 25) ? wild_below(dice, 5) : 0);
    for (uint32_t i = 0; i < rank; ++i)
        order[i] = rank - 1 - i;
    if (wild_chance(dice, 60))
        draw_order(dice, rank, order);
    for (uint32_t n = 0; n < rank; ++n) {
        strides[order[n]] = stride > UINT32_MAX ? UINT32_MAX : (uint32_t)stride;
        stride = strides[order[n]] * (uint64_t)sizes[order[n]];
        if (wild_chance(dice, percent))
            stride += wild_below(dice, 20);
    }
}

/* Anything small: broadcast and sliding windows in an input, interleaved rows in an output. */
static void draw_small(struct dice *dice, uint32_t rank, uint32_t *strides)
{
    uint32_t most = 2 + wild_below(dice, 30);
    for (uint32_t i = 0; i < rank; ++i)
        strides[i] = wild_below(dice, most);
}

/* The stride of a dimension of one element means nothing. */
static void draw_idle(struct dice *dice, uint32_t rank, const uint32_t *sizes, uint32_t *strides)
{
    for (uint32_t i = 0; i < rank; ++i)
        if (sizes[i] == 1 && wild_chance(dice, 60))
            strides[i] = wild_chance(dice, 50) ? 0 : (uint32_t)dice_roll(dice);
}

static bool draw_strides(struct dice *dice, uint32_t rank, const uint32_t *sizes, bool is_input,
                         uint32_t *strides)
{
    uint32_t kind = wild_below(dice, 100);
    if (kind < 35)
        return false;
    draw_padded(dice, rank, sizes, strides);
    if (kind < 45) { /* packed, in words */
        uint32_t packed = 1;
        for (uint32_t i = rank; i-- > 0; packed *= sizes[i])
            strides[i] = packed;
    } else if (is_input && kind < 60) {
        for (uint32_t i = 0; i < rank; ++i)
            if (wild_chance(dice, 40))
                strides[i] = 0;
    } else if (kind < 75) {
        draw_small(dice, rank, strides);
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

bool wild_case(struct dice *dice, const struct wild_limits *limits, struct slice_case *c)
{
    static const uint32_t pads[] = {0, 1, 4, 64, 4096};
    uint64_t in_bytes, out_bytes;
    do {
        *c = (struct slice_case){.name = "wild"};
        c->data_type = 1 + wild_below(dice, 11);
        c->rank = 1 + wild_below(dice, CASE_MAX_RANK);
        draw_window(dice, limits, c);
        c->in_strided = draw_strides(dice, c->rank, c->in_sizes, true, c->in_strides);
        c->out_strided = draw_strides(dice, c->rank, c->out_sizes, false, c->out_strides);
    } while (!case_in_bytes(c, &in_bytes) || in_bytes > limits->bytes ||
             !case_out_bytes(c, &out_bytes) || out_bytes > limits->bytes);
    if (wild_chance(dice, 30)) {
        c->in_total_bytes = (in_bytes + 3) / 4 * 4 + 4 * pads[wild_below(dice, 5)];
        c->out_total_bytes = (out_bytes + 3) / 4 * 4 + 4 * pads[wild_below(dice, 5)];
    }
    return !c->out_strided || is_injective(c, out_bytes);
}

/* ---- Words ---- */

/* Appends a list of numbers after its name. */
static int list(char *text, size_t size, int at, const char *name, uint32_t rank,
                const uint32_t *numbers, bool is_signed)
{
    size_t used = (size_t)at < size ? (size_t)at : size;
    at += snprintf(text + used, size - used, ", %s", name);
    for (uint32_t i = 0; i < rank; ++i) {
        int64_t number = is_signed ? (int32_t)numbers[i] : (int64_t)numbers[i];
        used = (size_t)at < size ? (size_t)at : size;
        at += snprintf(text + used, size - used, "%c%" PRId64, i ? ',' : ' ', number);
    }
    return at;
}

int wild_case_text(const struct slice_case *c, char *text, size_t size)
{
    uint32_t steps[CASE_MAX_RANK];
    memcpy(steps, c->window_strides, sizeof steps);
    int at = snprintf(text, size, "type %" PRIu32, c->data_type);
    at = list(text, size, at, "in", c->rank, c->in_sizes, false);
    if (c->in_strided)
        at = list(text, size, at, "in strides", c->rank, c->in_strides, false);
    at = list(text, size, at, "offsets", c->rank, c->window_offsets, false);
    at = list(text, size, at, "windows", c->rank, c->window_sizes, false);
    at = list(text, size, at, "steps", c->rank, steps, true);
    at = list(text, size, at, "out", c->rank, c->out_sizes, false);
    if (c->out_strided)
        at = list(text, size, at, "out strides", c->rank, c->out_strides, false);
    size_t used = (size_t)at < size ? (size_t)at : size;
    return at + snprintf(text + used, size - used, ", totals %" PRIu64 ",%" PRIu64,
                         c->in_total_bytes, c->out_total_bytes);
}
