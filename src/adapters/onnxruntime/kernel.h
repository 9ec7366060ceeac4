/* SPDX-License-Identifier: MIT */
/* A node that runs, in place of those that were fused: the data, and what each output takes. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_KERNEL_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_KERNEL_H

#include "node.h"
#include "provider.h"

enum { NOT_THERE = -1 };

/* One output. Names in it are not valid: these are their places in the node that runs, which lacks
 * what is not given or not asked for, NOT_THERE. */
struct member {
    struct cut cut;
    int inputs[PARAMETERS];
    int output;
};

struct kernel {
    OrtNodeComputeInfo base;   /* first: the host knows only this */
    struct provider *provider; /* borrowed: the host keeps it longer */
    struct tensor data;        /* as declared */
    uint32_t element_bytes;
    bool is_fixed; /* no run changes a window */
    int input;     /* of the data */
    size_t count;
    struct member members[];
};

/* From the graph that holds what was fused, and the node that the host put in its place. Nothing of
 * the graph is kept. What the host knows of it is zero. The caller frees *made. */
OrtStatus *kernel_read(struct provider *provider, const OrtGraph *graph, const OrtNode *fused,
                       struct kernel **made);

#endif
