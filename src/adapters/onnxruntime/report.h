/* SPDX-License-Identifier: MIT */
/* What the device did for a session, in the host's log when that ends. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_REPORT_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_REPORT_H

#include "host.h"

#include <stdint.h>

/* Counted on any thread. */
struct report {
    _Atomic uint64_t uploads;     /* inputs, or parts of them, that were copied to the device */
    _Atomic uint64_t launches;    /* the library may cut a large one into several */
    _Atomic uint64_t saved_bytes; /* that outputs of one input each would have uploaded again */
};

void report_log(const struct report *report, const struct host *host);

#endif
