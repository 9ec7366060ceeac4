/* SPDX-License-Identifier: MIT */
/*
 * Random batches through the public ABI, against a plain slice for each item. Every byte of the
 * output is compared; where two items write one element, it may have the bytes of either.
 */
#ifndef CLSLICE_TESTS_SUPPORT_BATCH_TRIAL_H
#define CLSLICE_TESTS_SUPPORT_BATCH_TRIAL_H

#include "support/dice.h"
#include "support/harness.h"

enum {
    BATCH_TRIAL_ITEMS = 24,
    BATCH_TRIAL_ITEMS_MANY = 100 /* more than kernels with 1024 bytes of arguments take by value */
};

/* One batch: items of a case, their tables, and where everything lies. */
struct batch_trial {
    struct slice_case c;
    const char *variant; /* NULL: the planner's choice */
    uint64_t count;
    uint32_t axis, axis_count; /* 0: no table */
    int64_t advance;
    uint32_t row_words;
    uint32_t windows[BATCH_TRIAL_ITEMS_MANY * 12];
    uint32_t index_bytes; /* 0: no table */
    uint64_t indices[BATCH_TRIAL_ITEMS_MANY];
    uint64_t pitch;
    bool skips;     /* some items break a rule */
    bool counts;    /* skipped ones are counted */
    uint32_t maps;  /* input and tables against a forbidden page, at their ends or starts; 0: not */
    bool on_device; /* the tables */
    bool in_host, out_host;
    size_t out_bytes;                           /* of the output's binding */
    size_t in_offset, out_offset, table_offset; /* bytes */
    char text[1024];
};

/* Draws one whose tensors are small. `may_stage`: operands in host memory, too. */
void batch_trial_draw(struct dice *dice, bool may_stage, struct batch_trial *trial);

/* Runs it and compares; the test fails where a byte differs. False where the variant cannot do the
 * case. */
bool batch_trial_run(const struct rig *rig, const struct batch_trial *trial);

#endif
