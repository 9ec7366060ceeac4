/* SPDX-License-Identifier: MIT */
/* NumPy's data types, as far as moving their bytes needs. */
#ifndef CLSLICE_CLI_FORMATS_DTYPE_H
#define CLSLICE_CLI_FORMATS_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DTYPE_TEXT_SIZE = 128 }; /* bytes of a text for a person */

struct dtype {
    /* borrowed, without a NUL behind it: what a .npy header says, "'<f4'" with its quotes or
     * "[('x', '<f4'), ('y', '<i2')]" */
    const char *descr;
    size_t length;  /* bytes of descr */
    bool is_utf8;   /* descr is; otherwise it is Latin-1 */
    char order;     /* '<', '>', '|' or '=' */
    char kind;      /* NumPy's letter; 'V', as raw bytes are, where structured */
    uint64_t bytes; /* of one item, at most INT32_MAX */
};

/* The descr in UTF-8, its beginning where it is long. */
void dtype_text(const struct dtype *dtype, char text[DTYPE_TEXT_SIZE]);

/* The bytes that move as one: the largest of 1, 2, 4 and 8 that divides an item. */
uint32_t dtype_width(const struct dtype *dtype);

#endif
