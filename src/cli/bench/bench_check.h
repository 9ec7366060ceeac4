/* SPDX-License-Identifier: MIT */
/* Whether a case that is to be measured was moved rightly. */
#ifndef CLSLICE_CLI_BENCH_BENCH_CHECK_H
#define CLSLICE_CLI_BENCH_BENCH_CHECK_H

#include "cli/bench/bench_cl.h"

struct slice_case;

enum { BENCH_UNTOUCHED = 0xA5 }; /* what every byte of the output held before */

/* Compares `bytes` of the output's buffer with what the plain loop makes of the input's, and with
 * what lay between the elements. The tensors begin at these byte offsets of their buffers. The loop
 * runs on all processors. */
bool bench_check(const struct bench_cl *cl, const struct slice_case *c, size_t in_offset,
                 size_t out_offset, size_t bytes, struct problem *problem);

#endif
