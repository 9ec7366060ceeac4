/* SPDX-License-Identifier: MIT */
/* Runs a case through each kind of memory and compares every byte. */
#ifndef CLSLICE_CONFORMANCE_CASE_RUN_H
#define CLSLICE_CONFORMANCE_CASE_RUN_H

#include <stdbool.h>

#include <CL/cl.h>

#include <clslice/clslice.h>

#include "conformance/cl_pointer.h"

struct problem;
struct slice_case;

/* Creates and compiles the case's operator, by `variant`, NULL: the planner's choice. Fills `plan`
 * and `info` where they are not NULL. The caller owns *compiled, also after a failure. */
int32_t case_compile(clslice_device *device, const struct slice_case *c, const char *variant,
                     clslice_plan_info *plan, clslice_compiled_operator_info *info,
                     clslice_compiled_operator **compiled, clslice_error *error);

/* Where cases run. */
struct case_context {
    clslice_device *device; /* borrowed */
    const char *variant;    /* borrowed; NULL: the planner's choice */
    bool skips_host_memory; /* of case_run(); false after case_context_init() */
    cl_context context;     /* borrowed from the device, as the queue is */
    cl_command_queue queue;
    CL_POINTER(clCreateBuffer) create_buffer;
    CL_POINTER(clEnqueueWriteBuffer) write_buffer;
    CL_POINTER(clEnqueueReadBuffer) read_buffer;
    CL_POINTER(clReleaseMemObject) release_buffer;
};

/* The device and the variant's name must live as long as the context, which owns nothing. */
bool case_context_init(struct case_context *context, clslice_device *device, const char *variant,
                       struct problem *problem);

enum case_result {
    CASE_PASSED,
    CASE_FAILED,  /* `problem` tells why, and by which variant */
    CASE_REFUSED, /* likewise, where the compiler refused a kernel: the device has its log */
    CASE_SKIPPED  /* the context's variant cannot run this slice; `problem` tells which can */
};

/*
 * Compiles a case once and dispatches it through cl_mem buffers and, unless the context skips it,
 * host memory, at bases that are aligned for the widest loads and at ones that are not. `in` holds
 * the input tensor's span, `out` the expected elements, row-major without gaps. Every byte of both
 * tensors, of their gaps and padding and of guards around them is compared with what it must be.
 */
enum case_result case_run(const struct case_context *context, const struct slice_case *c,
                          const void *in, const void *out, struct problem *problem);

/*
 * The same, and then through cl_mem buffers by every other variant for such devices that can do the
 * case, until one fails; `*runs` grows by how many variants ran. The context's is NULL.
 */
enum case_result case_run_all(const struct case_context *context, const struct slice_case *c,
                              const void *in, const void *out, unsigned long *runs,
                              struct problem *problem);

#endif
