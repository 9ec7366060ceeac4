/* SPDX-License-Identifier: MIT */
/* The kernels' sources, embedded by cmake/embed_kernels.cmake: kernel_NAME for each
 * kernels/NAME.cl; and their arguments. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_KERNELS_H
#define CLSLICE_RUNTIME_PROGRAMS_KERNELS_H

#include "base/hash.h"

/* What several share. */
extern const struct hash_part kernel_walk, kernel_line, kernel_offsets, kernel_origins,
    kernel_square, kernel_strip, kernel_word;
extern const struct hash_part kernel_gather, kernel_rows_cpu, kernel_rows_gpu;
extern const struct hash_part kernel_strided_cpu, kernel_strided_gpu, kernel_gapped_cpu;
extern const struct hash_part kernel_transpose_cpu, kernel_transpose_gpu;
extern const struct hash_part kernel_gradient_cpu, kernel_gradient_gpu;

/* Of every variant: the input and the output, and behind them the walk; for batches, three tables
 * and how they are read, or a few items' origins. */
enum {
    KERNEL_ARG_SIDES = 0,
    KERNEL_ARG_WALK = 2,
    KERNEL_ARG_TABLES = 3,
    KERNEL_ARG_BATCH = 6,
    KERNEL_ARG_FEW = 3
};

#endif
