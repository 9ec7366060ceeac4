/* SPDX-License-Identifier: MIT */
/* What a plan's launches promise to the kernels, and its blocks one by one. What does not hold
 * fails the test, with the slice, the plan and the launch in words. */
#ifndef CLSLICE_TESTS_CORE_WALK_CHECK_H
#define CLSLICE_TESTS_CORE_WALK_CHECK_H

#include "support/case_slice.h"
#include "walk_on_host.h"

/* What a kernel asks of its walk beyond walk.cl, as its header comment says. */
struct walk_promise {
    bool takes_many; /* of any size, stepped through; else one block per work-item or group */
    bool rows;       /* the pattern is the row's and the column's strides */
    bool transposes; /* out_step = 1, in_pitch at most 4 either way; of transpose_gpu, any */
    bool lines;      /* out_step = 1 */
};

extern const struct walk_promise walk_promises[PLAN_SLICE_VARIANTS];

/* What a failure was about. */
struct subject {
    const struct slice_case *c;
    const struct slice *slice;
    const struct plan *plan;
    const struct launch *launch;
};

void refuse(const struct subject *subject, const char *what);

/* Whether the launch has 32-bit indices: they reach all of it, blocks that begin behind its rows
 * and columns included. rows_cpu never has. */
bool is_small(const struct plan *plan, const struct launch *launch);

/* Whether so many bits hold an index. */
bool fits(int64_t index, uint32_t bits);

/* Whether rows have a block more, for kernels that begin theirs at the output's boundaries. */
bool has_slack(const struct plan *plan);

/* Work-items that have something to do; of transpose_gpu, groups. */
uint64_t items_of(const struct walk *walk);

/* All that a launch promises beforehand. */
void check_guarantees(const struct subject *s);

/* A tile moves at most so many bytes on either side. */
void check_limit(const struct subject *s, uint64_t max_bytes);

/* A block with the plan's indices, which must be what wider ones give. */
struct block block_of(const struct subject *s, uint64_t n);

/* Where element k of a row lies in the input, from the row's first: the inner dimensions number it,
 * and what is left are steps. */
int64_t along_row(const struct walk *walk, uint64_t k);

/* Where row l of a block begins in both tensors, from the block's first. */
struct slice_place {
    int64_t in, out;
};
struct slice_place along_column(const struct walk *walk, uint64_t l);

/* Elements from a multiple of 16 bytes to the output's first one, at some alignment. */
uint64_t before_output(const struct subject *s);

/* The elements that a work-item of strided_gpu moves, each as a block, over an output at some
 * alignment. */
void visit_words(const struct subject *s, uint64_t item, block_visit *visit, void *user);

/* The work-item that moves the first element then. */
uint64_t word_of_first(const struct subject *s);

#endif
