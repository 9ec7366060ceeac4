/* SPDX-License-Identifier: MIT */
/*
 * Blocks of transpose_cpu: how many elements of a row, and of a column, which may go on through
 * several dimensions. Pure.
 */
#ifndef CLSLICE_CORE_BLOCKS_CPU_BLOCK_H
#define CLSLICE_CORE_BLOCKS_CPU_BLOCK_H

#include "core/plan.h"

enum {
    CPU_BLOCK_COLUMN_RANK = 4,
    CPU_BLOCK_STEP_MOST = 256, /* elements with room for two steps of a row, which no block cuts */
    /* The same in bytes, of rows that go on before columns do: what lies side by side in the output
     * is written together. Rows of less than half the first go on in any case, others only where
     * the column has no need of the dimension. */
    CPU_BLOCK_SHORT_BYTES = 256,
    CPU_BLOCK_LONG_BYTES = 1024,
};

struct cpu_block {
    uint32_t height;                        /* whole steps of the column's last dimension */
    uint32_t rank;                          /* of a column, */
    uint32_t taken;                         /* and its dimensions of the plan: as bits, */
    uint32_t column[CPU_BLOCK_COLUMN_RANK]; /* and the fastest first */
};

/* The plan's dimensions from `first` on are the row's. */

/* Dimensions, as bits, without which a column would be shorter than a vector. */
uint32_t cpu_block_needs(const struct plan *plan, const struct plan_box *box, uint32_t first);

struct cpu_block cpu_block_of(const struct plan *plan, const struct plan_box *box, uint32_t first);

/* Elements of a block's row, of `row` in steps of `step`. */
uint32_t cpu_block_width(const struct plan *plan, const struct cpu_block *block, uint64_t row,
                         uint64_t step);

#endif
