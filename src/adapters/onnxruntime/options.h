/* SPDX-License-Identifier: MIT */
/* What a session asks of the provider: its configuration's ep.clsliceexecutionprovider.*. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_OPTIONS_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_OPTIONS_H

#include "devices.h"

struct options {
    struct device_key device; /* empty texts: not given */
    uint64_t min_bytes;       /* of an output; smaller ones stay on the host */
    bool has_min_bytes;
    bool keeps_context; /* the session writes a model of what providers compiled */
};

/* ORT_INVALID_ARGUMENT, naming option and value. */
OrtStatus *options_read(const struct host *host, const OrtSessionOptions *session,
                        struct options *options);

#endif
