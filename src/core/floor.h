/* SPDX-License-Identifier: MIT */
/* The least bytes that a slice can move through a memory of whole lines. */
#ifndef CLSLICE_CORE_FLOOR_H
#define CLSLICE_CORE_FLOOR_H

#include "core/slice.h"

/*
 * Bytes of every distinct line of `line` bytes (a power of two, at most 256) that reading the input
 * touches + the bytes of the output's elements; where these have gaps between them, those of every
 * line that is written, and once more of every line that is written in part: it is read and
 * written. Either tensor's start is taken as aligned to a line. Exact where the dimensions of a
 * tensor do not overlap each other, and no line of the output is filled by two runs of bytes; else
 * at most that of all lines of both ranges.
 */
uint64_t floor_bytes(const struct slice *slice, uint64_t line);

#endif
