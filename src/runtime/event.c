/* SPDX-License-Identifier: MIT */
#include "runtime/event.h"

static int32_t event_fail(cl_int code, clslice_error *error)
{
    return status_fail(error, cl_status(code), WHERE(.rule = CLSLICE_RULE_OPENCL, .opencl = code),
                       "the event's command failed with %s (%d)", cl_error_name(code), code);
}

int32_t event_wait(struct clslice_device *device, cl_event event, clslice_error *error)
{
    cl_int state;
    int32_t status = cl_wait(&device->cl, event, &state, error);
    return status == CLSLICE_S_OK && state < 0 ? event_fail(state, error) : status;
}

int32_t event_get_status(struct clslice_device *device, cl_event event, clslice_error *error)
{
    cl_int state = CL_COMPLETE;
    cl_int code = device->cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                            &state, NULL);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetEventInfo", code, NULL);
    if (state < 0)
        return event_fail(state, error);
    if (state ==
        CL_COMPLETE) /* Intel's runtime tells only who waits that a wait event had failed */
        return event_wait(device, event, error);
    if (device->own_queue)
        device->cl.clFlush(device->queue);
    return CLSLICE_S_FALSE;
}

void event_release(struct clslice_device *device, cl_event event)
{
    if (fork_guard_is_here(&device->process))
        device->cl.clReleaseEvent(event);
}
