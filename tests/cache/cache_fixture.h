/* SPDX-License-Identifier: MIT */
/* A cache of the test's own: a checked fixture, and looking at what lies there. */
#ifndef CLSLICE_TESTS_CACHE_CACHE_FIXTURE_H
#define CLSLICE_TESTS_CACHE_CACHE_FIXTURE_H

#include "support/cache_rig.h"

extern struct path folder;
extern struct cache *cache; /* in the folder, to read and write */

/* Begins with a new folder and a cache without limit. */
void fixture_enter(void);
void fixture_leave(void);

struct path entry_of(unsigned key);
bool is_there(unsigned key);

#endif
