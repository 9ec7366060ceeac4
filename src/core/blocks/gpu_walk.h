/* SPDX-License-Identifier: MIT */
/* What transpose_gpu reads of a walk: its blocks, their lines and rows, and who writes them. */
#ifndef CLSLICE_CORE_BLOCKS_GPU_WALK_H
#define CLSLICE_CORE_BLOCKS_GPU_WALK_H

#include "core/walk.h"

/* Fills it in, for the plan's block and that box. The walk has the places of its first elements,
 * and no dimension. */
void gpu_walk_set(const struct plan *plan, const struct plan_box *box, struct walk *walk);

#endif
