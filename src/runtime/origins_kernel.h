/* SPDX-License-Identifier: MIT */
/* The arguments of kernels/origins.cl. */
#ifndef CLSLICE_RUNTIME_ORIGINS_KERNEL_H
#define CLSLICE_RUNTIME_ORIGINS_KERNEL_H

#include "core/batch.h"
#include "runtime/device.h"

/* A table, or what counts skipped items: in a buffer, or at an address of SVM. */
struct origins_table {
    cl_mem mem; /* borrowed; NULL: the address counts */
    const void *address;
};

struct origins_tables {
    struct origins_table window, output, skipped; /* all 0 where there is none */
};

/* The origins go to `to`, which also stands in for tables that are not there. */
int32_t origins_kernel_set(struct clslice_device *device, cl_kernel kernel,
                           const struct origins_tables *tables, const struct batch *batch,
                           uint32_t items, cl_mem to, clslice_error *error);

#endif
