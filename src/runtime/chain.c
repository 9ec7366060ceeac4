/* SPDX-License-Identifier: MIT */
#include "runtime/chain.h"

int32_t chain_begin(struct chain *chain, const struct cl_api *cl, cl_command_queue queue,
                    const cl_event *events, cl_uint count, clslice_error *error)
{
    *chain = (struct chain){.cl = cl, .queue = queue};
    cl_command_queue_properties properties = 0;
    cl_int code =
        cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetCommandQueueInfo", code, NULL);
    chain->in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    if (count == 0)
        return CLSLICE_S_OK;
    code = cl->clEnqueueMarkerWithWaitList(queue, count, events, &chain->last);
    return code == CL_SUCCESS ? CLSLICE_S_OK
                              : cl_fail(error, "clEnqueueMarkerWithWaitList", code, NULL);
}

void chain_prepare(struct chain *chain, cl_event also)
{
    chain->wait_count = 0;
    if (chain->last)
        chain->waits[chain->wait_count++] = chain->last;
    if (also && !chain->in_order)
        chain->waits[chain->wait_count++] = also;
}

void chain_advance(struct chain *chain, cl_event step)
{
    if (chain->last)
        chain->cl->clReleaseEvent(chain->last);
    chain->last = step;
}

void chain_end(struct chain *chain)
{
    chain_advance(chain, NULL);
}
