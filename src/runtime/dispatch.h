/* SPDX-License-Identifier: MIT */
/* Binds, sets arguments, enqueues. */
#ifndef CLSLICE_RUNTIME_DISPATCH_H
#define CLSLICE_RUNTIME_DISPATCH_H

#include "runtime/operator.h"

/* `desc` and `batch`, which replaces the one in it, are whole: every field of this version is
 * there. `batch` and `event` may be NULL. E_UNEXPECTED in a child of fork. */
int32_t dispatch(struct clslice_compiled_operator *compiled, const clslice_dispatch_desc *desc,
                 const clslice_batch *batch, cl_event *event, clslice_error *error);

#endif
