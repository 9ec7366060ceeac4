/* SPDX-License-Identifier: MIT */
/* How long a dispatch takes from the call to completion, against an equal copy. */
#ifndef CLSLICE_CLI_BENCH_BENCH_LATENCY_H
#define CLSLICE_CLI_BENCH_BENCH_LATENCY_H

#include "cli/bench/bench_speed.h"

/*
 * Runs dispatch, clEnqueueCopyBuffer, dispatch, ... in the device's own queue, each alone, and
 * `pairs` times as often as a pair has samples. The copy moves as many bytes as the output's
 * elements have, as far as the device's buffers reach. The seconds, and the copy's bytes per
 * second, are 10th percentiles; the efficiency is the copy's time divided by the dispatch's.
 */
bool bench_latency_measure(const struct bench_subject *subject, size_t pairs,
                           struct bench_speed *speed, struct problem *problem);

#endif
