/* SPDX-License-Identifier: MIT */
#include "runtime/item_tables.h"

static struct kernel_memory either(struct kernel_memory table, struct kernel_memory side)
{
    return table.mem || table.address ? table : side;
}

void item_tables_fill(const struct item_tables *tables, struct kernel_arguments *arguments)
{
    struct kernel_memory *memory = arguments->memory;
    memory[KERNEL_SIDES] = either(tables->window, memory[0]);
    memory[KERNEL_SIDES + 1] = either(tables->index, memory[0]);
    memory[KERNEL_SIDES + 2] = either(tables->skipped, memory[1]);
    arguments->batch = &tables->batch;
    arguments->few = tables->few;
}
