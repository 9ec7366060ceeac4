/* SPDX-License-Identifier: MIT */
/* How fast a case is, against a copy of the same memory. */
#ifndef CLSLICE_CLI_BENCH_BENCH_SPEED_H
#define CLSLICE_CLI_BENCH_BENCH_SPEED_H

#include "cli/bench/bench_copy.h"
#include "cli/bench/bench_subject.h"

struct bench_speed {
    double seconds;      /* of one dispatch: the median */
    double copy_seconds; /* of the copy beside it: the median */
    uint64_t copy_bytes; /* read + written by that copy */
    double efficiency;   /* median over the pairs: 1 is what the copy's bandwidth allows */
};

/* Runs copy, case, copy, case, ... `pairs` times on the device's buffers. */
bool bench_speed_measure(const struct bench_subject *subject, const struct bench_copy *copy,
                         size_t pairs, struct bench_speed *speed, struct problem *problem);

#endif
