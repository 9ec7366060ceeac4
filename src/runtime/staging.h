/* SPDX-License-Identifier: MIT */
/* Host memory through buffers of the device: a pool of pairs, reused in the order of their
 * events. */
#ifndef CLSLICE_RUNTIME_STAGING_H
#define CLSLICE_RUNTIME_STAGING_H

#include "core/runs.h"
#include "runtime/event_chain.h"

/*
 * A pair of buffers of at least these bytes (0: not needed), in `*set`. It is one of the pool's, or
 * `spare` where those are still in use by other queues, whose flushing is not ours to force. Where
 * it returns S_OK, the pool is this thread's until staging_return, once the commands are enqueued.
 */
int32_t staging_take(struct clslice_device *device, const struct event_chain *chain,
                     uint64_t in_bytes, uint64_t out_bytes, struct staging_set *spare,
                     struct staging_set **set, clslice_error *error);

/* Notes the chain's last step as the set's last use. */
void staging_return(struct clslice_device *device, const struct event_chain *chain,
                    struct staging_set *set);

/* Copies bytes [0, size) at `from` to the start of the set's input buffer. */
int32_t staging_write(struct event_chain *chain, struct staging_set *set, const void *from,
                      uint64_t size, clslice_error *error);

/*
 * Copies the runs, which lie side by side from byte `at` of the set's output buffer on, to where
 * they belong from `to` on, and nothing between them. Straight there, in as few commands as
 * rectangles allow; but where the driver keeps the caller anyway, through memory of the device's
 * and by the calling thread.
 */
int32_t staging_read(struct event_chain *chain, struct staging_set *set, uint64_t at,
                     const struct runs *runs, unsigned char *to, clslice_error *error);

#endif
