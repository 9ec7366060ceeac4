/* SPDX-License-Identifier: MIT */
/*
 * Blocks of transpose_gpu: which part of the output a group moves through local memory, and how it
 * lies there. Pure.
 */
#ifndef CLSLICE_CORE_BLOCKS_GPU_BLOCK_H
#define CLSLICE_CORE_BLOCKS_GPU_BLOCK_H

#include "core/slice.h"

enum {
    GPU_BLOCK_GROUP = 256,  /* work-items that move a block */
    GPU_BLOCK_RANK = 4,     /* dimensions of which a block may hold more than one element */
    GPU_BLOCK_RUN_RANK = 3, /* those that a row of the block may go through */
    GPU_BLOCK_LINES = 2 * GPU_BLOCK_GROUP,
    GPU_BLOCK_TABLE = GPU_BLOCK_GROUP, /* rows of a block, and steps of a row */
    GPU_BLOCK_WANTED_LEAST = 2 << 10,  /* bytes: a word's elements and early ones, a burst apart */
    GPU_BLOCK_UNIT = 16,   /* bytes, at multiples of which lines are copied and rows are written */
    GPU_BLOCK_SECTOR = 32, /* bytes that a GPU's caches keep apart */
    GPU_BLOCK_BURST = 64,  /* bytes that its memory delivers at a time: what lies between neighbours
                              so far apart is read with them */
    GPU_BLOCK_BYTES_LEAST = 16 << 10, /* of local memory that lines take */
    GPU_BLOCK_BYTES_MOST = 28 << 10,  /* more leaves room for fewer groups */
    /* Blocks of no more have a program of their own, of which more groups run at once. */
    GPU_BLOCK_BYTES_FEW = 17 << 10,
    GPU_BLOCK_UNITS_FEW = 4 * GPU_BLOCK_GROUP, /* that its work-items load at once */
    /* Elements of a row before its last dimension goes on, where a table has its steps, as it must
     * for a row through three dimensions: a word may begin at any of them. */
    GPU_BLOCK_STEPS = GPU_BLOCK_TABLE - GPU_BLOCK_UNIT,
    /* Of local memory beside the lines: where lines and rows lie, an index and an int each, and
     * steps, a short; and of a batch, where the item lies. */
    GPU_BLOCK_TABLE_BYTES = GPU_BLOCK_LINES * (8 + 4) + GPU_BLOCK_TABLE * (8 + 4 + 2) + 32,
};

/* Of a slice whose dimensions are given outermost first, as a plan's are. */
struct gpu_block_choice {
    uint32_t extent[TENSOR_RANK_MAX]; /* of each dimension, elements */
    uint32_t chunk;      /* elements of the innermost dimension that lie together; 0: all that do */
    uint32_t joined;     /* dimensions that a line of local memory goes through at most */
    uint32_t pad;        /* units that it is longer than it need be */
    uint32_t bytes;      /* of local memory that lines may take */
    uint32_t is_aligned; /* whether both tensors begin at multiples of GPU_BLOCK_UNIT */
};

/* Where the block's slice begins, in elements from the tensors' first ones. */
struct gpu_block_first {
    uint64_t in, out;
};

struct gpu_block_dim {
    uint64_t size;                        /* of the dimension */
    uint64_t extent;                      /* of the block */
    int64_t in_stride, out_stride, pitch; /* pitch: in local memory; elements all */
    bool is_line;                         /* its elements lie in lines of their own */
};

/* Lines are what the block needs of the input, in one piece each; rows are what it makes of the
 * output. */
struct gpu_block {
    uint32_t element_size, rank;
    /* First those that a row goes through, the innermost first; up to GPU_BLOCK_RANK of the block;
     * then the others. */
    struct gpu_block_dim dim[TENSOR_RANK_MAX + 1];
    uint64_t row_size; /* elements of the whole row, of which a block may have a part */
    uint32_t run_rank; /* the row's dimensions; of all but the last, the block holds everything */
    uint64_t full;     /* elements of these */
    uint64_t early;    /* of the last, before the block: what its first words need */
    bool is_part;      /* the row goes on in the next block, in whole words */
    bool in_aligned, out_aligned; /* the first elements, to GPU_BLOCK_UNIT */
    bool rows_aligned;            /* all rows */
    uint64_t lines,
        units;            /* in all; of a line at any alignment that it has, GPU_BLOCK_UNIT bytes */
    uint64_t rows, words; /* in all; of a row at any alignment that it has */
    uint64_t back;        /* elements of the input from a line's begin to the first coordinate's */
    uint64_t before;      /* of local memory before that coordinate's unit: a multiple of a unit */
    uint64_t bytes;       /* of local memory */
};

/* Elements of a word of the output. */
uint64_t gpu_block_word(uint32_t element_size);

/* Bytes that a block's lines and rows grow to, about. */
struct gpu_block_most {
    uint32_t line, row;
};

_Static_assert(GPU_BLOCK_BYTES_MOST <= INT16_MAX, "a step in local memory is a short");
_Static_assert(2 * GPU_BLOCK_UNIT * GPU_BLOCK_BURST <= GPU_BLOCK_WANTED_LEAST,
               "there is a block for every slice");

/* A block for the choice, whose extents are ignored: row and line grow until there is no more room,
 * or as far as `most` says. */
struct gpu_block gpu_block_grown(const struct gpu_block_choice *choice, struct gpu_block_most most,
                                 uint32_t element_size, struct gpu_block_first first, uint32_t rank,
                                 const struct slice_dim *dim);

/* Lays the block's extents out anew as the choice says. False where there is no room. */
bool gpu_block_settle(struct gpu_block *block, const struct gpu_block_choice *choice);

/* The block that was chosen, for dimensions of the same strides, of these sizes or less. */
struct gpu_block gpu_block_of(const struct gpu_block_choice *choice, uint32_t element_size,
                              struct gpu_block_first first, uint32_t rank,
                              const struct slice_dim *dim);

/* Blocks along that dimension: a row has enough for any alignment that it may have. */
uint64_t gpu_block_count(const struct gpu_block *block, uint32_t dim);

/* The dimension along which lines go on in the next block, where they are short; else
 * GPU_BLOCK_RANK. */
uint32_t gpu_block_near(const struct gpu_block *block);

/* Whether there may be words that a row has only a part of. */
bool gpu_block_has_ends(const struct gpu_block *block);

/* Whether the elements of every whole word are steps along one dimension. */
bool gpu_block_is_straight(const struct gpu_block *block);

#endif
