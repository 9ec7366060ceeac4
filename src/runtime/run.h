/* SPDX-License-Identifier: MIT */
/* A slice of host memory from description to result, in one call. */
#ifndef CLSLICE_RUNTIME_RUN_H
#define CLSLICE_RUNTIME_RUN_H

#include "runtime/dispatch.h"

/* On the device's own queue. Whatever it returns, nothing uses the memory any more. */
int32_t run_on_host_memory(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                           const clslice_binding *input, const clslice_binding *output,
                           clslice_error *error);

#endif
