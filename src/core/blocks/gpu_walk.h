/* SPDX-License-Identifier: MIT */
/* What transpose_gpu reads of a walk: its blocks, their lines and rows, and who writes them. */
#ifndef CLSLICE_CORE_BLOCKS_GPU_WALK_H
#define CLSLICE_CORE_BLOCKS_GPU_WALK_H

#include "core/walk.h"

/* Sets the walk's blocks for the plan's block and that box. Before, the walk has in_first,
 * out_first and 1 block, and is 0 otherwise where transpose_gpu reads it. */
void gpu_walk_set(const struct plan *plan, const struct plan_box *box, struct walk *walk);

#endif
