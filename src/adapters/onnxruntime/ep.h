/* SPDX-License-Identifier: MIT */
/* The execution provider of one session, as the host calls it. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_EP_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_EP_H

#include "devices.h"
#include "options.h"

/* Makes the provider of a session; the caller owns *made. */
OrtStatus *ep_create(const struct host *host, struct devices *devices, const char *selector,
                     const struct options *options, OrtEp **made);
void ep_release(OrtEp *base);

#endif
