/* SPDX-License-Identifier: MIT */
/* The devices of the machine as callers see them: which one options and environment pick, and what
 * is told of each. */
#ifndef CLSLICE_OPENCL_DEVICE_SELECT_H
#define CLSLICE_OPENCL_DEVICE_SELECT_H

#include "base/environment.h"
#include "opencl/selector.h"

/* The device that the options' selector, else the environment's, else "auto" picks, and a selector
 * for it alone. DXGI_ERROR_UNSUPPORTED where there is none. */
int32_t device_select(const struct cl_api *cl, const clslice_device_options *options,
                      const struct environment *environment, struct found_device *about,
                      char selector[SELECTOR_MAX], clslice_error *error);

/* The selector of a device that was not found by one; empty where the loader does not list it. */
void device_select_selector_of(const struct cl_api *cl, cl_device_id id,
                               char selector[SELECTOR_MAX]);

/* What is told of the index-th. DXGI_ERROR_NOT_FOUND past the last. */
int32_t device_select_info_at(const struct cl_api *cl, const struct environment *environment,
                              uint32_t index, clslice_device_info *info, clslice_error *error);

void device_select_info(const struct cl_api *cl, const struct found_device *about,
                        const char *selector, clslice_device_info *info);

/* Whether kernels for few threads suit it. */
bool device_select_is_cpu(const struct found_device *about);

/* CLSLICE_HOST_MEMORY_*, as far as the driver tells; USE_HOST_PTR is to be found out. */
uint32_t device_select_host_memory(const struct cl_api *cl, const struct found_device *about);

#endif
