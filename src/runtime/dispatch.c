/* SPDX-License-Identifier: MIT */
#include "runtime/dispatch.h"

#include "core/tile.h"
#include "runtime/bind.h"
#include "runtime/staging.h"

#include <inttypes.h>

enum { SIDE_IN, SIDE_OUT };

/* What one dispatch carries through its steps. */
struct job {
    struct clslice_device *device;
    struct compiled_plan *compiled;
    struct kernel_slot *slot;
    struct bound in, out;
    clslice_error *error;
};

/* Whether a kernel takes what was bound as it is. */
static bool is_direct(const struct bound *bound)
{
    return bound->way == BIND_MEM || bound->way == BIND_ADDRESS;
}

/* ---- Checks ---- */

static int32_t check_desc(const clslice_dispatch_desc *desc, clslice_error *error)
{
    if (desc->flags || desc->reserved)
        return status_fail(
            error, CLSLICE_E_NOTIMPL,
            WHERE(.rule = CLSLICE_RULE_OPTION, .value = {desc->flags, desc->reserved}),
            "clslice_dispatch_desc.flags = 0x%" PRIx32 ", reserved = %" PRIu32 ": both must be 0",
            desc->flags, desc->reserved);
    if (desc->batch)
        return status_fail(
            error, CLSLICE_E_NOTIMPL, WHERE(.rule = CLSLICE_RULE_OPTION),
            "clslice_dispatch_desc.batch must be NULL: this version does not support batches");
    if ((desc->wait_count == 0) != (desc->wait_events == NULL))
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_WAIT_LIST, .value = {desc->wait_count}),
                           "wait_count = %" PRIu32 ", but wait_events is %s", desc->wait_count,
                           desc->wait_events ? "not NULL" : "NULL");
    for (uint32_t i = 0; i < desc->wait_count; ++i)
        if (!desc->wait_events[i])
            return status_fail(error, CLSLICE_E_INVALIDARG,
                               WHERE(.rule = CLSLICE_RULE_WAIT_LIST, .value = {i}),
                               "wait_events[%" PRIu32 "] is NULL", i);
    return CLSLICE_S_OK;
}

/* A queue is asked at every dispatch: a handle may be another object's the next time, and of two
 * devices in one context OpenCL itself may not be asked, as PoCL aborts. */
static int32_t check_queue(const struct job *job, cl_command_queue queue)
{
    const struct clslice_device *device = job->device;
    const struct cl_api *cl = &device->cl;
    cl_context context = NULL;
    cl_device_id id = NULL;
    cl_int code =
        cl->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
    if (code == CL_SUCCESS && context == device->context && id == device->about.id)
        return CLSLICE_S_OK;
    return status_fail(
        job->error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_QUEUE, .opencl = code),
        code == CL_SUCCESS ? "queue does not belong to the context and device of the operator"
                           : "queue is not a valid OpenCL command queue");
}

/* ---- One launch ---- */

static cl_int set_side(const struct job *job, cl_uint side, cl_mem mem)
{
    const struct bound *bound = side == SIDE_IN ? &job->in : &job->out;
    return bound->way == BIND_ADDRESS ? kernel_slot_set_address(job->device, job->slot, side,
                                                                bound->address + bound->offset)
                                      : kernel_slot_set_mem(job->device, job->slot, side, mem);
}

/* A launch's first element, from the start of what its side is bound to. */
static uint64_t first_of(const struct job *job, const struct bound *bound, uint64_t first)
{
    return bound->way == BIND_MEM ? bound->offset / job->compiled->plan.element_size + first
                                  : first;
}

/* `in`, `out`: the buffers, where a side goes by one; the firsts count from their starts, or
 * from the tensor's where a side goes by the caller's buffer or address. */
static int32_t launch_kernel(const struct job *job, const struct launch *launch, cl_mem in,
                             uint64_t in_first, cl_mem out, uint64_t out_first,
                             cl_command_queue queue, cl_uint wait_count, const cl_event *waits,
                             cl_event *event)
{
    size_t global = (size_t)launch->global_size, local = job->compiled->plan.local_size;
    int32_t status = kernel_slot_set_walk(job->device, &job->compiled->kernels, job->slot,
                                          &launch->walk, first_of(job, &job->in, in_first),
                                          first_of(job, &job->out, out_first), job->error);
    if (status != CLSLICE_S_OK)
        return status;
    cl_int code = set_side(job, SIDE_IN, in);
    if (code == CL_SUCCESS)
        code = set_side(job, SIDE_OUT, out);
    if (code != CL_SUCCESS)
        return cl_fail(job->error, "clSetKernelArg", code, NULL);
    cl_event made = NULL;
    code = job->device->cl.clEnqueueNDRangeKernel(queue, job->slot->kernel, 1, NULL, &global,
                                                  &local, wait_count, waits, event ? &made : NULL);
    if (code != CL_SUCCESS)
        return cl_fail(job->error, "clEnqueueNDRangeKernel", code, NULL);
    if (event)
        *event = made;
    return CLSLICE_S_OK;
}

static int32_t launch_whole(const struct job *job, const clslice_dispatch_desc *desc,
                            cl_command_queue queue, cl_event *event)
{
    const struct launch *whole = &job->compiled->whole;
    return launch_kernel(job, whole, job->in.mem, whole->walk.in_first, job->out.mem,
                         whole->walk.out_first, queue, desc->wait_count, desc->wait_events, event);
}

/* ---- Tiles: host memory, wrapped or staged ---- */

/* A buffer over the part of host memory that a launch addresses. */
static int32_t wrap(const struct job *job, const struct bound *bound, uint64_t low, uint64_t high,
                    cl_mem_flags access, cl_mem *mem)
{
    cl_int code;
    uint64_t size = job->compiled->plan.element_size;
    *mem = job->device->cl.clCreateBuffer(job->device->context, CL_MEM_USE_HOST_PTR | access,
                                          (size_t)((high - low) * size),
                                          bound->address + bound->offset + low * size, &code);
    return *mem ? CLSLICE_S_OK : cl_fail(job->error, "clCreateBuffer", code, NULL);
}

/* To where the box's elements belong in the caller's memory. */
static int32_t read_staged(const struct job *job, struct event_chain *chain,
                           const struct plan_box *box, struct staging_set *set)
{
    const struct plan *plan = &job->compiled->plan;
    struct runs runs = runs_of(plan, box);
    struct plan_range place = plan_range(plan, box);
    return staging_read(chain, set, &runs,
                        job->out.address + job->out.offset + place.out_low * plan->element_size,
                        job->error);
}

static int32_t run_tile(const struct job *job, struct event_chain *chain,
                        const struct plan_box *box, const struct launch *launch,
                        struct staging_set *set)
{
    const struct plan *plan = &job->compiled->plan;
    const struct cl_api *cl = &job->device->cl;
    cl_mem wrapped_in = NULL, wrapped_out = NULL;
    cl_mem in = job->in.mem, out = job->out.mem;
    uint64_t in_first = launch->walk.in_first, out_first = launch->walk.out_first;
    int32_t status = CLSLICE_S_OK;
    cl_event event = NULL;

    if (job->in.way == BIND_WRAP)
        status = wrap(job, &job->in, launch->range.in_low, launch->range.in_high, CL_MEM_READ_ONLY,
                      &wrapped_in);
    if (status == CLSLICE_S_OK && job->out.way == BIND_WRAP)
        status = wrap(job, &job->out, launch->range.out_low, launch->range.out_high,
                      CL_MEM_WRITE_ONLY, &wrapped_out);
    if (!is_direct(&job->in)) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is staged has a set */
        in = job->in.way == BIND_WRAP ? wrapped_in : set->in;
        in_first -= launch->range.in_low;
    }
    if (!is_direct(&job->out)) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is staged has a set */
        out = job->out.way == BIND_WRAP ? wrapped_out : set->out;
        out_first -= launch->range.out_low;
    }
    if (status == CLSLICE_S_OK && job->in.way == BIND_STAGE)
        status = staging_write(
            chain, set,
            job->in.address + job->in.offset + launch->range.in_low * plan->element_size,
            (launch->range.in_high - launch->range.in_low) * plan->element_size, job->error);
    if (status == CLSLICE_S_OK) {
        event_chain_prepare(chain, set ? set->last : NULL);
        status = launch_kernel(job, launch, in, in_first, out, out_first, chain->queue,
                               event_chain_wait_count(chain), event_chain_waits(chain), &event);
    }
    if (status == CLSLICE_S_OK) {
        event_chain_advance(chain, event);
        if (job->out.way == BIND_STAGE)
            status = read_staged(job, chain, box, set);
    }
    if (wrapped_in)
        cl->clReleaseMemObject(wrapped_in);
    if (wrapped_out)
        cl->clReleaseMemObject(wrapped_out);
    return status;
}

/* `spare` serves all tiles of one dispatch, where the pool's sets are in use elsewhere. */
static int32_t run_staged_tile(const struct job *job, struct event_chain *chain,
                               const struct plan_box *box, const struct launch *launch,
                               struct staging_set *spare)
{
    const struct plan *plan = &job->compiled->plan;
    uint64_t in = job->in.way == BIND_STAGE ? launch->range.in_high - launch->range.in_low : 0;
    uint64_t out = job->out.way == BIND_STAGE ? launch->range.out_high - launch->range.out_low : 0;
    struct staging_set *set;
    int32_t status = staging_take(job->device, chain, in * plan->element_size,
                                  out * plan->element_size, spare, &set, job->error);
    if (status == CLSLICE_S_OK) {
        status = run_tile(job, chain, box, launch, set);
        staging_return(job->device, chain, set);
    }
    return status;
}

static int32_t launch_tiles(const struct job *job, const clslice_dispatch_desc *desc,
                            cl_command_queue queue, cl_event *event)
{
    const struct plan *plan = &job->compiled->plan;
    bool packs = job->out.way == BIND_STAGE, staged = packs || job->in.way == BIND_STAGE;
    uint64_t limit =
        staged ? job->device->staging.buffer_bytes : job->device->about.max_alloc_bytes;
    struct plan_box box = plan_whole(plan);
    bool gaps = packs && runs_of(plan, &box).rank > 0;
    struct plan used = gaps ? plan_packed(plan, &box) : *plan;
    struct event_chain chain;
    struct staging_set spare = {0};
    int32_t status = event_chain_begin(&chain, job->device, queue, desc->wait_events,
                                       desc->wait_count, job->error);
    uint64_t tile[TENSOR_RANK_MAX];
    uint64_t tiles = tile_choose(&used, limit, tile);
    bool is_known = tiles == 1 && !gaps;
    for (uint64_t i = 0; status == CLSLICE_S_OK && i < tiles; ++i) {
        struct launch part;
        box = tile_box(plan, tile, i);
        if (packs)
            used = plan_packed(plan, &box);
        if (!is_known)
            part = launch_from(&used, &box);
        const struct launch *launch = is_known ? &job->compiled->whole : &part;
        status = staged ? run_staged_tile(job, &chain, &box, launch, &spare)
                        : run_tile(job, &chain, &box, launch, NULL);
    }
    staging_pool_empty_set(&spare, &job->device->cl);
    if (status == CLSLICE_S_OK && event) {
        *event = chain.last;
        chain.last = NULL;
    }
    event_chain_end(&chain);
    return status;
}

/* ---- Dispatch ---- */

int32_t dispatch(struct clslice_compiled_operator *compiled, const clslice_dispatch_desc *desc,
                 cl_event *event, clslice_error *error)
{
    struct clslice_operator *op = compiled->op;
    struct job job = {.device = op->device, .error = error};
    int32_t status = device_check_process(op->device, error);
    if (status == CLSLICE_S_OK)
        status = check_desc(desc, error);
    if (status == CLSLICE_S_OK)
        status = bind_check(op, desc, &job.in, &job.out, error);
    if (status != CLSLICE_S_OK)
        return status;

    bool aligned = job.in.aligned_16 && job.out.aligned_16;
    job.compiled = compiled->by_alignment[aligned ? PLAN_ALIGNED_16 : PLAN_ALIGNED_ELEMENT];

    cl_command_queue queue = desc->queue ? desc->queue : job.device->queue;
    bool direct = is_direct(&job.in) && is_direct(&job.out);
    struct kernel_slot spare = {0};
    if (desc->queue)
        status = check_queue(&job, queue);
    if (status == CLSLICE_S_OK)
        status = kernel_slot_acquire(job.device, &job.compiled->kernels, &spare, &job.slot, error);
    if (status != CLSLICE_S_OK)
        return status;
    status =
        direct ? launch_whole(&job, desc, queue, event) : launch_tiles(&job, desc, queue, event);
    kernel_slot_return(job.device, &spare, job.slot);
    return status;
}
