/* SPDX-License-Identifier: MIT */
/* A device's cache of binaries: the folder, what every key of it holds, and what it did so far. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_PROGRAM_CACHE_H
#define CLSLICE_RUNTIME_PROGRAMS_PROGRAM_CACHE_H

#include "cache/cache_location.h"
#include "opencl/enumerate.h"
#include "runtime/log.h"

#include <stdatomic.h>

struct program_cache {
    struct cache *files; /* owned; NULL: off */
    char *codegen;       /* owned; in every key: what changes the driver's code. NULL: no cache */
    struct {
        atomic_ullong hits, misses, stale, corrupt, untrusted, refused, saved, unsaved;
    } counters;
};

/* The cache that options and environment ask for. One that cannot be had is off, with a warning
 * where the user asked for it otherwise. `shared`: the context has other devices, too. */
void program_cache_open(struct program_cache *cache, const clslice_device_options *options,
                        const struct environment *environment, const struct found_device *about,
                        bool shared, const struct log *log);
void program_cache_release(struct program_cache *cache);

void program_cache_count(const struct program_cache *cache, clslice_cache_counters *counters);

#endif
