/* SPDX-License-Identifier: MIT */
#include "runtime/event_chain.h"

#include <stdlib.h>
#include <string.h>

int32_t event_chain_begin(struct event_chain *chain, struct clslice_device *device,
                          cl_command_queue queue, const cl_event *events, cl_uint count,
                          clslice_error *error)
{
    *chain =
        (struct event_chain){.device = device, .cl = &device->cl, .queue = queue, .count = count};
    chain->list = chain->inside;
    cl_command_queue_properties properties = 0;
    cl_int code = device->cl.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                                   &properties, NULL);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetCommandQueueInfo", code, NULL);
    chain->in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    if (count > EVENT_CHAIN_EVENTS_INSIDE)
        chain->list = malloc(((size_t)count + EVENT_CHAIN_OWN_WAITS) * sizeof *chain->list);
    if (!chain->list)
        return status_out_of_memory(error, "the wait list of a dispatch");
    if (count > 0)
        memcpy(chain->list + EVENT_CHAIN_OWN_WAITS, events, count * sizeof *events);
    return CLSLICE_S_OK;
}

void event_chain_prepare(struct event_chain *chain, cl_event also)
{
    cl_event *events = chain->list + EVENT_CHAIN_OWN_WAITS, *waits = events;
    if (chain->last)
        *--waits = chain->last;
    if (also && also != chain->last && !chain->in_order)
        *--waits = also;
    chain->wait_count = (cl_uint)(events - waits) + chain->count;
    chain->waits = chain->wait_count > 0 ? waits : NULL;
}

void event_chain_step(struct event_chain *chain)
{
    if (chain->last)
        held_events_add(&chain->device->held, chain->cl, chain->last);
    chain->last = chain->next;
}

int32_t event_chain_advance(struct event_chain *chain, const char *call, cl_int code,
                            clslice_error *error)
{
    if (code != CL_SUCCESS)
        return cl_fail(error, call, code, NULL);
    event_chain_step(chain);
    return CLSLICE_S_OK;
}

void event_chain_end(struct event_chain *chain)
{
    event_chain_step(chain);
    if (chain->list != chain->inside)
        free(chain->list);
}
