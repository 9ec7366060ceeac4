/* SPDX-License-Identifier: MIT */
/* The growth rule of public structures: each begins with `uint32_t size`, set by the caller. */
#ifndef CLSLICE_BASE_STRUCTS_H
#define CLSLICE_BASE_STRUCTS_H

#include "base/status.h"

/*
 * Copies a caller's structure of any later or this version to `to`, of `known` bytes; what the
 * caller does not have reads as 0. E_INVALIDARG where it is smaller than `first`, its size in
 * version 1, or absurdly large; E_NOTIMPL where bytes beyond `known` are not 0.
 */
int32_t structs_read(void *to, uint32_t known, uint32_t first, const void *from, const char *name,
                     clslice_error *error);

/* Copies `from`, of `known` bytes, to a caller's structure of any version, up to the smaller size,
 * which becomes its size. E_INVALIDARG below 8 bytes. */
int32_t structs_write(void *to, const void *from, uint32_t known, const char *name,
                      clslice_error *error);

#endif
