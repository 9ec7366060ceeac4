/* SPDX-License-Identifier: MIT */
/* Which kernel moves a slice on a CPU. Pure. */
#ifndef CLSLICE_CORE_VARIANTS_CPU_VARIANT_H
#define CLSLICE_CORE_VARIANTS_CPU_VARIANT_H

#include "core/limits.h"
#include "core/plan.h"

/* Sets variant, row, column and pattern of a plan that has its dimensions. */
void cpu_variant_choose(struct plan *plan, const struct plan_limits *limits);

#endif
