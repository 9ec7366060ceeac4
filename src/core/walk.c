/* SPDX-License-Identifier: MIT */
#include "core/walk.h"

#include "base/checked.h"

#include <stddef.h>

_Static_assert(sizeof(struct walk) == 680, "kernels/walk.cl declares this layout");
_Static_assert(offsetof(struct walk, band_shift) + sizeof(uint32_t) == sizeof(struct walk),
               "no padding at its end, which Mesa's rusticl leaves out of an argument's size");

/* ceil(log2(size)) */
static uint32_t log2_up(uint64_t size)
{
    uint32_t log = 0;
    while (UINT64_C(1) << log < size)
        ++log;
    return log;
}

/* Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994, with
 * s = log2_up(size). With r = floor(2^32 * (2^s - size) / size) + 1, the quotient of any 32-bit
 * number n is (h + (n - h) / 2) / 2^(s - 1), where h = n * r / 2^32. A size of 1 has no such
 * numbers. Where indices have 32 bits, and numbers therefore 31, r = ceil(2^(31 + s) / size), and
 * the quotient is (n * r / 2^32) / 2^(s - 1); of a size of 1 it is (2 * n * r / 2^32) / 2^s. */
struct divisor walk_divisor_of(const struct plan *plan, uint64_t size)
{
    uint32_t s = log2_up(size);
    uint64_t r = plan->index_bits == 32 ? div_ceil(UINT64_C(1) << (31 + s), size)
                                        : (((UINT64_C(1) << s) - size) << 32) / size + 1;
    return (struct divisor){(uint32_t)r, s > 0 ? s - 1 : 0};
}

struct walk_dim walk_dim_of(const struct plan *plan, uint64_t size, int64_t in_stride,
                            int64_t out_stride)
{
    bool divides_by_1 = plan->is_item && plan->index_bits == 32; /* see kernels/walk.cl */
    struct divisor by = walk_divisor_of(plan, size);
    return (struct walk_dim){.in_stride = in_stride,
                             .out_stride = out_stride,
                             .size = (uint32_t)size,
                             .reciprocal = by.reciprocal,
                             .shift = divides_by_1 ? log2_up(size) : by.shift};
}

void walk_add_dimension(const struct plan *plan, struct walk *walk, uint64_t size,
                        int64_t in_stride, int64_t out_stride)
{
    walk->dim[walk->rank++] = walk_dim_of(plan, size, in_stride, out_stride);
    walk->blocks *= size;
}
