/* SPDX-License-Identifier: MIT */
/* Host memory through buffers of the device: a pool of pairs, reused in the order of their events. */
#ifndef RUNTIME_STAGING_H
#define RUNTIME_STAGING_H

#include "runtime/chain.h"
#include "runtime/device.h"

/*
 * A pair of buffers of at least these bytes (0: not needed), in `*set`. It is one of the pool's, or
 * `spare` where those are still in use by other queues, whose flushing is not ours to force. Call
 * with the device's staging_lock held, and staging_return once the commands are enqueued.
 */
int32_t staging_take(struct clslice_device *device, const struct chain *chain, uint64_t in_bytes,
                     uint64_t out_bytes, struct staging_set *spare, struct staging_set **set,
                     clslice_error *error);

/* Notes the chain's last step as the set's last use. */
void staging_return(struct clslice_device *device, const struct chain *chain,
                    struct staging_set *set);

/* Empties a set; commands that use its buffers keep them alive. */
void staging_release(struct clslice_device *device, struct staging_set *set);

/* Copies bytes [0, size) at `from` to the start of the set's input buffer. */
int32_t staging_write(struct chain *chain, struct staging_set *set, const void *from, uint64_t size,
                      clslice_error *error);

/* Copies the elements of a box, and nothing between them, from the set's output buffer, which holds
 * the box's range from `launch->out_low`, to the tensor that starts at `to`. */
int32_t staging_read(struct chain *chain, struct staging_set *set, const struct plan *plan,
                     const struct plan_box *box, const struct launch *launch, unsigned char *to,
                     clslice_error *error);

#endif
