/* SPDX-License-Identifier: MIT */
#include "runtime/event.h"
#include "api/checks.h"

int32_t clslice_event_wait(clslice_device *device, struct _cl_event *event, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(event, error);
    CHECK_STATUS(device_check_process(device, error));
    return event_wait(device, event, error);
}

int32_t clslice_event_get_status(clslice_device *device, struct _cl_event *event,
                                 clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(event, error);
    CHECK_STATUS(device_check_process(device, error));
    return event_get_status(device, event, error);
}

void clslice_event_release(clslice_device *device, struct _cl_event *event)
{
    if (device && event)
        event_release(device, event);
}
