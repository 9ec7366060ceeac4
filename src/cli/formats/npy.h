/* SPDX-License-Identifier: MIT */
/* NumPy's .npy files. */
#ifndef CLSLICE_CLI_FORMATS_NPY_H
#define CLSLICE_CLI_FORMATS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct array;
struct dtype;
struct problem;

/*
 * Maps a .npy file of `bytes` into an array that is all zeros: versions 1.0, 2.0 and 3.0, C and
 * Fortran order, any dtype but those that hold objects. Bytes after the data are ignored, as NumPy
 * does. The lifetime of the data and of the dtype's text is array_file_read's. The caller releases
 * the array, also after a failure. `path` is for the problem's text.
 */
bool npy_read(FILE *file, uint64_t bytes, const char *path, struct array *array,
              struct problem *problem);

/* The same, but reads it into memory of the array's, which nobody can shorten. */
bool npy_copy(FILE *file, uint64_t bytes, const char *path, struct array *array,
              struct problem *problem);

/*
 * The header of an array in C order of `rank` <= 8 sizes, byte for byte as numpy.save writes it,
 * with the dtype's text as it stands: version 1.0, or 2.0 where that is too short, or 3.0 where the
 * text needs UTF-8. Its length *bytes is a multiple of 64. The caller frees it; NULL without
 * memory.
 */
unsigned char *npy_header_create(const struct dtype *dtype, uint32_t rank, const uint64_t *size,
                                 size_t *bytes);

#endif
