/* SPDX-License-Identifier: MIT */
/* .npy files of the current folder: made byte by byte, and read, well or not. */
#ifndef CLSLICE_TESTS_CLI_NPY_FILES_H
#define CLSLICE_TESTS_CLI_NPY_FILES_H

#include "cli/formats/array.h"

struct dtype dtype_of(const char *descr);

/* The bytes of a file: version, dict as it is, data 0, 1, 2, ...; returns their number. */
size_t make(unsigned char *file, unsigned version, const char *dict, size_t data_bytes);
void write_file(const char *path, const void *bytes, size_t length);

/* Reading must succeed: this file, or x.npy, which is made so first. */
struct array read_well(const char *path);
struct array read_made(unsigned version, const char *dict, size_t data_bytes);

/* Reading these bytes must fail, and say why in one line that names the file. */
void assert_refused(const void *bytes, size_t length, const char *message);
void assert_dict_refused(const char *dict, size_t data_bytes, const char *message);

/* A fixture's end. */
void npy_files_remove(void);

#endif
