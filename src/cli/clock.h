/* SPDX-License-Identifier: MIT */
/* A clock that only runs forwards, whatever the time of day is set to. */
#ifndef CLSLICE_CLI_CLOCK_H
#define CLSLICE_CLI_CLOCK_H

#include <time.h>

static inline double clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
