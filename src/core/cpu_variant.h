/* SPDX-License-Identifier: MIT */
/* Which kernel moves a slice on a CPU. Pure. */
#ifndef CLSLICE_CORE_CPU_VARIANT_H
#define CLSLICE_CORE_CPU_VARIANT_H

#include "core/limits.h"
#include "core/plan.h"

enum {
    CPU_APART_MOST = 8, /* between elements of transpose_cpu's columns */
    /* Times as much traffic as the caches of a plan's limits hold, of less than which a third-level
     * cache of Intel's processors may hold some: measured, see tests/bench/README.md. */
    CPU_INTEL_CACHES_PASSED = 8
};

/* Sets variant, row, column and pattern of a plan that has its dimensions. */
void cpu_variant_choose(struct plan *plan, const struct plan_limits *limits);

#endif
