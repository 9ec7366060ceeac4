/* SPDX-License-Identifier: MIT */
/* Events for hosts without OpenCL; see the public header. */
#ifndef CLSLICE_RUNTIME_EVENT_H
#define CLSLICE_RUNTIME_EVENT_H

#include "runtime/device.h"

int32_t event_wait(struct clslice_device *device, cl_event event, clslice_error *error);
int32_t event_get_status(struct clslice_device *device, cl_event event, clslice_error *error);
void event_release(struct clslice_device *device, cl_event event); /* in a child of fork: nothing */

#endif
