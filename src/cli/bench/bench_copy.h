/* SPDX-License-Identifier: MIT */
/* The copy that every speed is compared with: the fastest that the device has. */
#ifndef CLSLICE_CLI_BENCH_BENCH_COPY_H
#define CLSLICE_CLI_BENCH_BENCH_COPY_H

#include "cli/bench/bench_cl.h"

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

/* Bytes that a copy beside a case copies: what makes it move about `floor_bytes`, as far as the
 * buffers reach. */
size_t bench_copy_bytes(const struct bench_copy *copy, uint64_t floor_bytes);

/* Copies so many bytes and waits. */
bool bench_copy_time(const struct bench_copy *copy, size_t bytes, double *seconds,
                     struct problem *problem);

/* What the copy is, in a word. */
const char *bench_copy_name(const struct bench_copy *copy);

#endif
