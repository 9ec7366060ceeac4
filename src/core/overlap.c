/* SPDX-License-Identifier: MIT */
/*
 * Two coordinates share an address where some difference d, not all 0, with |d_i| < size_i has
 * dot(d, stride) = 0. The dimensions fall into groups that cannot compensate for one another; inside
 * a group all but two of them are tried out, bounded by what the rest can still reach, and the last
 * two are solved as a linear Diophantine equation. A group of two, the usual worst case, is thus
 * decided at once.
 */
#include "core/overlap.h"

#include "clslice/directml.h"

#include <stdbool.h>
#include <string.h>

enum { AXES_MAX = DML_TENSOR_DIMENSION_COUNT_MAX1 };

struct axis {
    int64_t most;   /* size - 1, at least 1 */
    int64_t stride; /* at least 1 */
    uint32_t index; /* of the caller's dimension */
};

/* Axes of one group: `tried` come first, ordered by stride, the largest first; two solved ones end
 * it. A residual is at most 2^33 in magnitude. */
struct group {
    const struct axis *axis;
    uint32_t count;
    int64_t reach[AXES_MAX + 1]; /* largest |sum| of axis k and all behind it */
    int64_t gcd;                 /* of the solved pair's strides */
    int64_t period;              /* x steps by this between solutions */
    int64_t inverse;             /* of the first stride / gcd, modulo period */
};

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* a^-1 modulo m for coprime a and m >= 1, in [0, m). */
static int64_t modular_inverse(int64_t a, int64_t m)
{
    int64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1;
    while (r1 != 0) {
        int64_t quotient = r0 / r1, r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
        r0 = r1;
        r1 = r2;
        t0 = t1;
        t1 = t2;
    }
    return ((t0 % m) + m) % m;
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/* Whether x * a.stride + y * b.stride = -residual has a solution with |x| <= a.most, |y| <= b.most. */
static bool pair_reaches(const struct group *group, int64_t residual)
{
    if (residual % group->gcd != 0)
        return false;
    const struct axis *a = &group->axis[group->count - 2], *b = a + 1;
    int64_t reach = b->most * b->stride;
    int64_t low = -divide_down(residual + reach, a->stride);
    int64_t high = divide_down(reach - residual, a->stride);
    low = low > -a->most ? low : -a->most;
    high = high < a->most ? high : a->most;
    if (low > high)
        return false;
    int64_t period = group->period;
    uint64_t target = (uint64_t)((-residual / group->gcd % period + period) % period);
    int64_t x = (int64_t)(target * (uint64_t)group->inverse % (uint64_t)period);
    int64_t first = low + ((x - low) % period + period) % period;
    return first <= high;
}

/* Tries axis k. `zero`: every axis before it was given 0, so that by symmetry this one needs no
 * negative difference. */
static bool search(const struct group *group, uint32_t k, int64_t residual, bool zero)
{
    if (k + 2 == group->count)
        return zero ? false : pair_reaches(group, residual);
    const struct axis *axis = &group->axis[k];
    int64_t rest = group->reach[k + 1];
    int64_t low = -divide_down(residual + rest, axis->stride);
    int64_t high = divide_down(rest - residual, axis->stride);
    int64_t least = zero ? 0 : -axis->most;
    low = low > least ? low : least;
    high = high < axis->most ? high : axis->most;
    for (int64_t d = low; d <= high; ++d)
        if (search(group, k + 1, residual + d * axis->stride, zero && d == 0))
            return true;
    return false;
}

static void swap_axes(struct axis *a, struct axis *b)
{
    struct axis kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the two axes of most elements to the end: they are solved, not tried. */
static void put_largest_last(struct axis *axis, uint32_t count)
{
    for (uint32_t end = count; end > count - 2; --end) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < end; ++i)
            if (axis[i].most > axis[largest].most)
                largest = i;
        struct axis kept = axis[largest];
        for (uint32_t i = largest; i + 1 < end; ++i)
            axis[i] = axis[i + 1];
        axis[end - 1] = kept;
    }
}

static bool group_overlaps(struct axis *axis, uint32_t count)
{
    if (count < 2)
        return false;
    /* More elements than addresses; products stay below 2^64 as both factors are below 2^32. */
    uint64_t elements = 1, span = 1;
    for (uint32_t i = 0; i < count; ++i)
        span += (uint64_t)(axis[i].most * axis[i].stride);
    for (uint32_t i = 0; i < count; ++i) {
        elements *= (uint64_t)axis[i].most + 1;
        if (elements > span)
            return true;
    }
    put_largest_last(axis, count);
    struct group group = {.axis = axis, .count = count};
    for (uint32_t k = count; k-- > 0;)
        group.reach[k] = group.reach[k + 1] + axis[k].most * axis[k].stride;
    const struct axis *a = &axis[count - 2], *b = a + 1;
    group.gcd = greatest_divisor(a->stride, b->stride);
    group.period = b->stride / group.gcd;
    group.inverse = modular_inverse(a->stride / group.gcd, group.period);
    if (group.period <= a->most && a->stride / group.gcd <= b->most)
        return true;
    return search(&group, 0, 0, true);
}

/* Takes every axis away that some overlap does without: those that stay take part in one. */
static uint32_t find_part(const struct axis *axis, uint32_t count)
{
    struct axis kept[AXES_MAX], tried[AXES_MAX];
    memcpy(kept, axis, count * sizeof *axis);
    for (uint32_t i = 0; i < count && count > 2;) {
        memcpy(tried, kept, i * sizeof *kept);
        memcpy(tried + i, kept + i + 1, (count - i - 1) * sizeof *kept);
        struct axis left[AXES_MAX];
        memcpy(left, tried, (count - 1) * sizeof *tried);
        if (group_overlaps(tried, count - 1))
            memcpy(kept, left, --count * sizeof *left);
        else
            ++i;
    }
    return kept[count - 1].index;
}

uint32_t overlap_find(uint32_t rank, const uint64_t *size, const uint64_t *stride)
{
    struct axis axis[AXES_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < rank; ++i) {
        if (size[i] == 1)
            continue;
        if (stride[i] == 0)
            return i;
        axis[count++] = (struct axis){(int64_t)size[i] - 1, (int64_t)stride[i], i};
        for (uint32_t j = count - 1; j > 0 && axis[j].stride > axis[j - 1].stride; --j)
            swap_axes(&axis[j], &axis[j - 1]);
    }

    /* Axes [0, cut) and the rest are independent where the rest cannot reach the first common
     * multiple of what the former can make. */
    uint32_t start = 0;
    int64_t divisor = 0;
    for (uint32_t cut = 1; cut <= count; ++cut) {
        divisor = greatest_divisor(axis[cut - 1].stride, divisor);
        int64_t reach = 0;
        for (uint32_t i = cut; i < count; ++i)
            reach += axis[i].most * axis[i].stride;
        if (reach >= divisor && cut < count)
            continue;
        struct axis group[AXES_MAX];
        memcpy(group, axis + start, (cut - start) * sizeof *axis);
        if (group_overlaps(group, cut - start))
            return find_part(axis + start, cut - start);
        start = cut;
        /* A later cut still has to stand apart from all axes before it, so the divisor stays. */
    }
    return OVERLAP_NONE;
}
