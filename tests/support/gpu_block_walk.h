/* SPDX-License-Identifier: MIT */
/* What a group of transpose_gpu moves, from the walk alone. */
#ifndef CLSLICE_TESTS_SUPPORT_GPU_BLOCK_WALK_H
#define CLSLICE_TESTS_SUPPORT_GPU_BLOCK_WALK_H

#include "core/walk.h"

/* Called for every element, with its places from the launch's first ones. */
typedef void gpu_element_visit(void *user, int64_t in, int64_t out);

static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Of the at-th block along dimension d: what the last one has, the one before it, or the others. */
static inline int64_t gpu_of_block(const struct walk *w, uint32_t d, uint64_t at, int64_t last,
                                   int64_t previous, int64_t others)
{
    return at + 1 == w->dim[d].size ? last : at + 2 == w->dim[d].size ? previous : others;
}

/* Coordinates of dimension d that the at-th block has. */
static inline int64_t gpu_block_high(const struct walk *w, uint32_t d, uint64_t at)
{
    const struct walk_extent *dim = &w->block[d];
    return gpu_of_block(w, d, at, dim->last, dim->previous, dim->extent);
}

/* Elements of a dimension of the block, by the walk's own numbers. */
static inline int64_t gpu_block_size(const struct walk *w, uint32_t d)
{
    return (int64_t)(w->dim[d].size - 1) * w->block[d].extent + w->block[d].last;
}

/* Elements of the whole row, of which a block may have a part. */
static inline int64_t gpu_row_size(const struct walk *w)
{
    uint32_t last = w->run_rank - 1;
    return (int64_t)(w->dim[last].size - 1) * w->block[last].extent * (int64_t)w->full +
           w->last_end;
}

/* The elements of a row from x on, as many as the block has: x counts from its first. */
static inline void gpu_row_visit(const struct walk *w, const uint64_t *at, int64_t in, int64_t out,
                                 int64_t shift, int64_t word, gpu_element_visit *visit, void *user)
{
    uint32_t last = w->run_rank - 1;
    int64_t full = w->full;
    int64_t end = gpu_of_block(w, last, at[last], w->last_end, w->previous_end, w->end);
    if (w->is_part && end > (int64_t)w->words * word - shift)
        end = (int64_t)w->words * word - shift;
    for (int64_t x = at[last] > 0 && w->block[last].early > 0 ? -shift : 0; x < end; ++x) {
        int64_t of_last = floor_div(x, full), inner = x - of_last * full, from = in;
        for (uint32_t d = 0; d < last; ++d) {
            from += inner % w->block[d].extent * w->block[d].in_step;
            inner /= w->block[d].extent;
        }
        visit(user, from + of_last * w->block[last].in_step, out + x);
    }
}

/* The block's coordinates: of dimension `near` those of its band come first, then the others in
 * turn, then the next band's. False where the last band has no such block. */
static inline bool gpu_block_coordinates(const struct walk *w, uint64_t block, uint64_t *at)
{
    uint64_t band = block / w->band, rest = block % w->band;
    at[w->near] = band * w->band_near + rest % w->band_near;
    rest /= w->band_near;
    for (uint32_t d = 0; d < w->rank; ++d)
        if (d != w->near) {
            at[d] = rest % w->dim[d].size;
            rest /= w->dim[d].size;
        }
    return at[w->near] < w->near_size;
}

/* The block with the last coordinate of every dimension. */
static inline uint64_t gpu_last_block(const struct walk *w)
{
    return w->blocks - 1 - (w->blocks / w->band * w->band_near - w->near_size);
}

/* `before`: elements from a multiple of 16 bytes to the launch's first of the output. False where
 * the number has no block. */
static inline bool gpu_block_visit(const struct walk *w, uint64_t block, uint32_t size,
                                   uint64_t before, gpu_element_visit *visit, void *user)
{
    uint64_t at[8] = {0}, c[GPU_BLOCK_RANK] = {0};
    int64_t in = 0, out = 0, word = 16 / size;
    if (!gpu_block_coordinates(w, block, at))
        return false;
    for (uint32_t d = 0; d < w->rank; ++d) {
        in += (int64_t)at[d] * w->dim[d].in_stride;
        out += (int64_t)at[d] * w->dim[d].out_stride;
    }
    for (;;) {
        int64_t row_in = in, row_out = out;
        for (uint32_t d = w->run_rank; d < GPU_BLOCK_RANK; ++d) {
            row_in += (int64_t)c[d] * w->block[d].in_step;
            row_out += (int64_t)c[d] * w->block[d].out_step;
        }
        int64_t shift = ((int64_t)before + row_out) % word;
        gpu_row_visit(w, at, row_in, row_out, shift, word, visit, user);
        uint32_t d = w->run_rank;
        while (d < GPU_BLOCK_RANK && (int64_t)++c[d] >= gpu_block_high(w, d, at[d]))
            c[d++] = 0;
        if (d == GPU_BLOCK_RANK)
            return true;
    }
}

#endif
