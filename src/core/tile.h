/* SPDX-License-Identifier: MIT */
/* An output cut into boxes, none of which spans more of either tensor than a limit. */
#ifndef CLSLICE_CORE_TILE_H
#define CLSLICE_CORE_TILE_H

#include "core/plan.h"

/*
 * Boxes of which neither the input's nor the output's range exceeds max_bytes (at least 16), or the
 * plan's launch_bytes: `tile` is the size of each but the last along a dimension. Returns how many
 * there are.
 */
uint64_t tile_choose(const struct plan *plan, uint64_t max_bytes, uint64_t tile[TENSOR_RANK_MAX]);

/* The same for the launches of a plan over tensors as they are bound, as even as multiples of 16
 * are: one launch, unless the plan has launch_bytes. `are_aligned`, which may be NULL, becomes
 * whether all begin at such multiples, in elements along each dimension; if a launch has fewer than
 * 16 along one, they may not. */
uint64_t tile_launches(const struct plan *plan, uint64_t tile[TENSOR_RANK_MAX], bool *are_aligned);

/* The index-th box of that tiling. */
struct plan_box tile_box(const struct plan *plan, const uint64_t tile[TENSOR_RANK_MAX],
                         uint64_t index);

#endif
