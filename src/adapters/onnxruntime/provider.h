/* SPDX-License-Identifier: MIT */
/* The execution provider of one session: takes Slice nodes, and runs each on its device. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_PROVIDER_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_PROVIDER_H

#include "devices.h"
#include "options.h"
#include "window.h"

#define PROVIDER_NAME "ClsliceExecutionProvider"

struct provider {
    OrtEp base;              /* first: the host knows no more of it */
    const struct host *host; /* borrowed */
    clslice_device *device;  /* retained */
    /* Outputs below both are the host's. */
    uint64_t min_bytes;
    uint64_t min_picks; /* elements that are taken one by one, or few at a time */
    bool is_idle;       /* takes no node */
    bool has_taken;     /* some node, of the graphs that it was shown so far */
};

OrtStatus *provider_create(const struct host *host, struct devices *devices, const char *selector,
                           const struct options *options, OrtEp **made);
void provider_release(OrtEp *base);

/* Is the window large enough for the device? */
bool provider_wants(const struct provider *provider, const struct window *window,
                    uint32_t element_bytes);
/* Can an output of at most so many bytes be? */
bool provider_may_want(const struct provider *provider, uint64_t most_bytes,
                       uint32_t element_bytes);

#endif
