/* SPDX-License-Identifier: MIT */
/* In which order the elements of a gradient are made. Pure. */
#ifndef CLSLICE_CORE_GRADIENT_ORDER_H
#define CLSLICE_CORE_GRADIENT_ORDER_H

#include "core/plan.h"

/* Sets the dimensions by which a gradient's elements are numbered, the fastest first, and returns
 * how many of a row's `row` elements are made before the next one. Where gradient_cpu's rows lie
 * across the input's neighbours, these are a part, and the rows with the nearest inputs come first,
 * so that the input's lines stay in the caches for all of them. */
uint64_t gradient_order(const struct plan *plan, uint64_t row, uint32_t *order);

#endif
