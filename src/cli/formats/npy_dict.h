/* SPDX-License-Identifier: MIT */
/* The Python dictionary in the header of a .npy file. */
#ifndef CLSLICE_CLI_FORMATS_NPY_DICT_H
#define CLSLICE_CLI_FORMATS_NPY_DICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/formats/array.h"

/* What the Python dict in a .npy header says; the sizes are not judged yet. */
struct npy_dict {
    struct dtype dtype; /* of which is_utf8 is false */
    bool fortran;
    uint32_t rank;                 /* may be above ARRAY_MAX_RANK */
    uint64_t size[ARRAY_MAX_RANK]; /* the first ones */
};

/*
 * Reads the dict, which fills the header but for white space. No NUL need follow the header, which
 * dict->dtype borrows. Refuses dtypes that hold objects, and all that is not the dict of three keys
 * that NumPy writes. `path` is for the problem's text.
 */
bool npy_dict_parse(struct npy_dict *dict, const char *header, size_t length, const char *path,
                    struct problem *problem);

#endif
