/* SPDX-License-Identifier: MIT */
/* What a dispatch costs beside its work, against OpenCL's own calls on the same queue. */
#ifndef CLSLICE_CLI_BENCH_BENCH_OVERHEAD_H
#define CLSLICE_CLI_BENCH_BENCH_OVERHEAD_H

#include "cli/bench/bench_subject.h"

/* Seconds, 10th percentiles of interleaved samples. */
struct bench_cost {
    double latency; /* from the call to completion */
    double enqueue; /* the caller's own time, many calls back to back */
};

struct bench_overhead {
    struct bench_cost dispatch; /* with cl_mem bindings */
    struct bench_cost host;     /* of a dispatch with host memory */
    /* OpenCL's own: the latency of an empty kernel, and to enqueue a kernel of that grid, both
     * buffers set each time. */
    struct bench_cost bare;
};

bool bench_overhead_measure(const struct bench_subject *subject, struct bench_overhead *overhead,
                            struct problem *problem);

#endif
