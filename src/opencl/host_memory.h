/* SPDX-License-Identifier: MIT */
/*
 * Whether a device works on the host's own bytes through CL_MEM_USE_HOST_PTR. OpenCL lets a driver
 * keep a copy of them and bring the two together only when the buffer is mapped, which a dispatch
 * never does.
 */
#ifndef CLSLICE_OPENCL_HOST_MEMORY_H
#define CLSLICE_OPENCL_HOST_MEMORY_H

#include "opencl/cl_api.h"

#include <stdbool.h>

enum { HOST_MEMORY_PROBE_BYTES = 1024 };

/*
 * Copies from wrapped memory and into wrapped memory, in a queue of its own, and waits: false where
 * the device does not see what the host wrote, or the host what the device wrote, or where OpenCL
 * fails. `bytes`, HOST_MEMORY_PROBE_BYTES of them, are wrapped meanwhile; where OpenCL failed, no
 * command is known to have ended, so they should outlive the context.
 *
 * What it cannot see: a driver that copies between buffers on the host and runs kernels elsewhere.
 */
bool host_memory_is_shared(const struct cl_api *cl, cl_context context, cl_device_id id,
                           unsigned char *bytes);

#endif
