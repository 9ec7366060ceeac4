/* SPDX-License-Identifier: MIT */
/* A clock that only runs forwards, whatever the time of day is set to. */
#ifndef CLSLICE_BASE_CLOCK_H
#define CLSLICE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
