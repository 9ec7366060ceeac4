/* SPDX-License-Identifier: MIT */
/* Which kernel moves a slice on a GPU, in which blocks and words. Pure. */
#ifndef CLSLICE_CORE_VARIANTS_GPU_VARIANT_H
#define CLSLICE_CORE_VARIANTS_GPU_VARIANT_H

#include "core/limits.h"
#include "core/plan.h"

enum {
    GPU_SHORT = 7,       /* elements of a row: what it costs is finding the next one */
    GPU_ITEM_BYTES = 16, /* of a work-item of rows_gpu and gradient_gpu, at most */
};

/* Sets variant, row, column, pattern and block of a plan that has its dimensions. */
void gpu_variant_choose(struct plan *plan, const struct plan_limits *limits,
                        enum plan_alignment alignment);

/* Bytes that transpose_gpu may take for its lines, 0 where there is no room. */
uint32_t gpu_variant_block_bytes(const struct plan_limits *limits);

/* Sets the block for transpose_gpu. Returns what it costs. */
uint64_t gpu_variant_choose_block(struct plan *plan, const struct plan_limits *limits,
                                  enum plan_alignment alignment);

/* What a work-item of strided_gpu moves at once: a word, or as many wide elements; or fewer. */
uint32_t gpu_variant_word_bytes(const struct plan *plan);

/* Whether strided_gpu can read rows as they lie, to make words of them. */
bool gpu_variant_has_neighbours(const struct plan *plan);

/* Whether strided_gpu is faster where gaps between the output's rows have work-items, too. */
bool gpu_variant_numbers_gaps(const struct plan *plan);

/* Whether all rows of an aligned output begin at words of rows_gpu. */
bool gpu_variant_rows_begin_at_words(const struct plan *plan, enum plan_alignment alignment);

#endif
