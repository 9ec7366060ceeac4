/* SPDX-License-Identifier: MIT */
/* What happens to a half-written output when the process is ended from outside. */
#ifndef CLSLICE_CLI_FORMATS_GUARD_H
#define CLSLICE_CLI_FORMATS_GUARD_H

struct array;
struct output;

/*
 * From here on, where a page of the array's or the output's mapping cannot be had (the input was
 * cut short, a disk is full), the process ends with one line on stderr and exit status 1. Then, and
 * on SIGHUP, SIGINT and SIGTERM, the output's temporary file goes away.
 *
 * To be called again after a driver has installed handlers of its own, with the same arguments,
 * which must stay where they are until the process ends. `path` is the array's; the output is open.
 */
void guard_install(const struct array *array, const char *path, const struct output *output);

#endif
