/* SPDX-License-Identifier: MIT */
#include "runtime/item_tables.h"

#include "runtime/programs/kernels.h"

static cl_int set_table(struct clslice_device *device, cl_kernel kernel, cl_uint index,
                        const struct item_table *table)
{
    return table->mem ? device->cl.clSetKernelArg(kernel, index, sizeof table->mem, &table->mem)
                      : device->cl.clSetKernelArgSVMPointer(kernel, index, table->address);
}

cl_int item_tables_set(struct clslice_device *device, cl_kernel kernel,
                       const struct item_tables *tables, const struct item_table *read,
                       const struct item_table *written)
{
    const struct item_table *const list[] = {&tables->window, &tables->index, &tables->skipped};
    const struct item_table *const others[] = {read, read, written};
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; code == CL_SUCCESS && i < 3; ++i) {
        bool is_there = list[i]->mem || list[i]->address;
        code = set_table(device, kernel, KERNEL_ARG_TABLES + i, is_there ? list[i] : others[i]);
    }
    return code == CL_SUCCESS ? device->cl.clSetKernelArg(kernel, KERNEL_ARG_BATCH,
                                                          sizeof tables->batch, &tables->batch)
                              : code;
}
