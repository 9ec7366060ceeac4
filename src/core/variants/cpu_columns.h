/* SPDX-License-Identifier: MIT */
/*
 * When transpose_cpu, for which each plan here is made, is not the fastest kernel for columns.
 * Measured: see tests/bench/cpu.md. Pure.
 */
#ifndef CLSLICE_CORE_VARIANTS_CPU_COLUMNS_H
#define CLSLICE_CORE_VARIANTS_CPU_COLUMNS_H

#include "core/limits.h"
#include "core/plan.h"

enum {
    CPU_APART_MOST = 8, /* between elements of transpose_cpu's columns */
    /* Of an output whose columns take as long with any kernel: what compiles soonest moves them. */
    CPU_SMALLEST_BYTES = 64 << 10
};

/* Whether strided_cpu is faster. */
bool cpu_columns_are_strided(const struct plan *plan, const struct plan_limits *limits);

/* Whether gapped_cpu is faster than any other, for elements of 4 bytes and more: in a small output
 * of more than CPU_SMALLEST_BYTES, for few columns, for short ones and for any of 8 bytes and more,
 * whose lines do not crowd in a cache; in a larger one, for few columns of the whole input.
 * Measured on Intel's processors alone. */
bool cpu_columns_are_gapped(const struct plan *plan, const struct plan_limits *limits);

#endif
