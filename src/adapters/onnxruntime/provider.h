/* SPDX-License-Identifier: MIT */
/* What one session knows: its device, and which slices are worth running there. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_PROVIDER_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_PROVIDER_H

#include "buffers.h"
#include "options.h"
#include "report.h"
#include "window.h"

#define PROVIDER_NAME "ClsliceExecutionProvider"

struct provider {
    OrtEp base;              /* first: the host knows only this */
    const struct host *host; /* borrowed */
    clslice_device *device;  /* retained */
    /* Outputs below both are the host's. */
    uint64_t min_bytes;
    uint64_t min_picks; /* elements that are taken one by one, or few at a time */
    struct memory memory;
    bool is_idle;   /* takes no node */
    bool has_taken; /* a node of a graph that it has seen */
    struct report report;
};

/* Takes the limits from the options, or else from the device. */
void provider_set_limits(struct provider *provider, const struct options *options);

/* Whether the window is large enough for the device. */
bool provider_wants(const struct provider *provider, const struct window *window,
                    uint32_t element_bytes);
/* Whether an output of at most this many bytes can be. */
bool provider_may_want(const struct provider *provider, uint64_t most_bytes,
                       uint32_t element_bytes);

#endif
