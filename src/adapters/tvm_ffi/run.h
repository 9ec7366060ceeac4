/* SPDX-License-Identifier: MIT */
/* Runs one view on a device. */
#ifndef CLSLICE_ADAPTERS_TVM_FFI_RUN_H
#define CLSLICE_ADAPTERS_TVM_FFI_RUN_H

#include "view.h"

/* Slices and waits. On any thread. */
const char *run(clslice_device *device, const struct view *view, clslice_error *error);

#endif
