/* SPDX-License-Identifier: MIT */
/* A Slice node of a model: what is known of it before it runs. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_NODE_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_NODE_H

#include "window.h"

/* The data and its parameters. */
enum { MAX_INPUTS = 1 + PARAMETERS };

struct tensor {
    ONNXTensorElementDataType type;
    const void *data; /* NULL: only declared */
    size_t rank;
    int64_t sizes[MAX_RANK]; /* not read where the rank is above MAX_RANK; -1: unknown */
};

struct slice_node {
    struct tensor data;
    uint32_t element_bytes; /* 1, 2, 4 or 8; 0: a type that is not moved here */
    uint64_t most_bytes;    /* of the output; UINT64_MAX: unknown */
    /* Attributes and constants are given here. */
    struct parameter parameters[PARAMETERS];
    /* Of the inputs that only a run will tell: the data, then the parameters. NULL: given above, or
     * not at all. Borrowed from the node's graph. */
    const char *names[MAX_INPUTS];
};

/* Whether it is ONNX's own Slice, in a version that is known here, and no other provider's. */
OrtStatus *node_is_free_slice(const struct host *host, const OrtNode *node, bool *is_free);

/* Fails for parameters that no data of MAX_RANK dimensions can have. */
OrtStatus *node_read(const struct host *host, const OrtNode *node, struct slice_node *slice);

/* Whether the window is the same in every run; false where the declared sizes cannot be a
 * tensor's. */
bool node_is_fixed(const struct slice_node *slice);

OrtStatus *tensor_read(const struct host *host, const OrtValue *value, struct tensor *tensor);
/* Parameter p, from a tensor of int32 or int64. */
OrtStatus *parameter_read(const struct host *host, size_t p, const OrtValue *value,
                          struct parameter *parameter);

#endif
