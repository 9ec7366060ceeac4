/* SPDX-License-Identifier: MIT */
/* A window as DirectML's SLICE1, and that done by a device over host memory. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_SLICE1_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_SLICE1_H

#include "window.h"

#include <clslice/clslice.h>
#include <clslice/directml.h>

/* Can SLICE1 say it? No for an empty window, which DirectML has not, and beyond 2^32 - 1
 * elements. */
bool slice1_can(const struct window *window);

/* As DirectML describes it: the structures point into each other, so it must not move. */
struct slice1 {
    uint32_t in_sizes[MAX_RANK], in_strides[MAX_RANK], out_sizes[MAX_RANK];
    uint32_t offsets[MAX_RANK], sizes[MAX_RANK];
    int32_t strides[MAX_RANK];
    DML_BUFFER_TENSOR_DESC in, out;
    DML_TENSOR_DESC in_tensor, out_tensor;
    DML_SLICE1_OPERATOR_DESC slice;
    DML_OPERATOR_DESC desc;
};

/* Of an input with these strides, positive ones; NULL: packed. */
void slice1_describe(const struct window *window, const int64_t *strides, uint32_t element_bytes,
                     struct slice1 *to);
/* CLSLICE_COMPILE_FLAG_*. The caller releases *compiled. */
int32_t slice1_compile(clslice_device *device, const struct slice1 *slice1, uint32_t flags,
                       clslice_compiled_operator **compiled, clslice_error *error);

/* Builds what later dispatches of the window need, and runs it once on other memory. */
int32_t slice1_warm(clslice_device *device, const struct window *window, uint32_t element_bytes,
                    clslice_error *error);

/* Returns when it is done. `from` holds the whole input and `to` the whole output, however
 * aligned. */
int32_t slice1_run(clslice_device *device, const struct window *window, uint32_t element_bytes,
                   const void *from, void *to, clslice_error *error);

#endif
