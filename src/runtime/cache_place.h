/* SPDX-License-Identifier: MIT */
/* Whether there is a cache, where and how: from a device's options and the environment. */
#ifndef RUNTIME_CACHE_PLACE_H
#define RUNTIME_CACHE_PLACE_H

#include "clslice/clslice.h"
#include "runtime/cache.h"
#include "runtime/config.h"

enum { CACHE_FOLDER_MAX = 4096 };

struct cache_place {
    bool on;
    enum cache_mode mode;
    uint64_t max_bytes;            /* or CACHE_NO_LIMIT; never 0 */
    char folder[CACHE_FOLDER_MAX]; /* absolute */
    char warning[256];             /* what in the environment was wrong; empty: nothing */
};

/* The options beat the environment; both are checked already, where that can be an error. */
void cache_place_find(const clslice_device_options *options, const struct config *config,
                      struct cache_place *place);

#endif
