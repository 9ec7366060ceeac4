/* SPDX-License-Identifier: MIT */
/* One run of a program that moves nothing: drivers such as PoCL generate code only at a first
 * run. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_SCRATCH_RUN_H
#define CLSLICE_RUNTIME_PROGRAMS_SCRATCH_RUN_H

#include "runtime/device.h"

/*
 * Runs the kernel on memory and a queue of its own, and waits for the end: the device's
 * queue may be the host's, and be waiting for something that this thread has yet to do. One group,
 * of `local_size` work-items or of as many as the kernel takes; no global offset, as in every
 * launch, for which PoCL would generate other code.
 */
int32_t scratch_run(struct clslice_device *device, cl_program program, struct program_kernel kernel,
                    size_t local_size, clslice_error *error);

#endif
