/* SPDX-License-Identifier: MIT */
/* What a launch of a batch is told of its items. */
#ifndef CLSLICE_RUNTIME_ITEM_TABLES_H
#define CLSLICE_RUNTIME_ITEM_TABLES_H

#include "runtime/kernel_slot.h"

struct item_tables {
    struct kernel_memory window, index, skipped;
    struct batch batch;
    const struct few_items *few; /* borrowed; in place of all that; NULL: there are tables */
};

/* Fills in the tables and the batch, or the few items, of arguments whose sides are set. An absent
 * table gets the input's memory; an absent `skipped`, which kernels may write, the output's. */
void item_tables_fill(const struct item_tables *tables, struct kernel_arguments *arguments);

#endif
