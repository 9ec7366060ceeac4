/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_overhead.h"

#include "cli/clock.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 2000, ROUNDS = 40, CALLS = 1000, HOST_ALIGNMENT = 64 };
enum { MOST_SAMPLES = 2 * (PAIRS + 1) };

static const char source[] = "kernel void empty(void)\n"
                             "{\n"
                             "}\n"
                             "kernel void bare(global const uchar *in, global uchar *out)\n"
                             "{\n"
                             "}\n";

/* What the samples are taken with; the queue is the device's own, which takes no times. */
struct rig {
    const struct bench_cl *cl; /* borrowed, as is the subject */
    const struct bench_subject *subject;
    struct bench_subject host; /* the subject in host memory; shares its compiled operator */
    cl_kernel empty;           /* owned */
    cl_kernel bare;            /* owned */
    double *samples;           /* owned; MOST_SAMPLES */
};

static void *host_memory(const clslice_binding *binding)
{
    size_t bytes = (size_for(binding->size) + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
    void *memory = aligned_alloc(HOST_ALIGNMENT, bytes);

    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static bool rig_open(struct rig *rig, const struct bench_subject *subject, struct problem *problem)
{
    *rig = (struct rig){.cl = subject->cl, .subject = subject, .host = *subject};
    rig->host.in = (clslice_binding){.kind = CLSLICE_BINDING_HOST,
                                     .handle = host_memory(&subject->in),
                                     .size = subject->in.size};
    rig->host.out = (clslice_binding){.kind = CLSLICE_BINDING_HOST,
                                      .handle = host_memory(&subject->out),
                                      .size = subject->out.size};
    rig->samples = malloc(sizeof *rig->samples * MOST_SAMPLES);
    if (!rig->host.in.handle || !rig->host.out.handle || !rig->samples)
        return problem_set(problem, "out of memory");
    rig->empty = bench_cl_kernel(rig->cl, source, "empty", problem);
    rig->bare = rig->empty ? bench_cl_kernel(rig->cl, source, "bare", problem) : NULL;
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

static bool enqueue_empty(const struct rig *rig, struct problem *problem)
{
    const size_t one = 1;
    cl_int code = rig->cl->clEnqueueNDRangeKernel(rig->cl->objects.queue, rig->empty, 1, NULL, &one,
                                                  &one, 0, NULL, NULL);

    return problem_opencl("clEnqueueNDRangeKernel", code, problem);
}

static bool enqueue_bare(const struct rig *rig, struct problem *problem)
{
    const clslice_plan_info *plan = &rig->subject->plan;

    return bench_cl_enqueue(rig->cl, rig->cl->objects.queue, rig->bare, size_for(plan->global_size),
                            plan->local_size, NULL, problem);
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
typedef bool timer(const struct rig *rig, enqueue *call, double *seconds, struct problem *problem);

/* From the call to completion. */
static bool time_one(const struct rig *rig, enqueue *call, double *seconds, struct problem *problem)
{
    double start = clock_seconds();
    bool is_done = call(rig, problem) && bench_cl_finish(rig->cl, rig->cl->objects.queue, problem);

    *seconds = clock_seconds() - start;
    return is_done;
}

/* The calls alone, then completion. */
static bool time_many(const struct rig *rig, enqueue *call, double *seconds,
                      struct problem *problem)
{
    double start = clock_seconds();
    bool is_done = true;

    for (int i = 0; i < CALLS && is_done; ++i)
        is_done = call(rig, problem);
    *seconds = (clock_seconds() - start) / (double)CALLS;
    return bench_cl_finish(rig->cl, rig->cl->objects.queue, problem) && is_done;
}

struct measured {
    enqueue *call;
    double *seconds; /* borrowed; the result */
};

/* Samples of the calls in turn, after a round that does not count. */
static bool measure(const struct rig *rig, timer *time, const struct measured *calls, size_t count,
                    size_t rounds, struct problem *problem)
{
    double *samples[3];

    for (size_t i = 0; i < count; ++i)
        samples[i] = rig->samples + i * (rounds + 1);
    for (size_t round = 0; round <= rounds; ++round)
        for (size_t i = 0; i < count; ++i)
            if (!time(rig, calls[i].call, &samples[i][round], problem))
                return false;
    for (size_t i = 0; i < count; ++i)
        *calls[i].seconds = bench_quantile(samples[i] + 1, rounds, 0.1);
    return true;
}

static bool measure_all(const struct rig *rig, struct bench_overhead *overhead,
                        struct problem *problem)
{
    const struct measured enqueues[] = {{enqueue_bare, &overhead->bare.enqueue},
                                        {enqueue_subject, &overhead->dispatch.enqueue},
                                        {enqueue_host, &overhead->host.enqueue}};
    const struct measured latencies[] = {{enqueue_empty, &overhead->bare.latency},
                                         {enqueue_subject, &overhead->dispatch.latency}};
    const struct measured host = {enqueue_host, &overhead->host.latency};

    return measure(rig, time_many, enqueues, 3, ROUNDS, problem) &&
           measure(rig, time_one, latencies, 2, PAIRS, problem) &&
           measure(rig, time_one, &host, 1, PAIRS, problem);
}

bool bench_overhead_measure(const struct bench_subject *subject, struct bench_overhead *overhead,
                            struct problem *problem)
{
    struct rig rig;
    bool is_done = rig_open(&rig, subject, problem) && measure_all(&rig, overhead, problem);

    subject->cl->clFinish(subject->cl->objects.queue);
    rig_close(&rig);
    return is_done;
}
