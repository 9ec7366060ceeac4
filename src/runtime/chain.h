/* SPDX-License-Identifier: MIT */
/* The steps of one dispatch in one queue, each after the one before. Each waits for the other's event,
 * also where the queue keeps the order: only so does a step that failed stop those behind it and show in
 * the last one's status. */
#ifndef RUNTIME_CHAIN_H
#define RUNTIME_CHAIN_H

#include "runtime/cl_api.h"

struct chain {
    const struct cl_api *cl;
    cl_command_queue queue;
    bool in_order;
    cl_event last; /* owned; of the newest step, NULL before the first */
    cl_event waits[2];
    cl_uint wait_count;
};

/* Begins after the caller's events. */
int32_t chain_begin(struct chain *chain, const struct cl_api *cl, cl_command_queue queue,
                    const cl_event *events, cl_uint count, clslice_error *error);

/* Fills `waits` with what the next step has to wait for. `also`, which may be NULL, is a command of an
 * earlier dispatch in the same queue: where that keeps the order, nothing need be said. */
void chain_prepare(struct chain *chain, cl_event also);

/* Takes the event of a step that was enqueued. */
void chain_advance(struct chain *chain, cl_event step);

void chain_end(struct chain *chain);

#endif
