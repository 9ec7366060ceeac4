/* SPDX-License-Identifier: MIT */
#include "runtime/chain.h"

#include <stdlib.h>
#include <string.h>

int32_t chain_begin(struct chain *chain, struct clslice_device *device, cl_command_queue queue,
                    const cl_event *events, cl_uint count, clslice_error *error)
{
    *chain = (struct chain){.device = device, .cl = &device->cl, .queue = queue, .count = count};
    chain->list = chain->inside;
    cl_command_queue_properties properties = 0;
    cl_int code = device->cl.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                                   &properties, NULL);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetCommandQueueInfo", code, NULL);
    chain->in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    if (count > CHAIN_EVENTS_INSIDE)
        chain->list = malloc(((size_t)count + CHAIN_OWN_WAITS) * sizeof *chain->list);
    if (!chain->list)
        return status_fail(error, CLSLICE_E_OUTOFMEMORY, WHERE(.rule = CLSLICE_RULE_MEMORY),
                           "out of memory for the wait list of a dispatch");
    if (count > 0)
        memcpy(chain->list + CHAIN_OWN_WAITS, events, count * sizeof *events);
    return CLSLICE_S_OK;
}

void chain_prepare(struct chain *chain, cl_event also)
{
    cl_event *waits = chain->list + CHAIN_OWN_WAITS;
    if (chain->last)
        *--waits = chain->last;
    if (also && also != chain->last && !chain->in_order)
        *--waits = also;
    chain->own_waits = (cl_uint)(chain->list + CHAIN_OWN_WAITS - waits);
}

cl_uint chain_wait_count(const struct chain *chain)
{
    return chain->own_waits + chain->count;
}

const cl_event *chain_waits(const struct chain *chain)
{
    return chain_wait_count(chain) > 0 ? chain->list + CHAIN_OWN_WAITS - chain->own_waits : NULL;
}

void chain_advance(struct chain *chain, cl_event step)
{
    if (chain->last)
        held_add(&chain->device->held, chain->cl, chain->last);
    chain->last = step;
}

void chain_end(struct chain *chain)
{
    chain_advance(chain, NULL);
    if (chain->list != chain->inside)
        free(chain->list);
}
