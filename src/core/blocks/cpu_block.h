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
    /* Rows of up to half so many elements go on into dimensions that columns leave: they become a
     * step, which no block cuts. */
    CPU_BLOCK_STEP_MOST = 256,
    /* Rows of up to half so many bytes go on before columns do, as what lies side by side in the
     * output is written together: short ones in any case, long ones where columns have no need of
     * the dimension. A step has at most half of WIDTH_MOST elements. */
    CPU_BLOCK_SHORT_BYTES = 256,
    CPU_BLOCK_LONG_BYTES = 1024,
};

struct cpu_block {
    uint32_t height;                        /* whole steps of the column's last dimension */
    uint32_t rank;                          /* of a column, */
    uint32_t taken;                         /* and its dimensions of the plan: as bits, */
    uint32_t column[CPU_BLOCK_COLUMN_RANK]; /* and the fastest first */
};

/* The plan's dimensions from `first` on are the row's, of steps of `row_step` elements. */

/* Dimensions, as bits, through which a column goes until it is as long as a vector or can go no
 * further: at least its first. */
uint32_t cpu_block_needs(const struct plan *plan, const struct plan_box *box, uint32_t first);

struct cpu_block cpu_block_of(const struct plan *plan, const struct plan_box *box, uint32_t first,
                              uint64_t row_step);

/* Elements of a block's row, of `row`. */
uint32_t cpu_block_width(const struct plan *plan, const struct cpu_block *block, uint64_t row,
                         uint64_t row_step);

#endif
