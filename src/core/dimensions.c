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
        for (; at > 0 && plan->dim[at - 1].out_stride < from->out_stride; --at) {
            plan->dim[at] = plan->dim[at - 1];
            plan->scatter[at] = plan->scatter[at - 1];
        }
        plan->dim[at] = *from;
        if (plan->is_gradient)
            plan->scatter[at] = slice->scatter[i];
    }
}

/* Whether stepping the outer one is the same as running off the inner one's end: of a gradient, if
 * every element of the inner one has its input and the outer one leaves none out between two. */
static bool continues(const struct plan *plan, uint32_t outer, uint32_t inner)
{
    const struct slice_dim *o = &plan->dim[outer], *i = &plan->dim[inner];
    const struct slice_scatter *so = &plan->scatter[outer], *si = &plan->scatter[inner];
    bool follows = o->in_stride == i->in_stride * (int64_t)i->size;
    if (o->out_stride != i->out_stride * (int64_t)i->size)
        return false;
    if (!plan->is_gradient)
        return follows;
    return si->count == i->size && si->step == 1 && (so->count == 1 || (so->step == 1 && follows));
}

/* Joins neighbours. */
static void join(struct plan *plan)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        uint32_t outer = kept - (kept > 0);
        const struct slice_dim inner = plan->dim[i];
        const struct slice_scatter s = plan->scatter[i];
        if (kept > 0 && continues(plan, outer, i)) {
            const struct slice_scatter of = plan->scatter[outer];
            plan->dim[outer] = (struct slice_dim){plan->dim[outer].size * inner.size,
                                                  inner.in_stride, inner.out_stride};
            plan->scatter[outer] =
                (struct slice_scatter){of.start * inner.size, s.step, of.count * inner.size};
        } else {
            plan->dim[kept] = inner;
            plan->scatter[kept++] = s;
        }
    }
    plan->rank = kept;
}

void dimensions_take(const struct slice *slice, struct plan *plan)
{
    take(slice, plan);
    join(plan);
}

/* Of a gradient, every element of the innermost dimension has its input. */
static bool is_contiguous(const struct plan *plan)
{
    const struct slice_dim *inner = &plan->dim[plan->rank - 1];
    bool is_whole = !plan->is_gradient || plan->scatter[plan->rank - 1].count == inner->size;
    return inner->in_stride == 1 && inner->out_stride == 1 && is_whole;
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
        wide.scatter[wide.rank - 1].count /= 2;
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
