/* SPDX-License-Identifier: MIT */
/* How fast a case is, against the fastest copy that the device has. */
#ifndef CLSLICE_CLI_BENCH_BENCH_SPEED_H
#define CLSLICE_CLI_BENCH_BENCH_SPEED_H

#include "cli/bench/bench_subject.h"

struct bench_copy {
    const struct bench_cl *cl; /* borrowed */
    cl_kernel kernel;          /* owned; NULL: clEnqueueCopyBuffer is faster */
    size_t chunk_bytes;        /* what one work-item, or work-group, of the kernel copies */
    size_t chunk_items;        /* work-items of a chunk */
    size_t least_bytes;        /* copied at a time: what leaves nothing useful in a cache */
    double bytes_per_second;   /* read + written, when it was chosen */
};

/* Tries clEnqueueCopyBuffer and a streaming kernel from the device's input to its output, and keeps
 * the faster. May enlarge the buffers. */
bool bench_copy_open(struct bench_copy *copy, struct bench_cl *cl, struct problem *problem);

/* All zeros, and what could not be opened, are fine. */
void bench_copy_close(struct bench_copy *copy);

/* What the copy is, in a word. */
const char *bench_copy_name(const struct bench_copy *copy);

struct bench_speed {
    double seconds;               /* of one dispatch: the median */
    double copy_bytes_per_second; /* read + written by the copy beside it: the median */
    double efficiency;            /* median over the pairs: 1 is what the copy's bandwidth allows */
};

/* Runs copy, case, copy, case, ... `pairs` times on the device's buffers. */
bool bench_speed_measure(const struct bench_subject *subject, const struct bench_copy *copy,
                         size_t pairs, struct bench_speed *speed, struct problem *problem);

#endif
