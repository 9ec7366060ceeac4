/* SPDX-License-Identifier: MIT */
/* What the suites that run on a device share: the device with its own OpenCL functions, described
 * cases as operators, and memory with forbidden pages around it. */
#ifndef CLSLICE_TESTS_SUPPORT_HARNESS_H
#define CLSLICE_TESTS_SUPPORT_HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <CL/cl.h>

#include <clslice/clslice.h>
#include <clslice/directml.h>

#include "conformance/case_desc.h"
#include "conformance/cases.h"
#include "conformance/cl_pointer.h"

/* Fails the test, with the error's text, unless a call returned S_OK. */
#define ASSERT_OK(status, error)                                                                \
    do {                                                                                        \
        int32_t status_ = (status);                                                             \
        ck_assert_msg(status_ == CLSLICE_S_OK, "0x%08x: %s", (unsigned)status_, (error)->text); \
    } while (0)

/* OpenCL's functions that tests call, */
#define RIG_FUNCTIONS(F)         \
    F(clGetDeviceInfo)           \
    F(clCreateContext)           \
    F(clReleaseContext)          \
    F(clCreateCommandQueue)      \
    F(clReleaseCommandQueue)     \
    F(clCreateBuffer)            \
    F(clCreateSubBuffer)         \
    F(clCreateImage)             \
    F(clReleaseMemObject)        \
    F(clEnqueueReadBuffer)       \
    F(clEnqueueWriteBuffer)      \
    F(clEnqueueCopyBuffer)       \
    F(clEnqueueMapBuffer)        \
    F(clEnqueueUnmapMemObject)   \
    F(clCreateProgramWithSource) \
    F(clBuildProgram)            \
    F(clReleaseProgram)          \
    F(clCreateKernel)            \
    F(clGetKernelWorkGroupInfo)  \
    F(clSetKernelArg)            \
    F(clReleaseKernel)           \
    F(clEnqueueNDRangeKernel)    \
    F(clCreateUserEvent)         \
    F(clSetUserEventStatus)      \
    F(clGetEventInfo)            \
    F(clWaitForEvents)           \
    F(clReleaseEvent)            \
    F(clFlush)                   \
    F(clFinish)

/* and those that only OpenCL 2.0 and later have: NULL elsewhere. */
#define RIG_OPTIONAL_FUNCTIONS(F) \
    F(clEnqueueSVMMemcpy)         \
    F(clSVMAlloc)                 \
    F(clSVMFree)

#define RIG_MEMBER(name) CL_POINTER(name) name;
struct rig {
    clslice_device *device; /* owned */
    clslice_device_info info;
    clslice_opencl_objects objects; /* borrowed from the device */
    struct {
        RIG_FUNCTIONS(RIG_MEMBER)
        RIG_OPTIONAL_FUNCTIONS(RIG_MEMBER)
    } cl; /* the addresses that the device itself calls */
};
#undef RIG_MEMBER

/* The device that the options and the environment name; the test fails where there is none. */
void rig_open(struct rig *rig, const clslice_device_options *options);
void rig_close(struct rig *rig);

/* Whether cl_mem and kernels may share addresses: clSVMAlloc works. */
bool rig_has_svm(const struct rig *rig);
const char *rig_lacks_svm(void); /* the same as a needs_lack, of the device of the environment */

/* Whether the driver takes groups of 256 work-items, without which there is no transpose_gpu. What
 * it says of the device may be more than it takes for any kernel. */
bool rig_has_groups(const struct rig *rig);
const char *rig_lacks_groups(void);

/* For clslice_device_options.get_proc, and for what wraps it: the machine's loader, but for what
 * rig_lie says. */
void *rig_proc(void *user, const char *name);

/* What rig_proc's OpenCL tells of every device; 0 or NULL: the truth. */
struct rig_lie {
    bool is_gpu;
    bool has_no_svm;
    cl_ulong max_alloc;
    bool refuses_more;  /* buffers of more bytes than max_alloc */
    const char *vendor; /* of the platform */
};
extern struct rig_lie rig_lie;

/* Declares `real`, the loader's function of that name. */
#define RIG_REAL(name, real) \
    CL_POINTER(name) real;   \
    memcpy(&(real), &(void *){rig_proc(NULL, #name)}, sizeof(real))

/* A function's address as an object's, which ISO C has no cast for. */
#define RIG_ADDRESS(function) rig_address(&(void (*)(void)){(void (*)(void))(function)})
void *rig_address(void (*const *function)(void));

/* A function of the test's in place of OpenCL's. */
struct rig_own {
    const char *name;
    void *address;
};

/* The test's own function, or else rig_proc's. */
void *rig_proc_or(const struct rig_own *own, size_t count, const char *name);

/* The device's operator for the case; the caller owns it. */
clslice_operator *rig_operator(const struct rig *rig, const struct slice_case *c);

/* How that would run. */
clslice_plan_info rig_plan(const struct rig *rig, const struct slice_case *c);

/* The caller owns the result, NULL where the variant cannot do the case; the test fails where the
 * case is refused otherwise. `variant` may be NULL. */
clslice_compiled_operator *rig_compile(const struct rig *rig, const struct slice_case *c,
                                       const char *variant);

/* In order where the device has no other queues. */
cl_command_queue rig_queue(const struct rig *rig, cl_command_queue_properties properties);

/* A buffer of these bytes; `from` NULL: not filled. Every queue sees them: a write, even a blocking
 * one, is certain to be seen by its own queue and by what waits for its event. */
cl_mem rig_buffer(const struct rig *rig, size_t size, const void *from);
/* By the device's own queue: what another queue wrote may not be seen. */
void rig_read(const struct rig *rig, cl_mem mem, size_t size, void *to);

/* A binding of a cl_mem, or of host memory. */
clslice_binding rig_bind_mem(cl_mem mem, uint64_t offset, uint64_t size);
clslice_binding rig_bind_host(void *memory, uint64_t offset, uint64_t size);
clslice_dispatch_desc rig_dispatch_desc(const clslice_binding *in, const clslice_binding *out);

/* Dispatches on the device's own queue and waits; the test fails unless it succeeds. */
void rig_run(const struct rig *rig, clslice_compiled_operator *compiled, const clslice_binding *in,
             const clslice_binding *out);

/* A refusal: of this status and rule, with a text that holds the word. */
void rig_check_error(const clslice_error *error, int32_t found, int32_t status, uint32_t rule,
                     const char *word);

/* Whole pages with a forbidden page against either end. */
struct arena {
    unsigned char *bytes; /* owned */
    size_t size;
};

/* What stderr is told where the process crashes from now on: a forbidden page was touched, most
 * likely. */
extern char rig_crash_text[4096];
void rig_tell_crashes(void);

/* At least `size` bytes, zero and not backed by memory until written. */
struct arena arena_map(size_t size);
void arena_unmap(struct arena *arena);

#endif
