/* SPDX-License-Identifier: MIT */
/* Random SLICE1 descriptions for devices: wilder than random_case's, and some are to be refused. */
#ifndef CLSLICE_TESTS_SUPPORT_WILD_CASE_H
#define CLSLICE_TESTS_SUPPORT_WILD_CASE_H

#include <stddef.h>

#include "conformance/cases.h"
#include "support/dice.h"

struct wild_limits {
    uint32_t elements_log2; /* at most 2 to this power of output elements */
    uint64_t bytes;         /* that either tensor may span */
};

/*
 * A case that breaks no rule, but that its output's strides may let two elements share an address;
 * then it returns false. All ranks, types, sizes, windows, and strides of either tensor occur:
 * packed, permuted, padded and interleaved ones, of the input also broadcast and overlapping ones.
 */
bool wild_case(struct dice *dice, const struct wild_limits *limits, struct slice_case *c);

/* The case in words, for repeating it by hand. Returns snprintf's result. */
int wild_case_text(const struct slice_case *c, char *text, size_t size);

/* 0 to count - 1; count is at least 1. */
uint32_t wild_below(struct dice *dice, uint32_t count);
/* True in `percent` of 100 calls. */
bool wild_chance(struct dice *dice, uint32_t percent);

#endif
