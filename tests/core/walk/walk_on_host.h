/* SPDX-License-Identifier: MIT */
/* kernels/walk.cl compiled as C: the very text that drivers compile, run where tests and sanitizers
 * see every step. */
#ifndef CLSLICE_TESTS_CORE_WALK_ON_HOST_H
#define CLSLICE_TESTS_CORE_WALK_ON_HOST_H

#include "core/walk.h"

/* Where a block lies, in elements from the launch's first. */
struct block {
    int64_t in, out;
    uint64_t width;  /* along the row; 0: there is nothing of it left */
    uint64_t height; /* along the column */
};

/* Called for blocks that a work-item moves, in its order. */
typedef void block_visit(void *user, struct block block);

/* n divided by the size that has these numbers. `index_bits` is the plan's, here and below. */
uint32_t walk_on_host_quotient(uint32_t index_bits, uint32_t n, uint32_t reciprocal,
                               uint32_t shift);

/* One block, as kernels for many threads find it. */
struct block walk_on_host_block(const struct walk *walk, uint32_t index_bits, uint64_t block);

/* The blocks [first, end), as kernels for few threads step through them. */
void walk_on_host_blocks(const struct walk *walk, uint32_t index_bits, uint64_t first, uint64_t end,
                         block_visit *visit, void *user);

/* The same of an item of a batch with 32-bit indices. */
struct block walk_block_small(const struct walk *walk, uint64_t block);
void walk_blocks_small(const struct walk *walk, uint64_t first, uint64_t end, block_visit *visit,
                       void *user);

/* One of a launch with 32-bit indices, by indices of 64 bits. */
struct block walk_block_wide(const struct walk *walk, uint64_t block);
void walk_blocks_wide(const struct walk *walk, uint64_t first, uint64_t end, block_visit *visit,
                      void *user);

uint32_t walk_quotient_32(uint32_t n, uint32_t reciprocal, uint32_t shift);
uint32_t walk_quotient_64(uint32_t n, uint32_t reciprocal, uint32_t shift);
uint32_t walk_quotient_small(uint32_t n, uint32_t reciprocal, uint32_t shift);
uint32_t walk_quotient_wide(uint32_t n, uint32_t reciprocal, uint32_t shift);
struct block walk_block_32(const struct walk *walk, uint64_t block);
struct block walk_block_64(const struct walk *walk, uint64_t block);
void walk_blocks_32(const struct walk *walk, uint64_t first, uint64_t end, block_visit *visit,
                    void *user);
void walk_blocks_64(const struct walk *walk, uint64_t first, uint64_t end, block_visit *visit,
                    void *user);

#endif
