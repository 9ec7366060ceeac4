/* SPDX-License-Identifier: MIT */
/* A slice's dimensions as a plan has them. Pure. */
#ifndef CLSLICE_CORE_DIMENSIONS_H
#define CLSLICE_CORE_DIMENSIONS_H

#include "core/plan.h"
#include "core/slice.h"

/* Those of more than one element in the order of the output's addresses, neighbours joined where
 * they can be. The plan has none yet. */
void dimensions_take(const struct slice *slice, struct plan *plan);

/* Moves two elements as one, as often as everything is even: where that makes the innermost run one
 * element, which gives way to the next dimension. Rows move in wide words of whatever element, so
 * nothing else is worth a second program. */
void dimensions_widen(struct plan *plan);

#endif
