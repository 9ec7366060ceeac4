/* SPDX-License-Identifier: MIT */
/* 64-bit sizes where addresses may have 32 bits. */
#ifndef CLSLICE_CONFORMANCE_SIZE_FOR_H
#define CLSLICE_CONFORMANCE_SIZE_FOR_H

#include <stddef.h>
#include <stdint.h>

/* Bytes as malloc and mmap take them: of what addresses do not reach, SIZE_MAX, which both
 * refuse. */
static inline size_t size_for(uint64_t bytes)
{
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

#endif
