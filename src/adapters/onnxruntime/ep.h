/* SPDX-License-Identifier: MIT */
/* The execution provider of one session, as the host calls it. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_EP_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_EP_H

#include "options.h"

/* Makes the provider of a session; the caller owns *made. */
OrtStatus *ep_create(struct devices *devices, const struct options *options, OrtEp **made);
/* OrtEpFactory::ReleaseEp. */
void ORT_API_CALL ep_release(OrtEpFactory *factory, OrtEp *base) NO_EXCEPTION;

#endif
