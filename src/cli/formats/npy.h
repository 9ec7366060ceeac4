/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_FORMATS_NPY_H
#define CLSLICE_CLI_FORMATS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct array;
struct problem;

/* Bytes that hold the header of any array of up to 8 dimensions. */
enum { NPY_HEADER_MAX = 384 };

/*
 * Maps a .npy file: versions 1.0, 2.0 and 3.0, C and Fortran order, bool, integers and floats of up
 * to 8 bytes, little-endian. Bytes after the data are ignored, as NumPy does. The lifetime of the
 * data is array_file_read's. After a failure the array owns nothing.
 */
bool npy_read(const char *path, struct array *array, struct problem *problem);

/*
 * Writes the header of an array in C order, byte for byte as numpy.save does, and returns its
 * length, a multiple of 64. Always version 1.0: up to 8 dimensions need no longer header. `descr`
 * is at most 15 characters; `size` has `rank` <= 8 entries.
 */
size_t npy_header(unsigned char header[NPY_HEADER_MAX], const char *descr, uint32_t rank,
                  const uint64_t *size);

#endif
