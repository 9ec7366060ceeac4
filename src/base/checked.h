/* SPDX-License-Identifier: MIT */
/* Unsigned 64-bit arithmetic on numbers that the caller chose: false where the result does not fit,
 * and then it is left alone. */
#ifndef CLSLICE_BASE_CHECKED_H
#define CLSLICE_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool checked_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    if (a != 0 && b > UINT64_MAX / a)
        return false;
    *product = a * b;
    return true;
}

/* Of numbers that cannot overflow. */
static inline uint64_t div_ceil(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Whether |value| is at most `most`, which is not negative. */
static inline bool is_within(int64_t value, int64_t most)
{
    return value >= -most && value <= most;
}

static inline uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
