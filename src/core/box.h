/* SPDX-License-Identifier: MIT */
/* Boxes of a plan's output: what each addresses. Pure. */
#ifndef CLSLICE_CORE_BOX_H
#define CLSLICE_CORE_BOX_H

#include "core/plan.h"

/* A box of the output: coordinates [at, at + size) in each of the plan's dimensions. */
struct plan_box {
    uint64_t at[TENSOR_RANK_MAX];
    uint64_t size[TENSOR_RANK_MAX];
};

/* What a box addresses of each tensor: elements of the plan's size from the tensor's first. */
struct plan_range {
    struct plan_extent {
        uint64_t first;     /* of the box's first coordinate */
        uint64_t low, high; /* [low, high); in the output, first is low */
    } in, out;
};

/* The whole output. */
struct plan_box plan_whole(const struct plan *plan);

uint64_t plan_box_elements(const struct plan *plan, const struct plan_box *box);

struct plan_range plan_range(const struct plan *plan, const struct plan_box *box);

/* Whether the box's elements lie side by side in the output. */
bool plan_is_packed(const struct plan *plan, const struct plan_box *box);

/* The plan with the box's elements side by side in the output, in the order of its dimensions.
 * Whatever variant can do the plan can do this one. */
struct plan plan_packed(const struct plan *plan, const struct plan_box *box);

#endif
