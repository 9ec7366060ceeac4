/* SPDX-License-Identifier: MIT */
/* Binds, sets arguments, enqueues. */
#ifndef CLSLICE_RUNTIME_DISPATCH_H
#define CLSLICE_RUNTIME_DISPATCH_H

#include "runtime/operator.h"

/* `desc` is whole: every field of this version is there. `event` may be NULL. */
int32_t dispatch(struct clslice_compiled_operator *compiled, const clslice_dispatch_desc *desc,
                 cl_event *event, clslice_error *error);

/* For hosts without OpenCL; see the public header. */
int32_t event_wait(struct clslice_device *device, cl_event event, clslice_error *error);
int32_t event_get_status(struct clslice_device *device, cl_event event, clslice_error *error);
int32_t queue_finish(struct clslice_device *device, clslice_error *error);

#endif
