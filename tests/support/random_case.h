/* SPDX-License-Identifier: MIT */
/*
 * Random SLICE1 cases. All types, ranks, windows and steps up to the extreme ones occur; strides
 * that are packed, permuted, padded or interleaved, of the input also broadcast and overlapping;
 * pixels; rows that wider elements fit.
 */
#ifndef CLSLICE_TESTS_SUPPORT_RANDOM_CASE_H
#define CLSLICE_TESTS_SUPPORT_RANDOM_CASE_H

#include <stddef.h>

#include "conformance/cases.h"
#include "support/dice.h"

/* A valid case of up to some thousands of elements. */
void random_case(struct dice *dice, struct slice_case *c);

struct random_limits {
    uint32_t elements_log2; /* the output has at most about 2 to this power of elements */
    uint64_t bytes;         /* that either tensor may span */
};

/* A case within limits that breaks no rule, except that two elements of the output may share an
 * address: then it returns false. */
bool random_case_within(struct dice *dice, const struct random_limits *limits,
                        struct slice_case *c);

/* The same of a gradient: a slice's, turned. */
bool random_gradient_within(struct dice *dice, const struct random_limits *limits,
                            struct slice_case *c);

/* The case in words, for repeating it by hand. Returns snprintf's result. */
int random_case_text(const struct slice_case *c, char *bytes, size_t size);

#endif
