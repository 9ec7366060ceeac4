/* SPDX-License-Identifier: MIT */
/* The data types of tensors: the one table of their names and sizes. */
#ifndef CLSLICE_CONFORMANCE_DATA_TYPE_H
#define CLSLICE_CONFORMANCE_DATA_TYPE_H

#include <stdint.h>

enum data_type_kind {
    DATA_TYPE_OTHER, /* SLICE1 does not take it */
    DATA_TYPE_FLOAT,
    DATA_TYPE_SIGNED,
    DATA_TYPE_UNSIGNED
};

struct data_type {
    const char *name;  /* DirectML's: "FLOAT32" */
    const char *numpy; /* "float32"; NULL: DATA_TYPE_OTHER */
    uint32_t bytes;    /* of one element; 0: DATA_TYPE_OTHER */
    enum data_type_kind kind;
};

/* The row of a DML_TENSOR_DATA_TYPE; NULL where DirectML has no such value. */
const struct data_type *data_type_of(uint32_t value);

/* The types by their names; DML_TENSOR_DATA_TYPE_UNKNOWN for any other name. */
uint32_t data_type_from_numpy(const char *name);

/* The unsigned type of that size, 1, 2, 4 or 8 bytes. */
uint32_t data_type_unsigned(uint32_t bytes);

#endif
