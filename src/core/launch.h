/* SPDX-License-Identifier: MIT */
/* A box of a plan's output -> struct launch: its units, and the work-items that take them. */
#ifndef CLSLICE_CORE_LAUNCH_H
#define CLSLICE_CORE_LAUNCH_H

#include "core/plan.h"

/* A dimension that a launch's units are numbered by. */
struct walk_dim {
    int64_t in_stride; /* from unit to unit, elements */
    int64_t out_stride;
    uint32_t size;
    uint32_t reciprocal, shift; /* of the size: see quotient() in kernels/walk.cl */
    uint32_t reserved;
};

/* The argument of every kernel behind its two buffers; kernels/walk.cl declares the same layout. A unit is
 * a block of the output: `run` elements along the row by `lines` along the column. */
struct walk {
    uint64_t in_first; /* elements from the buffers' starts to the launch's first */
    uint64_t out_first;
    uint64_t units; /* in all */
    uint64_t row;   /* elements of that dimension */
    int64_t in_low; /* the launch reads [in_low, in_high), from its first element */
    int64_t in_high;
    uint32_t rank;  /* dimensions in use, at least 1 */
    uint32_t run;   /* the last of a row may be shorter, or empty */
    uint32_t lines; /* the last of a column may have fewer */
    uint32_t batch; /* consecutive units of one work-item */
    /* Of a transpose, the blocks of lines; the runs of a row; then the others, the fastest first. */
    struct walk_dim dim[8];
    uint64_t column; /* elements of that dimension, 1 where there is none */
    int64_t in_step; /* along the row */
    int64_t out_step;
    int64_t in_line; /* along the column */
    int64_t out_line;
    uint32_t past_caches; /* the output is larger than what caches hold: writes may go past them */
    uint32_t transposes;  /* dim[0] counts blocks of lines and dim[1] runs, else dim[0] runs */
};

/* One kernel launch: where a box lies and how it is walked. */
struct launch {
    struct walk walk;
    uint64_t global_size;
    struct plan_range range;
};

struct launch launch_from(const struct plan *plan, const struct plan_box *box);

/* Of the whole output's launch. */
void launch_describe(const struct plan *plan, struct text *text);

#endif
