/* SPDX-License-Identifier: MIT */
/* What a launch of a batch is told of its items. */
#ifndef CLSLICE_RUNTIME_ITEM_TABLES_H
#define CLSLICE_RUNTIME_ITEM_TABLES_H

#include "core/batch.h"
#include "runtime/device.h"

/* Device memory: a buffer, or an address. Both NULL: there is none. */
struct item_table {
    cl_mem mem;
    const void *address;
};

struct item_tables {
    struct item_table window, index, skipped;
    struct batch batch;
};

/* Sets a kernel's arguments. Tables that are not there take any memory that may be read, and their
 * count of skipped items any that may be written. */
cl_int item_tables_set(struct clslice_device *device, cl_kernel kernel,
                       const struct item_tables *tables, const struct item_table *read,
                       const struct item_table *written);

#endif
