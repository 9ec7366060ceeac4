/* SPDX-License-Identifier: MIT */
/* KEY as its text says it, for an array of any shape. */
#ifndef CLSLICE_CLI_ARGS_KEY_H
#define CLSLICE_CLI_ARGS_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/formats/array.h"

struct problem;

/* An integer, or a slice; a part that the text leaves out has no value. */
struct key_index {
    bool is_slice;
    bool has_start, has_stop, has_step;
    int64_t start, stop, step; /* start is the integer */
    const char *written;       /* borrowed from the text: the integer as it stands there, */
    int length;                /* which may be beyond int64 */
};

struct key {
    struct key_index index[ARRAY_MAX_RANK]; /* the first ones, without "..." */
    uint32_t count;                         /* may be above ARRAY_MAX_RANK */
    uint32_t before; /* how many stand before "..."; all of them if there is none */
    bool ellipsis;
};

/*
 * Reads a KEY as NumPy writes it:
 *
 *     KEY   = [ index { "," index } [ "," ] ]
 *     index = integer | [integer] ":" [integer] [ ":" [integer] ] | "..."
 *
 * with white space between any two tokens, also between a sign and its digits; at most one "...".
 * Numbers beyond int64 count as its extremes. A failure is PROBLEM_MISUSED. The text must live as
 * long as the key.
 */
bool key_parse(struct key *key, const char *text, struct problem *problem);

#endif
