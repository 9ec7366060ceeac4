/* SPDX-License-Identifier: MIT */
/* The dtype in a .npy header. */
#ifndef CLSLICE_CLI_FORMATS_NPY_DESCR_H
#define CLSLICE_CLI_FORMATS_NPY_DESCR_H

#include <stdbool.h>

struct dtype;
struct npy_text;

/*
 * Takes a dtype, of which only the size matters: a string, '<f4', or a list of fields,
 *
 *     field = "(" name "," dtype [ "," shape ] ")"
 *     name  = string | "(" title "," string ")"
 *
 * with dtypes nested as deep as NumPy does. Refuses objects, and names that NumPy does not write.
 */
bool npy_descr_take(struct npy_text *text, struct dtype *dtype);

#endif
