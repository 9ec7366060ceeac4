/* SPDX-License-Identifier: MIT */
/*
 * Which kernel moves a slice, over which dimensions, in groups of which size; and boxes of it.
 * Pure.
 */
#ifndef CLSLICE_CORE_PLAN_H
#define CLSLICE_CORE_PLAN_H

#include "core/blocks/gpu_block.h"
#include "core/variant.h"

#include <string.h>

/* What the kernels for rows move: rows of groups. Element j * group_size + c of an output row is
 * element j * group_stride + c * element_stride of the input's. All 0 for other variants. */
struct plan_pattern {
    int32_t group_stride;   /* group_size to 4 either way; or 0 on a CPU, of single elements */
    uint32_t group_size;    /* 1 to 4 */
    int32_t element_stride; /* 1 or -1; 0 where group_size is 1 */
};

enum {
    PLAN_LINE_BYTES = 64,       /* of a CPU's memory: LINE_BYTES of kernels/line.cl */
    PLAN_ITEMS = 1024,          /* of a batch, that a plan of one reckons with */
    PLAN_GRADIENT_WORDS = 1024, /* STRIP of kernels/gradient_gpu.cl: of a group, */
    PLAN_GRADIENT_ROWS = 1025,  /* and its ROWS: of these words */
    PLAN_NEIGHBOURS_LEAST = 8,  /* of a row that strided_gpu reads so: a word is of three rows at
                                   most */
    PLAN_CPU_GRID = 32 << 10,   /* work-items: stays below PoCL's bound of a small grid, 2^16 - 1 */
};

struct plan {
    enum plan_variant variant;
    uint32_t element_size; /* bytes of one move: 1, 2, 4, 8 or 16; a multiple of the tensor's, or
                              4 of pixels of 16 bytes */
    uint32_t index_bits;   /* 32 where every index of a launch fits, else 64 */
    struct plan_pattern pattern;
    uint32_t word_bytes; /* of strided_gpu and gradient_gpu: what a work-item moves at once; */
    bool has_neighbours; /* words are read as they lie: rows of neighbours of 1 or 2 bytes each */
    bool has_short_rows; /* of gradient_gpu, which then makes words input by input */
    bool for_intel;      /* of rows_cpu: compiled with INTEL */
    struct gpu_block_choice block; /* of transpose_gpu; else all 0 */
    uint32_t local_size;
    uint32_t rank; /* at least 1 */
    /* In elements of the plan's size; joined, ordered by output stride, the innermost last. */
    struct slice_dim dim[TENSOR_RANK_MAX];
    struct slice_scatter scatter[TENSOR_RANK_MAX]; /* of a gradient; else all 0 */
    uint32_t row;                                  /* the dimension that blocks lie along */
    uint32_t column;       /* the one across it, `rank` where there is none */
    uint64_t first;        /* input element of output coordinate 0; of a gradient, of all starts */
    uint64_t item_bytes;   /* what a work-item of a CPU is meant to write */
    uint64_t launch_bytes; /* that a launch spans of either tensor, so that indices fit; 0: all */
    bool rows_are_aligned; /* of rows_gpu: all of the output begin at words where the first does */
    bool numbers_gaps;     /* of strided_gpu: those behind the rows have work-items, too */
    bool is_large;         /* the slice is more than the caches hold, or many items may be */
    uint32_t run_past_caches; /* bytes side by side in the output that a CPU writes past the caches
                                 then, at least */
    uint32_t out_ahead; /* bytes of the output's memory that gapped_cpu asks for ahead, or 0 */
    bool is_gradient;   /* some elements are 0: what has an input for each is a slice of it */
    bool is_item;       /* of a batch: one of many slices of a launch */
    /* Words that the kernel takes of a few items' origins by value; 0: it takes none. The planner
     * leaves it 0: who compiles a plan for such launches sets it. */
    uint32_t few_words;
};

/* A box of the output: coordinates [at, at + size) in each of the plan's dimensions. */
struct plan_box {
    uint64_t at[TENSOR_RANK_MAX];
    uint64_t size[TENSOR_RANK_MAX];
};

/* What a box addresses of each tensor: elements of the plan's size from the tensor's first. */
struct plan_range {
    struct plan_extent {
        uint64_t first;     /* of the box's first coordinate */
        uint64_t low, high; /* [low, high); in the output, first is low */
    } in, out;
};

static inline bool plan_equal(const struct plan *a, const struct plan *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Bytes, a power of 2 up to 16. */
struct plan_alignments {
    uint32_t in, out;
};

/* What the first elements must be aligned to for the plan of aligned tensors to move them, and as
 * fast. */
struct plan_alignments plan_alignments_of(const struct plan *plan);

/* Makes a plan of aligned tensors one for buffers that begin where what they hold of one does. */
void plan_forget_alignment(struct plan *plan);

/* log2 of element_size. */
uint32_t plan_width(const struct plan *plan);

/* Elements that a launch writes: of a batch, those of PLAN_ITEMS items. */
uint64_t plan_elements(const struct plan *plan);

/* The whole output. */
struct plan_box plan_whole(const struct plan *plan);

uint64_t plan_box_elements(const struct plan *plan, const struct plan_box *box);

/* Of a gradient: dimension i's scatter inside a box, whose count may be 0; it begins with
 * coordinate *low of what the whole plan's takes. */
struct slice_scatter plan_scatter(const struct plan *plan, const struct plan_box *box, uint32_t i,
                                  uint64_t *low);

struct plan_range plan_range(const struct plan *plan, const struct plan_box *box);

/* Whether the box's elements lie side by side in the output. */
bool plan_is_packed(const struct plan *plan, const struct plan_box *box);

/* Whether the output has any between its elements. */
bool plan_has_gaps(const struct plan *plan);

/* The plan with the box's elements side by side in the output, in the order of its dimensions.
 * Whatever variant can do the plan can do this one. */
struct plan plan_packed(const struct plan *plan, const struct plan_box *box);

void plan_describe(const struct plan *plan, struct text *text);

#endif
