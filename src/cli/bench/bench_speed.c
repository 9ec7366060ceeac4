/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_speed.h"

#include "conformance/problem.h"

#include <stdlib.h>

enum { WARM_UPS = 2, MOST_REPEATS = 64 };

/* A sample below this is made of several dispatches: clocks of devices may tick in microseconds. */
static const double least_sample = 50e-6;

/* Seconds of one of `repeats` dispatches, one behind the other. */
static bool time_case(const struct bench_subject *subject, int repeats, double *seconds,
                      struct problem *problem)
{
    cl_event events[MOST_REPEATS];
    double sum = 0;
    bool is_done = true;
    int count = 0;

    while (count < repeats && is_done) {
        is_done = bench_subject_dispatch(subject, subject->cl->queue, &events[count], problem);
        count += is_done;
    }
    is_done = bench_cl_finish(subject->cl, subject->cl->queue, problem) && is_done;
    for (int i = 0; i < count; ++i) {
        double one = 0;

        is_done = bench_cl_seconds(subject->cl, events[i], &one, problem) && is_done;
        sum += one;
    }
    *seconds = sum / repeats;
    return is_done;
}

static bool find_repeats(const struct bench_subject *subject, int *repeats, struct problem *problem)
{
    double seconds = 0;
    double wanted;

    if (!time_case(subject, WARM_UPS, &seconds, problem))
        return false;
    wanted = least_sample / (seconds > 0 ? seconds : least_sample / (double)MOST_REPEATS);
    *repeats = wanted >= (double)MOST_REPEATS ? MOST_REPEATS : 1 + (int)wanted;
    return true;
}

/* `samples` holds 3 * pairs numbers. */
static bool measure(const struct bench_subject *subject, const struct bench_copy *copy,
                    size_t pairs, double *samples, struct bench_speed *speed,
                    struct problem *problem)
{
    double *cases = samples;
    double *copies = cases + pairs;
    double *ratios = copies + pairs;
    double floor_bytes = (double)subject->plan.floor_bytes;
    size_t bytes = bench_copy_bytes(copy, subject->plan.floor_bytes);
    int repeats;

    if (!find_repeats(subject, &repeats, problem))
        return false;
    speed->copy_bytes = 2 * bytes;
    for (size_t i = 0; i < pairs; ++i) {
        if (!bench_copy_time(copy, bytes, &copies[i], problem) ||
            !time_case(subject, repeats, &cases[i], problem))
            return false;
        if (cases[i] <= 0)
            return problem_set(problem, "the device's clock stood still during %d dispatches",
                               repeats);
        ratios[i] = floor_bytes / cases[i] / ((double)speed->copy_bytes / copies[i]);
    }
    speed->seconds = bench_quantile(cases, pairs, 0.5);
    speed->copy_seconds = bench_quantile(copies, pairs, 0.5);
    speed->efficiency = bench_quantile(ratios, pairs, 0.5);
    return true;
}

bool bench_speed_measure(const struct bench_subject *subject, const struct bench_copy *copy,
                         size_t pairs, struct bench_speed *speed, struct problem *problem)
{
    double *samples = malloc(3 * pairs * sizeof *samples);
    bool is_done;

    if (!samples)
        return problem_set(problem, "out of memory for %zu pairs", pairs);
    is_done = measure(subject, copy, pairs, samples, speed, problem);
    free(samples);
    return is_done;
}
