/* SPDX-License-Identifier: MIT */
/* clslice_binding -> struct bound: where a tensor's bytes lie, checked. */
#ifndef CLSLICE_RUNTIME_BIND_H
#define CLSLICE_RUNTIME_BIND_H

#include "core/batch.h"
#include "runtime/operator.h"

/* How a bound range reaches the kernel. Host memory goes as the device found out. */
enum bind_way {
    BIND_STAGE = CLSLICE_HOST_MEMORY_STAGED,       /* host memory through the staging pool */
    BIND_WRAP = CLSLICE_HOST_MEMORY_USE_HOST_PTR,  /* where it lies, as a buffer of its own */
    BIND_ADDRESS = CLSLICE_HOST_MEMORY_SYSTEM_SVM, /* as an address that the device shares */
    BIND_MEM                                       /* as the caller's buffer */
};

struct bound {
    enum bind_way way;
    cl_mem mem;             /* MEM: borrowed from the caller */
    unsigned char *address; /* the others': of the handle */
    uint64_t offset;        /* bytes from the handle to the tensor's first element */
    uint32_t alignment;     /* where a kernel sees it: bytes, a power of 2 up to 16 */
};

enum { BIND_IN, BIND_OUT, BIND_SIDES };

/* Whether kernels take it as it is bound. */
static inline bool bound_is_direct(const struct bound *bound)
{
    return bound->way == BIND_MEM || bound->way == BIND_ADDRESS;
}

/* Checks both bindings of a dispatch by the rules of the header. E_INVALIDARG names the field. */
int32_t bind_check(const struct clslice_operator *op, const clslice_dispatch_desc *desc,
                   bool may_overlap, struct bound bound[BIND_SIDES], clslice_error *error);

enum { BIND_WINDOW, BIND_INDEX, BIND_SKIPPED, BIND_TABLES };

/* The same of a batch's tables, which must have these bytes. What is not there is all 0. Those of
 * an empty batch are not read, and `bound` stays as it is. */
int32_t bind_check_tables(const struct clslice_operator *op, const clslice_dispatch_desc *desc,
                          const clslice_batch *batch, const struct batch_tables *bytes,
                          struct bound bound[BIND_TABLES], clslice_error *error);

#endif
