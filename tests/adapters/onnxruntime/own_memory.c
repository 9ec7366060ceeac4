/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL loader for CLSLICE_OPENCL that gives the machine's devices memory of their own: buffers
 * over host memory are copies. What is not here comes from the loader that this is linked with. It
 * counts what crosses between the two memories, for its process to read.
 */
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

unsigned long uploads, uploaded_bytes, downloads, launches, buffer_bytes, releases;
unsigned long room = -1UL; /* bytes that a buffer may have */
long read_code;            /* what the next read fails with; 0: nothing */

/* Declares `real`, the machine's function of that name. */
#define REAL(name, real)    \
    __typeof__(&name) real; \
    memcpy(&(real), &(void *){dlsym(dlopen("libOpenCL.so.1", RTLD_NOW), #name)}, sizeof(real))

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                  cl_int *code)
{
    REAL(clCreateBuffer, create);
    if (size > room) {
        *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    __atomic_add_fetch(&buffer_bytes, size, __ATOMIC_RELAXED);
    if (flags & CL_MEM_USE_HOST_PTR)
        flags ^= CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    return create(context, flags, size, host, code);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem buffer)
{
    REAL(clReleaseMemObject, release);
    __atomic_add_fetch(&releases, 1, __ATOMIC_RELAXED);
    return release(buffer);
}

/* None shares its memory's addresses. */
cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size,
                                   void *value, size_t *needed)
{
    REAL(clGetDeviceInfo, get);
    const cl_int code = get(device, what, size, value, needed);
    if (code == CL_SUCCESS && what == CL_DEVICE_SVM_CAPABILITIES && value)
        memset(value, 0, sizeof(cl_device_svm_capabilities));
    return code;
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                        size_t offset, size_t size, const void *from, cl_uint count,
                                        const cl_event *waits, cl_event *event)
{
    REAL(clEnqueueWriteBuffer, write);
    __atomic_add_fetch(&uploads, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&uploaded_bytes, size, __ATOMIC_RELAXED);
    return write(queue, buffer, blocks, offset, size, from, count, waits, event);
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                       size_t offset, size_t size, void *to, cl_uint count,
                                       const cl_event *waits, cl_event *event)
{
    REAL(clEnqueueReadBuffer, read);
    const cl_int failure = (cl_int)__atomic_exchange_n(&read_code, 0, __ATOMIC_RELAXED);
    if (failure != CL_SUCCESS)
        return failure;
    __atomic_add_fetch(&downloads, 1, __ATOMIC_RELAXED);
    return read(queue, buffer, blocks, offset, size, to, count, waits, event);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint count, const cl_event *waits,
                                          cl_event *event)
{
    REAL(clEnqueueNDRangeKernel, launch);
    __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
    return launch(queue, kernel, rank, offset, global, local, count, waits, event);
}
