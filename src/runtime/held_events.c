/* SPDX-License-Identifier: MIT */
#include "runtime/held_events.h"

#include <stdlib.h>

enum { ROOM_LEAST = 64, LOOKS = 2 /* for each that comes: more than that go */ };

static void look(struct held_events *held, const struct cl_api *cl)
{
    size_t at = held->next % held->count;
    if (cl_has_ended(cl, held->events[at])) {
        cl->clReleaseEvent(held->events[at]);
        held->events[at] = held->events[--held->count];
    } else {
        held->next = at + 1;
    }
}

static bool make_room(struct held_events *held)
{
    if (held->count < held->room)
        return true;
    size_t room = held->room ? 2 * held->room : ROOM_LEAST;
    cl_event *events = realloc(held->events, room * sizeof *events);
    if (!events)
        return false;
    held->events = events;
    held->room = room;
    return true;
}

void held_events_add(struct held_events *held, const struct cl_api *cl, cl_event event)
{
    pthread_mutex_lock(&held->lock);
    for (int i = 0; i < LOOKS && held->count > 0; ++i)
        look(held, cl);
    if (make_room(held))
        held->events[held->count++] = event;
    else
        cl_release_ended(cl, event);
    pthread_mutex_unlock(&held->lock);
}

void held_events_release(struct held_events *held, const struct cl_api *cl)
{
    while (held->count > 0)
        cl_release_ended(cl, held->events[--held->count]);
    free(held->events);
    pthread_mutex_destroy(&held->lock);
}
