/* SPDX-License-Identifier: MIT */
/* clslice_batch -> struct batch: where the items of a batch lie, validated. Pure. */
#ifndef CLSLICE_CORE_BATCH_H
#define CLSLICE_CORE_BATCH_H

#include "core/slice.h"

/* A dimension that rows of the table replace. */
struct batch_axis {
    uint64_t stride; /* of the input */
    uint64_t most;   /* the largest offset at which the window fits */
};

/* Elements; kernels/walk.cl declares the same layout. */
struct batch {
    uint64_t in_first; /* of an item at offset 0 in every dimension of the table */
    int64_t in_step;   /* from item to item, where there is no table */
    uint64_t out_pitch;
    uint64_t index_most; /* the largest at which an item fits the output's binding */
    uint64_t first;      /* the item that the tables begin with, */
    uint64_t window_at, index_at, skipped_at; /* and where in their buffers, in words of 4 bytes */
    uint32_t row_words;                       /* 4 bytes each, from row to row */
    uint32_t axis_count;                      /* 0: there is no table */
    uint32_t index_words;                     /* from index to index */
    uint32_t index_bytes;                     /* 0: an item's number is its index; 16: indices are
                                                 origins, made and checked by the host */
    uint32_t shift;                           /* origins count in 2 to that power elements */
    uint32_t counts;                          /* whether kernels count what they skip */
    struct batch_axis axis[TENSOR_RANK_MAX];
};

/* Where an item begins, in elements from the tensors' first. */
struct batch_origin {
    uint64_t in, out;
};

/* `in` of an item that is skipped. */
#define BATCH_SKIPPED UINT64_MAX

/* Of windows and of indices. */
static inline uint32_t batch_table_count(const struct batch *batch)
{
    return (uint32_t)(batch->axis_count > 0) + (uint32_t)(batch->index_bytes > 0);
}

/* A batch whose table of indices is made of origins. */
struct batch batch_of_origins(void);

/* Bytes that the tables of a batch must have, as its structure was checked to describe them. */
struct batch_tables {
    uint64_t window, output; /* 0: there is none */
};

/*
 * Checks everything but the bindings and what their tables hold. `room` is how many elements the
 * output's binding has. What comes without a table is checked for all items; E_INVALIDARG names the
 * first that breaks a rule.
 */
int32_t batch_from(const struct slice *slice, const clslice_batch *desc, uint64_t room,
                   struct batch *batch, struct batch_tables *tables, clslice_error *error);

/* The power of 2 that divides every item's first address, at most 16 bytes, if the tensors lie at
 * such ones of bases that have these. */
uint32_t batch_in_alignment(const struct batch *batch, uint32_t element_size, uint32_t base);
uint32_t batch_out_alignment(const struct batch *batch, uint32_t element_size, uint32_t base);

/* An item's index from what the table of indices holds for it; NULL where there is none. */
uint64_t batch_index(const struct batch *batch, uint64_t item, const void *index);

/* The origin of an item from what its tables hold, at any address; NULL where there is none. False,
 * and skipped, where it breaks a rule. */
bool batch_place(const struct batch *batch, uint64_t item, const void *row, const void *index,
                 struct batch_origin *origin);

/* Those of items [first, first + count), from whole tables. Returns how many break a rule; `broken`
 * is then the first of them. */
uint64_t batch_places(const struct batch *batch, const void *rows, const void *indices,
                      uint64_t first, uint64_t count, struct batch_origin *origins,
                      uint64_t *broken);

/* Says which rule such an item breaks. */
int32_t batch_fail(const struct slice *slice, const clslice_batch *desc, const struct batch *batch,
                   uint64_t item, const void *row, const void *index, clslice_error *error);

/* What some items, one after the other, address of the tensors: elements from their first. */
struct batch_range {
    uint64_t in_low, in_high, out_low, out_high;
    uint64_t moved; /* items that are not skipped */
};

/* What a group of items may take. */
struct batch_room {
    uint64_t in, out; /* elements; UINT64_MAX where there is no limit */
    bool packs;       /* the output's elements lie side by side, item after item */
};

/*
 * How many of the first items, at least one, fit: `range` is what they address. One item may exceed
 * the room. Skipped items are among them and take nothing; `range` is empty where all are.
 * `reach` is what an item addresses, from its origin, and `packed` how many elements it writes.
 */
uint64_t batch_group(const struct batch_origin *origins, uint64_t count,
                     const struct batch_range *reach, uint64_t packed,
                     const struct batch_room *room, struct batch_range *range);

#endif
