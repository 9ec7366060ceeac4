/* SPDX-License-Identifier: MIT */
/* In which order blocks of strided_cpu follow each other. Pure. */
#ifndef CLSLICE_CORE_BLOCKS_CPU_NEAR_H
#define CLSLICE_CORE_BLOCKS_CPU_NEAR_H

#include "core/plan.h"

/* The dimension along which blocks follow each other first: of those that stay on a page of the
 * input, the one with the shortest steps, as the next blocks find its lines or its page again. The
 * steps of the row and of what lies between are on more pages than a processor knows the places of
 * at once, so with a row after the other, each page would be looked up again. The plan's rank where
 * there is none: what is read again stays where it is, and a batch takes dimension 0 for a row's
 * blocks. The plan's dimensions from `row` on are the row's, of `steps` steps. */
uint32_t cpu_near_dimension(const struct plan *plan, const struct plan_box *box, uint32_t row,
                            uint64_t steps);

#endif
