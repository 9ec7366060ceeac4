/* SPDX-License-Identifier: MIT */
/* A window as DirectML's SLICE1, done by a device over host memory. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_SLICE1_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_SLICE1_H

#include "window.h"

#include <clslice/clslice.h>

/* Can SLICE1 say it? No for an empty window, which DirectML has not, and beyond 2^32 - 1
 * elements. */
bool slice1_can(const struct window *window);

/* Builds what later dispatches of the window need, and runs it once on other memory. */
int32_t slice1_warm(clslice_device *device, const struct window *window, uint32_t element_bytes,
                    clslice_error *error);

/* Returns when it is done. `from` holds the whole input and `to` the whole output, however
 * aligned. */
int32_t slice1_run(clslice_device *device, const struct window *window, uint32_t element_bytes,
                   const void *from, void *to, clslice_error *error);

#endif
