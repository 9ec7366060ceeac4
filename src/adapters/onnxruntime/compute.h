/* SPDX-License-Identifier: MIT */
/* Runs what was taken. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_COMPUTE_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_COMPUTE_H

#include "provider.h"

/* As kernel_read. What is fixed is tried out on the device, so that the session's first run finds
 * its programs. The caller frees *made. */
OrtStatus *compute_create(struct provider *provider, const OrtGraph *graph, const OrtNode *fused,
                          OrtNodeComputeInfo **made);

#endif
