/* SPDX-License-Identifier: MIT */
/* What a launch of a batch is told of its items. */
#ifndef CLSLICE_RUNTIME_ITEM_TABLES_H
#define CLSLICE_RUNTIME_ITEM_TABLES_H

#include "core/batch.h"
#include "runtime/kernel_slot.h"

struct item_tables {
    struct kernel_memory window, index, skipped;
    struct batch batch;
};

/* Puts them behind a kernel's sides. A table that is not there takes the input's memory, and the
 * count of skipped items, which may be written, the output's. */
void item_tables_list(const struct item_tables *tables,
                      struct kernel_memory memory[KERNEL_MEMORY_COUNT]);

#endif
