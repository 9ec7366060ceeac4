/* SPDX-License-Identifier: MIT */
/* An array in memory, of any dtype. */
#ifndef CLSLICE_CLI_FORMATS_ARRAY_H
#define CLSLICE_CLI_FORMATS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clslice/directml.h>

struct problem;

enum {
    ARRAY_MAX_RANK = DML_TENSOR_DIMENSION_COUNT_MAX1,
    ARRAY_SHAPE_TEXT_SIZE = 192, /* bytes that hold any shape as text */
    DTYPE_TEXT_SIZE = 128        /* bytes of a dtype as text */
};

/* NumPy's data types, as far as moving their bytes needs. */
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

/* What a file holds. All zeros is a valid array that owns nothing. */
struct array {
    struct dtype dtype;
    uint32_t element_size;         /* bytes that move as one: 1, 2, 4 or 8 */
    uint32_t parts;                /* elements of an item; an innermost dimension if above 1 */
    uint32_t rank;                 /* 0..ARRAY_MAX_RANK */
    uint64_t size[ARRAY_MAX_RANK]; /* items, each at most 2^32-1; so is the product, times parts */
    bool is_fortran;               /* the first dimension is fastest */
    uint64_t stride[ARRAY_MAX_RANK]; /* items; all 0 in an empty array */
    void *data;     /* NULL when empty; inside `mapping` or `allocation`; at any byte address */
    uint64_t bytes; /* of data */
    void *mapping;  /* owned, read-only, NULL if none */
    size_t mapping_bytes;
    void *allocation; /* owned, from malloc, NULL if none */
};

/*
 * Fills element_size, parts, stride and bytes of a dense array from the others. Refuses what SLICE1
 * cannot hold: more than 8 dimensions (size[] then has the first 8) with the one of an item's
 * parts, a size or a number of elements above 2^32-1. `path` is for the problem's text.
 */
bool array_layout(struct array *array, const char *path, struct problem *problem);

/* A shape as Python writes it: (), (3,), (3, 4). */
void array_shape_text(uint32_t rank, const uint64_t *size, char text[ARRAY_SHAPE_TEXT_SIZE]);

/* Frees what the array owns and makes it all zeros. NULL is fine. */
void array_release(struct array *array);

/* The descr in UTF-8, its beginning where it is long. */
void dtype_text(const struct dtype *dtype, char text[DTYPE_TEXT_SIZE]);

#endif
