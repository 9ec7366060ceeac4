/* SPDX-License-Identifier: MIT */
#include "opencl/host_memory.h"

#include <string.h>

enum {
    ROUNDS = 2, /* a copy that is made with the buffer holds what the first one expects */
    /* At an odd address and of an odd size, as bytes may be bound: what a driver is least likely to
     * use where it lies. Some cache lines. */
    SIDE_BYTES = 6 * 64 - 1,
    FROM_AT = 1,
    TO_AT = HOST_MEMORY_PROBE_BYTES / 2 + 1
};

struct probe {
    const struct cl_api *cl;
    unsigned char *from, *to; /* host memory */
    cl_command_queue queue;   /* owned, as the rest */
    cl_mem in, out;           /* over it, as a dispatch wraps it */
    cl_mem between;           /* the device's own */
};

static bool set_up(struct probe *probe, cl_context context, cl_device_id id)
{
    const struct cl_api *cl = probe->cl;
    cl_int code;
    probe->queue = cl->clCreateCommandQueue(context, id, 0, &code);
    probe->in = cl->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, SIDE_BYTES,
                                   probe->from, &code);
    probe->out = cl->clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, SIDE_BYTES,
                                    probe->to, &code);
    probe->between = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, SIDE_BYTES, NULL, &code);
    return probe->queue && probe->in && probe->out && probe->between;
}

static void tear_down(struct probe *probe)
{
    const cl_mem mems[] = {probe->in, probe->out, probe->between};
    for (size_t i = 0; i < sizeof mems / sizeof mems[0]; ++i)
        if (mems[i])
            probe->cl->clReleaseMemObject(mems[i]);
    if (probe->queue)
        probe->cl->clReleaseCommandQueue(probe->queue);
}

static bool copy(const struct probe *probe, cl_mem from, cl_mem to)
{
    return probe->cl->clEnqueueCopyBuffer(probe->queue, from, to, 0, 0, SIDE_BYTES, 0, NULL,
                                          NULL) == CL_SUCCESS;
}

static bool goes_through(const struct probe *probe, unsigned round)
{
    for (unsigned i = 0; i < SIDE_BYTES; ++i)
        probe->from[i] = (unsigned char)(37 * i + 101 * round + 1);
    bool is_enqueued =
        copy(probe, probe->in, probe->between) && copy(probe, probe->between, probe->out);
    return probe->cl->clFinish(probe->queue) == CL_SUCCESS && is_enqueued &&
           memcmp(probe->from, probe->to, SIDE_BYTES) == 0;
}

bool host_memory_is_shared(const struct cl_api *cl, cl_context context, cl_device_id id,
                           unsigned char *bytes)
{
    struct probe probe = {.cl = cl, .from = bytes + FROM_AT, .to = bytes + TO_AT};
    bool is_shared = set_up(&probe, context, id);
    for (unsigned round = 0; is_shared && round < ROUNDS; ++round)
        is_shared = goes_through(&probe, round);
    tear_down(&probe);
    return is_shared;
}
