/* SPDX-License-Identifier: MIT */
/* Devices by selector, those of the first 16 kept for the life of the process: they hold the
 * programs. */
#ifndef CLSLICE_ADAPTERS_TVM_FFI_DEVICES_H
#define CLSLICE_ADAPTERS_TVM_FFI_DEVICES_H

#include "arguments.h"

/* On any thread. selector: CLSLICE_DEVICE's grammar; empty: what that variable says when it is
 * first asked for. The device is the caller's to release. */
const char *devices_get(const char *selector, clslice_device **device, clslice_error *error);

#endif
