/* SPDX-License-Identifier: MIT */
/* Slices drawn at random by class: what speed is judged by beside the table of cases. */
#ifndef CLSLICE_CONFORMANCE_SWEEP_H
#define CLSLICE_CONFORMANCE_SWEEP_H

#include "conformance/cases.h"

/* Whether they are fast must not be decided by what they are: this knows nothing of plans and
 * kernels, and a seed gives the same draws in every version and on every machine. */
enum sweep_class {
    SWEEP_CROP,       /* long rows out of longer ones, 2 to 4 dimensions */
    SWEEP_FLIP,       /* the same with steps of -1 in any dimensions */
    SWEEP_STEP,       /* the same with an inner step of 2 to 16 or -2 to -5 */
    SWEEP_ROWS,       /* rows of 2 to 100 elements out of slightly longer ones */
    SWEEP_PIXELS,     /* images of 1 to 6 channels: halved, mirrored, channels picked, reversed */
    SWEEP_INTERLEAVE, /* NCHW to NHWC and back, 2 to 64 channels */
    SWEEP_PERM,       /* any order of 2 to 5 dimensions, some of them stepped or reversed */
    SWEEP_GAPS,       /* outputs with a pitch, or of some elements or channels */
    SWEEP_BROADCAST,  /* a scalar, a row of 3, inner dimensions of 3 to 61, heads */
    SWEEP_RANKS,      /* 6 to 8 dimensions, some steps; one in four needs 64-bit indices */
    SWEEP_CLASS_COUNT
};

struct sweep_draw {
    struct slice_case c; /* valid; its name is `name`; unsigned elements of 1, 2, 4 or 8 bytes */
    char name[24];       /* class/number, such as "rows/3" */
    /* Elements, 0 to 15, from a boundary of 64 bytes to the tensor: what its binding begins at. */
    uint32_t in_offset, out_offset;
};

/* Such as "crop". */
const char *sweep_class_name(enum sweep_class class);

/* The draw of that number, from 0, of a class. Its output has about so many bytes, at least 1024.
 * The draw must not move: its case's name is inside. */
void sweep_draw(struct sweep_draw *draw, uint64_t seed, enum sweep_class class, uint32_t number,
                uint64_t bytes);

#endif
