/* SPDX-License-Identifier: MIT */
/* A box of a plan's output -> struct launch: its blocks, and the work-items that take them. */
#ifndef CLSLICE_CORE_LAUNCH_H
#define CLSLICE_CORE_LAUNCH_H

#include "core/walk.h"

/* One kernel launch: where a box lies and how it is walked. */
struct launch {
    struct walk walk;
    uint64_t global_size;
    struct plan_range range;
};

/* Of a batch's item, the launch of one. */
struct launch launch_from(const struct plan *plan, const struct plan_box *box);

/* How many items one launch takes at most, and the launch of so many: what `one` does for each. */
uint64_t launch_items_most(const struct plan *plan, const struct launch *one);
struct launch launch_items(const struct plan *plan, const struct launch *one, uint64_t items);

/* The first launch over tensors as they are bound, and how many there are. */
struct launch launch_first(const struct plan *plan, uint64_t *launches);

/* Of that launch. */
void launch_describe(const struct plan *plan, struct text *text);

#endif
