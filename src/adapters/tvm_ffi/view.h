/* SPDX-License-Identifier: MIT */
/* A slice of DLPack tensors as clslice takes it. DLPack has strides of either sign and elements of
 * any size; SLICE1's tensors have strides from 0 up and elements of at most 8 bytes. So a view
 * begins where the slice's lowest elements lie, counts words, and has signs and nothing else for a
 * window. */
#ifndef CLSLICE_ADAPTERS_TVM_FFI_VIEW_H
#define CLSLICE_ADAPTERS_TVM_FFI_VIEW_H

#include "arguments.h"

#include <clslice/directml.h>

struct view {
    char *in, *out;                 /* the lowest bytes read and written */
    uint64_t in_bytes, out_bytes;   /* from there to the end of the highest */
    DML_TENSOR_DATA_TYPE data_type; /* of a word */
    uint32_t rank;
    uint32_t sizes[RANK_MAX];
    uint32_t in_strides[RANK_MAX], out_strides[RANK_MAX]; /* words */
    int32_t signs[RANK_MAX];                              /* -1: the input is walked downwards */
};

/* Validates the slice, all of it. */
const char *view_from(const struct arguments *arguments, struct view *view, clslice_error *error);

#endif
