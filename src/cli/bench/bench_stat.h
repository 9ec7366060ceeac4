/* SPDX-License-Identifier: MIT */
/* Numbers out of samples, and the clock. */
#ifndef CLSLICE_CLI_BENCH_BENCH_STAT_H
#define CLSLICE_CLI_BENCH_BENCH_STAT_H

#include <stddef.h>

/* What `part`, 0 to 1, of the samples are at most; 0.5: the median, of an even number the lower
 * one. Sorts the samples, of which there is at least one. */
double bench_quantile(double *samples, size_t count, double part);

/* Seconds of a clock that only goes forward. */
double bench_now(void);

#endif
