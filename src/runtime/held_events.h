/* SPDX-License-Identifier: MIT */
/* Events of commands that may still run and that nobody else holds. PoCL 3.1 ends the process where
 * a command fails whose event was released before: a failed wait event does that to all that wait
 * behind it. */
#ifndef CLSLICE_RUNTIME_HELD_EVENTS_H
#define CLSLICE_RUNTIME_HELD_EVENTS_H

#include "opencl/cl_api.h"

#include <pthread.h>

struct held_events {
    pthread_mutex_t lock;
    cl_event *events; /* owned, as each of them is */
    size_t count, room;
    size_t next; /* to look at, modulo the count */
};

/* Takes an event, and releases some whose commands have ended: at rest, few are left. */
void held_events_add(struct held_events *held, const struct cl_api *cl, cl_event event);

/* Also of all its events: of those that have not ended, when they do. */
void held_events_release(struct held_events *held, const struct cl_api *cl);

#endif
