/* SPDX-License-Identifier: MIT */
/* Whether two coordinates of a strided layout share an address: decided exactly, or not at all,
 * without enumerating the elements. */
#ifndef CLSLICE_CORE_OVERLAP_H
#define CLSLICE_CORE_OVERLAP_H

#include <stdint.h>

#define OVERLAP_NONE UINT32_MAX
#define OVERLAP_UNDECIDED (UINT32_MAX - 1) /* it would take too long: see overlap.c */

/*
 * Returns a dimension that takes part in an overlap, or one of the above. Dimensions of size 1 do
 * not count. rank is at most 8, and 1 + dot(size - 1, stride) at most 2^32 - 1. Layouts of up to
 * three dimensions of more than one element are always decided.
 */
uint32_t overlap_find(uint32_t rank, const uint64_t *size, const uint64_t *stride);

#endif
