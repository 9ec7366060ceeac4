/* SPDX-License-Identifier: MIT */
#include "runtime/programs/scratch_run.h"

#include "runtime/event.h"
#include "runtime/item_tables.h"
#include "runtime/kernel_slot.h"

enum { SIDE_BYTES = 64 };

/* What a run needs; all owned, NULL until made. */
struct scratch {
    struct kernel_slots kernels; /* of which the first is used */
    cl_command_queue queue;
    cl_mem sides; /* the input and the output */
};

static void release(const struct cl_api *cl, struct scratch *scratch)
{
    if (scratch->sides)
        cl->clReleaseMemObject(scratch->sides);
    if (scratch->queue)
        cl->clReleaseCommandQueue(scratch->queue);
    kernel_slot_release_all(&scratch->kernels, cl);
}

static int32_t make(struct clslice_device *device, struct scratch *made, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_int code;
    made->queue = cl->clCreateCommandQueue(device->context, device->about.id, 0, &code);
    if (!made->queue)
        return cl_fail(error, "clCreateCommandQueue", code, NULL);
    made->sides = cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, SIDE_BYTES, NULL, &code);
    return made->sides ? CLSLICE_S_OK : cl_fail(error, "clCreateBuffer", code, NULL);
}

/* A walk without blocks, and a batch without items. */
static int32_t set_arguments(struct clslice_device *device, struct scratch *scratch,
                             clslice_error *error)
{
    const struct walk nothing = {0};
    const struct few_items none = {0};
    const struct item_tables tables = {.batch = {0}, .few = &none};
    const struct kernel_memory any = {scratch->sides, NULL};
    struct kernel_arguments arguments = {.memory = {any, any}, .walk = &nothing};
    struct kernel_slots *slots = &scratch->kernels;
    item_tables_fill(&tables, &arguments);
    return kernel_slot_set(device, slots, &slots->slot[0], &arguments, error);
}

static int32_t run(struct clslice_device *device, struct scratch *scratch, size_t local_size,
                   clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_event event = NULL;
    int32_t status = set_arguments(device, scratch, error);
    if (status != CLSLICE_S_OK)
        return status;
    cl_int code = cl->clEnqueueNDRangeKernel(scratch->queue, scratch->kernels.slot[0].kernel, 1,
                                             NULL, &local_size, &local_size, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clEnqueueNDRangeKernel", code, NULL);
    status = event_wait(device, event, error);
    cl->clReleaseEvent(event);
    return status;
}

int32_t scratch_run(struct clslice_device *device, cl_program program, struct program_kernel kernel,
                    size_t local_size, clslice_error *error)
{
    struct scratch scratch = {.kernels = {.program = program, .kernel = kernel}};
    size_t most = 0;
    int32_t status = kernel_slot_first(device, &scratch.kernels, &most, error);
    if (status == CLSLICE_S_OK)
        status = make(device, &scratch, error);
    if (status == CLSLICE_S_OK)
        status = run(device, &scratch, most > 0 && most < local_size ? most : local_size, error);
    release(&device->cl, &scratch);
    return status;
}
