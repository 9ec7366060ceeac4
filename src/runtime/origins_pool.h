/* SPDX-License-Identifier: MIT */
/* A device's buffers for the origins of batches. */
#ifndef CLSLICE_RUNTIME_ORIGINS_POOL_H
#define CLSLICE_RUNTIME_ORIGINS_POOL_H

#include "opencl/cl_api.h"

#include <pthread.h>

struct batch_origin;

struct origins_buffer {
    struct origins_buffer *next;
    uint64_t room;               /* origins */
    struct batch_origin *places; /* owned; in the tensors, for who divides a batch into groups */
    struct batch_origin *host;   /* as kernels take them; owned, or inside `pinned` */
    cl_mem pinned; /* owned; memory that the driver copies from without keeping the caller; NULL:
                      kernels work on host memory */
    cl_mem mem;    /* owned; what kernels read; NULL until needed */
    uint64_t mem_room; /* origins */
    cl_event last;     /* owned; of the last command that uses the buffer; NULL: none */
};

struct origins_pool {
    pthread_mutex_t lock;         /* of what follows */
    struct origins_buffer *first; /* owned; those that nobody has taken */
    uint32_t count;
};

enum {
    ORIGINS_POOL_MOST = 32,      /* that are kept, */
    ORIGINS_POOL_ROOM = 64 << 10 /* of at most so many origins: a MiB each of host and device */
};

/* Of buffers in use, the host's memory is given back when their commands have ended. */
void origins_pool_release(struct origins_pool *pool, const struct cl_api *cl);

/* Gives up one; and one whose `last` is borrowed. */
void origins_buffer_release(struct origins_buffer *buffer, const struct cl_api *cl);
void origins_buffer_release_behind(struct origins_buffer *buffer, const struct cl_api *cl);

#endif
