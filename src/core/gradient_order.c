/* SPDX-License-Identifier: MIT */
#include "core/gradient_order.h"

#include "base/checked.h"

enum {
    /* Of gradient_cpu's rows across the input's neighbours: parts, at least its SHORT. */
    CPU_GRADIENT_PART_BYTES = 4096,
    CPU_GRADIENT_ROW_BYTES = 1024, /* shorter rows are made in the output's order */
    CPU_GRADIENT_INPUTS = 4096,    /* that stay in the caches with a line each, */
};

/* How far apart inputs lie along a dimension, or as far as can be where there is one at most. */
static uint64_t input_distance(const struct plan *plan, uint32_t i)
{
    uint64_t apart = magnitude(plan->dim[i].in_stride);
    return plan->scatter[i].count > 1 && apart > 0 ? apart : UINT64_MAX;
}

/* Whether rows lie across the input's neighbours, and so many inputs come before one of a row's
 * neighbours that the caches have lost their lines. */
static bool is_across(const struct plan *plan)
{
    uint64_t inputs = 1, before = 0, nearest = input_distance(plan, plan->row);
    for (uint32_t i = plan->rank; i-- > 0;) {
        uint64_t apart = input_distance(plan, i);
        if (apart < nearest) {
            nearest = apart;
            before = inputs;
        }
        inputs *= apart < UINT64_MAX ? plan->scatter[i].count : 1;
    }
    return before >= CPU_GRADIENT_INPUTS && nearest < PLAN_LINE_BYTES / plan->element_size;
}

uint64_t gradient_order(const struct plan *plan, uint64_t row, uint32_t *order)
{
    for (uint32_t k = 0; k < plan->rank; ++k)
        order[k] = plan->rank - 1 - k;
    if (!plan_variant_is_cpu(plan->variant) || !is_across(plan) ||
        row * plan->element_size < CPU_GRADIENT_ROW_BYTES)
        return row;
    for (uint32_t k = 2; k < plan->rank; ++k) {
        uint32_t at = k, i = order[k];
        for (; at > 1 && input_distance(plan, i) < input_distance(plan, order[at - 1]); --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return clamp(CPU_GRADIENT_PART_BYTES / plan->element_size, 1, row);
}
