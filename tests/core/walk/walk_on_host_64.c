/* SPDX-License-Identifier: MIT */
#define INDEX_BITS 64
#define WALK_NAME 64
#include "walk_on_host.inc"

uint32_t walk_on_host_quotient(uint32_t index_bits, uint32_t n, uint32_t reciprocal, uint32_t shift)
{
    return (index_bits == 32 ? walk_quotient_32 : walk_quotient_64)(n, reciprocal, shift);
}

struct block walk_on_host_block(const struct walk *walk, uint32_t index_bits, uint64_t block)
{
    return index_bits == 32 ? walk_block_32(walk, block) : walk_block_64(walk, block);
}

void walk_on_host_blocks(const struct walk *walk, uint32_t index_bits, uint64_t first, uint64_t end,
                         block_visit *visit, void *user)
{
    (index_bits == 32 ? walk_blocks_32 : walk_blocks_64)(walk, first, end, visit, user);
}
