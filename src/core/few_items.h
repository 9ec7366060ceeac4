/* SPDX-License-Identifier: MIT */
/* The origins of a batch's few items, which a kernel takes by value: a table would have to be
 * brought to the device first. Pure. */
#ifndef CLSLICE_CORE_FEW_ITEMS_H
#define CLSLICE_CORE_FEW_ITEMS_H

#include "core/batch.h"

/* Each word that an argument has costs a launch about 1 ns, on an H200; copying a table costs 5
 * us. */
enum { FEW_ITEMS_WORDS = 1024 };

/* Elements of the tensors. On a side without a table, item i lies i steps behind the first.
 * kernels/walk.cl declares the same layout, with as many words as its device takes. */
struct few_items {
    uint64_t in_first, in_step;
    uint64_t out_first, out_pitch;
    uint32_t in_words, out_words; /* of each table, the items or 0; not both 0 */
    /* The origins in the input, then those in the output. Of an item that is skipped, its first is
     * FEW_ITEMS_SKIPPED, and nothing else is known. */
    uint32_t word[FEW_ITEMS_WORDS];
};

#define FEW_ITEMS_SKIPPED UINT32_MAX

/* Whether so many items of the batch, anywhere in the slice's input, fit that many words. A batch
 * without tables does not: kernels need no help with it. */
bool few_items_fit(const struct batch *batch, const struct slice *slice, uint64_t count,
                   uint32_t words);

/* The origins of items [first, first + count), from whole tables, which fit; the batch's shift is
 * 0. Returns how many break a rule, and are skipped; `broken` is then the first of them. */
uint64_t few_items_from(const struct batch *batch, const void *rows, const void *indices,
                        uint64_t first, uint64_t count, struct few_items *few, uint64_t *broken);

#endif
