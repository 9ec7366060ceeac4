/* SPDX-License-Identifier: MIT */
/* Pseudo-random numbers for tests: the same ones in every run. */
#ifndef CLSLICE_TESTS_SUPPORT_DICE_H
#define CLSLICE_TESTS_SUPPORT_DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins as {seed}, seed not 0. */
struct dice {
    uint64_t state;
};

static inline uint64_t dice_roll(struct dice *dice)
{
    dice->state ^= dice->state >> 12;
    dice->state ^= dice->state << 25;
    dice->state ^= dice->state >> 27;
    return dice->state * UINT64_C(0x2545F4914F6CDD1D);
}

static inline void dice_fill(struct dice *dice, unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)(dice_roll(dice) >> 56);
}

/* In [0, count); count at least 1. */
static inline uint64_t dice_below(struct dice *dice, uint64_t count)
{
    return (dice_roll(dice) >> 16) % count;
}

/* In [low, high]. */
static inline uint64_t dice_between(struct dice *dice, uint64_t low, uint64_t high)
{
    return low + dice_below(dice, high - low + 1);
}

/* As dice_below, for numbers of 32 bits. */
static inline uint32_t dice_pick(struct dice *dice, uint32_t count)
{
    return (uint32_t)dice_below(dice, count);
}

static inline bool dice_one_in(struct dice *dice, uint64_t count)
{
    return dice_below(dice, count) == 0;
}

/* True in `percent` of 100 calls. */
static inline bool dice_percent(struct dice *dice, uint32_t percent)
{
    return dice_below(dice, 100) < percent;
}

#endif
