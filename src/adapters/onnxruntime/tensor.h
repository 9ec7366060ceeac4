/* SPDX-License-Identifier: MIT */
/* A tensor of the host's: what a model declares of it, or a run's value. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_TENSOR_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_TENSOR_H

#include "window.h"

struct tensor {
    ONNXTensorElementDataType type;
    const void *data; /* NULL: only declared */
    size_t rank;
    int64_t sizes[MAX_RANK]; /* not read where the rank is above MAX_RANK; -1: unknown */
};

OrtStatus *tensor_read(const struct host *host, const OrtValue *value, struct tensor *tensor);
/* The rank is 0 if it is unknown or above MAX_RANK, or if the value is no tensor. */
OrtStatus *tensor_read_declared(const struct host *host, const OrtValueInfo *value,
                                struct tensor *tensor);

/* 1, 2, 4 or 8; 0: a type that is not moved here. */
uint32_t tensor_element_bytes(const struct tensor *tensor);
/* UINT64_MAX: unknown. */
uint64_t tensor_bytes(const struct tensor *tensor);

#endif
