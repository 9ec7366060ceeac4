/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_cl.h"

#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(name) {#name, offsetof(struct bench_cl, name)},
static const struct {
    const char *name;
    size_t offset;
} members[] = {BENCH_CL_FUNCTIONS(MEMBER)};
#undef MEMBER

static bool load(struct bench_cl *cl, struct problem *problem)
{
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        void *address = clslice_device_get_proc(cl->device, members[i].name);

        if (!address)
            return problem_set(problem, "the device's OpenCL has no %s", members[i].name);
        memcpy((char *)cl + members[i].offset, &address, sizeof address);
    }
    return true;
}

bool bench_cl_open(struct bench_cl *cl, clslice_device *device, struct problem *problem)
{
    clslice_error error = {.size = sizeof error};
    cl_int code = CL_SUCCESS;

    *cl = (struct bench_cl){.device = device,
                            .info = {.size = sizeof cl->info},
                            .objects = {.size = sizeof cl->objects}};
    if (clslice_device_get_info(device, &cl->info, &error) != CLSLICE_S_OK ||
        clslice_device_get_opencl(device, &cl->objects, &error) != CLSLICE_S_OK)
        return problem_set(problem, "%s", error.text);
    if (!load(cl, problem))
        return false;
    cl->queue = cl->clCreateCommandQueue(cl->objects.context, cl->objects.device_id,
                                         CL_QUEUE_PROFILING_ENABLE, &code);
    return problem_opencl("clCreateCommandQueue", code, problem);
}

static void release_buffers(struct bench_cl *cl)
{
    if (cl->input && cl->clEnqueueUnmapMemObject(cl->queue, cl->in, cl->input, 0, NULL, NULL) == 0)
        cl->clFinish(cl->queue);
    if (cl->in)
        cl->clReleaseMemObject(cl->in);
    if (cl->out)
        cl->clReleaseMemObject(cl->out);
    free(cl->expected);
    free(cl->read);
    cl->in = cl->out = NULL;
    cl->input = cl->expected = cl->read = NULL;
    cl->in_bytes = cl->out_bytes = 0;
}

void bench_cl_close(struct bench_cl *cl)
{
    release_buffers(cl);
    if (cl->queue)
        cl->clReleaseCommandQueue(cl->queue);
}

/* xorshift64: as random as slicing needs, and a GiB takes less than a second. */
static void fill_random(uint64_t *words, uint64_t count)
{
    uint64_t state = 0x9E3779B97F4A7C15;

    for (uint64_t i = 0; i < count; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words[i] = state;
    }
}

static void *map_input(struct bench_cl *cl, cl_map_flags flags, struct problem *problem)
{
    cl_int code = CL_SUCCESS;
    void *bytes = cl->clEnqueueMapBuffer(cl->queue, cl->in, CL_TRUE, flags, 0, cl->in_bytes, 0,
                                         NULL, NULL, &code);

    return problem_opencl("clEnqueueMapBuffer", code, problem) ? bytes : NULL;
}

static bool fill_input(struct bench_cl *cl, struct problem *problem)
{
    uint64_t *words = map_input(cl, CL_MAP_WRITE_INVALIDATE_REGION, problem);
    cl_int code;

    if (!words)
        return false;
    fill_random(words, cl->in_bytes / sizeof *words);
    code = cl->clEnqueueUnmapMemObject(cl->queue, cl->in, words, 0, NULL, NULL);
    if (!problem_opencl("clEnqueueUnmapMemObject", code, problem))
        return false;
    cl->input = map_input(cl, CL_MAP_READ, problem);
    return cl->input != NULL;
}

/* Room for somewhat more, so that cases of about one size share their buffers. */
static size_t room_for(const struct bench_cl *cl, uint64_t bytes)
{
    uint64_t room = (bytes + bytes / 8 + 4095) / 4096 * 4096;
    size_t most = size_for(cl->info.max_alloc_bytes) / 8 * 8;

    return room < most ? (size_t)room : most;
}

bool bench_cl_reserve(struct bench_cl *cl, uint64_t in_bytes, uint64_t out_bytes,
                      struct problem *problem)
{
    uint64_t most = in_bytes > out_bytes ? in_bytes : out_bytes;
    size_t in_room = room_for(cl, in_bytes > cl->in_bytes ? in_bytes : cl->in_bytes);
    size_t out_room = room_for(cl, out_bytes > cl->out_bytes ? out_bytes : cl->out_bytes);
    cl_int code = CL_SUCCESS;
    bool is_there;

    if (in_bytes <= cl->in_bytes && out_bytes <= cl->out_bytes)
        return true;
    if (most > room_for(cl, most))
        return problem_set(
            problem, "a tensor has %" PRIu64 " bytes, a buffer of the device at most %" PRIu64,
            most, cl->info.max_alloc_bytes);
    if (out_room > cl->info.global_bytes || in_room > cl->info.global_bytes - out_room)
        return problem_set(problem, "the tensors have %zu bytes, the device %" PRIu64,
                           in_room + out_room, cl->info.global_bytes);
    release_buffers(cl);
    cl->in = cl->clCreateBuffer(cl->objects.context, CL_MEM_READ_WRITE, in_room, NULL, &code);
    if (code == CL_SUCCESS)
        cl->out = cl->clCreateBuffer(cl->objects.context, CL_MEM_READ_WRITE, out_room, NULL, &code);
    cl->in_bytes = in_room;
    cl->out_bytes = out_room;
    cl->expected = malloc(out_room);
    cl->read = malloc(BENCH_READ_BYTES);
    is_there = problem_opencl("clCreateBuffer", code, problem);
    if (is_there && (!cl->expected || !cl->read))
        is_there = problem_set(problem, "out of memory to check %zu bytes", out_room);
    if (is_there && fill_input(cl, problem))
        return true;
    release_buffers(cl);
    return false;
}

cl_kernel bench_cl_kernel(const struct bench_cl *cl, const char *source, const char *name,
                          struct problem *problem)
{
    cl_int code;
    cl_kernel kernel = NULL;
    cl_program program =
        cl->clCreateProgramWithSource(cl->objects.context, 1, &source, NULL, &code);

    if (!program) {
        problem_opencl("clCreateProgramWithSource", code, problem);
        return NULL;
    }
    code = cl->clBuildProgram(program, 1, &cl->objects.device_id, "", NULL, NULL);
    if (problem_opencl("clBuildProgram", code, problem)) {
        kernel = cl->clCreateKernel(program, name, &code);
        problem_opencl("clCreateKernel", code, problem);
    }
    cl->clReleaseProgram(program);
    return kernel;
}

bool bench_cl_finish(const struct bench_cl *cl, cl_command_queue queue, struct problem *problem)
{
    return problem_opencl("clFinish", cl->clFinish(queue), problem);
}

bool bench_cl_enqueue(const struct bench_cl *cl, cl_command_queue queue, cl_kernel kernel,
                      size_t global, size_t local, cl_event *event, struct problem *problem)
{
    cl_int code = cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &cl->in);

    if (code == CL_SUCCESS)
        code = cl->clSetKernelArg(kernel, 1, sizeof(cl_mem), &cl->out);
    if (code == CL_SUCCESS)
        code = cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
    return problem_opencl("clEnqueueNDRangeKernel", code, problem);
}

bool bench_cl_times(const struct bench_cl *cl, cl_event event, struct bench_times *times,
                    struct problem *problem)
{
    cl_int code = cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                              sizeof times->start, &times->start, NULL);

    if (code == CL_SUCCESS)
        code = cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof times->end,
                                           &times->end, NULL);
    cl->clReleaseEvent(event);
    return problem_opencl("clGetEventProfilingInfo", code, problem);
}

double bench_seconds(cl_ulong start, cl_ulong end)
{
    return (double)(end - start) * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;

    return (left > right) - (left < right);
}

double bench_quantile(double *samples, size_t count, double part)
{
    qsort(samples, count, sizeof *samples, compare);
    return samples[(size_t)((double)(count - 1) * part)];
}
