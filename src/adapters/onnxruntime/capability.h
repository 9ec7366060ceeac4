/* SPDX-License-Identifier: MIT */
/* Which nodes of a graph the provider takes. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_CAPABILITY_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_CAPABILITY_H

#include "provider.h"

/* OrtEp::GetCapability. Nodes that cut one value by constants become one. */
OrtStatus *ORT_API_CALL capability_get(OrtEp *base, const OrtGraph *graph,
                                       OrtEpGraphSupportInfo *support) NO_EXCEPTION;

#endif
