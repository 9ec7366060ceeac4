/* SPDX-License-Identifier: MIT */
#include "runtime/job.h"

bool job_is_direct(const struct job *job)
{
    return bound_is_direct(&job->bound[BIND_IN]) && bound_is_direct(&job->bound[BIND_OUT]);
}

uint64_t job_bytes(const struct job *job, uint64_t elements)
{
    return elements * job->compiled->plan.element_size;
}

unsigned char *job_host_bytes(const struct job *job, int i, uint64_t element)
{
    return job->bound[i].address + job->bound[i].offset + job_bytes(job, element);
}

struct job_side job_side_of(const struct job *job, int i, uint64_t first)
{
    const struct bound *bound = &job->bound[i];
    bool is_mem = bound->way == BIND_MEM;
    return (struct job_side){
        .memory = {bound->mem, is_mem ? NULL : bound->address + bound->offset},
        .first = is_mem ? bound->offset / job->compiled->plan.element_size + first : first};
}

int32_t job_place_side(const struct job *job, int i, const struct plan_extent *range, cl_mem staged,
                       struct job_side *side)
{
    *side = job_side_of(job, i, range->first);
    if (bound_is_direct(&job->bound[i]))
        return CLSLICE_S_OK;
    side->first -= range->low;
    side->memory.mem = staged;
    if (job->bound[i].way == BIND_STAGE)
        return CLSLICE_S_OK;
    cl_int code;
    cl_mem_flags access = i == BIND_IN ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    side->memory.mem =
        job->device->cl.clCreateBuffer(job->device->context, CL_MEM_USE_HOST_PTR | access,
                                       (size_t)job_bytes(job, range->high - range->low),
                                       job_host_bytes(job, i, range->low), &code);
    return side->memory.mem ? CLSLICE_S_OK : cl_fail(job->error, "clCreateBuffer", code, NULL);
}

void job_release_sides(const struct job *job, const struct job_side sides[BIND_SIDES])
{
    for (int i = 0; i < BIND_SIDES; ++i)
        if (job->bound[i].way == BIND_WRAP && sides[i].memory.mem)
            job->device->cl.clReleaseMemObject(sides[i].memory.mem);
}

int32_t job_launch(const struct job *job, const struct launch *launch,
                   const struct job_side sides[BIND_SIDES], cl_command_queue queue,
                   cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    size_t global = (size_t)launch->global_size, local = job->compiled->plan.local_size;
    struct kernel_arguments arguments = {.memory = {sides[BIND_IN].memory, sides[BIND_OUT].memory},
                                         .walk = &launch->walk,
                                         .in_first = sides[BIND_IN].first,
                                         .out_first = sides[BIND_OUT].first};
    if (job->items)
        item_tables_fill(job->items, &arguments);
    int32_t status =
        kernel_slot_set(job->device, &job->compiled->kernels, job->slot, &arguments, job->error);
    if (status != CLSLICE_S_OK)
        return status;
    cl_event made = NULL;
    cl_int code =
        job->device->cl.clEnqueueNDRangeKernel(queue, job->slot->kernel, 1, NULL, &global, &local,
                                               wait_count, waits, event ? &made : NULL);
    if (code != CL_SUCCESS)
        return cl_fail(job->error, "clEnqueueNDRangeKernel", code, NULL);
    if (event)
        *event = made;
    return CLSLICE_S_OK;
}
