/* SPDX-License-Identifier: MIT */
/* A Slice node that runs. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_COMPUTE_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_COMPUTE_H

#include "provider.h"

/* From the graph that holds the node alone, and the node that the host put in its place. What is
 * fixed is tried out on the device, so that the session's first run finds its programs. Nothing of
 * the graph is kept. The caller frees *made. */
OrtStatus *compute_create(const struct provider *provider, const OrtGraph *graph,
                          const OrtNode *fused, OrtNodeComputeInfo **made);

#endif
