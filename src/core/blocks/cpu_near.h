/* SPDX-License-Identifier: MIT */
/* In which order blocks of strided_cpu follow each other. Pure. */
#ifndef CLSLICE_CORE_BLOCKS_CPU_NEAR_H
#define CLSLICE_CORE_BLOCKS_CPU_NEAR_H

#include "core/plan.h"

/* The dimension along which blocks follow each other first: the one with the shortest steps in the
 * input, if these are shorter than a page and than the row's own. The next block then finds the
 * lines, or at least the pages, that this one has read. Only where the row and the dimensions
 * between lie on more pages than a processor knows the places of: else these are known anyway. The
 * plan's rank where there is none: also where the same is read again, which stays where it is, and
 * of a batch, which takes dimension 0 for a row's blocks. The plan's dimensions from `row` on are
 * the row's, of `steps` steps. */
uint32_t cpu_near_dimension(const struct plan *plan, const struct plan_box *box, uint32_t row,
                            uint64_t steps);

#endif
