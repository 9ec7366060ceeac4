/* SPDX-License-Identifier: MIT */
/* The kernels' sources, embedded by cmake/embed_kernels.cmake: kernel_NAME for each
 * kernels/NAME.cl; and their arguments. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_KERNELS_H
#define CLSLICE_RUNTIME_PROGRAMS_KERNELS_H

#include <stddef.h>

struct kernel_source {
    const char *text; /* not necessarily NUL-terminated */
    size_t length;
};

extern const struct kernel_source kernel_walk, kernel_line, kernel_stream; /* what several share */
extern const struct kernel_source kernel_rows_cpu, kernel_rows_gpu;
extern const struct kernel_source kernel_strided_cpu, kernel_strided_gpu;
extern const struct kernel_source kernel_transpose_cpu, kernel_transpose_gpu;

/* Of every kernel: the input and the output, and behind them the walk. */
enum { KERNEL_ARG_SIDES = 0, KERNEL_ARG_WALK = 2 };

#endif
