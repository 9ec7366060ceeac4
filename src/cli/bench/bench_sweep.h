/* SPDX-License-Identifier: MIT */
/* Slices drawn at random, by class: listed, or measured and summed up. */
#ifndef CLSLICE_CLI_BENCH_BENCH_SWEEP_H
#define CLSLICE_CLI_BENCH_BENCH_SWEEP_H

#include "cli/bench/bench_speed.h"

struct bench_sweep {
    uint64_t seed;
    uint64_t bytes;      /* of an output, about */
    uint32_t count;      /* draws of a class */
    const char *pattern; /* of their names, a shell's; NULL: any; borrowed, as the variant is */
    const char *variant; /* NULL: the planner's choice */
    size_t pairs;
    bool are_gradients; /* of the draws */
    bool is_latency;    /* each beside an equal copy, from the call to completion */
    bool is_json;
};

/* Whether there is a draw of such a name. */
bool bench_sweep_check(const struct bench_sweep *sweep, struct problem *problem);

/* Prints the draws as JSON, one object a line. Needs no device. */
void bench_sweep_list(const struct bench_sweep *sweep);

/* Measures the draws one by one and prints each as it is measured, then what the classes amount to.
 * Skips what the device has not the memory for, or the variant cannot do. False where a draw
 * fails, or all are skipped. */
bool bench_sweep_run(const struct bench_sweep *sweep, struct bench_cl *cl,
                     const struct bench_copy *copy, struct problem *problem);

#endif
