/* SPDX-License-Identifier: MIT */
/* A slice in several launches: as many as 32-bit indices ask for, and where a tensor is in host
 * memory, wrapped or staged, limits of the device. */
#ifndef CLSLICE_RUNTIME_TILES_H
#define CLSLICE_RUNTIME_TILES_H

#include "runtime/event_chain.h"
#include "runtime/job.h"

/* Appends the launches, and the copies that they need, to the chain. */
int32_t tiles_launch(const struct job *job, struct event_chain *chain);

#endif
