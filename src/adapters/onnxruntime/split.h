/* SPDX-License-Identifier: MIT */
/* ONNX's Split: the parts of one dimension, each an output. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_SPLIT_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_SPLIT_H

#include "window.h"

struct part {
    size_t index, of; /* the parts */
    int64_t axis;
    /* Of parts that the model gives: where this one starts, and its size; the size of them all. */
    bool is_given;
    int64_t start, size, whole;
    bool is_ragged; /* of equal parts: the last one may be smaller, or empty */
};

/* The node's parts, `count` of them, one for each output. Fails where only a run will tell. */
OrtStatus *split_read(const struct host *host, const OrtNode *node, struct part *parts,
                      size_t count);

/* As window_from. */
OrtStatus *split_window(const struct host *host, const struct part *part, size_t rank,
                        const int64_t *sizes, struct window *window);

#endif
