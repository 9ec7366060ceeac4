/* SPDX-License-Identifier: MIT */
/* A device whose driver counts what the library asks of it, and the slice that threads and early
 * releases are tried with. */
#ifndef CLSLICE_TESTS_DEVICE_COUNTING_DRIVER_H
#define CLSLICE_TESTS_DEVICE_COUNTING_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "support/harness.h"

struct driver_counts {
    atomic_uint builds, kernels, released_kernels, programs, released_programs;
    atomic_uint buffers, released_buffers, released_contexts;
    atomic_uint gates, opened_gates; /* user events */
};
extern struct driver_counts counts;

/* Where it is set, a launch waits until as many threads are inside theirs. */
extern pthread_barrier_t *launch_barrier;

/* Where this is set, the device is one with memory of its own, whose driver copies host memory
 * while the caller waits, as NVIDIA's does. */
extern bool is_blocking;

extern struct rig rig;

void open_device(void);

/* Everything that the library made is gone; what the tests make goes by the same counters, user
 * events too. */
void close_device(void);

enum { ROWS = 37, COLUMNS = 53, IN_BYTES = 40 * 64 * 4, OUT_BYTES = ROWS * COLUMNS * 4 };
extern const struct slice_case flip;

#endif
