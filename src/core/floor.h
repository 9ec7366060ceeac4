/* SPDX-License-Identifier: MIT */
/* The least bytes that a slice can move through a memory of whole lines. */
#ifndef CLSLICE_CORE_FLOOR_H
#define CLSLICE_CORE_FLOOR_H

#include "core/slice.h"

/*
 * Bytes of the output's elements + bytes of every distinct line of `line` bytes (a power of two, at
 * most 256) that reading the input touches, the input's start being aligned to a line. Exact where
 * the input's dimensions do not overlap each other; where they do, at most the lines of its range.
 */
uint64_t floor_bytes(const struct slice *slice, uint64_t line);

#endif
