/* SPDX-License-Identifier: MIT */
/* How far a long command is, on a terminal: after a second, one line of stderr that is written
 * over. Where stderr is no terminal, nothing. */
#ifndef CLSLICE_CLI_PROGRESS_H
#define CLSLICE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool is_terminal, is_shown;
    double start, told; /* seconds */
    uint64_t bytes;     /* of all */
};

struct progress progress_begin(uint64_t bytes);
void progress_tell(struct progress *progress, uint64_t done);
/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
