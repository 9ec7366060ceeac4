/* SPDX-License-Identifier: MIT */
/* ONNX's Slice of a shape: which elements of each dimension it takes. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_WINDOW_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_WINDOW_H

#include "host.h"

enum { MAX_RANK = 8 };

/* What a Slice is given besides its data: lists of as many integers, in the order of its inputs. */
enum { STARTS, ENDS, AXES, STEPS, PARAMETERS };
extern const char *const parameter_names[PARAMETERS];

struct parameter {
    bool is_given;     /* else ONNX's default holds: axes 0, 1, ...; steps 1 */
    bool is_attribute; /* of version 1, where the greatest int32 is an index like any other */
    size_t count;
    int64_t values[MAX_RANK];
};

/* Dimension d of the output holds elements first[d], first[d] + step[d], ... of the input, count[d]
 * of them. Where that is one or none, the step is 1. */
struct window {
    size_t rank;
    int64_t sizes[MAX_RANK]; /* of the input */
    int64_t first[MAX_RANK];
    int64_t step[MAX_RANK];
    int64_t count[MAX_RANK]; /* the sizes of the output */
};

/* Takes all of a shape: of at most MAX_RANK sizes, none negative. */
struct window window_whole(size_t rank, const int64_t *sizes);

/* ORT_INVALID_ARGUMENT for what ONNX forbids. The shape is as above. */
OrtStatus *window_from(const struct host *host, size_t rank, const int64_t *sizes,
                       const struct parameter parameters[PARAMETERS], struct window *window);

/* Of a tensor; UINT64_MAX where a product of declared sizes does not fit. */
uint64_t window_elements_of(const int64_t *sizes, size_t rank);

/* The same elements of as few dimensions as may be: one that is taken whole continues the one
 * before it. Takes a window that is not empty. */
struct window window_join(const struct window *window);

/* How many elements of the output lie in a row in the input. As above. */
int64_t window_run(const struct window *window);

/* From the lowest index that is taken of a dimension to the highest, both included. As above. */
int64_t window_extent(const struct window *window, size_t d);
int64_t window_low(const struct window *window, size_t d);

#endif
