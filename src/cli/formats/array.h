/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_FORMATS_ARRAY_H
#define CLSLICE_CLI_FORMATS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct problem;

/* The values of DML_TENSOR_DATA_TYPE. */
enum {
    ARRAY_FLOAT32 = 1,
    ARRAY_FLOAT16 = 2,
    ARRAY_UINT32 = 3,
    ARRAY_UINT16 = 4,
    ARRAY_UINT8 = 5,
    ARRAY_INT32 = 6,
    ARRAY_INT16 = 7,
    ARRAY_INT8 = 8,
    ARRAY_FLOAT64 = 9,
    ARRAY_UINT64 = 10,
    ARRAY_INT64 = 11,
};

enum {
    ARRAY_MAX_RANK = 8,         /* SLICE1's */
    ARRAY_SHAPE_TEXT_SIZE = 192 /* bytes that hold any shape as text */
};

/* What a file holds. All zeros is a valid array that owns nothing. */
struct array {
    uint32_t data_type;              /* ARRAY_* */
    uint32_t element_size;           /* bytes */
    uint32_t rank;                   /* 0..ARRAY_MAX_RANK */
    uint64_t size[ARRAY_MAX_RANK];   /* each at most 2^32-1, and so is their product */
    uint64_t stride[ARRAY_MAX_RANK]; /* elements; all 0 in an empty array */
    void *data;     /* NULL when empty; inside `mapping` or `allocation`; at any byte address */
    uint64_t bytes; /* of data */
    char descr[16]; /* NumPy's dtype, to write back: bool is '|b1' but travels as UINT8 */
    void *mapping;  /* owned, read-only, NULL if none */
    size_t mapping_bytes;
    void *allocation; /* owned, from malloc, NULL if none */
};

/*
 * Fills element_size, stride and bytes from data_type, rank and size; dense, the first dimension
 * fastest if fortran. Refuses what SLICE1 cannot hold: rank above 8 (size[] then has the first 8),
 * a size or a product above 2^32-1. `path` is for the problem's text.
 */
bool array_layout(struct array *array, bool fortran, const char *path, struct problem *problem);

/* A shape as Python writes it: (), (3,), (3, 4). */
void array_shape_text(uint32_t rank, const uint64_t *size, char text[ARRAY_SHAPE_TEXT_SIZE]);

/* Frees what the array owns and makes it all zeros. NULL is fine. */
void array_release(struct array *array);

#endif
