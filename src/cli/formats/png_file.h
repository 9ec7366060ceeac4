/* SPDX-License-Identifier: MIT */
/* PNG files as arrays of pixels. */
#ifndef CLSLICE_CLI_FORMATS_PNG_FILE_H
#define CLSLICE_CLI_FORMATS_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct array;
struct output;
struct problem;

/*
 * Reads a PNG file of `bytes` into an array, which is all zeros and becomes one of height x width x
 * channels in C order: uint8, or little-endian uint16 for 16-bit files. 1 channel is gray, 2 gray
 * and alpha, 3 RGB, 4 RGBA; palettes become RGB, tRNS an alpha channel. Samples are as stored: no
 * gamma or colour profile is applied. The caller releases the array, also after a failure. `path`
 * is for the problem's text.
 */
bool png_file_read(FILE *file, uint64_t bytes, const char *path, struct array *array,
                   struct problem *problem);

/*
 * Whether an array of this dtype, rank and size can be a PNG: height x width or height x width x
 * 1..4 channels, uint8 or uint16 of either byte order, not empty. Looks at no data. `path` is for
 * the text.
 */
bool png_file_accepts(const struct array *array, const char *path, struct problem *problem);

/*
 * Writes the array as a PNG to an output that is open and not mapped; the commit is the caller's.
 * Its data are dense in C order and aligned to its elements. Refuses what png_file_accepts refuses.
 */
bool png_file_write(struct output *output, const struct array *array, struct problem *problem);

#endif
