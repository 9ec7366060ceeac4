/* SPDX-License-Identifier: MIT */
/* Whether there is a cache, where and how: from a device's options and the environment, whose
 * grammar is in include/clslice/cache.h. */
#ifndef CLSLICE_CACHE_LOCATION_H
#define CLSLICE_CACHE_LOCATION_H

#include "base/environment.h"
#include "cache/cache.h"
#include "clslice/clslice.h"

enum { CACHE_FOLDER_MAX = 4096 };

struct cache_location {
    bool on;
    uint32_t mode;                 /* enum cache_mode */
    uint64_t max_bytes;            /* or CACHE_NO_LIMIT; never 0 */
    char folder[CACHE_FOLDER_MAX]; /* absolute */
    char warning[256];             /* what in the environment was wrong; empty: nothing */
};

/* The options beat the environment; both are checked already, where that can be an error. */
void cache_location_find(const clslice_device_options *options,
                         const struct environment *environment, struct cache_location *place);

/* CLSLICE_CACHE's text, as clslice_parse_cache. False: it cannot be read. */
bool cache_location_parse(const char *text, uint32_t *mode, const char **path);
/* CLSLICE_CACHE_MAX's, as clslice_parse_bytes. */
bool cache_location_parse_bytes(const char *text, uint64_t *bytes);

#endif
