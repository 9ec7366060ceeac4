/* SPDX-License-Identifier: MIT */
/* kernels/walk.cl compiled as C: the very text that drivers compile, run where tests and sanitizers
 * see every step. */
#ifndef CLSLICE_TESTS_CORE_WALK_ON_HOST_H
#define CLSLICE_TESTS_CORE_WALK_ON_HOST_H

#include "core/launch.h"

/* Where a unit lies, in elements from the launch's first. */
struct unit {
    int64_t in, out;
    uint64_t length; /* along the row; 0: there is nothing of it left */
    uint64_t lines;  /* along the column */
};

/* Called for units that a work-item moves, in its order. */
typedef void unit_visit(void *user, struct unit unit);

/* One unit, as kernels for many threads find it. `index_bits` is the plan's. */
struct unit walk_on_host_unit(const struct walk *walk, uint32_t index_bits, uint64_t unit);

/* The units [first, end), as kernels for few threads step through them. */
void walk_on_host_units(const struct walk *walk, uint32_t index_bits, uint64_t first, uint64_t end,
                        unit_visit *visit, void *user);

struct unit walk_unit_32(const struct walk *walk, uint64_t unit);
struct unit walk_unit_64(const struct walk *walk, uint64_t unit);
void walk_units_32(const struct walk *walk, uint64_t first, uint64_t end, unit_visit *visit,
                   void *user);
void walk_units_64(const struct walk *walk, uint64_t first, uint64_t end, unit_visit *visit,
                   void *user);

#endif
