/* SPDX-License-Identifier: MIT */
/* A Slice node of a model: what is known of it before it runs. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_NODE_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_NODE_H

#include "window.h"

/* The data and its parameters. */
enum { MAX_INPUTS = 1 + PARAMETERS };

struct slice_node {
    const char *data;        /* name of the value; borrowed from the node's graph */
    uint32_t element_bytes;  /* 1, 2, 4 or 8; 0: a type that is not moved here */
    size_t rank;             /* 0: unknown, or more than MAX_RANK */
    int64_t sizes[MAX_RANK]; /* of the data; -1: unknown */
    uint64_t most_bytes;     /* of the output; UINT64_MAX: unknown */
    /* Attributes and constants are given here. Those that only a run will tell have a name instead,
     * borrowed as above. */
    struct parameter parameters[PARAMETERS];
    const char *run_time[PARAMETERS];
};

/* Whether it is ONNX's own Slice, in a version that is known here. */
OrtStatus *node_is_slice(const struct host *host, const OrtNode *node, bool *is_slice);

/* Fails for parameters that no data of MAX_RANK dimensions can have. */
OrtStatus *node_read(const struct host *host, const OrtNode *node, struct slice_node *slice);

/* Whether the window is the same in every run; false where the declared sizes cannot be a
 * tensor's. */
bool node_is_fixed(const struct slice_node *slice);

/* From a tensor of int32 or int64. */
OrtStatus *parameter_read(const struct host *host, const char *name, const OrtValue *value,
                          struct parameter *parameter);

#endif
