/* SPDX-License-Identifier: MIT */
#include "core/tile.h"

#include "base/checked.h"

enum { ALIGNED = 16 }; /* elements, which are 16 bytes at least */

static uint64_t stride_of(const struct slice_dim *dim, bool output)
{
    return magnitude(output ? dim->out_stride : dim->in_stride);
}

/* Elements of the output's coordinates from one input of a gradient to the next; 1 of a slice. */
static uint64_t step_of(const struct plan *plan, uint32_t i, bool output)
{
    return plan->is_gradient && !output ? plan->scatter[i].step : 1;
}

/* How far a tile of this size reaches along dimension i, by the strides of one tensor. */
static uint64_t reach_of(const struct plan *plan, uint32_t i, uint64_t size, bool output)
{
    uint64_t steps = (size - 1) / step_of(plan, i, output);
    if (plan->is_gradient && !output)
        steps = clamp(plan->scatter[i].count - 1, 0, steps);
    return steps * stride_of(&plan->dim[i], output);
}

/* Elements that a tile of this size spans, by the strides of one tensor. */
static uint64_t tile_span(const struct plan *plan, const uint64_t *tile, bool output)
{
    uint64_t span = 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        span += reach_of(plan, i, tile[i], output);
    return span;
}

/* Shrinks the tile along the dimension that spans most, to what fits if anything does. A
 * pattern's groups stay whole. */
static void shrink_tile(const struct plan *plan, uint64_t *tile, bool output, uint64_t limit)
{
    uint32_t longest = 0;
    uint64_t reach = 0;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        if (plan->pattern.group_size > 1 && i == plan->column)
            continue;
        uint64_t distance = reach_of(plan, i, tile[i], output);
        if (distance > reach) {
            longest = i;
            reach = distance;
        }
    }
    uint64_t others = tile_span(plan, tile, output) - reach, size = (tile[longest] + 1) / 2;
    if (others < limit) {
        uint64_t steps = (limit - others) / stride_of(&plan->dim[longest], output);
        size = (steps + 1) * step_of(plan, longest, output);
    }
    tile[longest] = size;
}

static uint64_t tile_count(const struct plan *plan, const uint64_t tile[TENSOR_RANK_MAX])
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        count *= div_ceil(plan->dim[i].size, tile[i]);
    return count;
}

uint64_t tile_choose(const struct plan *plan, uint64_t max_bytes, uint64_t tile[TENSOR_RANK_MAX])
{
    uint64_t most = plan->launch_bytes > 0 ? plan->launch_bytes : UINT64_MAX;
    uint64_t limit = clamp(max_bytes, 0, most) / plan->element_size;
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; ++i)
        tile[i] = i < plan->rank ? plan->dim[i].size : 1;
    for (int output = 0; output < 2; ++output)
        while (tile_span(plan, tile, output) > limit)
            shrink_tile(plan, tile, output, limit);
    return tile_count(plan, tile);
}

uint64_t tile_launches(const struct plan *plan, uint64_t tile[TENSOR_RANK_MAX], bool *are_aligned)
{
    bool all = true;
    tile_choose(plan, UINT64_MAX, tile);
    for (uint32_t i = 0; i < plan->rank; ++i) {
        uint64_t size = plan->dim[i].size, most = tile[i] - tile[i] % ALIGNED;
        if (tile[i] == size)
            continue;
        uint64_t step = most > 0 ? ALIGNED : 1;
        uint64_t even = div_ceil(size, div_ceil(size, most > 0 ? most : tile[i]));
        tile[i] = div_ceil(even, step) * step;
        all = all && most > 0;
    }
    if (are_aligned)
        *are_aligned = all;
    return tile_count(plan, tile);
}

struct plan_box tile_box(const struct plan *plan, const uint64_t tile[TENSOR_RANK_MAX],
                         uint64_t index)
{
    struct plan_box box = {{0}, {0}};
    for (uint32_t i = plan->rank; i-- > 0;) {
        uint64_t size = plan->dim[i].size, tiles = div_ceil(size, tile[i]);
        box.at[i] = index % tiles * tile[i];
        box.size[i] = clamp(size - box.at[i], 1, tile[i]);
        index /= tiles;
    }
    return box;
}
