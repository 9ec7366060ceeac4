/* SPDX-License-Identifier: MIT */
/* What a plan's kernel is compiled with: plans of one variant with the same definitions share a
 * program. No shape is among them. Pure. */
#ifndef CLSLICE_CORE_DEFINITIONS_H
#define CLSLICE_CORE_DEFINITIONS_H

#include "core/plan.h"

/* Appends a compiler's options, such as "-DELEMENT_SIZE=4 -DINDEX_BITS=32". */
void plan_define(const struct plan *plan, struct text *text);

#endif
