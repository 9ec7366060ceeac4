/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_stat.h"

#include <stdlib.h>
#include <time.h>

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

double bench_quantile(double *samples, size_t count, double part)
{
    qsort(samples, count, sizeof *samples, compare);
    return samples[(size_t)((double)(count - 1) * part)];
}

double bench_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
