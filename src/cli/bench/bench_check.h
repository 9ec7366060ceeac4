/* SPDX-License-Identifier: MIT */
/* Whether a case that is to be measured was moved rightly. */
#ifndef CLSLICE_CLI_BENCH_BENCH_CHECK_H
#define CLSLICE_CLI_BENCH_BENCH_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct problem;
struct slice_case;

enum { BENCH_UNTOUCHED = 0xA5 }; /* what every byte of the output held before */

/* Compares the `bytes` of an output with what the plain loop makes of the input, and with what lay
 * between the elements. The loop runs on all processors. */
bool bench_check(const struct slice_case *c, const unsigned char *in, const unsigned char *out,
                 size_t bytes, struct problem *problem);

#endif
