/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_overhead.h"

#include "cli/bench/bench_stat.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2000, ROUNDS = 40, CALLS = 1000, HOST_ALIGNMENT = 64 };

static const double tenth = 0.1;

static const char source[] = "kernel void empty(void)\n"
                             "{\n"
                             "}\n"
                             "kernel void bare(global const uchar *in, global uchar *out)\n"
                             "{\n"
                             "}\n";

/* What the samples are taken with; the queue is the device's own, which takes no times. */
struct rig {
    const struct bench_cl *cl;
    const struct bench_subject *subject;
    struct bench_subject host; /* the subject in host memory; shares its compiled operator */
    cl_kernel empty;           /* owned */
    cl_kernel bare;            /* owned */
    size_t global;             /* the subject's grid */
    size_t local;
    double *samples; /* owned; 3 * PAIRS */
};

static void *host_memory(const clslice_binding *binding)
{
    size_t bytes = (size_for(binding->size) + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
    void *memory = aligned_alloc(HOST_ALIGNMENT, bytes);

    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static bool rig_open(struct rig *rig, const struct bench_subject *subject,
                     const struct bench_cl *cl, struct problem *problem)
{
    *rig = (struct rig){.cl = cl, .subject = subject, .host = *subject};
    rig->global = size_for(subject->plan.global_size);
    rig->local = subject->plan.local_size;
    rig->host.in = (clslice_binding){.kind = CLSLICE_BINDING_HOST,
                                     .handle = host_memory(&subject->in),
                                     .size = subject->in.size};
    rig->host.out = (clslice_binding){.kind = CLSLICE_BINDING_HOST,
                                      .handle = host_memory(&subject->out),
                                      .size = subject->out.size};
    rig->samples = malloc(sizeof *rig->samples * 3 * PAIRS);
    if (!rig->host.in.handle || !rig->host.out.handle || !rig->samples)
        return problem_set(problem, "out of memory");
    rig->empty = bench_cl_kernel(cl, source, "empty", problem);
    rig->bare = rig->empty ? bench_cl_kernel(cl, source, "bare", problem) : NULL;
    return rig->bare != NULL;
}

static void rig_close(struct rig *rig)
{
    if (rig->empty)
        rig->cl->clReleaseKernel(rig->empty);
    if (rig->bare)
        rig->cl->clReleaseKernel(rig->bare);
    free(rig->host.in.handle);
    free(rig->host.out.handle);
    free(rig->samples);
}

static bool finish(const struct rig *rig, struct problem *problem)
{
    return bench_cl_check("clFinish", rig->cl->clFinish(rig->cl->objects.queue), problem);
}

static bool enqueue_empty(const struct rig *rig, struct problem *problem)
{
    const size_t one = 1;

    return bench_cl_check("clEnqueueNDRangeKernel",
                          rig->cl->clEnqueueNDRangeKernel(rig->cl->objects.queue, rig->empty, 1,
                                                          NULL, &one, &one, 0, NULL, NULL),
                          problem);
}

static bool enqueue_bare(const struct rig *rig, struct problem *problem)
{
    const struct bench_cl *cl = rig->cl;
    cl_int code = cl->clSetKernelArg(rig->bare, 0, sizeof(cl_mem), &cl->in);

    if (code == CL_SUCCESS)
        code = cl->clSetKernelArg(rig->bare, 1, sizeof(cl_mem), &cl->out);
    if (code == CL_SUCCESS)
        code = cl->clEnqueueNDRangeKernel(cl->objects.queue, rig->bare, 1, NULL, &rig->global,
                                          &rig->local, 0, NULL, NULL);
    return bench_cl_check("clEnqueueNDRangeKernel", code, problem);
}

static bool enqueue_subject(const struct rig *rig, struct problem *problem)
{
    return bench_subject_dispatch(rig->subject, NULL, NULL, problem);
}

static bool enqueue_host(const struct rig *rig, struct problem *problem)
{
    return bench_subject_dispatch(&rig->host, NULL, NULL, problem);
}

typedef bool enqueue(const struct rig *rig, struct problem *problem);

/* From the call to completion. */
static bool time_one(const struct rig *rig, enqueue *call, double *seconds, struct problem *problem)
{
    double start = bench_now();
    bool is_done = call(rig, problem) && finish(rig, problem);

    *seconds = bench_now() - start;
    return is_done;
}

/* The calls alone, then completion. */
static bool time_many(const struct rig *rig, enqueue *call, double *seconds,
                      struct problem *problem)
{
    double start = bench_now();
    bool is_done = true;

    for (int i = 0; i < CALLS && is_done; ++i)
        is_done = call(rig, problem);
    *seconds = (bench_now() - start) / (double)CALLS;
    return finish(rig, problem) && is_done;
}

static bool measure_completion(const struct rig *rig, struct bench_overhead *overhead,
                               struct problem *problem)
{
    double *ours = rig->samples;
    double *empty = ours + PAIRS;
    double *host = empty + PAIRS;

    for (int i = 0; i < PAIRS; ++i)
        if (!time_one(rig, enqueue_empty, &empty[i], problem) ||
            !time_one(rig, enqueue_subject, &ours[i], problem))
            return false;
    for (int i = 0; i < PAIRS; ++i)
        if (!time_one(rig, enqueue_host, &host[i], problem))
            return false;
    overhead->dispatch = bench_quantile(ours, PAIRS, tenth);
    overhead->empty = bench_quantile(empty, PAIRS, tenth);
    overhead->host_dispatch = bench_quantile(host, PAIRS, tenth);
    return true;
}

static bool measure_calls(const struct rig *rig, struct bench_overhead *overhead,
                          struct problem *problem)
{
    double ours[ROUNDS + 1];
    double bare[ROUNDS + 1];
    double host[ROUNDS + 1];

    for (int i = 0; i <= ROUNDS; ++i)
        if (!time_many(rig, enqueue_bare, &bare[i], problem) ||
            !time_many(rig, enqueue_subject, &ours[i], problem) ||
            !time_many(rig, enqueue_host, &host[i], problem))
            return false;
    overhead->enqueue = bench_quantile(ours + 1, ROUNDS, tenth);
    overhead->bare_enqueue = bench_quantile(bare + 1, ROUNDS, tenth);
    overhead->host_enqueue = bench_quantile(host + 1, ROUNDS, tenth);
    return true;
}

bool bench_overhead_measure(const struct bench_subject *subject, const struct bench_cl *cl,
                            struct bench_overhead *overhead, struct problem *problem)
{
    struct rig rig;
    bool is_done = rig_open(&rig, subject, cl, problem) && measure_calls(&rig, overhead, problem) &&
                   measure_completion(&rig, overhead, problem);

    cl->clFinish(cl->objects.queue);
    rig_close(&rig);
    return is_done;
}
