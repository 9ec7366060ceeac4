/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_latency.h"

#include "cli/clock.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <stdlib.h>

enum { WARM_UPS = 10, SAMPLES_OF_PAIR = 10 };

static const double percentile = 0.1;

static bool time_dispatch(const struct bench_subject *subject, double *seconds,
                          struct problem *problem)
{
    const struct bench_cl *cl = subject->cl;
    double start = clock_seconds();
    bool is_done = bench_subject_dispatch(subject, NULL, NULL, problem) &&
                   bench_cl_finish(cl, cl->objects.queue, problem);

    *seconds = clock_seconds() - start;
    return is_done;
}

static bool time_copy(const struct bench_cl *cl, size_t bytes, double *seconds,
                      struct problem *problem)
{
    double start = clock_seconds();
    cl_int code =
        cl->clEnqueueCopyBuffer(cl->objects.queue, cl->in, cl->out, 0, 0, bytes, 0, NULL, NULL);
    bool is_done = problem_opencl("clEnqueueCopyBuffer", code, problem) &&
                   bench_cl_finish(cl, cl->objects.queue, problem);

    *seconds = clock_seconds() - start;
    return is_done;
}

static size_t equal_bytes(const struct bench_subject *subject)
{
    const struct bench_cl *cl = subject->cl;
    size_t most = cl->in_bytes < cl->out_bytes ? cl->in_bytes : cl->out_bytes;
    uint64_t bytes = subject->plan.elements * case_type_bytes(subject->c.data_type);

    return bytes < most ? size_for(bytes) : most;
}

/* `samples` holds 2 * count numbers. */
static bool measure(const struct bench_subject *subject, size_t count, double *samples,
                    struct bench_speed *speed, struct problem *problem)
{
    double *dispatches = samples;
    double *copies = samples + count;
    size_t bytes = equal_bytes(subject);
    double copy;

    for (int i = 0; i < WARM_UPS; ++i)
        if (!time_dispatch(subject, dispatches, problem) ||
            !time_copy(subject->cl, bytes, copies, problem))
            return false;
    for (size_t i = 0; i < count; ++i)
        if (!time_dispatch(subject, &dispatches[i], problem) ||
            !time_copy(subject->cl, bytes, &copies[i], problem))
            return false;
    copy = bench_quantile(copies, count, percentile);
    speed->seconds = bench_quantile(dispatches, count, percentile);
    speed->copy_bytes_per_second = 2.0 * (double)bytes / copy;
    speed->efficiency = copy / speed->seconds;
    return true;
}

bool bench_latency_measure(const struct bench_subject *subject, size_t pairs,
                           struct bench_speed *speed, struct problem *problem)
{
    size_t count = pairs * SAMPLES_OF_PAIR;
    double *samples = malloc(2 * count * sizeof *samples);
    bool is_done;

    if (!samples)
        return problem_set(problem, "out of memory for %zu samples", count);
    is_done = measure(subject, count, samples, speed, problem);
    free(samples);
    return is_done;
}
