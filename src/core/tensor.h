/* SPDX-License-Identifier: MIT */
/* DML_TENSOR_DESC -> struct tensor: one tensor's description, validated. */
#ifndef CLSLICE_CORE_TENSOR_H
#define CLSLICE_CORE_TENSOR_H

#include "base/status.h"
#include "clslice/directml.h"

enum { TENSOR_RANK_MAX = DML_TENSOR_DIMENSION_COUNT_MAX1 };

/* Most elements a tensor may span: last addressable element + 1. */
#define TENSOR_ELEMENTS_MAX UINT64_C(0xFFFFFFFF)

struct tensor {
    const char *name;      /* static; as error texts call it: "InputTensor" */
    uint32_t data_type;    /* DML_TENSOR_DATA_TYPE, 1 to 11 */
    uint32_t element_size; /* bytes: 1, 2, 4 or 8 */
    uint32_t rank;         /* 1 to TENSOR_RANK_MAX */
    uint32_t alignment; /* of a binding's offset, bytes: guaranteed, at least the element's size */
    uint64_t size[TENSOR_RANK_MAX];   /* elements, at least 1 */
    uint64_t stride[TENSOR_RANK_MAX]; /* elements; packed ones filled in */
    uint64_t span;                    /* elements: last addressable + 1, at most the limit */
    uint64_t total_bytes;             /* TotalTensorSizeInBytes */
};

/* "FLOAT32" for 1; "unknown" for a number that is no type. */
const char *tensor_data_type_name(uint32_t data_type);

/* Bytes of an element, 0 for a type that SLICE1 does not take. */
uint32_t tensor_element_size(uint32_t data_type);

/*
 * Validates `desc` (not NULL) as CLSLICE_TENSOR_INPUT or _OUTPUT, which the operator calls `name`.
 * The arrays are read only after DimensionCount was found in range. E_INVALIDARG names the field.
 */
int32_t tensor_from(const DML_TENSOR_DESC *desc, uint32_t role, const char *name,
                    struct tensor *tensor, clslice_error *error);

#endif
