/* SPDX-License-Identifier: MIT */
/* Where the windows of --each begin: a .npy file of integers, with a row for each. */
#ifndef CLSLICE_CLI_ARGS_EACH_H
#define CLSLICE_CLI_ARGS_EACH_H

#include <stdbool.h>
#include <stdint.h>

struct array;
struct problem;
struct slice_case;

struct each {
    const char *path; /* borrowed; NULL: there is none */
    uint64_t count;
    uint32_t *rows; /* owned; `count` of an offset for each dimension */
};

/* Reads the rows, which must have an offset for each dimension of `c`, at which its window lies
 * inside `in`. `in_path` is for the problem's text. */
bool each_read(struct each *each, const struct slice_case *c, const struct array *in,
               const char *in_path, struct problem *problem);

void each_release(struct each *each);

#endif
