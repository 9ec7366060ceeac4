/* SPDX-License-Identifier: MIT */
/* An OpenCL device in use: its functions, context, default queue, limits, and the stores that live as
 * long as it does. */
#ifndef CLSLICE_RUNTIME_DEVICE_H
#define CLSLICE_RUNTIME_DEVICE_H

#include "cache/cache_location.h"
#include "core/plan.h"
#include "opencl/enumerate.h"
#include "opencl/fork_guard.h"
#include "opencl/host_memory.h"
#include "opencl/selector.h"
#include "runtime/held.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

enum { STAGING_SETS = 2 };

/* What a program is compiled for. */
struct program_spec {
    enum plan_variant variant;
    struct plan_pattern pattern;
    uint32_t width;      /* bytes: 1, 2, 4, 8 or 16 */
    uint32_t index_bits; /* 32 or 64 */
};

/* One program; program.c fills it, at most once, under its lock. */
struct program_slot {
    struct program_slot *next; /* of the device's list, which only grows; NULL: the last */
    struct program_spec of;
    pthread_mutex_t lock;
    cl_program program; /* owned; NULL until built */
};

/* What the cache did for this device's programs. */
struct cache_counters {
    atomic_ullong hits, misses, stale, corrupt, untrusted, refused, saved, unsaved;
};

enum { LOG_DEVICE = 1, LOG_CACHE = 2 }; /* topics */

/* Two buffers that stage host memory; staging.c uses them, under the pool's lock. */
struct staging_set {
    cl_mem in, out; /* owned; NULL until needed */
    uint64_t in_bytes, out_bytes;
    cl_event last;          /* owned; of the last command that uses the buffers, NULL: none */
    cl_command_queue queue; /* where that was enqueued; only compared */
    bool waits;             /* for events of the caller's, which may fail */
};

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
    uint32_t host_memory;                                      /* CLSLICE_HOST_MEMORY_*, */
    unsigned char probed[HOST_MEMORY_PROBE_BYTES];             /* as was found with these bytes */
    uint64_t staging_bytes;                                    /* of one staging buffer */
    char *build_options;                                       /* owned */
    void (*log)(void *user, uint32_t level, const char *text); /* NULL: stderr, by topic */
    void *log_user;
    uint32_t stderr_topics;

    pthread_mutex_t log_lock;
    char *build_log;               /* owned; of the last failed build, under log_lock; NULL: none */
    pthread_mutex_t programs_lock; /* to add one */
    struct program_slot *programs; /* owned; the newest */
    struct cache *cache;           /* owned; NULL: off */
    char *codegen; /* owned; in every cache key: what changes the driver's code. NULL: no cache */
    struct cache_counters counters;
    struct held held;
    pthread_mutex_t staging_lock;
    struct staging_set staging[STAGING_SETS];
    unsigned char *bounce; /* owned; STAGING_BOUNCE bytes of host memory, NULL until needed */
};

/* `options` are whole: every field of this version is there. */
int32_t device_create(const clslice_device_options *options, struct clslice_device **device,
                      clslice_error *error);
int32_t device_enumerate(const clslice_device_options *options, uint32_t index,
                         clslice_device_info *info, clslice_error *error);
void device_retain(struct clslice_device *device);
void device_release(struct clslice_device *device); /* NULL: nothing */

void device_info(const struct clslice_device *device, clslice_device_info *info);

/* The cache that a device made with these options would have, the caller's to release; NULL: off. */
int32_t device_cache_of(const clslice_device_options *options, struct cache_location *place,
                        struct cache **cache, clslice_error *error);

/* E_UNEXPECTED in a child of fork, where the driver's threads are gone. */
int32_t device_check_process(const struct clslice_device *device, clslice_error *error);

/* `topic`: LOG_DEVICE or LOG_CACHE. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void device_log(const struct clslice_device *device, uint32_t topic, uint32_t level,
                const char *format, ...);

/* The slot of a key, made if need be; NULL: out of memory. */
struct program_slot *device_slot(struct clslice_device *device, const struct program_spec *key);

#endif
