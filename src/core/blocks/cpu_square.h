/* SPDX-License-Identifier: MIT */
/*
 * Squares of strided_cpu: short rows of the output across neighbours of the input, which it turns
 * in registers, as transpose_cpu does, but reads all columns at once. Pure.
 */
#ifndef CLSLICE_CORE_BLOCKS_CPU_SQUARE_H
#define CLSLICE_CORE_BLOCKS_CPU_SQUARE_H

#include "core/plan.h"

/* Bytes of the output that a block of strided_cpu or gapped_cpu has at most, but for squares: their
 * TABLE. */
enum { CPU_TABLE_BYTES = 4096 };

/* The dimension of the box that counts the rows of squares: neighbours of the input, of which a
 * block has enough. The plan's rank where strided_cpu turns none. */
uint32_t cpu_square_column(const struct plan *plan, const struct plan_box *box);

/* Rows of squares that a block has at most, of `step` elements each. */
uint64_t cpu_square_rows(const struct plan *plan, uint64_t step);

#endif
