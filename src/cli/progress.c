/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE = 1, APART = 0.1; /* seconds before a first line, and between lines */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct progress progress_begin(uint64_t bytes)
{
    return (struct progress){
        .is_terminal = isatty(STDERR_FILENO) == 1, .start = now(), .bytes = bytes};
}

void progress_tell(struct progress *progress, uint64_t done)
{
    double time = now(), taken = time - progress->start;

    if (!progress->is_terminal || taken < PATIENCE || time - progress->told < APART || done == 0)
        return;
    progress->told = time;
    progress->is_shown = true;
    double speed = (double)done / taken, left = (double)(progress->bytes - done) / speed;
    fprintf(stderr, "\r%3.0f %%, %.2f GB/s, %.0f s left \033[K",
            100 * (double)done / (double)progress->bytes, speed / 1e9, left);
}

void progress_end(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
}
