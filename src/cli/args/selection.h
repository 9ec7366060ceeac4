/* SPDX-License-Identifier: MIT */
/* What a KEY takes of an array of one shape. */
#ifndef CLSLICE_CLI_ARGS_SELECTION_H
#define CLSLICE_CLI_ARGS_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/formats/array.h"

struct key;
struct problem;
struct slice_case;

/* Of each axis of the shape: the elements first, first + step, ..., count of them. */
struct selection {
    uint32_t rank; /* of the shape */
    struct selected_axis {
        int64_t first; /* no element if count is 0 */
        int64_t step;  /* never 0; 1 for an integer */
        uint64_t count;
        bool drop; /* an integer: the result has no such axis */
    } axis[ARRAY_MAX_RANK];
};

/* Applies a key to a shape of rank <= 8 with sizes up to INT64_MAX: slices clip as Python's,
 * integers must be in range, "..." and missing axes are full. */
bool selection_from(struct selection *selection, const struct key *key, uint32_t rank,
                    const uint64_t *size, struct problem *problem);

/* Whether some axis takes nothing. */
bool selection_is_empty(const struct selection *selection);

/* The shape of the result, without the dropped axes; returns its rank. */
uint32_t selection_shape(const struct selection *selection, uint64_t size[ARRAY_MAX_RANK]);

/*
 * Sets rank, window and output sizes of a selection that is not empty, and leaves the rest 0: as
 * many dimensions as the shape, dropped axes of size 1 among them, and one of size 1 for rank 0.
 * Sizes of the shape were at most 2^32-1. Fails if two elements are further apart than an int32
 * stride can say.
 */
bool selection_to_window(const struct selection *selection, struct slice_case *c,
                         struct problem *problem);

#endif
