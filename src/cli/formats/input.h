/* SPDX-License-Identifier: MIT */
/* Opening a file to read. */
#ifndef CLSLICE_CLI_FORMATS_INPUT_H
#define CLSLICE_CLI_FORMATS_INPUT_H

#include <stdint.h>

struct problem;

/* Opens a regular file; *bytes is its size. Returns the descriptor, which the caller owns, or
 * -1. */
int input_open(const char *path, uint64_t *bytes, struct problem *problem);

#endif
