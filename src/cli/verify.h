/* SPDX-License-Identifier: MIT */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include <stddef.h>
#include <stdio.h>

#include <clslice/clslice.h>

/*
 * Runs the case files, or the built-in cases where there are none, and writes to `out` one line for
 * every case that fails or that passes either way, then "N passed, M failed". `variant` forces a
 * kernel variant, and cases that it cannot do are left out; NULL leaves the choice to the planner.
 * Returns the exit status: 0 where at least one case passed and none failed, else 1.
 */
int verify_run(clslice_device *device, const char *const *files, size_t file_count,
               const char *variant, FILE *out);

#endif
