/* SPDX-License-Identifier: MIT */
/* A Slice or Split node of a model: what is known of it before it runs. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_NODE_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_NODE_H

#include "split.h"
#include "tensor.h"

/* What one output takes of the node's data. */
struct cut {
    const char *output; /* its name, borrowed from the node's graph; NULL: nobody asks for it */
    struct part part;   /* of a Split; part.of is 0 in a Slice, which is: */
    /* Attributes and constants are given here. */
    struct parameter parameters[PARAMETERS];
    /* Of the inputs that only a run will tell. NULL: given above, or not at all. Borrowed. */
    const char *names[PARAMETERS];
};

struct node {
    struct tensor data;
    const char *data_name;  /* borrowed */
    uint32_t element_bytes; /* 1, 2, 4 or 8; 0: a type that is not moved here */
    uint64_t most_bytes;    /* of an output; UINT64_MAX: unknown */
    size_t count;
    struct cut *cuts; /* owned */
};

/* Whether it is ONNX's own Slice or Split, in a version that is known here, and no other
 * provider's. */
OrtStatus *node_is_free(const struct host *host, const OrtNode *node, bool *is_free);

/* Fails for parameters that no data of MAX_RANK dimensions can have, and for a Split into parts
 * that only a run will tell. The caller releases what succeeded. */
OrtStatus *node_read(const struct host *host, const OrtNode *node, struct node *to);
void node_release(struct node *node);

/* Whether no run changes what it takes of data of one shape. */
bool node_is_constant(const struct node *node);
/* Whether its windows are the same in every run; false where the declared sizes cannot be a
 * tensor's. */
bool node_is_fixed(const struct node *node);

/* Parameter p, from a tensor of int32 or int64. */
OrtStatus *parameter_read(const struct host *host, size_t p, const OrtValue *value,
                          struct parameter *parameter);
/* Of a Slice by these parameters, its own or a run's. */
OrtStatus *cut_window(const struct host *host, const struct cut *cut,
                      const struct parameter parameters[PARAMETERS], const struct tensor *data,
                      struct window *window);

#endif
