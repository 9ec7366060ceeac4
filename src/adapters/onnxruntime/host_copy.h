/* SPDX-License-Identifier: MIT */
/* A window copied by the calling thread: what is too small to be worth a launch, or too large for
 * SLICE1. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_HOST_COPY_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_HOST_COPY_H

#include "window.h"

/* Packed tensors, however aligned, that do not overlap. The window is not empty. */
void host_copy(const struct window *window, uint32_t element_bytes, const void *from, void *to);

#endif
