/* SPDX-License-Identifier: MIT */
/* The steps of one dispatch in one queue, each after the one before. Each waits for the other's
 * event, also where the queue keeps the order: only so does a step that failed stop those behind it
 * and show in the last one's status. Each waits for the caller's events, too: that an event failed
 * which the step before waited for does not reach the next step everywhere (Intel's runtime runs
 * it). */
#ifndef CLSLICE_RUNTIME_EVENT_CHAIN_H
#define CLSLICE_RUNTIME_EVENT_CHAIN_H

#include "runtime/device.h"

enum {
    EVENT_CHAIN_OWN_WAITS = 2,    /* the newest step's event and one of an earlier dispatch */
    EVENT_CHAIN_EVENTS_INSIDE = 6 /* of the caller's, without memory from the heap */
};

struct event_chain {
    struct clslice_device *device; /* borrowed */
    const struct cl_api *cl;       /* its */
    cl_command_queue queue;        /* borrowed */
    bool in_order;
    bool is_awaited;       /* the caller takes the last step's event */
    bool is_behind;        /* what the host may have yet to end: found by waiting, once */
    cl_event last;         /* owned; of the newest step, NULL before the first */
    cl_event next;         /* where the next step's event goes */
    cl_event *list;        /* room for our own waits, and behind them the caller's events */
    cl_uint count;         /* of the caller's events */
    cl_uint wait_count;    /* what the next step has to wait for, */
    const cl_event *waits; /* NULL where that is nothing */
    cl_event inside[EVENT_CHAIN_OWN_WAITS + EVENT_CHAIN_EVENTS_INSIDE];
};

/* Begins after the caller's events. End it whatever the status is. */
int32_t event_chain_begin(struct event_chain *chain, struct clslice_device *device,
                          cl_command_queue queue, const cl_event *events, cl_uint count,
                          clslice_error *error);

/* Fills `waits`. `also`, which may be NULL, is a command of an earlier dispatch in the same queue:
 * where that keeps the order, nothing need be said. */
void event_chain_prepare(struct event_chain *chain, cl_event also);

/* Takes the event of the step that was enqueued. */
void event_chain_step(struct event_chain *chain);

/* The same where `call` has enqueued it; else fails with the call's code. */
int32_t event_chain_advance(struct event_chain *chain, const char *call, cl_int code,
                            clslice_error *error);

void event_chain_end(struct event_chain *chain);

#endif
