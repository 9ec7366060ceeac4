/* SPDX-License-Identifier: MIT */
/* An OpenCL device in use: its functions, context, default queue and limits, and the stores that
 * live as long as it does. */
#ifndef CLSLICE_RUNTIME_DEVICE_H
#define CLSLICE_RUNTIME_DEVICE_H

#include "core/planner.h"
#include "opencl/enumerate.h"
#include "opencl/fork_guard.h"
#include "opencl/host_memory.h"
#include "opencl/selector.h"
#include "runtime/held_events.h"
#include "runtime/origins_pool.h"
#include "runtime/programs/program_cache.h"
#include "runtime/programs/program_store.h"
#include "runtime/staging_pool.h"

#include <stdatomic.h>

struct clslice_device {
    atomic_uint references;
    struct fork_guard process; /* that may use the OpenCL objects */
    uint32_t flags;
    struct cl_api cl;
    struct found_device about;
    char selector[SELECTOR_MAX];
    cl_context context;     /* owned */
    cl_command_queue queue; /* owned; the default */
    bool own_queue;         /* made here, so that we may flush it */
    bool shared_context;    /* the host's, with other devices in it */
    struct plan_limits limits;
    uint32_t host_memory;                          /* CLSLICE_HOST_MEMORY_*, */
    unsigned char probed[HOST_MEMORY_PROBE_BYTES]; /* as was found with these bytes */
    char *build_options;                           /* owned */

    /* Each has a file of its own, which alone looks inside, but for what uses it. */
    struct log log;
    struct program_store programs;
    struct program_cache cache;
    struct held_events held;
    struct staging_pool staging;
    struct origins_pool origins;
};

/* `options` are whole: every field of this version is there. */
int32_t device_create(const clslice_device_options *options, struct clslice_device **device,
                      clslice_error *error);
int32_t device_enumerate(const clslice_device_options *options, uint32_t index,
                         clslice_device_info *info, clslice_error *error);
void device_retain(struct clslice_device *device);
void device_release(struct clslice_device *device); /* NULL: nothing */

void device_info(const struct clslice_device *device, clslice_device_info *info);

/* Checks the options, and reads the environment as far as they let it. */
int32_t device_read_options(const clslice_device_options *options, struct environment *environment,
                            clslice_error *error);

/* Waits for all of its queue. */
int32_t device_finish(struct clslice_device *device, clslice_error *error);

void device_opencl(const struct clslice_device *device, clslice_opencl_objects *objects);

/* OpenCL's function of this name, as the device found its own; NULL where there is none. */
void *device_proc(const struct clslice_device *device, const char *name);

/* Whether a queue is one of the device's context and device; the code of a query that failed. */
cl_int device_has_queue(const struct clslice_device *device, cl_command_queue queue, bool *has);

/* E_UNEXPECTED in a child of fork, where the driver's threads are gone. */
int32_t device_check_process(const struct clslice_device *device, clslice_error *error);

#endif
