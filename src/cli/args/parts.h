/* SPDX-License-Identifier: MIT */
/* A large slice cut along its output: slices whose outputs follow each other in memory. */
#ifndef CLSLICE_CLI_ARGS_PARTS_H
#define CLSLICE_CLI_ARGS_PARTS_H

#include <stdint.h>

#include "conformance/cases.h"

struct parts {
    uint32_t axis;     /* cut in pieces; those before it, into single coordinates */
    uint32_t chunk;    /* elements of a piece, along the axis */
    uint64_t pieces;   /* along the axis */
    uint64_t count;    /* of all parts */
    uint64_t elements; /* of one coordinate of the axis */
};

/* Parts of at most so many output elements, if one coordinate of the innermost axis has no more.
 * The case's output is packed. */
struct parts parts_of(const struct slice_case *c, uint64_t most);

/* The i-th part, as a case of its own whose output is packed. Returns the element of the whole
 * output that it begins with. */
uint64_t parts_case(const struct parts *parts, const struct slice_case *whole, uint64_t i,
                    struct slice_case *part);

#endif
