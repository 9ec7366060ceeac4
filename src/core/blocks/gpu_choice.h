/* SPDX-License-Identifier: MIT */
/*
 * Which block of transpose_gpu is the fastest, and in which turns a group of work-items writes it:
 * an estimate of what each costs. Pure.
 */
#ifndef CLSLICE_CORE_BLOCKS_GPU_CHOICE_H
#define CLSLICE_CORE_BLOCKS_GPU_CHOICE_H

#include "core/blocks/gpu_block.h"

/* What a group writes at once: of each of so many rows, so many strips of neighbouring words; at
 * most GPU_BLOCK_GROUP words. Its work-items go along the strip, then the rows, then the strips.
 * Work-item i reads a word's elements in order (i >> order_shift) * order_step, modulo their
 * number; order n begins with element n. Where the step is 0, all read them in the same one. */
struct gpu_turn {
    uint32_t strip, rows, strips, order_shift, order_step;
};

/* The best turn of a block: many work-items have something to do, and those that read together find
 * their elements in different banks. */
struct gpu_turn gpu_turn_best(const struct gpu_block *block);

/* Completes `choice`, of which `bytes` and `is_aligned` are set, to the best block that is found
 * whose lines take up to `wanted` of the bytes; both are at least GPU_BLOCK_WANTED_LEAST. `bytes`
 * becomes GPU_BLOCK_BYTES_FEW where the block has a program for so few. Returns what the block
 * costs: no unit, but per element. */
uint64_t gpu_block_choose(struct gpu_block_choice *choice, uint32_t wanted, uint32_t element_size,
                          struct gpu_block_first first, uint32_t rank, const struct slice_dim *dim);

#endif
