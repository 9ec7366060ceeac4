/* SPDX-License-Identifier: MIT */
#include "core/variants/pattern.h"

#include "base/checked.h"

bool pattern_take_groups(struct plan *plan)
{
    if (plan->rank < 2 || plan->element_size > 4)
        return false;
    const struct slice_dim *group = &plan->dim[plan->rank - 1], *row = group - 1;
    if (group->size > PATTERN_SIZE_MOST || !is_within(group->in_stride, 1) ||
        group->out_stride != 1 || row->out_stride != (int64_t)group->size ||
        !is_within(row->in_stride, PATTERN_STRIDE_MOST) || group->in_stride == 0 ||
        is_within(row->in_stride, (int64_t)group->size - 1))
        return false;
    plan->pattern = (struct plan_pattern){(int32_t)row->in_stride, (uint32_t)group->size,
                                          (int32_t)group->in_stride};
    plan->row = plan->rank - 2;
    plan->column = plan->rank - 1;
    return true;
}

bool pattern_take_rows(struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    if (row->out_stride != 1 || !is_within(row->in_stride, PATTERN_STRIDE_MOST) ||
        plan->element_size > 8 || (row->in_stride == 0 && !plan_variant_is_cpu(plan->variant)))
        return false;
    plan->pattern = (struct plan_pattern){(int32_t)row->in_stride, 1, 0};
    return true;
}

bool pattern_take_transpose(struct plan *plan, uint64_t row_least, uint64_t column_least,
                            int64_t most)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    if (row->out_stride != 1 || row->size < row_least)
        return false;
    for (uint32_t i = plan->rank - 1; i-- > 0;)
        if (is_within(plan->dim[i].in_stride, most) && plan->dim[i].in_stride != 0 &&
            plan->dim[i].size >= column_least) {
            plan->column = i;
            most = (int64_t)magnitude(plan->dim[i].in_stride) - 1;
        }
    return plan->column < plan->rank;
}
