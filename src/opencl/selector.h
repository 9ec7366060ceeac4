/* SPDX-License-Identifier: MIT */
/* CLSLICE_DEVICE's grammar (include/clslice/clslice.h, clslice_device_create) over a list of
 * devices. Knows no OpenCL call. */
#ifndef CLSLICE_OPENCL_SELECTOR_H
#define CLSLICE_OPENCL_SELECTOR_H

#include "opencl/enumerate.h"

enum { SELECTOR_MAX = 256 }; /* bytes of a selector for one device, with NUL */

/*
 * Finds the device that `selector` picks. `called` is what errors call it, `hint` (may be empty) is
 * appended where nothing matches. E_INVALIDARG for a selector that cannot be read, whatever the
 * devices are; DXGI_ERROR_UNSUPPORTED where it picks none, listing all of them.
 */
int32_t selector_pick(const char *selector, const char *called, const char *hint,
                      const struct found_devices *found, uint32_t *index, clslice_error *error);

/* A selector that picks exactly this device out of those, by names where they can be written. */
void selector_of(const struct found_devices *found, uint32_t index, char selector[SELECTOR_MAX]);

/* "gpu|cpu" for a device's type bits. */
void selector_type_of(const struct found_device *device, char *to, size_t size);

#endif
