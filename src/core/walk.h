/* SPDX-License-Identifier: MIT */
/* struct walk: the kernel argument by which a work-item finds its blocks. */
#ifndef CLSLICE_CORE_WALK_H
#define CLSLICE_CORE_WALK_H

#include "core/plan.h"

/* A dimension that a launch's blocks are numbered by. */
struct walk_dim {
    int64_t in_stride; /* from block to block, elements */
    int64_t out_stride;
    uint32_t size;
    uint32_t reciprocal, shift; /* of the size: see quotient() in kernels/walk.cl */
    uint32_t by_count;          /* of a gradient's inputs along it: see quotient_by() there */
};

/* A dimension of transpose_gpu's blocks, in elements. Of transpose_cpu, one of a column's step: its
 * steps and its extent. */
struct walk_extent {
    int64_t in_step; /* from element to element */
    int64_t out_step;
    int32_t extent;         /* of a block, */
    int32_t previous, last; /* of the last but one, and of the last, which may have none */
    int32_t early;
    uint32_t reciprocal; /* of what local memory holds of it: see divided() in transpose_gpu.cl */
    int32_t pitch;       /* in local memory */
};

/* A dimension of a gradient's input, in output coordinates of the launch's box. */
struct walk_scatter {
    uint32_t start, step; /* the step is at least 1 */
    uint32_t count;       /* may be 0 */
    uint32_t by_step;     /* reciprocal: see quotient_by() in kernels/walk.cl */
    uint16_t step_shift, count_shift;
};

/* The argument of every kernel behind its two buffers; kernels/walk.cl declares the same layout,
 * with a drawing. A block of the output is `width` elements along the row by `height` along the
 * column. */
struct walk {
    uint64_t in_first; /* elements from the buffers' starts to the launch's first */
    uint64_t out_first;
    uint64_t blocks; /* in all */
    uint64_t row;    /* elements of that dimension */
    int64_t in_low;  /* the launch, or each item, reads [in_low, in_high), from its first element */
    int64_t in_high;
    uint32_t rank;        /* dimensions in use, at least 1 */
    uint32_t width;       /* the last block of a row may be narrower, or empty */
    uint32_t height;      /* the last of a column may be lower */
    uint32_t blocks_each; /* of a work-item: consecutive, but of gradient_gpu */
    /* Of a transpose, the blocks of a column, or of strided_cpu perhaps one of the others; those of
     * a row; then the others, the fastest first. Behind them, those that number the elements of a
     * step along the row, where there are any; what is not in use has no size. */
    struct walk_dim dim[8];
    uint64_t column; /* elements of that dimension, 1 where there is none */
    int64_t in_step; /* along the row */
    int64_t out_step;
    int64_t in_pitch; /* along the column: from a block's row, or step, to its next */
    int64_t out_pitch;
    uint16_t is_large;    /* more is moved than the caches hold, */
    uint16_t past_caches; /* and in long runs */
    uint8_t transposes; /* of transpose_cpu: dim[0] counts along the column, dim[1] along the row */
    uint8_t row_dim;    /* of kernels for CPUs: which dimension numbers a row's blocks, 0 or 1 */
    uint16_t
        out_ahead; /* of gapped_cpu: elements of the output's memory from what is written to what
                       is asked for; 0: none is */
    uint32_t
        makes_words; /* of strided_gpu and gradient_gpu: the launch's output has no gaps, and goes
                        by words; or by wide elements, to strided_gpu */
    uint32_t repeat; /* of strided_gpu: blocks, behind which the same come again; or 0 */
    /* Of transpose_gpu, whose blocks are a struct gpu_block; dim[] numbers them. Of transpose_cpu,
     * what numbers the rows of a step along the column, as far as any has an extent. */
    union {
        struct walk_extent block[GPU_BLOCK_RANK]; /* or CPU_BLOCK_COLUMN_RANK */
        struct walk_scatter scatter[8];           /* of a gradient, as dim[] */
    };
    uint32_t run_rank;
    /* Of strided_gpu, elements of a step where it makes words, else those of dim[0] that are no
     * gap; of transpose_cpu, rows of a step; of gradient_cpu, elements of a row that are made
     * before the next row. */
    uint32_t full;
    int32_t end, previous_end, last_end; /* elements of a row, as extents of its last dimension */
    int32_t last_pitch;                  /* of the row's last dimension */
    uint32_t is_part;
    uint32_t is_straight;
    uint32_t line_dims; /* bit d: block[d] is a dimension of lines */
    int32_t back;
    int32_t before;
    uint32_t lines, units; /* units: of strided_gpu, elements of what groups begin at, a line of
                              memory or, of a batch, a word; a power of two */
    uint32_t rows, words;
    uint32_t strip, rows_at_once, strips_at_once, words_at_once;
    uint32_t steps;
    uint32_t has_ends;
    /* Reciprocals; of strided_gpu, by_units is 2^16 / d + 1, where d is the distance in the output
     * from one element to the next, or 0 if that varies. */
    uint32_t by_full, by_units, by_strip, by_rows_at_once;
    /* Of a batch. */
    uint32_t items;
    uint32_t
        of_item; /* a GPU's work-items of each, or groups where they take blocks; else blocks */
    uint32_t by_item, item_shift; /* for quotient_by() */
    uint8_t order_shift, order_step;
    uint8_t near, near_shift;
    uint32_t near_size, band_near, by_band_near, band, by_band, band_shift;
};

/* How kernels divide by a size without a division: see quotient_by() in kernels/walk.cl. */
struct divisor {
    uint32_t reciprocal, shift;
};

/* The size is 1 to 2^32. With a size of 1, only the quotient of 0 is right. */
struct divisor walk_divisor_of(const struct plan *plan, uint64_t size);

/* A dimension with the numbers by which quotient() in kernels/walk.cl divides: a batch with 32-bit
 * indices by 1, too. */
struct walk_dim walk_dim_of(const struct plan *plan, uint64_t size, int64_t in_stride,
                            int64_t out_stride);

/* Numbers the walk's blocks along one more dimension. */
void walk_add_dimension(const struct plan *plan, struct walk *walk, uint64_t size,
                        int64_t in_stride, int64_t out_stride);

#endif
