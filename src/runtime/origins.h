/* SPDX-License-Identifier: MIT */
/* Where the items of a batch begin, as the host found it, on its way to a kernel: buffers that are
 * reused once the commands that read them have ended. */
#ifndef CLSLICE_RUNTIME_ORIGINS_H
#define CLSLICE_RUNTIME_ORIGINS_H

#include "core/batch.h"
#include "runtime/event_chain.h"
#include "runtime/item_tables.h"
#include "runtime/origins_pool.h"

/* How many a buffer can have: a power of two. */
uint64_t origins_most(const struct clslice_device *device);

/* Room for so many origins, origins_most() at most, for this thread until origins_return. */
int32_t origins_take(struct clslice_device *device, uint64_t count, struct origins_buffer **buffer,
                     clslice_error *error);

/* Memory for the buffer's `host`, and `places` too. */
int32_t origins_need_host(struct clslice_device *device, struct origins_buffer *buffer,
                          bool with_places, clslice_error *error);

/* Notes the chain's last step as the buffer's last use. */
void origins_return(const struct event_chain *chain, struct origins_buffer *buffer);

/* Brings `count` of the buffer's `host` from the first on to the start of its `mem`, as a step of
 * the chain if the device needs one. What is brought must stay until the buffer is returned. */
int32_t origins_bring(struct event_chain *chain, struct origins_buffer *buffer, uint64_t first,
                      uint64_t count, clslice_error *error);

/* A `mem` with whatever it holds. */
int32_t origins_need(struct clslice_device *device, struct origins_buffer *buffer,
                     clslice_error *error);

/* Of the buffer's `mem`, when it is there. */
struct item_tables origins_tables(const struct origins_buffer *buffer);

#endif
