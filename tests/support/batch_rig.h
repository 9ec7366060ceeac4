/* SPDX-License-Identifier: MIT */
/* Operators for batches, and batches by host tables. */
#ifndef CLSLICE_TESTS_SUPPORT_BATCH_RIG_H
#define CLSLICE_TESTS_SUPPORT_BATCH_RIG_H

#include "support/harness.h"
#include "support/suite.h"

/* By `variant`; NULL: the planner's choice. */
static inline clslice_compiled_operator *
batch_compile(const struct rig *rig, const struct slice_case *c, const char *variant)
{
    clslice_error error = {.size = sizeof error};
    clslice_compile_options options = {
        .size = sizeof options, .flags = CLSLICE_COMPILE_FLAG_BATCH, .variant = variant};
    clslice_compiled_operator *compiled = NULL;
    clslice_operator *op = rig_operator(rig, c);
    ASSERT_OK(clslice_operator_compile(op, &options, &compiled, &error), &error);
    clslice_operator_release(op);
    return compiled;
}

/* A row of one offset for each item. */
static inline clslice_batch batch_of(uint32_t *rows, uint64_t count)
{
    return (clslice_batch){
        .size = sizeof(clslice_batch),
        .count = count,
        .window = {.kind = CLSLICE_BINDING_HOST, .handle = rows, .size = 4 * count},
        .window_axis_count = 1};
}

#endif
