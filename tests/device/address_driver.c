/* SPDX-License-Identifier: MIT */
#include "address_driver.h"

#include "support/harness.h"
#include "support/suite.h"

enum { KERNELS = 64 };

/* Bit i: argument i. */
static struct {
    cl_kernel kernel;
    uint32_t were_addresses, now_buffers; /* those of the former that are buffers now */
} known[KERNELS];

static int find(cl_kernel kernel)
{
    int i = 0;
    while (i < KERNELS && known[i].kernel && known[i].kernel != kernel)
        ++i;
    ck_assert_int_lt(i, KERNELS);
    known[i].kernel = kernel;
    return i;
}

static cl_kernel CL_API_CALL make(cl_program program, const char *name, cl_int *code)
{
    RIG_REAL(clCreateKernel, real);
    cl_kernel kernel = real(program, name, code);
    int i = find(kernel);
    known[i].were_addresses = known[i].now_buffers = 0; /* a handle may come back */
    return kernel;
}

static cl_int CL_API_CALL set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    RIG_REAL(clSetKernelArg, real);
    int i = find(kernel);
    known[i].now_buffers |= known[i].were_addresses & UINT32_C(1) << index;
    return real(kernel, index, size, value);
}

static cl_int CL_API_CALL set_address(cl_kernel kernel, cl_uint index, const void *address)
{
    RIG_REAL(clSetKernelArgSVMPointer, real);
    int i = find(kernel);
    known[i].were_addresses |= UINT32_C(1) << index;
    known[i].now_buffers &= ~(UINT32_C(1) << index);
    return real(kernel, index, address);
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueNDRangeKernel, real);
    if (known[find(kernel)].now_buffers)
        return CL_INVALID_KERNEL_ARGS;
    return real(queue, kernel, rank, offset, global, local, wait_count, waits, event);
}

void *address_driver_proc(void *user, const char *name)
{
    const struct rig_own own[] = {
        {"clCreateKernel", RIG_ADDRESS(make)},
        {"clSetKernelArg", RIG_ADDRESS(set)},
        {"clSetKernelArgSVMPointer", RIG_ADDRESS(set_address)},
        {"clEnqueueNDRangeKernel", RIG_ADDRESS(launch)},
    };
    (void)user;
    return rig_proc_or(own, COUNT_OF(own), name);
}
