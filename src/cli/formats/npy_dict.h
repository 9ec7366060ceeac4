/* SPDX-License-Identifier: MIT */
/* The Python dictionary in the header of a .npy file. */
#ifndef CLSLICE_CLI_FORMATS_NPY_DICT_H
#define CLSLICE_CLI_FORMATS_NPY_DICT_H

#include <stdbool.h>
#include <stddef.h>

struct array;
struct problem;

/*
 * Sets an array's dtype, of which is_utf8 stays as it is, rank, size and order; the sizes are not
 * judged yet, and the rank may be above ARRAY_MAX_RANK. The dict fills the header but for white
 * space. No NUL need follow the header, which the dtype borrows. Refuses dtypes that hold objects,
 * and all that is not the dict of three keys that NumPy writes. `path` is for the problem's text.
 */
bool npy_dict_parse(struct array *array, const char *header, size_t length, const char *path,
                    struct problem *problem);

#endif
