/* SPDX-License-Identifier: MIT */
/* What happens to a half-written output when the process is ended from outside. */
#ifndef CLSLICE_CLI_FORMATS_GUARD_H
#define CLSLICE_CLI_FORMATS_GUARD_H

struct array;
struct output;

enum { GUARD_STATUS = 128 }; /* what a shell adds to a signal's number */

/*
 * From here on, where a page of the array's or the output's mapping cannot be had (the input was
 * cut short, a disk is full), the process ends with one line on stderr and exit status 1. On
 * SIGHUP, SIGINT and SIGTERM it ends with GUARD_STATUS and the signal's number. Either way the
 * output's temporary file goes away, and so does the line of progress.
 *
 * To be called again after a driver has installed handlers of its own, with the same arguments,
 * which must stay where they are until the process ends. `path` is the array's; the output is open.
 */
void guard_install(const struct array *array, const char *path, const struct output *output);

/* For a loop that ends in order: until guard_release, the first of those signals ends nothing, but
 * is what guard_held returns, 0 before. A second one ends the process. */
void guard_hold(void);
int guard_held(void);
/* Returns what guard_held does. */
int guard_release(void);

#endif
