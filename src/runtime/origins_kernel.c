/* SPDX-License-Identifier: MIT */
#include "runtime/origins_kernel.h"

#include "runtime/programs/kernels.h"

static cl_int set_table(struct clslice_device *device, cl_kernel kernel, cl_uint index,
                        const struct origins_table *table, cl_mem instead)
{
    const cl_mem *mem = table->mem ? &table->mem : &instead;
    if (!table->mem && table->address)
        return device->cl.clSetKernelArgSVMPointer(kernel, index, table->address);
    return device->cl.clSetKernelArg(kernel, index, sizeof *mem, mem);
}

int32_t origins_kernel_set(struct clslice_device *device, cl_kernel kernel,
                           const struct origins_tables *tables, const struct batch *batch,
                           uint32_t items, cl_mem to, clslice_error *error)
{
    const struct origins_table *const list[] = {[ORIGINS_ARG_WINDOW] = &tables->window,
                                                [ORIGINS_ARG_OUTPUT] = &tables->output,
                                                [ORIGINS_ARG_ORIGINS] =
                                                    &(const struct origins_table){to, NULL},
                                                [ORIGINS_ARG_SKIPPED] = &tables->skipped};
    const uint32_t counts = tables->skipped.mem || tables->skipped.address;
    const struct {
        size_t size;
        const void *value;
    } values[] = {{sizeof *batch, batch}, {sizeof items, &items}, {sizeof counts, &counts}};
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; code == CL_SUCCESS && i < ORIGINS_ARG_BATCH; ++i)
        code = set_table(device, kernel, i, list[i], to);
    for (cl_uint i = 0; code == CL_SUCCESS && i < 3; ++i)
        code = device->cl.clSetKernelArg(kernel, ORIGINS_ARG_BATCH + i, values[i].size,
                                         values[i].value);
    return code == CL_SUCCESS ? CLSLICE_S_OK : cl_fail(error, "clSetKernelArg", code, NULL);
}
