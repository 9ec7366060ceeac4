/* SPDX-License-Identifier: MIT */
/* The environment that says where the cache is, and what is found by it. */
#ifndef CLSLICE_TESTS_CACHE_LOCATION_RIG_H
#define CLSLICE_TESTS_CACHE_LOCATION_RIG_H

#include "cache/cache_location.h"
#include "support/cache_rig.h"

void clear_environment(void);
void set(const char *name, const char *value); /* NULL: leaves it as it is */

/* The text, whose leading '@' is the folder. */
const char *expand(const char *text, const struct path *own, struct path *expanded);
void set_in(const char *name, const char *value, const struct path *own);

struct cache_location find(void);
struct cache_location find_with(const clslice_device_options *options);

#endif
