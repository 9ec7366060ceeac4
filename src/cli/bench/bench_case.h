/* SPDX-License-Identifier: MIT */
/* Which cases are measured, and how large. */
#ifndef CLSLICE_CLI_BENCH_BENCH_CASE_H
#define CLSLICE_CLI_BENCH_BENCH_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice_case;

/* The first dimension of a large case grows by this on GPUs, whose memory is faster. */
enum { BENCH_GPU_FACTOR = 16 };

/* Whether the case is one to measure and its name matches the pattern, a shell's; NULL: any. */
bool bench_is_wanted(const struct slice_case *c, const char *pattern);

/* Whether it is the awkward twin of another case. */
bool bench_is_twin(const struct slice_case *c);

/* Length of the name that a case shares with its twin. */
size_t bench_family_length(const struct slice_case *c);

/*
 * The case with its first dimension `factor` times as long: its size, its window and the strides
 * that step over it; its offset stays, and the output takes all that the window yields. False where
 * a number exceeds 32 bits.
 */
bool bench_scale(const struct slice_case *c, uint32_t factor, struct slice_case *scaled);

/* What a cl_mem binding of the case begins at, in elements: a twin's is aligned to nothing more. */
uint32_t bench_in_offset(const struct slice_case *c);
uint32_t bench_out_offset(const struct slice_case *c);

#endif
