/* SPDX-License-Identifier: MIT */
/* Files that hold an array, by their names. */
#ifndef CLSLICE_CLI_FORMATS_ARRAY_FILE_H
#define CLSLICE_CLI_FORMATS_ARRAY_FILE_H

#include <stdbool.h>

struct array;
struct problem;

enum array_file_format { ARRAY_FILE_UNKNOWN, ARRAY_FILE_NPY, ARRAY_FILE_PNG };

/* The format that a path's suffix names, .npy or .png in any case. */
enum array_file_format array_file_format(const char *path);

/*
 * Reads a file by its suffix. The data of a .npy are mapped: they are valid until array_release,
 * and reading them is a SIGBUS if somebody shortens the file in the meantime. After a failure the
 * array owns nothing.
 */
bool array_file_read(const char *path, struct array *array, struct problem *problem);
/* The same, but reads all of the file, so that nobody can shorten the data. */
bool array_file_copy(const char *path, struct array *array, struct problem *problem);

#endif
