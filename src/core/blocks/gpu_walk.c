/* SPDX-License-Identifier: MIT */
#include "core/blocks/gpu_walk.h"

#include "base/checked.h"
#include "core/blocks/gpu_choice.h"

enum {
    BAND_NEAR_LEAST = 6, /* blocks along short lines: any numbers from 4 to 16 are as fast, */
    BAND_NEAR_MOST = 12, /* see tests/bench/gpu.md */
};

/* See divided() in kernels/transpose_gpu.cl. */
static uint32_t small_reciprocal(uint64_t d)
{
    return d > 1 ? (uint32_t)(UINT32_MAX / d + 1) : 0;
}

static struct walk_extent extent_of(const struct gpu_block *b, uint32_t i)
{
    const struct gpu_block_dim *dim = &b->dim[i];
    int64_t extent = (int64_t)dim->extent, early = i + 1 == b->run_rank ? (int64_t)b->early : 0;
    int64_t last = (int64_t)dim->size - (int64_t)(gpu_block_count(b, i) - 1) * extent;
    return (struct walk_extent){
        .in_step = dim->in_stride,
        .out_step = dim->out_stride,
        .extent = (int32_t)extent,
        .previous = (int32_t)(last < 0 ? extent + last : extent),
        .last = (int32_t)last,
        .early = (int32_t)early,
        .reciprocal = small_reciprocal((uint64_t)(extent + early)),
        .pitch = (int32_t)dim->pitch,
    };
}

/* Where the elements of a row end that block `at` along its last dimension has so many coordinates
 * of. */
static int32_t row_end(const struct gpu_block *b, int64_t at, int64_t coordinates)
{
    int64_t full = (int64_t)b->full, extent = (int64_t)b->dim[b->run_rank - 1].extent;
    int64_t most = (int64_t)b->row_size - at * extent * full;
    return (int32_t)(coordinates * full < most ? coordinates * full : most);
}

/* So many blocks that bands of them exceed `size` the least. */
static uint64_t band_near_of(uint64_t size)
{
    if (size <= BAND_NEAR_MOST)
        return size;
    uint64_t best = BAND_NEAR_MOST;
    for (uint64_t n = best - 1; n >= BAND_NEAR_LEAST; --n)
        if (div_ceil(size, n) * n < div_ceil(size, best) * best)
            best = n;
    return best;
}

/* Blocks are numbered band by band, see kernels/walk.cl. Where lines are short, bands go along
 * them, so that the caches still hold the memory lines that two blocks read a part of. They are a
 * few blocks long, so that what these write lies side by side, too. Otherwise, all blocks are one
 * band, in the order of the dimensions: along the first that has several blocks, as kernels cannot
 * divide by 1, except number 0, which a single block has. */
static void number_bands(const struct plan *plan, const struct gpu_block *b, struct walk *walk)
{
    uint32_t first = 0, near = gpu_block_near(b);
    while (first + 1 < walk->rank && walk->dim[first].size == 1)
        ++first;
    bool is_short = near > first && near < GPU_BLOCK_RANK; /* `first` comes first anyway */
    near = is_short ? near : first;
    uint64_t size = walk->dim[near].size, band_near = is_short ? band_near_of(size) : size;
    uint64_t band = walk->blocks / size * band_near;
    struct divisor by_band_near = walk_divisor_of(plan, band_near),
                   by_band = walk_divisor_of(plan, band);
    walk->near = (uint8_t)near;
    walk->near_size = (uint32_t)size;
    walk->band_near = (uint32_t)band_near;
    walk->by_band_near = by_band_near.reciprocal;
    walk->near_shift = (uint8_t)by_band_near.shift;
    walk->band = (uint32_t)band;
    walk->by_band = by_band.reciprocal;
    walk->band_shift = by_band.shift;
    walk->blocks = div_ceil(size, band_near) * band;
}

void gpu_walk_set(const struct plan *plan, const struct plan_box *box, struct walk *walk)
{
    struct slice_dim in_box[TENSOR_RANK_MAX];
    for (uint32_t i = 0; i < plan->rank; ++i) {
        in_box[i] = plan->dim[i];
        in_box[i].size = box->size[i];
    }
    const struct gpu_block_first first = {walk->in_first, walk->out_first};
    struct gpu_block b = gpu_block_of(&plan->block, plan->element_size, first, plan->rank, in_box);
    struct gpu_turn turn = gpu_turn_best(&b);
    walk->width = walk->height = 1;
    for (uint32_t i = 0; i < b.rank; ++i) {
        const struct gpu_block_dim *dim = &b.dim[i];
        if (i < GPU_BLOCK_RANK || dim->size > 1)
            walk_add_dimension(plan, walk, gpu_block_count(&b, i),
                               dim->in_stride * (int64_t)dim->extent,
                               dim->out_stride * (int64_t)dim->extent);
        if (i < GPU_BLOCK_RANK)
            walk->block[i] = extent_of(&b, i);
        walk->line_dims |= (uint32_t)dim->is_line << i;
    }
    for (uint32_t i = b.rank; i < GPU_BLOCK_RANK; ++i) {
        walk_add_dimension(plan, walk, 1, 0, 0);
        walk->block[i] = (struct walk_extent){.extent = 1, .previous = 1, .last = 1};
    }
    uint32_t last = b.run_rank - 1;
    int64_t blocks = walk->dim[last].size;
    walk->run_rank = b.run_rank;
    walk->full = (uint32_t)b.full;
    walk->end = row_end(&b, blocks - 3, walk->block[last].extent);
    walk->previous_end = row_end(&b, blocks - 2, walk->block[last].previous);
    walk->last_end = row_end(&b, blocks - 1, walk->block[last].last);
    walk->last_pitch = walk->block[last].pitch;
    walk->is_part = b.is_part;
    walk->is_straight = gpu_block_is_straight(&b);
    walk->back = (int32_t)b.back;
    walk->before = (int32_t)b.before;
    walk->lines = (uint32_t)b.lines;
    walk->units = (uint32_t)b.units;
    walk->rows = (uint32_t)b.rows;
    walk->words = (uint32_t)b.words;
    walk->strip = turn.strip;
    walk->rows_at_once = turn.rows;
    walk->strips_at_once = turn.strips;
    walk->words_at_once = turn.strip * turn.strips;
    walk->order_shift = (uint8_t)turn.order_shift;
    walk->order_step = (uint8_t)turn.order_step;
    walk->steps = !walk->is_straight && b.full <= GPU_BLOCK_STEPS
                      ? (uint32_t)(b.full + gpu_block_word(b.element_size))
                      : 0;
    walk->by_full = small_reciprocal(b.full);
    walk->by_units = small_reciprocal(b.units);
    walk->has_ends = gpu_block_has_ends(&b);
    number_bands(plan, &b, walk);
    walk->by_strip = small_reciprocal(turn.strip);
    walk->by_rows_at_once = small_reciprocal(turn.rows);
}
