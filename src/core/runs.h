/* SPDX-License-Identifier: MIT */
/* The bytes of a box of a plan's output: runs that lie apart. */
#ifndef CLSLICE_CORE_RUNS_H
#define CLSLICE_CORE_RUNS_H

#include "core/plan.h"

struct runs {
    uint64_t bytes; /* of one run */
    uint32_t rank;  /* dimensions of runs, the innermost first; 0: all is one run */
    uint64_t count[TENSOR_RANK_MAX];
    uint64_t step[TENSOR_RANK_MAX]; /* bytes */
};

/* In the order of the plan's dimensions, from the box's first byte. */
struct runs runs_of(const struct plan *plan, const struct plan_box *box);

/* Of all runs of the first `rank` dimensions. */
uint64_t runs_bytes(const struct runs *runs, uint32_t rank);

/* Copies all runs of the first `rank` dimensions, which lie side by side at `from`, to where
 * they belong. Returns where the next ones lie. */
const unsigned char *runs_scatter(const struct runs *runs, uint32_t rank, const unsigned char *from,
                                  unsigned char *to);

#endif
