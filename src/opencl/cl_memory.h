/* SPDX-License-Identifier: MIT */
/* What OpenCL says of a cl_mem now. Nothing is kept: a handle may be another object's the next
 * time. */
#ifndef CLSLICE_OPENCL_CL_MEMORY_H
#define CLSLICE_OPENCL_CL_MEMORY_H

#include "opencl/cl_api.h"

#include <stdbool.h>

struct cl_memory {
    cl_mem_object_type type;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    cl_mem root;          /* the buffer that all its sub-buffers share */
    uint64_t root_offset; /* where its own bytes begin there */
    /* of its own first byte; NULL where the root has no CL_MEM_USE_HOST_PTR */
    unsigned char *host_ptr;
};

/* Fills `memory`; of what is no buffer, only its type. Returns the code of the query that failed,
 * or CL_SUCCESS. Any thread, without a lock. */
cl_int cl_memory_of(const struct cl_api *cl, cl_mem mem, struct cl_memory *memory);

#endif
