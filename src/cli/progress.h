/* SPDX-License-Identifier: MIT */
/* How far a long command is, on a terminal: after a second, one line of stderr that is written
 * over. Where stderr is no terminal, nothing. For one thread. */
#ifndef CLSLICE_CLI_PROGRESS_H
#define CLSLICE_CLI_PROGRESS_H

#include <stdint.h>

/* So many bytes begin. `what`, a word, must stay until the end. Takes away the line of what came
 * before. */
void progress_begin(const char *what, uint64_t bytes);
void progress_tell(uint64_t done);
/* Takes the line away, if there is one. Any thread and signal handlers may call. */
void progress_end(void);

#endif
