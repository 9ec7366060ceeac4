/* SPDX-License-Identifier: MIT */
#include "runtime/dispatch.h"

#include "runtime/items.h"
#include "runtime/tiles.h"

#include <inttypes.h>

/* ---- Checks ---- */

static int32_t check_desc(const clslice_dispatch_desc *desc, clslice_error *error)
{
    if (desc->flags || desc->reserved)
        return status_fail(
            error, CLSLICE_E_NOTIMPL,
            WHERE(.rule = CLSLICE_RULE_OPTION, .value = {desc->flags, desc->reserved}),
            "clslice_dispatch_desc.flags = 0x%" PRIx32 ", reserved = %" PRIu32 ": both must be 0",
            desc->flags, desc->reserved);
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

static int32_t check_batch(const struct clslice_compiled_operator *compiled,
                           const clslice_batch *batch, clslice_error *error)
{
    if (!batch || compiled->of_batch)
        return CLSLICE_S_OK;
    return status_fail(error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_BATCH_NOT_COMPILED),
                       "clslice_dispatch_desc.batch is not NULL, but the operator was compiled "
                       "without CLSLICE_COMPILE_FLAG_BATCH");
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

/* ---- Launches ---- */

static int32_t launch_whole(const struct job *job, const clslice_dispatch_desc *desc,
                            cl_command_queue queue, cl_event *event)
{
    const struct launch *whole = &job->compiled->whole;
    const struct job_side sides[] = {job_side_of(job, BIND_IN, whole->range.in.first),
                                     job_side_of(job, BIND_OUT, whole->range.out.first)};
    return job_launch(job, whole, sides, queue, desc->wait_count, desc->wait_events, event);
}

/* What may take several steps: tiles, or the items of a batch. */
static int32_t launch_steps(struct job *job, const clslice_dispatch_desc *desc,
                            const struct items *items, cl_command_queue queue, cl_event *event)
{
    struct event_chain chain;
    int32_t status = event_chain_begin(&chain, job->device, queue, desc->wait_events,
                                       desc->wait_count, job->error);
    chain.is_awaited = event;
    if (status == CLSLICE_S_OK)
        status = items ? items_launch(job, items, &chain) : tiles_launch(job, &chain);
    if (status == CLSLICE_S_OK && event) {
        *event = chain.last;
        chain.last = NULL;
    }
    event_chain_end(&chain);
    return status;
}

/* ---- Dispatch ---- */

static void choose_plan(struct job *job, struct clslice_compiled_operator *compiled,
                        uint32_t in_alignment, uint32_t out_alignment)
{
    bool aligned =
        in_alignment >= compiled->alignments.in && out_alignment >= compiled->alignments.out;
    job->compiled = compiled->by_alignment[aligned ? PLAN_ALIGNED_16 : PLAN_ALIGNED_ELEMENT];
}

static int32_t enqueue(struct job *job, const clslice_dispatch_desc *desc,
                       const struct items *items, cl_event *event)
{
    cl_command_queue queue = desc->queue ? desc->queue : job->device->queue;
    struct kernel_slot spare = {0};
    int32_t status = CLSLICE_S_OK;
    if (desc->queue)
        status = check_queue(job, queue);
    if (status == CLSLICE_S_OK)
        status = kernel_slot_acquire(job->device, &job->compiled->kernels, &spare, &job->slot,
                                     job->error);
    if (status != CLSLICE_S_OK)
        return status;
    bool is_whole = !items && job_is_direct(job) && job->compiled->plan.launch_bytes == 0;
    status = is_whole ? launch_whole(job, desc, queue, event)
                      : launch_steps(job, desc, items, queue, event);
    kernel_slot_return(job->device, &spare, job->slot);
    return status;
}

int32_t dispatch(struct clslice_compiled_operator *compiled, const clslice_dispatch_desc *desc,
                 const clslice_batch *batch, cl_event *event, clslice_error *error)
{
    struct clslice_operator *op = compiled->op;
    struct job job = {.device = op->device, .error = error};
    struct items items;
    int32_t status = device_check_process(op->device, error);
    if (status == CLSLICE_S_OK)
        status = check_desc(desc, error);
    if (status == CLSLICE_S_OK)
        status = check_batch(compiled, batch, error);
    if (status == CLSLICE_S_OK)
        status = bind_check(op, desc, batch && batch->flags & CLSLICE_BATCH_FLAG_DISJOINT,
                            job.bound, error);
    if (status == CLSLICE_S_OK && compiled->of_batch)
        status = items_from(compiled, desc, batch, job.bound, &items, error);
    if (status != CLSLICE_S_OK)
        return status;
    const uint32_t in = job.bound[BIND_IN].alignment, out = job.bound[BIND_OUT].alignment;
    if (!compiled->of_batch) {
        choose_plan(&job, compiled, in, out);
        return enqueue(&job, desc, NULL, event);
    }
    uint32_t size = op->slice.input.element_size;
    choose_plan(&job, compiled, batch_in_alignment(&items.batch, size, in),
                batch_out_alignment(&items.batch, size, out));
    if (items_are_few(&job, &items))
        job.compiled = &compiled->few;
    return enqueue(&job, desc, &items, event);
}
