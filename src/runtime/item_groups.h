/* SPDX-License-Identifier: MIT */
/* Launches of items whose places are known: all at once, or where a tensor is in host memory, as
 * many as a buffer of the device holds what they address of. */
#ifndef CLSLICE_RUNTIME_ITEM_GROUPS_H
#define CLSLICE_RUNTIME_ITEM_GROUPS_H

#include "runtime/job.h"
#include "runtime/origins.h"

/* One launch over the tensors as they are bound; `is_seen`: it becomes the chain's last step, not
 * only one of its queue. */
int32_t item_launch_direct(const struct job *job, uint64_t items, const struct item_tables *tables,
                           bool is_seen, struct event_chain *chain);

/* Moves nothing, and ends when what the caller waits for has. */
int32_t item_launch_nothing(const struct job *job, struct event_chain *chain);

/* Launches the first `items` of the buffer's places, wrapping or staging what is in host memory. */
int32_t item_groups_launch(const struct job *job, uint64_t items, struct origins_buffer *origins,
                           struct event_chain *chain);

#endif
