/* SPDX-License-Identifier: MIT */
/* What OpenCL says of a cl_mem, asked once in the object's life where that can be known. */
#ifndef RUNTIME_MEMORY_H
#define RUNTIME_MEMORY_H

#include "runtime/cl_api.h"

#include <stdbool.h>

struct memory {
    cl_mem_object_type type;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    cl_mem root;             /* the buffer that all its sub-buffers share */
    uint64_t root_offset;    /* where its own bytes begin there */
    unsigned char *host_ptr; /* under CL_MEM_USE_HOST_PTR, else NULL */
    uint64_t serial;         /* of this object alone, ever; 0: it has none */
};

/* Whether OpenCL tells of an object's destruction before its handle can be another's. NVIDIA's does not: it
 * tells later, on a thread of its own. Makes a small buffer in order to see. */
bool memory_is_told_in_time(const struct cl_api *cl, cl_context context);

/*
 * Fills `memory`; of what is no buffer, only its type. Keeps the facts of buffers of the context `told`,
 * whose OpenCL tells in time, and asks each time where that is NULL. Returns the code of the query that failed, or
 * CL_SUCCESS. Any thread, without a lock; the caller keeps `mem` alive meanwhile, and is the only one
 * who does: nothing is retained here.
 */
cl_int memory_of(const struct cl_api *cl, cl_mem mem, cl_context told, struct memory *memory);

#endif
