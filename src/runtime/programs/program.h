/* SPDX-License-Identifier: MIT */
/* struct plan -> cl_program: from the device's memory, else from the cache, else built from the
 * embedded source. Each program is built once, however many threads ask, and what a cache could
 * have had is saved before any of them goes on; threads that ask for different programs do not wait
 * for each other. A failure is not kept: the next call tries again. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_PROGRAM_H
#define CLSLICE_RUNTIME_PROGRAMS_PROGRAM_H

#include "runtime/device.h"

struct program_use {
    cl_program program;   /* borrowed from the device */
    uint32_t outcome;     /* CLSLICE_PROGRAM_*: where it came from now */
    uint64_t nanoseconds; /* spent on getting and saving it now; 0: it was in memory */
    bool ran;             /* it ran now, before it was saved */
    const char *reason; /* why it did not come from the cache; "" where it did, or was in memory */
};

/* The program of a plan's launches. E_FAIL with rule BUILD where the compiler refuses; the log is
 * then the device's build log. */
int32_t program_get(struct clslice_device *device, const struct plan *plan, struct program_use *use,
                    clslice_error *error);

/* The kernel of a plan. */
struct program_kernel program_kernel_of(const struct plan *plan);

#endif
