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

static inline uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The largest power of 2 up to 16 that divides all addresses and sizes whose bits these are. */
static inline uint32_t alignment_of(uint64_t bits)
{
    bits |= 16;
    return (uint32_t)(bits & (0 - bits));
}

static inline uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
