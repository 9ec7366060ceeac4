/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_ARGS_KEY_H
#define CLSLICE_CLI_ARGS_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/formats/array.h"

struct problem;

enum key_status {
    KEY_OK,
    KEY_SYNTAX, /* the text alone is wrong: exit status 2 */
    KEY_RANGE   /* the text does not fit the shape: exit status 1 */
};

/* What a KEY takes from each axis of a shape: the elements first, first + step, ..., count of them.
 */
struct key {
    uint32_t rank; /* of the shape */
    struct {
        int64_t first; /* no element if count is 0 */
        int64_t step;  /* never 0; 1 for an integer */
        uint64_t count;
        bool drop; /* an integer: the result has no such axis */
    } axis[ARRAY_MAX_RANK];
};

/*
 * Reads a KEY as NumPy writes it, for a shape of rank <= 8 with sizes up to INT64_MAX:
 *
 *     KEY   = [ item { "," item } [ "," ] ]
 *     item  = integer | [integer] ":" [integer] [ ":" [integer] ] | "..."
 *
 * with white space between any two tokens, also between a sign and its digits. Slices clip as
 * Python's; numbers beyond int64 count as its extremes. "..." (at most one) and missing axes are
 * full.
 */
enum key_status key_parse(struct key *key, const char *text, uint32_t rank, const uint64_t *size,
                          struct problem *problem);

/* Whether some axis takes nothing. */
bool key_is_empty(const struct key *key);

/* The shape of the result, without the dropped axes; returns its rank. */
uint32_t key_shape(const struct key *key, uint64_t size[ARRAY_MAX_RANK]);

/*
 * A key that is not empty, in the terms of SLICE1: as many dimensions as the shape, dropped axes of
 * size 1 among them, and one of size 1 for rank 0. Sizes of the shape were at most 2^32-1. Fails if
 * two elements are further apart than an int32 stride can say.
 */
bool key_to_window(const struct key *key, uint32_t offsets[ARRAY_MAX_RANK],
                   uint32_t sizes[ARRAY_MAX_RANK], int32_t strides[ARRAY_MAX_RANK],
                   uint32_t output_sizes[ARRAY_MAX_RANK], struct problem *problem);

#endif
