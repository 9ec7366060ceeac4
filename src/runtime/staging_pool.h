/* SPDX-License-Identifier: MIT */
/* Buffers of a device that stage host memory: pairs, reused in the order of their events by
 * staging.c. */
#ifndef CLSLICE_RUNTIME_STAGING_POOL_H
#define CLSLICE_RUNTIME_STAGING_POOL_H

#include "opencl/cl_api.h"

#include <pthread.h>

enum { STAGING_POOL_SETS = 2, STAGING_POOL_BOUNCE = 1 << 20 };

struct staging_set {
    struct staging_buffer {
        cl_mem mem; /* owned; NULL until needed */
        uint64_t bytes;
    } in, out;
    cl_event last;          /* owned; of the last command that uses the buffers, NULL: none */
    cl_command_queue queue; /* where that was enqueued; only compared */
    bool waits;             /* for events of the caller's, which may fail */
};

struct staging_pool {
    uint64_t buffer_bytes; /* most of one buffer */
    pthread_mutex_t lock;  /* of what follows */
    struct staging_set set[STAGING_POOL_SETS];
    unsigned char *bounce; /* owned; STAGING_POOL_BOUNCE bytes of host memory, NULL until needed */
};

void staging_pool_release(struct staging_pool *pool, const struct cl_api *cl);

/* Empties a set; commands that use its buffers keep them alive. */
void staging_pool_empty_set(struct staging_set *set, const struct cl_api *cl);

#endif
