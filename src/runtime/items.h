/* SPDX-License-Identifier: MIT */
/* The items of a batch on their way to the queue. */
#ifndef CLSLICE_RUNTIME_ITEMS_H
#define CLSLICE_RUNTIME_ITEMS_H

#include "core/batch.h"
#include "runtime/event_chain.h"
#include "runtime/job.h"

struct items {
    struct clslice_compiled_operator *compiled; /* borrowed, as what `desc` points to */
    clslice_batch desc;
    struct batch batch;
    struct bound tables[BIND_TABLES];
    bool found_by_kernel; /* from tables on the device, or without any */
};

/* Checks a batch and where its tables are, but not what they hold. `bound` are the tensors, which
 * have been checked. */
int32_t items_from(struct clslice_compiled_operator *compiled,
                   const clslice_dispatch_desc *dispatch, const clslice_batch *desc,
                   const struct bound bound[BIND_SIDES], struct items *items, clslice_error *error);

/* Whether the operator's kernel for few items can take these, in place of the job's plan. */
bool items_are_few(const struct job *job, const struct items *items);

/* Appends the launches of all items to the chain, with what they need: none before all of them have
 * been checked, where their tables are in host memory. */
int32_t items_launch(const struct job *job, const struct items *items, struct event_chain *chain);

#endif
