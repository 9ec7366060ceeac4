/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_FORMATS_NPY_DICT_H
#define CLSLICE_CLI_FORMATS_NPY_DICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/formats/array.h"

/* What the Python dict in a .npy header says, not yet judged. */
struct npy_dict {
    char descr[64];
    bool fortran;
    uint32_t rank;                 /* may be above ARRAY_MAX_RANK */
    uint64_t size[ARRAY_MAX_RANK]; /* the first ones */
};

/*
 * Reads the dict, which fills the text but for white space. The text needs no NUL at its end.
 * Refuses structured dtypes and all that is not the dict of three keys that NumPy writes. `path` is
 * for the problem's text.
 */
bool npy_dict_parse(struct npy_dict *dict, const char *text, size_t length, const char *path,
                    struct problem *problem);

#endif
