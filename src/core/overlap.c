/* SPDX-License-Identifier: MIT */
/*
 * Two coordinates share an address where some difference d, not all 0, with |d_i| < size_i has
 * dot(d, stride) = 0. Of the axes, the largest stride first, all but two are tried out, bounded by
 * what the rest can still reach; the last two are solved as a linear Diophantine equation. So two
 * axes are decided at once and three soon; more may need more steps than are worth it, but no
 * layout that somebody would use does: an axis with a stride that the rest cannot reach takes a
 * single step.
 */
#include "core/overlap.h"

#include "base/checked.h"
#include "clslice/directml.h"

#include <stdbool.h>
#include <string.h>

enum {
    AXES_MAX = DML_TENSOR_DIMENSION_COUNT_MAX1,
    STEPS_MAX = 1 << 20 /* of a search: tens of milliseconds */
};

struct axis {
    int64_t most;   /* size - 1, at least 1 */
    int64_t stride; /* at least 1 */
    uint32_t index; /* of the caller's dimension */
};

/* Axes ordered by stride, the largest first. A residual is at most 2^33 in magnitude. */
struct search {
    const struct axis *axis;
    uint32_t count;              /* at least 2 */
    uint32_t steps;              /* left */
    int64_t reach[AXES_MAX + 1]; /* largest |sum| of axis k and all behind it */
    int64_t gcd;                 /* of the solved pair's strides */
    int64_t period;              /* x steps by this between solutions */
    int64_t inverse;             /* of the first stride / gcd, modulo period */
};

enum verdict { DISTINCT, OVERLAPPING, UNDECIDED };

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

/* Whether x * a.stride + y * b.stride = -residual has a solution with |x| <= a.most, |y| <=
 * b.most. */
static bool pair_reaches(const struct search *search, int64_t residual)
{
    if (residual % search->gcd != 0)
        return false;
    const struct axis *a = &search->axis[search->count - 2], *b = a + 1;
    int64_t reach = b->most * b->stride;
    int64_t low = -divide_down(residual + reach, a->stride);
    int64_t high = divide_down(reach - residual, a->stride);
    low = low > -a->most ? low : -a->most;
    high = high < a->most ? high : a->most;
    if (low > high)
        return false;
    int64_t period = search->period;
    uint64_t target = (uint64_t)((-residual / search->gcd % period + period) % period);
    int64_t x = (int64_t)(target * (uint64_t)search->inverse % (uint64_t)period);
    int64_t first = low + ((x - low) % period + period) % period;
    return first <= high;
}

/* Tries axis k. `zero`: every axis before it was given 0, so that by symmetry this one needs no
 * negative difference. False, too, where no steps are left. */
static bool try_axis(struct search *search, uint32_t k, int64_t residual, bool zero)
{
    if (search->steps == 0)
        return false;
    --search->steps;
    if (k + 2 == search->count)
        return zero ? false : pair_reaches(search, residual);
    const struct axis *axis = &search->axis[k];
    int64_t rest = search->reach[k + 1];
    int64_t low = -divide_down(residual + rest, axis->stride);
    int64_t high = divide_down(rest - residual, axis->stride);
    int64_t least = zero ? 0 : -axis->most;
    low = low > least ? low : least;
    high = high < axis->most ? high : axis->most;
    for (int64_t d = low; d <= high && search->steps > 0; ++d)
        if (try_axis(search, k + 1, residual + d * axis->stride, zero && d == 0))
            return true;
    return false;
}

/* More elements than addresses; products stay below 2^64 as both factors are below 2^32. */
static bool are_too_many(const struct axis *axis, uint32_t count)
{
    uint64_t elements = 1, span = 1;
    for (uint32_t i = 0; i < count; ++i)
        span += (uint64_t)(axis[i].most * axis[i].stride);
    for (uint32_t i = 0; i < count && elements <= span; ++i)
        elements *= (uint64_t)axis[i].most + 1;
    return elements > span;
}

static enum verdict judge(const struct axis *axis, uint32_t count)
{
    struct search search = {.axis = axis, .count = count, .steps = STEPS_MAX};
    bool nested = true;
    for (uint32_t k = count; k-- > 0;) {
        nested = nested && axis[k].stride > search.reach[k + 1];
        search.reach[k] = search.reach[k + 1] + axis[k].most * axis[k].stride;
    }
    if (nested)
        return DISTINCT;
    if (are_too_many(axis, count))
        return OVERLAPPING;
    const struct axis *a = &axis[count - 2], *b = a + 1;
    search.gcd = (int64_t)greatest_common_divisor((uint64_t)a->stride, (uint64_t)b->stride);
    search.period = b->stride / search.gcd;
    search.inverse = modular_inverse(a->stride / search.gcd, search.period);
    if (search.period <= a->most && a->stride / search.gcd <= b->most)
        return OVERLAPPING;
    if (try_axis(&search, 0, 0, true))
        return OVERLAPPING;
    return search.steps > 0 ? DISTINCT : UNDECIDED;
}

/* Takes every axis away that some overlap does without: those that stay take part in one, as far
 * as that can be decided. */
static uint32_t find_part(struct axis *axis, uint32_t count)
{
    for (uint32_t i = 0; i < count && count > 2;) {
        struct axis without[AXES_MAX];
        memcpy(without, axis, i * sizeof *axis);
        memcpy(without + i, axis + i + 1, (count - i - 1) * sizeof *axis);
        if (judge(without, count - 1) == OVERLAPPING)
            memcpy(axis, without, --count * sizeof *axis);
        else
            ++i;
    }
    return axis[count - 1].index;
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
        uint32_t at = count++;
        for (; at > 0 && axis[at - 1].stride < (int64_t)stride[i]; --at)
            axis[at] = axis[at - 1];
        axis[at] = (struct axis){(int64_t)size[i] - 1, (int64_t)stride[i], i};
    }
    enum verdict verdict = judge(axis, count);
    return verdict == DISTINCT    ? OVERLAP_NONE
           : verdict == UNDECIDED ? OVERLAP_UNDECIDED
                                  : find_part(axis, count);
}
