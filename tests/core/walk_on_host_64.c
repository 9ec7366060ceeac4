/* SPDX-License-Identifier: MIT */
#define INDEX_BITS 64
#include "walk_on_host.inc"

struct unit walk_on_host_unit(const struct walk *walk, uint32_t index_bits, uint64_t unit)
{
    return index_bits == 32 ? walk_unit_32(walk, unit) : walk_unit_64(walk, unit);
}

void walk_on_host_units(const struct walk *walk, uint32_t index_bits, uint64_t first, uint64_t end,
                        unit_visit *visit, void *user)
{
    (index_bits == 32 ? walk_units_32 : walk_units_64)(walk, first, end, visit, user);
}
