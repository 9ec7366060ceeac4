/* SPDX-License-Identifier: MIT */
/* The fake's events, and gates, which are events that the test completes. */
#include "support/fake_cl/fake_cl_inside.h"

void fake_call_back(cl_event event)
{
    void(CL_CALLBACK * callback)(cl_event, cl_int, void *) = event->callback;
    if (!callback)
        return;
    event->callback = NULL;
    fake_unlock();
    callback(event, event->status, event->callback_user);
    fake_lock();
}

cl_int CL_API_CALL fake_clWaitForEvents(cl_uint count, const cl_event *events)
{
    cl_int code = fake_enter(FAKE_clWaitForEvents, count);
    if (code == CL_SUCCESS && fake.early_waits > 0) {
        --fake.early_waits;
        return fake_leave(CL_SUCCESS);
    }
    for (cl_uint i = 0; code == CL_SUCCESS && i < count; ++i) {
        cl_event event = events[i];
        if (!fake_is(event, FAKE_EVENT)) {
            code = CL_INVALID_EVENT;
            break;
        }
        if (event->queue && event->queue->flushed < event->number)
            event->queue->flushed = event->number;
        fake_pump();
        for (int ms = 0; event->status > CL_COMPLETE && ms < FAKE_HANG_MILLISECONDS; ++ms)
            fake_wait();
        if (event->status > CL_COMPLETE)
            fake_violate("clWaitForEvents hangs");
        if (event->status != CL_COMPLETE || event->was_stopped)
            code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return fake_leave(code);
}

cl_int CL_API_CALL fake_clGetEventInfo(cl_event event, cl_event_info what, size_t room, void *to,
                                       size_t *needed)
{
    cl_int code = fake_enter_with(FAKE_clGetEventInfo, what, event, FAKE_EVENT);
    if (code != CL_SUCCESS)
        return fake_leave(code);
    const struct fake_fact fact = FACT(CL_EVENT_COMMAND_EXECUTION_STATUS, event->status);
    return fake_leave(fake_answer(code, &fact, 1, what, room, to, needed));
}

cl_int CL_API_CALL fake_clRetainEvent(cl_event event)
{
    return fake_retain(FAKE_clRetainEvent, event, FAKE_EVENT);
}

cl_int CL_API_CALL fake_clReleaseEvent(cl_event event)
{
    cl_int code = fake_enter(FAKE_clReleaseEvent, 0);
    return fake_leave(fake_release(event, FAKE_EVENT, code));
}

cl_int CL_API_CALL fake_clSetEventCallback(cl_event event, cl_int state,
                                           void(CL_CALLBACK *callback)(cl_event, cl_int, void *),
                                           void *user)
{
    cl_int code = fake_enter_with(FAKE_clSetEventCallback, 0, event, FAKE_EVENT);
    if (code == CL_SUCCESS && (state != CL_COMPLETE || !callback || event->callback))
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS) {
        event->callback = callback;
        event->callback_user = user;
        if (event->status <= CL_COMPLETE)
            fake_call_back(event);
    }
    return fake_leave(code);
}

cl_event fake_gate_create(void)
{
    fake_lock();
    cl_event gate = fake_object_new(FAKE_EVENT, sizeof *gate);
    gate->status = CL_SUBMITTED;
    fake_unlock();
    return gate;
}

void fake_gate_open(cl_event gate, cl_int status)
{
    fake_lock();
    gate->status = status;
    fake_pump();
    fake_unlock();
}
