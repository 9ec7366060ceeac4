/* SPDX-License-Identifier: MIT */
#include "runtime/dispatch.h"

#include "core/tile.h"
#include "runtime/bind.h"
#include "runtime/staging.h"

#include <inttypes.h>

/* What one dispatch carries through its steps. */
struct job {
    struct clslice_device *device;
    struct compiled_plan *compiled;
    struct kernel_slot *slot;
    struct bound bound[BIND_SIDES];
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
    bool is_ours;
    cl_int code = device_has_queue(job->device, queue, &is_ours);
    if (is_ours)
        return CLSLICE_S_OK;
    return status_fail(
        job->error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_QUEUE, .opencl = code),
        code == CL_SUCCESS ? "queue does not belong to the context and device of the operator"
                           : "queue is not a valid OpenCL command queue");
}

/* ---- One launch ---- */

/* A side of a launch. */
struct side {
    cl_mem mem;          /* the buffer that it goes by; NULL: by the address */
    const void *address; /* of the tensor */
    uint64_t first;      /* the launch's first element from there */
};

/* As the caller has bound it. */
static struct side side_of(const struct job *job, int i, uint64_t first)
{
    const struct bound *bound = &job->bound[i];
    bool is_mem = bound->way == BIND_MEM;
    return (struct side){.mem = bound->mem,
                         .address = is_mem ? NULL : bound->address + bound->offset,
                         .first = is_mem ? bound->offset / job->compiled->plan.element_size + first
                                         : first};
}

static int32_t launch_kernel(const struct job *job, const struct launch *launch,
                             const struct side sides[BIND_SIDES], cl_command_queue queue,
                             cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    size_t global = (size_t)launch->global_size, local = job->compiled->plan.local_size;
    int32_t status =
        kernel_slot_set_walk(job->device, &job->compiled->kernels, job->slot, &launch->walk,
                             sides[BIND_IN].first, sides[BIND_OUT].first, job->error);
    if (status != CLSLICE_S_OK)
        return status;
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; code == CL_SUCCESS && i < BIND_SIDES; ++i)
        code = kernel_slot_set_side(job->device, job->slot, i, sides[i].mem, sides[i].address);
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
    const struct side sides[] = {side_of(job, BIND_IN, whole->range.in.first),
                                 side_of(job, BIND_OUT, whole->range.out.first)};
    return launch_kernel(job, whole, sides, queue, desc->wait_count, desc->wait_events, event);
}

/* ---- Tiles: host memory, wrapped or staged ---- */

static uint64_t bytes_of(const struct job *job, uint64_t elements)
{
    return elements * job->compiled->plan.element_size;
}

/* Where an element lies in host memory. */
static unsigned char *host_bytes(const struct job *job, int i, uint64_t element)
{
    return job->bound[i].address + job->bound[i].offset + bytes_of(job, element);
}

/* A side as a kernel takes it: where the caller has bound host memory, it goes by a buffer over the
 * part that a launch addresses, or by the staged one. */
static int32_t place_side(const struct job *job, int i, const struct plan_extent *range,
                          cl_mem staged, struct side *side)
{
    *side = side_of(job, i, range->first);
    if (is_direct(&job->bound[i]))
        return CLSLICE_S_OK;
    side->first -= range->low;
    side->mem = staged;
    if (job->bound[i].way == BIND_STAGE)
        return CLSLICE_S_OK;
    cl_int code;
    cl_mem_flags access = i == BIND_IN ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    side->mem = job->device->cl.clCreateBuffer(job->device->context, CL_MEM_USE_HOST_PTR | access,
                                               (size_t)bytes_of(job, range->high - range->low),
                                               host_bytes(job, i, range->low), &code);
    return side->mem ? CLSLICE_S_OK : cl_fail(job->error, "clCreateBuffer", code, NULL);
}

/* To where the box's elements belong in the caller's memory. */
static int32_t read_staged(const struct job *job, struct event_chain *chain,
                           const struct plan_box *box, struct staging_set *set)
{
    struct runs runs = runs_of(&job->compiled->plan, box);
    struct plan_range place = plan_range(&job->compiled->plan, box);
    return staging_read(chain, set, &runs, host_bytes(job, BIND_OUT, place.out.low), job->error);
}

static int32_t run_tile(const struct job *job, struct event_chain *chain,
                        const struct plan_box *box, const struct launch *launch,
                        struct staging_set *set)
{
    const struct plan_extent *in = &launch->range.in;
    struct side sides[BIND_SIDES] = {{0}};
    int32_t status = place_side(job, BIND_IN, in, set ? set->in.mem : NULL, &sides[BIND_IN]);
    if (status == CLSLICE_S_OK)
        status = place_side(job, BIND_OUT, &launch->range.out, set ? set->out.mem : NULL,
                            &sides[BIND_OUT]);
    if (status == CLSLICE_S_OK && job->bound[BIND_IN].way == BIND_STAGE)
        status = staging_write(chain, set, host_bytes(job, BIND_IN, in->low),
                               bytes_of(job, in->high - in->low), job->error);
    if (status == CLSLICE_S_OK) {
        event_chain_prepare(chain, set ? set->last : NULL);
        status = launch_kernel(job, launch, sides, chain->queue, chain->wait_count, chain->waits,
                               &chain->next);
    }
    if (status == CLSLICE_S_OK) {
        event_chain_step(chain);
        if (job->bound[BIND_OUT].way == BIND_STAGE)
            status = read_staged(job, chain, box, set);
    }
    for (int i = 0; i < BIND_SIDES; ++i)
        if (job->bound[i].way == BIND_WRAP && sides[i].mem)
            job->device->cl.clReleaseMemObject(sides[i].mem);
    return status;
}

static uint64_t staged_bytes(const struct job *job, int i, const struct plan_extent *range)
{
    return job->bound[i].way == BIND_STAGE ? bytes_of(job, range->high - range->low) : 0;
}

/* `spare` serves all tiles of one dispatch, where the pool's sets are in use elsewhere. */
static int32_t run_staged_tile(const struct job *job, struct event_chain *chain,
                               const struct plan_box *box, const struct launch *launch,
                               struct staging_set *spare)
{
    struct staging_set *set;
    int32_t status =
        staging_take(job->device, chain, staged_bytes(job, BIND_IN, &launch->range.in),
                     staged_bytes(job, BIND_OUT, &launch->range.out), spare, &set, job->error);
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
    bool packs = job->bound[BIND_OUT].way == BIND_STAGE;
    bool staged = packs || job->bound[BIND_IN].way == BIND_STAGE;
    uint64_t limit =
        staged ? job->device->staging.buffer_bytes : job->device->about.max_alloc_bytes;
    struct plan_box box = plan_whole(plan);
    bool gaps = packs && runs_of(plan, &box).rank > 0;
    struct plan used = gaps ? plan_packed(plan, &box) : *plan;
    used.block.is_aligned = false; /* a buffer begins where what it holds of the tensor does */
    struct event_chain chain;
    struct staging_set spare = {0};
    int32_t status = event_chain_begin(&chain, job->device, queue, desc->wait_events,
                                       desc->wait_count, job->error);
    uint64_t tile[TENSOR_RANK_MAX];
    uint64_t tiles = tile_choose(&used, limit, tile);
    bool is_known = tiles == 1 && plan_equal(&used, plan);
    for (uint64_t i = 0; status == CLSLICE_S_OK && i < tiles; ++i) {
        struct launch part;
        box = tile_box(plan, tile, i);
        if (packs)
            used = plan_packed(&used, &box);
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
        status = bind_check(op, desc, job.bound, error);
    if (status != CLSLICE_S_OK)
        return status;

    bool aligned = job.bound[BIND_IN].alignment >= compiled->alignments.in &&
                   job.bound[BIND_OUT].alignment >= compiled->alignments.out;
    job.compiled = compiled->by_alignment[aligned ? PLAN_ALIGNED_16 : PLAN_ALIGNED_ELEMENT];

    cl_command_queue queue = desc->queue ? desc->queue : job.device->queue;
    bool direct = is_direct(&job.bound[BIND_IN]) && is_direct(&job.bound[BIND_OUT]);
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
