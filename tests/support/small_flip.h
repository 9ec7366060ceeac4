/* SPDX-License-Identifier: MIT */
/* A flip of a small array of the process's own, for tests of whole processes. */
#ifndef CLSLICE_TESTS_SUPPORT_SMALL_FLIP_H
#define CLSLICE_TESTS_SUPPORT_SMALL_FLIP_H

#include <stdbool.h>

#include <clslice/clslice.h>

/* What became of it; also an exit status. */
enum small_flip { FLIP_BUILT = 20, FLIP_FROM_CACHE, FLIP_WRONG, FLIP_FAILED };

/* What it holds; all owned, NULL until made. */
struct small_flip_objects {
    clslice_device *device;
    clslice_operator *op;
    clslice_compiled_operator *compiled;
};

/* Flips the rows or the columns, on the device that the environment picks. A failure is told on
 * stderr. `objects` are the caller's to release whatever comes back. */
enum small_flip small_flip(bool flips_rows, struct small_flip_objects *objects);
void small_flip_release(struct small_flip_objects *objects);

/* Before exec: drivers, loaded and unloaded again by the loader, leak memory of their own. */
void small_flip_forgive_leaks(void);

#endif
