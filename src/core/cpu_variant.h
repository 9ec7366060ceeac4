/* SPDX-License-Identifier: MIT */
/* Which kernel moves a slice on a CPU. Pure. */
#ifndef CLSLICE_CORE_CPU_VARIANT_H
#define CLSLICE_CORE_CPU_VARIANT_H

#include "core/limits.h"
#include "core/plan.h"

enum {
    CPU_APART_MOST = 8, /* between elements of transpose_cpu's columns */
    /* Traffic of so many times cache_bytes of the plan's limits is more than the third-level cache
     * of an Intel processor holds; then runs of so many bytes of the output bypass the caches.
     * Measured: see tests/bench/README.md. */
    CPU_INTEL_CACHES_PASSED = 8,
    CPU_INTEL_RUN_PAST_CACHES = 320
};

/* Sets variant, row, column and pattern of a plan that has its dimensions. */
void cpu_variant_choose(struct plan *plan, const struct plan_limits *limits);

#endif
