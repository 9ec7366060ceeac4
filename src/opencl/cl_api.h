/* SPDX-License-Identifier: MIT */
/* OpenCL's functions as a structure of addresses: every OpenCL call of a device goes through its
 * own, so that a host can bring its loader and a test its fakes. Nothing links with libOpenCL. */
#ifndef CLSLICE_OPENCL_CL_API_H
#define CLSLICE_OPENCL_CL_API_H

#include "base/status.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <CL/cl_ext.h>

/* CL_FUNCTION(result, name, parameters) for what every OpenCL 1.2 has, */
#define CL_REQUIRED(CL_FUNCTION)                                                                   \
    CL_FUNCTION(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                  \
    CL_FUNCTION(cl_int, clGetPlatformInfo,                                                         \
                (cl_platform_id, cl_platform_info, size_t, void *, size_t *))                      \
    CL_FUNCTION(cl_int, clGetDeviceIDs,                                                            \
                (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *))              \
    CL_FUNCTION(cl_int, clGetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *)) \
    CL_FUNCTION(cl_context, clCreateContext,                                                       \
                (const cl_context_properties *, cl_uint, const cl_device_id *,                     \
                 void(CL_CALLBACK *)(const char *, const void *, size_t, void *), void *,          \
                 cl_int *))                                                                        \
    CL_FUNCTION(cl_int, clRetainContext, (cl_context))                                             \
    CL_FUNCTION(cl_int, clReleaseContext, (cl_context))                                            \
    CL_FUNCTION(cl_int, clGetContextInfo, (cl_context, cl_context_info, size_t, void *, size_t *)) \
    CL_FUNCTION(cl_command_queue, clCreateCommandQueue,                                            \
                (cl_context, cl_device_id, cl_command_queue_properties, cl_int *))                 \
    CL_FUNCTION(cl_int, clRetainCommandQueue, (cl_command_queue))                                  \
    CL_FUNCTION(cl_int, clReleaseCommandQueue, (cl_command_queue))                                 \
    CL_FUNCTION(cl_int, clGetCommandQueueInfo,                                                     \
                (cl_command_queue, cl_command_queue_info, size_t, void *, size_t *))               \
    CL_FUNCTION(cl_mem, clCreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *))      \
    CL_FUNCTION(void *, clEnqueueMapBuffer,                                                        \
                (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint,         \
                 const cl_event *, cl_event *, cl_int *))                                          \
    CL_FUNCTION(cl_int, clReleaseMemObject, (cl_mem))                                              \
    CL_FUNCTION(cl_int, clGetMemObjectInfo, (cl_mem, cl_mem_info, size_t, void *, size_t *))       \
    CL_FUNCTION(cl_program, clCreateProgramWithSource,                                             \
                (cl_context, cl_uint, const char **, const size_t *, cl_int *))                    \
    CL_FUNCTION(cl_program, clCreateProgramWithBinary,                                             \
                (cl_context, cl_uint, const cl_device_id *, const size_t *,                        \
                 const unsigned char **, cl_int *, cl_int *))                                      \
    CL_FUNCTION(cl_int, clGetProgramInfo, (cl_program, cl_program_info, size_t, void *, size_t *)) \
    CL_FUNCTION(cl_int, clReleaseProgram, (cl_program))                                            \
    CL_FUNCTION(cl_int, clBuildProgram,                                                            \
                (cl_program, cl_uint, const cl_device_id *, const char *,                          \
                 void(CL_CALLBACK *)(cl_program, void *), void *))                                 \
    CL_FUNCTION(cl_int, clGetProgramBuildInfo,                                                     \
                (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *))       \
    CL_FUNCTION(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))                   \
    CL_FUNCTION(cl_int, clReleaseKernel, (cl_kernel))                                              \
    CL_FUNCTION(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                \
    CL_FUNCTION(cl_int, clGetKernelWorkGroupInfo,                                                  \
                (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *))    \
    CL_FUNCTION(cl_int, clEnqueueNDRangeKernel,                                                    \
                (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,             \
                 const size_t *, cl_uint, const cl_event *, cl_event *))                           \
    CL_FUNCTION(cl_int, clEnqueueWriteBuffer,                                                      \
                (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint,         \
                 const cl_event *, cl_event *))                                                    \
    CL_FUNCTION(cl_int, clEnqueueReadBuffer,                                                       \
                (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,               \
                 const cl_event *, cl_event *))                                                    \
    CL_FUNCTION(cl_int, clEnqueueReadBufferRect,                                                   \
                (cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *,                \
                 const size_t *, size_t, size_t, size_t, size_t, void *, cl_uint,                  \
                 const cl_event *, cl_event *))                                                    \
    CL_FUNCTION(cl_int, clEnqueueCopyBuffer,                                                       \
                (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,                \
                 const cl_event *, cl_event *))                                                    \
    CL_FUNCTION(cl_int, clWaitForEvents, (cl_uint, const cl_event *))                              \
    CL_FUNCTION(cl_int, clGetEventInfo, (cl_event, cl_event_info, size_t, void *, size_t *))       \
    CL_FUNCTION(cl_int, clRetainEvent, (cl_event))                                                 \
    CL_FUNCTION(cl_int, clReleaseEvent, (cl_event))                                                \
    CL_FUNCTION(cl_int, clSetEventCallback,                                                        \
                (cl_event, cl_int, void(CL_CALLBACK *)(cl_event, cl_int, void *), void *))         \
    CL_FUNCTION(cl_int, clFlush, (cl_command_queue))                                               \
    CL_FUNCTION(cl_int, clFinish, (cl_command_queue))

/* and for what is NULL where the loader or the OpenCL version lacks it. */
#define CL_OPTIONAL(CL_FUNCTION) \
    CL_FUNCTION(cl_int, clSetKernelArgSVMPointer, (cl_kernel, cl_uint, const void *))

#define CL_MEMBER(result, name, parameters) result(CL_API_CALL *name) parameters;
struct cl_api {
    CL_REQUIRED(CL_MEMBER)
    CL_OPTIONAL(CL_MEMBER)
    void *(*get_proc)(void *user, const char *name); /* where the above came from */
    void *user;
};
#undef CL_MEMBER

/*
 * Fills `api`. `get_proc` NULL: from the loader at `path`, or from libOpenCL.so.1 or libOpenCL.so
 * where `path` is NULL; a loader is never closed. DXGI_ERROR_UNSUPPORTED with rule NO_LOADER where
 * there is none or a required function is missing.
 */
int32_t cl_api_load(struct cl_api *api, void *(*get_proc)(void *user, const char *name), void *user,
                    const char *path, clslice_error *error);

/* "CL_OUT_OF_RESOURCES" for -5; "an unknown error" for a number that is none. */
const char *cl_error_name(cl_int code);

/* The status that an OpenCL code amounts to: OUTOFMEMORY for lack of memory, else E_FAIL. */
int32_t cl_status(cl_int code);

/* Whether an event's command has ended, rightly or not; false where the driver does not say. */
bool cl_has_ended(const struct cl_api *cl, cl_event event);

/* Gives up an event whose command may still run: it is released once the command has ended, on a
 * thread of the driver's if need be. PoCL 3.1 ends the process where a command fails whose event
 * nobody holds. */
void cl_release_ended(const struct cl_api *cl, cl_event event);

/*
 * Waits until an event's command has ended: *state becomes CL_COMPLETE, or the code that it failed
 * with. clWaitForEvents alone may return earlier: PoCL's device `basic` does where threads share a
 * queue. Fails where the waiting itself does.
 */
int32_t cl_wait(const struct cl_api *cl, cl_event event, cl_int *state, clslice_error *error);

/* Whether an event's command ends within some milliseconds, if its queue was flushed: that it does
 * not may be the host's to mend, after this call. */
bool cl_ends_within(const struct cl_api *cl, cl_event event, unsigned milliseconds);

/* Fails with an OpenCL call's name and code; `what` may be NULL or what the caller can do. */
int32_t cl_fail(clslice_error *error, const char *call, cl_int code, const char *what);

#endif
