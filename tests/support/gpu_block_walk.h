/* SPDX-License-Identifier: MIT */
/* What a group of transpose_gpu moves, from the walk alone. */
#ifndef CLSLICE_TESTS_SUPPORT_GPU_BLOCK_WALK_H
#define CLSLICE_TESTS_SUPPORT_GPU_BLOCK_WALK_H

#include "core/launch.h"

/* Called for every element, with its places from the launch's first ones. */
typedef void gpu_element_visit(void *user, int64_t in, int64_t out);

static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Coordinates of dimension d that a block has, of which it is the at-th. */
static inline int64_t gpu_block_high(const struct walk *w, uint32_t d, uint64_t at)
{
    int64_t left = (int64_t)w->block[d].size - (int64_t)(at * w->block[d].extent);
    return left < (int64_t)w->block[d].extent ? left : (int64_t)w->block[d].extent;
}

/* The elements of a row from x on, as many as the block has: x counts from its first. */
static inline void gpu_row_visit(const struct walk *w, const uint64_t *at, int64_t in, int64_t out,
                                 int64_t shift, int64_t word, gpu_element_visit *visit, void *user)
{
    uint32_t last = w->run_rank - 1;
    int64_t full = w->full, extent = (int64_t)w->block[last].extent * full;
    int64_t end = gpu_block_high(w, last, at[last]) * full;
    int64_t left = (int64_t)w->row_size - (int64_t)at[last] * extent;
    end = end < left ? end : left;
    if (w->is_part && end > (int64_t)w->words * word - shift)
        end = (int64_t)w->words * word - shift;
    for (int64_t x = at[last] > 0 && w->early > 0 ? -shift : 0; x < end; ++x) {
        int64_t of_last = floor_div(x, full), inner = x - of_last * full, from = in;
        for (uint32_t d = 0; d < last; ++d) {
            from += inner % (int64_t)w->block[d].extent * w->block[d].in_step;
            inner /= (int64_t)w->block[d].extent;
        }
        visit(user, from + of_last * w->block[last].in_step, out + x);
    }
}

/* `before`: elements from a multiple of 16 bytes to the launch's first of the output. */
static inline void gpu_block_visit(const struct walk *w, uint64_t block, uint32_t size,
                                   uint64_t before, gpu_element_visit *visit, void *user)
{
    uint64_t at[8] = {0}, c[GPU_BLOCK_RANK] = {0};
    int64_t in = 0, out = 0, word = 16 / size;
    for (uint32_t d = 0; d < w->rank; ++d) {
        at[d] = block % w->dim[d].size;
        block /= w->dim[d].size;
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
            return;
    }
}

#endif
