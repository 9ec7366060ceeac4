/* SPDX-License-Identifier: MIT */
/* A device as measuring needs it: OpenCL's functions, a queue that takes times, two buffers; the
 * host's clock, and numbers out of samples. */
#ifndef CLSLICE_CLI_BENCH_BENCH_CL_H
#define CLSLICE_CLI_BENCH_BENCH_CL_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include <clslice/clslice.h>

#include "conformance/cl_pointer.h"

struct problem;

#define BENCH_CL_FUNCTIONS(F)    \
    F(clBuildProgram)            \
    F(clCreateBuffer)            \
    F(clCreateCommandQueue)      \
    F(clCreateKernel)            \
    F(clCreateProgramWithSource) \
    F(clEnqueueCopyBuffer)       \
    F(clEnqueueFillBuffer)       \
    F(clEnqueueMapBuffer)        \
    F(clEnqueueNDRangeKernel)    \
    F(clEnqueueReadBuffer)       \
    F(clEnqueueUnmapMemObject)   \
    F(clFinish)                  \
    F(clGetEventProfilingInfo)   \
    F(clReleaseCommandQueue)     \
    F(clReleaseEvent)            \
    F(clReleaseKernel)           \
    F(clReleaseMemObject)        \
    F(clReleaseProgram)          \
    F(clSetKernelArg)

enum { BENCH_READ_BYTES = 16 << 20 };

#define BENCH_CL_MEMBER(name) CL_POINTER(name) name;
struct bench_cl {
    clslice_device *device; /* borrowed, as are its objects */
    clslice_device_info info;
    clslice_opencl_objects objects;
    cl_command_queue queue; /* owned; in order, its events know their times */
    cl_mem in;              /* owned; random bytes; NULL before the first bench_cl_reserve */
    cl_mem out;             /* owned */
    size_t in_bytes;
    size_t out_bytes;
    /* For bench_check(), as memory that is new each time takes longer than a slice: */
    unsigned char *input;    /* owned; `in`, which stays mapped for reading */
    unsigned char *expected; /* owned; out_bytes */
    unsigned char *read;     /* owned; BENCH_READ_BYTES */
    BENCH_CL_FUNCTIONS(BENCH_CL_MEMBER)
};
#undef BENCH_CL_MEMBER

/* The device must live as long. */
bool bench_cl_open(struct bench_cl *cl, clslice_device *device, struct problem *problem);

/* Nothing may be running. All zeros, and what could not be opened, are fine. */
void bench_cl_close(struct bench_cl *cl);

/* Makes the buffers at least this large; what they hold is then new. False where the device or the
 * host has not the memory; there may then be no buffers. */
bool bench_cl_reserve(struct bench_cl *cl, uint64_t in_bytes, uint64_t out_bytes,
                      struct problem *problem);

/* A program's kernel; NULL on failure. The caller owns it. */
cl_kernel bench_cl_kernel(const struct bench_cl *cl, const char *source, const char *name,
                          struct problem *problem);

bool bench_cl_finish(const struct bench_cl *cl, cl_command_queue queue, struct problem *problem);

/* Enqueues a copying kernel, whose arguments become the two buffers. `event` may be NULL. */
bool bench_cl_enqueue(const struct bench_cl *cl, cl_command_queue queue, cl_kernel kernel,
                      size_t global, size_t local, cl_event *event, struct problem *problem);

/* By the device's clock, in nanoseconds. */
struct bench_times {
    cl_ulong start, end;
};

/* When a finished command began and ended; takes the event. False where the driver does not
 * know. */
bool bench_cl_times(const struct bench_cl *cl, cl_event event, struct bench_times *times,
                    struct problem *problem);

double bench_seconds(cl_ulong start, cl_ulong end);

/* What `part`, 0 to 1, of the samples are at most; 0.5: the median, of an even number the lower
 * one. Sorts the samples, of which there is at least one. */
double bench_quantile(double *samples, size_t count, double part);

#endif
