/* SPDX-License-Identifier: MIT */
/*
 * Squares of strided_cpu: short rows of the output across neighbours of the input, which it turns
 * in registers, as transpose_cpu does, but reads all columns at once. Pure.
 */
#ifndef CLSLICE_CORE_BLOCKS_CPU_SQUARE_H
#define CLSLICE_CORE_BLOCKS_CPU_SQUARE_H

#include "core/plan.h"

enum { CPU_SQUARE_TABLE_BYTES = 4096 }; /* of the output, TABLE of the kernel: what a block is of */

/* Whether the plan's dimension `column` counts neighbours of the input, and rows of `elements` that
 * follow each other, of which a block has enough for squares. */
bool cpu_square_turns(const struct plan *plan, const struct plan_box *box, uint32_t column,
                      uint64_t elements);

#endif
