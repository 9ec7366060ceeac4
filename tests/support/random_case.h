/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_TESTS_SUPPORT_RANDOM_CASE_H
#define CLSLICE_TESTS_SUPPORT_RANDOM_CASE_H

#include "conformance/cases.h"
#include "support/dice.h"

enum {
    RANDOM_CASE_OUTPUTS = 3000, /* most elements of a random case's output */
    RANDOM_CASE_SPAN = 30000    /* most elements that one of its tensors spans */
};

/*
 * A valid case of any rank, type and kind of strides: packed, padded, permuted, with gaps or
 * interleaved, and on the input also broadcast and overlapping. The output never overlaps. Some are of
 * pixels.
 */
void random_case(struct dice *dice, struct slice_case *c);

#endif
