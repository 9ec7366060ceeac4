/* SPDX-License-Identifier: MIT */
#include "runtime/scratch_run.h"

#include "core/launch.h"
#include "runtime/kernels.h"

enum { SIDE_BYTES = 64 };

/* What a run needs; all owned, NULL until made. */
struct scratch {
    cl_kernel kernel;
    cl_command_queue queue;
    cl_mem sides; /* the input and the output */
    cl_mem walk;  /* one that moves nothing, for variants that take it in a buffer */
};

static void release(const struct cl_api *cl, struct scratch *scratch)
{
    if (scratch->walk)
        cl->clReleaseMemObject(scratch->walk);
    if (scratch->sides)
        cl->clReleaseMemObject(scratch->sides);
    if (scratch->queue)
        cl->clReleaseCommandQueue(scratch->queue);
    if (scratch->kernel)
        cl->clReleaseKernel(scratch->kernel);
}

static int32_t make(struct clslice_device *device, cl_program program, enum plan_variant variant,
                    struct scratch *made, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    struct walk nothing = {0};
    cl_int code;
    made->kernel = cl->clCreateKernel(program, plan_variant_name(variant), &code);
    if (!made->kernel)
        return cl_fail(error, "clCreateKernel", code, NULL);
    made->queue = cl->clCreateCommandQueue(device->context, device->about.id, 0, &code);
    if (!made->queue)
        return cl_fail(error, "clCreateCommandQueue", code, NULL);
    made->sides = cl->clCreateBuffer(device->context, CL_MEM_READ_WRITE, SIDE_BYTES, NULL, &code);
    if (!made->sides)
        return cl_fail(error, "clCreateBuffer", code, NULL);
    made->walk = cl->clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                    sizeof nothing, &nothing, &code);
    return made->walk ? CLSLICE_S_OK : cl_fail(error, "clCreateBuffer", code, NULL);
}

static int32_t set_arguments(const struct cl_api *cl, const struct scratch *scratch,
                             enum plan_variant variant, clslice_error *error)
{
    const struct walk nothing = {0};
    cl_int code = CL_SUCCESS;
    for (cl_uint i = KERNEL_ARG_SIDES; code == CL_SUCCESS && i < KERNEL_ARG_WALK; ++i)
        code = cl->clSetKernelArg(scratch->kernel, i, sizeof scratch->sides, &scratch->sides);
    if (code == CL_SUCCESS)
        code = plan_variant_is_cpu(variant)
                   ? cl->clSetKernelArg(scratch->kernel, KERNEL_ARG_WALK, sizeof scratch->walk,
                                        &scratch->walk)
                   : cl->clSetKernelArg(scratch->kernel, KERNEL_ARG_WALK, sizeof nothing, &nothing);
    return code == CL_SUCCESS ? CLSLICE_S_OK : cl_fail(error, "clSetKernelArg", code, NULL);
}

static int32_t run(const struct clslice_device *device, const struct scratch *scratch,
                   size_t local_size, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    size_t most = 0;
    cl_event event = NULL;
    cl_int code = cl->clGetKernelWorkGroupInfo(scratch->kernel, device->about.id,
                                               CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetKernelWorkGroupInfo", code, NULL);
    if (most > 0 && most < local_size)
        local_size = most;
    code = cl->clEnqueueNDRangeKernel(scratch->queue, scratch->kernel, 1, NULL, &local_size,
                                      &local_size, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clEnqueueNDRangeKernel", code, NULL);
    cl_int state;
    int32_t status = cl_wait(cl, event, &state, error);
    cl->clReleaseEvent(event);
    return status == CLSLICE_S_OK && state < 0 ? cl_fail(error, "clWaitForEvents", state, NULL)
                                               : status;
}

int32_t scratch_run(struct clslice_device *device, cl_program program, enum plan_variant variant,
                    size_t local_size, clslice_error *error)
{
    struct scratch scratch = {0};
    int32_t status = make(device, program, variant, &scratch, error);
    if (status == CLSLICE_S_OK)
        status = set_arguments(&device->cl, &scratch, variant, error);
    if (status == CLSLICE_S_OK)
        status = run(device, &scratch, local_size, error);
    release(&device->cl, &scratch);
    return status;
}
