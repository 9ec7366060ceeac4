/* SPDX-License-Identifier: MIT */
#include "runtime/programs/scratch_run.h"

#include "runtime/event.h"
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

static int32_t run(struct clslice_device *device, struct scratch *scratch, size_t local_size,
                   clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    const struct walk nothing = {0};
    struct kernel_slot *slot = &scratch->kernels.slot[0];
    cl_event event = NULL;
    int32_t status = kernel_slot_set_walk(device, &scratch->kernels, slot, &nothing, 0, 0, error);
    if (status != CLSLICE_S_OK)
        return status;
    cl_int code = CL_SUCCESS;
    for (cl_uint side = 0; code == CL_SUCCESS && side < 2; ++side)
        code = kernel_slot_set_side(device, slot, side, scratch->sides, NULL);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clSetKernelArg", code, NULL);
    code = cl->clEnqueueNDRangeKernel(scratch->queue, slot->kernel, 1, NULL, &local_size,
                                      &local_size, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clEnqueueNDRangeKernel", code, NULL);
    status = event_wait(device, event, error);
    cl->clReleaseEvent(event);
    return status;
}

int32_t scratch_run(struct clslice_device *device, cl_program program, enum plan_variant variant,
                    size_t local_size, clslice_error *error)
{
    struct scratch scratch = {.kernels = {.program = program, .variant = variant}};
    size_t most = 0;
    int32_t status = kernel_slot_first(device, &scratch.kernels, &most, error);
    if (status == CLSLICE_S_OK)
        status = make(device, &scratch, error);
    if (status == CLSLICE_S_OK)
        status = run(device, &scratch, most > 0 && most < local_size ? most : local_size, error);
    release(&device->cl, &scratch);
    return status;
}
