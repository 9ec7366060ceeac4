/* SPDX-License-Identifier: MIT */
#include "core/dimensions.h"

enum { ELEMENT_SIZE_MAX = 16 }; /* bytes of the widest element: a uint4 */

/* Dimensions of more than one element, the largest output stride first: the order of the output's
 * addresses, whatever order the caller's dimensions had. */
static void take(const struct slice *slice, struct plan *plan)
{
    for (uint32_t i = 0; i < slice->rank; ++i) {
        const struct slice_dim *from = &slice->dim[i];
        if (from->size == 1)
            continue;
        uint32_t at = plan->rank++;
        for (; at > 0 && plan->dim[at - 1].out_stride < from->out_stride; --at)
            plan->dim[at] = plan->dim[at - 1];
        plan->dim[at] = *from;
    }
}

/* Joins neighbours where stepping the outer one is the same as running off the inner one's end. */
static void join(struct plan *plan)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        struct slice_dim *outer = &plan->dim[kept - (kept > 0)];
        const struct slice_dim *inner = &plan->dim[i];
        if (kept > 0 && outer->out_stride == inner->out_stride * (int64_t)inner->size &&
            outer->in_stride == inner->in_stride * (int64_t)inner->size)
            *outer =
                (struct slice_dim){outer->size * inner->size, inner->in_stride, inner->out_stride};
        else
            plan->dim[kept++] = *inner;
    }
    plan->rank = kept;
}

void dimensions_take(const struct slice *slice, struct plan *plan)
{
    take(slice, plan);
    join(plan);
}

static bool is_contiguous(const struct plan *plan)
{
    const struct slice_dim *inner = &plan->dim[plan->rank - 1];
    return inner->in_stride == 1 && inner->out_stride == 1;
}

static bool all_even(const struct plan *plan)
{
    const struct slice_dim *inner = &plan->dim[plan->rank - 1];
    uint64_t odd = plan->first | inner->size;
    for (uint32_t i = 0; i + 1 < plan->rank; ++i)
        odd |= (uint64_t)plan->dim[i].in_stride | (uint64_t)plan->dim[i].out_stride;
    return odd % 2 == 0;
}

void dimensions_widen(struct plan *plan)
{
    struct plan wide = *plan;
    while (wide.rank > 1 && wide.rank == plan->rank && wide.element_size < ELEMENT_SIZE_MAX &&
           is_contiguous(&wide) && all_even(&wide)) {
        wide.element_size *= 2;
        wide.first /= 2;
        wide.dim[wide.rank - 1].size /= 2;
        for (uint32_t i = 0; i + 1 < wide.rank; ++i) {
            wide.dim[i].in_stride /= 2;
            wide.dim[i].out_stride /= 2;
        }
        if (wide.dim[wide.rank - 1].size == 1)
            --wide.rank;
    }
    if (wide.rank < plan->rank)
        *plan = wide;
}
