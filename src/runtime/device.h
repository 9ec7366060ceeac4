/* SPDX-License-Identifier: MIT */
/* An OpenCL device in use: its functions, context, default queue, limits, and the stores that live as
 * long as it does. */
#ifndef RUNTIME_DEVICE_H
#define RUNTIME_DEVICE_H

#include "core/plan.h"
#include "runtime/discovery.h"
#include "runtime/selector.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { PROGRAM_WIDTHS = 5, PROGRAM_INDICES = 2, STAGING_SETS = 2 };

/* One program per variant, width and index size; program.c fills it, at most once, under its lock. */
struct program_slot {
    pthread_mutex_t lock;
    cl_program program; /* owned; NULL until built */
};

/* Two buffers that stage host memory; staging.c uses them, under the pool's lock. */
struct staging_set {
    cl_mem in, out;            /* owned; NULL until needed */
    uint64_t in_bytes, out_bytes;
    cl_event last;             /* owned; of the last command that uses the buffers, NULL: none */
    cl_command_queue queue;    /* where that was enqueued; only compared */
};

struct clslice_device {
    atomic_uint references;
    pid_t process; /* that may use the OpenCL objects */
    uint32_t flags;
    struct cl_api cl;
    struct found_device about;
    char selector[SELECTOR_MAX];
    cl_context context;     /* owned */
    cl_command_queue queue; /* owned; the default */
    struct plan_limits limits;
    uint32_t host_memory;   /* CLSLICE_HOST_MEMORY_* */
    uint64_t staging_bytes; /* of one staging buffer */
    char *build_options;    /* owned */
    void (*log)(void *user, uint32_t level, const char *text);
    void *log_user;

    pthread_mutex_t log_lock;
    char *build_log; /* owned; of the last failed build, under log_lock; NULL: none */
    struct program_slot programs[PLAN_VARIANT_COUNT][PROGRAM_WIDTHS][PROGRAM_INDICES];
    pthread_mutex_t staging_lock;
    struct staging_set staging[STAGING_SETS];
};

/* `options` are whole: every field of this version is there. */
int32_t device_create(const clslice_device_options *options, struct clslice_device **device,
                      clslice_error *error);
int32_t device_enumerate(const clslice_device_options *options, uint32_t index,
                         clslice_device_info *info, clslice_error *error);
void device_retain(struct clslice_device *device);
void device_release(struct clslice_device *device); /* NULL: nothing */

void device_info(const struct clslice_device *device, clslice_device_info *info);
int32_t device_check_feature(uint32_t feature, uint32_t query_size, const void *query,
                             uint32_t support_size, void *support, clslice_error *error);

/* E_UNEXPECTED in a child of fork, where the driver's threads are gone. */
int32_t device_check_process(const struct clslice_device *device, clslice_error *error);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void device_log(const struct clslice_device *device, uint32_t level, const char *format, ...);

#endif
