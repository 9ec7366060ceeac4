/* SPDX-License-Identifier: MIT */
/* When rows_cpu is not the fastest kernel for rows. Measured: see tests/bench/cpu.md. Pure. */
#ifndef CLSLICE_CORE_VARIANTS_CPU_ROWS_H
#define CLSLICE_CORE_VARIANTS_CPU_ROWS_H

#include "core/limits.h"
#include "core/plan.h"

enum {
    /* Traffic of so many times cache_bytes of the plan's limits is more than the third-level cache
     * of an Intel processor holds; then runs of so many bytes of the output bypass the caches. */
    CPU_INTEL_CACHES_PASSED = 8,
    CPU_INTEL_RUN_PAST_CACHES = 320
};

/* Whether strided_cpu or, between gaps, gapped_cpu is faster than rows_cpu, for which the plan is
 * made: where a row has few elements, or few rows follow each other, but not for longer ones
 * between gaps; where strided_cpu picks pixels of short rows, or keeps a row that the input
 * repeats; where the processor guesses no next row; where rows lie near; and, on Intel's
 * processors, where they are interleaved with others. */
bool cpu_rows_are_slow(const struct plan *plan, const struct plan_limits *limits);

/* Whether gapped_cpu is faster than rows_cpu and strided_cpu for the plan's rows: on an Intel
 * processor, contiguous ones between gaps, of less than CPU_INTEL_RUN_PAST_CACHES, whose next ones
 * begin near their ends. */
bool cpu_rows_lie_near(const struct plan *plan, const struct plan_limits *limits);

#endif
