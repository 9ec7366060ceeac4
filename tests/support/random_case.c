/* SPDX-License-Identifier: MIT */
#include "support/random_case.h"

#include "conformance/case_desc.h"
#include "support/suite.h"

#include <string.h>

static uint32_t below(struct dice *dice, uint32_t count)
{
    return (uint32_t)dice_below(dice, count);
}

/* Sizes and the window of one dimension; `even` divides whatever it can. */
static void random_dimension(struct dice *dice, struct slice_case *c, uint32_t i, uint32_t even,
                             uint32_t longest)
{
    uint32_t count = dice_one_in(dice, 4) ? 1 : 1 + below(dice, longest);
    uint32_t step = dice_one_in(dice, 3) ? 1 + below(dice, 5) : 1;
    bool exact = even > 1;
    if (exact) {
        count = (1 + below(dice, 1 + longest / even)) * even;
        step = 1;
    }
    uint32_t extra = exact ? below(dice, 2) * even : below(dice, dice_one_in(dice, 3) ? 9 : step);
    uint32_t window = (count - 1) * step + 1 + extra;
    uint32_t before = dice_one_in(dice, 2) ? 0 : below(dice, 4) * even;
    uint32_t after = dice_one_in(dice, 2) ? 0 : below(dice, 4) * even;
    c->out_sizes[i] = count;
    c->window_sizes[i] = window;
    c->window_offsets[i] = before;
    c->in_sizes[i] = before + window + after;
    c->window_strides[i] = dice_one_in(dice, 2) ? (int32_t)step : -(int32_t)step;
    if (exact && !dice_one_in(dice, 4))
        c->window_strides[i] = 1;
    if (count == 1 && dice_one_in(dice, 8)) {
        const int32_t extreme[] = {INT32_MIN, INT32_MAX, -INT32_MAX, 1 << 30};
        c->window_strides[i] = extreme[below(dice, 4)];
    }
}

static void shuffle(struct dice *dice, uint32_t rank, uint32_t order[CASE_MAX_RANK])
{
    for (uint32_t i = rank; i > 1; --i) {
        uint32_t j = below(dice, i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

static uint32_t divisor_of(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Strides of nested dimensions, the innermost of `order` last, with gaps of multiples of `even`. */
static void nest(struct dice *dice, uint32_t rank, const uint32_t *sizes, const uint32_t *order,
                 uint32_t even, uint32_t *strides)
{
    uint32_t stride = dice_one_in(dice, 5) ? 1 + below(dice, 4) : 1;
    for (uint32_t k = rank; k-- > 0;) {
        uint32_t i = order[k];
        strides[i] = stride;
        if (sizes[i] == 1)
            strides[i] = dice_one_in(dice, 2) ? 0 : below(dice, 100000);
        else
            stride *= sizes[i];
        if (k > 0 && dice_one_in(dice, 3))
            stride += below(dice, 4) * even;
    }
}

/* Two innermost dimensions whose addresses mingle: the stride of the first is coprime to the
 * second's and not below the second's size. */
static void interleave(struct dice *dice, uint32_t rank, const uint32_t *sizes,
                       const uint32_t *order, uint32_t *strides)
{
    uint32_t a = order[rank - 1], b = order[rank - 2];
    strides[a] = sizes[b] + below(dice, 3);
    do
        strides[b] = 1 + below(dice, 9);
    while (divisor_of(strides[a], strides[b]) != 1);
    uint32_t stride = 1 + (sizes[a] - 1) * strides[a] + (sizes[b] - 1) * strides[b];
    for (uint32_t k = rank - 2; k-- > 0;) {
        strides[order[k]] = stride;
        stride *= sizes[order[k]];
    }
}

static void random_strides(struct dice *dice, uint32_t rank, const uint32_t *sizes, uint32_t even,
                           bool input, uint32_t *strides)
{
    uint32_t order[CASE_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (dice_one_in(dice, 3))
        shuffle(dice, rank, order);
    nest(dice, rank, sizes, order, even, strides);
    if (rank >= 2 && dice_one_in(dice, 6))
        interleave(dice, rank, sizes, order, strides);
    for (uint32_t i = 0; input && i < rank; ++i) {
        if (dice_one_in(dice, 10))
            strides[i] = 0;
        if (dice_one_in(dice, 20))
            strides[i] = 1 + below(dice, 5);
    }
}

/* The two innermost dimensions as pixels of up to four channels, of which some are taken, either way. */
static void random_pixels(struct dice *dice, struct slice_case *c)
{
    uint32_t last = c->rank - 1, channels = 2 + below(dice, 3), count = 1 + below(dice, channels);
    c->in_sizes[last] = channels;
    c->window_sizes[last] = c->out_sizes[last] = count;
    c->window_offsets[last] = below(dice, channels - count + 1);
    c->window_strides[last] = dice_one_in(dice, 2) ? 1 : -1;
    c->window_strides[last - 1] = dice_one_in(dice, 2) ? 1 : -1;
    c->in_strided = c->out_strided = false;
}

static bool small_enough(const struct slice_case *c)
{
    uint64_t in, out, count;
    uint32_t bytes = case_type_bytes(c->data_type);
    return case_out_elements(c, &count) && case_in_bytes(c, &in) && case_out_bytes(c, &out) &&
           count <= RANDOM_CASE_OUTPUTS && in / bytes <= RANDOM_CASE_SPAN &&
           out / bytes <= RANDOM_CASE_SPAN;
}

void random_case(struct dice *dice, struct slice_case *c)
{
    static const uint32_t longest[CASE_MAX_RANK] = {3000, 60, 14, 7, 5, 4, 3, 3};
    static const uint32_t evens[] = {1, 1, 2, 4, 8, 16};
    do {
        memset(c, 0, sizeof *c);
        c->name = "random";
        c->data_type = 1 + below(dice, 11);
        c->rank = 1 + below(dice, CASE_MAX_RANK);
        uint32_t even = evens[below(dice, COUNT_OF(evens))];
        for (uint32_t i = 0; i < c->rank; ++i)
            random_dimension(dice, c, i, i + 1 == c->rank ? even : 1, longest[c->rank - 1]);
        c->in_strided = dice_one_in(dice, 2);
        c->out_strided = dice_one_in(dice, 2);
        if (c->in_strided)
            random_strides(dice, c->rank, c->in_sizes, even, true, c->in_strides);
        if (c->out_strided)
            random_strides(dice, c->rank, c->out_sizes, even, false, c->out_strides);
        if (c->rank >= 2 && dice_one_in(dice, 4))
            random_pixels(dice, c);
    } while (!small_enough(c));
}
