/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_speed.h"

#include "cli/bench/bench_case.h"
#include "conformance/problem.h"

#include <stdlib.h>

/* ---- The copy ---- */

enum { ROUNDS = 7, LEAST_BYTES = 32 << 20, SMALL_BYTES = 1 << 20 };

/* Few threads with long vectors: one work-item per 64 KiB, past the caches. */
enum { CPU_CHUNK_BYTES = 65536 };
static const char cpu_source[] = "#define STORE(value, to) *(to) = (value)\n"
                                 "#ifdef __has_builtin\n"
                                 "#if __has_builtin(__builtin_nontemporal_store)\n"
                                 "#undef STORE\n"
                                 "#define STORE(value, to) __builtin_nontemporal_store(value, to)\n"
                                 "#endif\n"
                                 "#endif\n"
                                 "kernel void copy(global const uint16 *in, global uint16 *out)\n"
                                 "{\n"
                                 "    size_t first = get_global_id(0) * 1024;\n"
                                 "    for (size_t i = first; i < first + 1024; ++i)\n"
                                 "        STORE(in[i], out + i);\n"
                                 "}\n";

/* Many threads: 16 bytes each, side by side. */
enum { GPU_GROUP = 256, GPU_CHUNK_BYTES = GPU_GROUP * 16 };
static const char gpu_source[] = "kernel void copy(global const uint4 *in, global uint4 *out)\n"
                                 "{\n"
                                 "    out[get_global_id(0)] = in[get_global_id(0)];\n"
                                 "}\n";

const char *bench_copy_name(const struct bench_copy *copy)
{
    return copy->kernel ? "streaming kernel" : "clEnqueueCopyBuffer";
}

/* Bytes that a copy beside a case copies: what makes it move about `floor_bytes`, as far as the
 * buffers reach. */
static size_t copy_bytes(const struct bench_copy *copy, uint64_t floor_bytes)
{
    const struct bench_cl *cl = copy->cl;
    size_t most = cl->in_bytes < cl->out_bytes ? cl->in_bytes : cl->out_bytes;
    uint64_t bytes = floor_bytes / 2 > copy->least_bytes ? floor_bytes / 2 : copy->least_bytes;

    return (bytes < most ? (size_t)bytes : most) / CPU_CHUNK_BYTES * CPU_CHUNK_BYTES;
}

static bool run_copy(const struct bench_copy *copy, size_t bytes, cl_event *event,
                     struct problem *problem)
{
    const struct bench_cl *cl = copy->cl;

    if (copy->kernel)
        return bench_cl_enqueue(cl, cl->queue, copy->kernel,
                                bytes / copy->chunk_bytes * copy->chunk_items, copy->chunk_items,
                                event, problem);
    return problem_opencl(
        "clEnqueueCopyBuffer",
        cl->clEnqueueCopyBuffer(cl->queue, cl->in, cl->out, 0, 0, bytes, 0, NULL, event), problem);
}

/* Copies so many bytes and waits. */
static bool time_copy(const struct bench_copy *copy, size_t bytes, double *seconds,
                      struct problem *problem)
{
    cl_event event = NULL;
    struct bench_times times = {0};
    bool is_done = run_copy(copy, bytes, &event, problem) &&
                   bench_cl_finish(copy->cl, copy->cl->queue, problem) &&
                   bench_cl_times(copy->cl, event, &times, problem);

    *seconds = bench_seconds(times.start, times.end);
    return is_done;
}

/* In turns, after one of each that does not count. */
static bool choose(struct bench_copy *copy, struct problem *problem)
{
    const struct bench_copy plain = {.cl = copy->cl};
    size_t bytes = copy_bytes(copy, UINT64_MAX);
    double by_kernel[ROUNDS + 1];
    double by_driver[ROUNDS + 1];
    double kernel;
    double driver;

    for (int i = 0; i <= ROUNDS; ++i)
        if (!time_copy(copy, bytes, &by_kernel[i], problem) ||
            !time_copy(&plain, bytes, &by_driver[i], problem))
            return false;
    kernel = bench_quantile(by_kernel + 1, ROUNDS, 0.5);
    driver = bench_quantile(by_driver + 1, ROUNDS, 0.5);
    copy->bytes_per_second = 2.0 * (double)bytes / (driver < kernel ? driver : kernel);
    if (driver < kernel)
        bench_copy_close(copy);
    return true;
}

bool bench_copy_open(struct bench_copy *copy, struct bench_cl *cl, struct problem *problem)
{
    bool is_cpu = cl->info.device_class == CLSLICE_CLASS_CPU;
    bool is_gpu = cl->info.device_class == CLSLICE_CLASS_GPU;

    *copy = (struct bench_copy){
        .cl = cl,
        .chunk_bytes = is_cpu ? CPU_CHUNK_BYTES : GPU_CHUNK_BYTES,
        .chunk_items = is_cpu ? 1 : GPU_GROUP,
        .least_bytes = (uint64_t)LEAST_BYTES * (is_gpu ? BENCH_GPU_FACTOR : 1),
    };
    while (!bench_cl_reserve(cl, copy->least_bytes, copy->least_bytes, problem)) {
        if (copy->least_bytes <= SMALL_BYTES)
            return false;
        copy->least_bytes /= 2;
    }
    copy->kernel = bench_cl_kernel(cl, is_cpu ? cpu_source : gpu_source, "copy", problem);
    return copy->kernel && choose(copy, problem);
}

void bench_copy_close(struct bench_copy *copy)
{
    if (copy->kernel)
        copy->cl->clReleaseKernel(copy->kernel);
    copy->kernel = NULL;
}

/* ---- A case beside it ---- */

enum { WARM_UPS = 2, MOST_REPEATS = 64 };

/* A sample below this is made of several dispatches: clocks of devices may tick in microseconds. */
static const double least_sample = 50e-6;

/* Seconds of one of `repeats` dispatches, one behind the other. The event of one that takes several
 * launches is that of the last: such a dispatch begins where another in front of it ends. */
static bool time_case(const struct bench_subject *subject, int repeats, double *seconds,
                      struct problem *problem)
{
    const bool has_front = subject->plan.launches > 1;
    cl_event events[1 + MOST_REPEATS];
    cl_ulong before = 0;
    double sum = 0;
    bool is_done = true;
    int count = 0;

    while (count < has_front + repeats && is_done) {
        is_done = bench_subject_dispatch(subject, subject->cl->queue, &events[count], problem);
        count += is_done;
    }
    is_done = bench_cl_finish(subject->cl, subject->cl->queue, problem) && is_done;
    for (int i = 0; i < count; ++i) {
        struct bench_times times = {0};

        is_done = bench_cl_times(subject->cl, events[i], &times, problem) && is_done;
        if (!has_front || i > 0)
            sum += bench_seconds(has_front ? before : times.start, times.end);
        before = times.end;
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
    size_t bytes = copy_bytes(copy, subject->plan.floor_bytes);
    double moved = 2.0 * (double)bytes;
    int repeats;

    if (!find_repeats(subject, &repeats, problem))
        return false;
    for (size_t i = 0; i < pairs; ++i) {
        if (!time_copy(copy, bytes, &copies[i], problem) ||
            !time_case(subject, repeats, &cases[i], problem))
            return false;
        if (cases[i] <= 0)
            return problem_set(problem, "the device's clock stood still during %d dispatches",
                               repeats);
        ratios[i] = floor_bytes / cases[i] / (moved / copies[i]);
    }
    speed->seconds = bench_quantile(cases, pairs, 0.5);
    speed->copy_bytes_per_second = moved / bench_quantile(copies, pairs, 0.5);
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
