/* SPDX-License-Identifier: MIT */
/* The kernels' sources, embedded by cmake/embed_kernels.cmake in the order of their names. */
#ifndef RUNTIME_KERNELS_H
#define RUNTIME_KERNELS_H

#include <stddef.h>

struct kernel_source {
    const char *name; /* of the file, without .cl */
    const char *text; /* not necessarily NUL-terminated */
    size_t length;
};

extern const struct kernel_source kernel_sources[];
extern const size_t kernel_source_count;

#endif
