/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "cli/clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static const double PATIENCE = 1, APART = 0.1; /* seconds before a first line, and between lines */

/* Of the one command that this process runs. */
static struct {
    const char *what; /* borrowed */
    bool is_terminal;
    atomic_bool is_shown; /* which handlers read */
    double start, told;   /* seconds */
    uint64_t bytes;       /* of all */
} progress;

void progress_begin(const char *what, uint64_t bytes)
{
    progress_end();
    progress.what = what;
    progress.is_terminal = isatty(STDERR_FILENO) == 1;
    progress.start = clock_seconds();
    progress.told = 0;
    progress.bytes = bytes;
}

void progress_tell(uint64_t done)
{
    double time = clock_seconds(), taken = time - progress.start;

    if (!progress.is_terminal || taken < PATIENCE || time - progress.told < APART || done == 0)
        return;
    progress.told = time;
    progress.is_shown = true;
    double speed = (double)done / taken, left = (double)(progress.bytes - done) / speed;
    fprintf(stderr, "\r%s: %.0f %%, %.2f GB/s, %.0f s left \033[K", progress.what,
            100 * (double)done / (double)progress.bytes, speed / 1e9, left);
}

void progress_end(void)
{
    static const char clear[] = "\r\033[K";

    if (atomic_exchange(&progress.is_shown, false) &&
        write(STDERR_FILENO, clear, sizeof clear - 1) < 0)
        return; /* a terminal that is gone shows no line */
}
