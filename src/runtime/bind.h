/* SPDX-License-Identifier: MIT */
/* clslice_binding -> struct bound: where a tensor's bytes lie, checked. */
#ifndef CLSLICE_RUNTIME_BIND_H
#define CLSLICE_RUNTIME_BIND_H

#include "runtime/operator.h"

struct bound {
    enum { BOUND_MEM, BOUND_SVM, BOUND_HOST } kind;
    cl_mem mem;             /* MEM: borrowed from the caller */
    unsigned char *address; /* SVM, HOST: of the handle */
    uint64_t offset;        /* bytes from the handle to the tensor's first element */
    bool aligned_16;        /* where a kernel sees it, if it is used in place */
};

/* Checks both bindings of a dispatch by the rules of the header. E_INVALIDARG names the field. */
int32_t bind_check(const struct clslice_operator *op, const clslice_dispatch_desc *desc,
                   struct bound *input, struct bound *output, clslice_error *error);

#endif
