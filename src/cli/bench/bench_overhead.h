/* SPDX-License-Identifier: MIT */
/* What a dispatch costs beside its work, against OpenCL's own calls on the same queue. */
#ifndef CLSLICE_CLI_BENCH_BENCH_OVERHEAD_H
#define CLSLICE_CLI_BENCH_BENCH_OVERHEAD_H

#include "cli/bench/bench_subject.h"

/* Seconds, 10th percentiles of interleaved samples. */
struct bench_overhead {
    double dispatch;      /* from the call to completion, cl_mem bindings */
    double empty;         /* the same of an empty kernel */
    double enqueue;       /* the caller's own time for a dispatch, many of them back to back */
    double bare_enqueue;  /* the same for a kernel of that grid, both buffers set each time */
    double host_dispatch; /* of a dispatch with host memory, as the first */
    double host_enqueue;  /* likewise */
};

bool bench_overhead_measure(const struct bench_subject *subject, const struct bench_cl *cl,
                            struct bench_overhead *overhead, struct problem *problem);

#endif
