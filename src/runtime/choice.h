/* SPDX-License-Identifier: MIT */
/* The devices of the machine as callers see them: which one options and environment pick, and what is
 * told of each. */
#ifndef RUNTIME_CHOICE_H
#define RUNTIME_CHOICE_H

#include "runtime/config.h"
#include "runtime/selector.h"

/* The device that the options' selector, else the environment's, else "auto" picks, and a selector for it
 * alone. DXGI_ERROR_UNSUPPORTED where there is none. */
int32_t choice_pick(const struct cl_api *cl, const clslice_device_options *options,
                    const struct config *config, struct found_device *about,
                    char selector[SELECTOR_MAX], clslice_error *error);

/* The selector of a device that was not found by one; empty where the loader does not list it. */
void choice_selector_of(const struct cl_api *cl, cl_device_id id, char selector[SELECTOR_MAX]);

/* What is told of the index-th. DXGI_ERROR_NOT_FOUND past the last. */
int32_t choice_tell_of(const struct cl_api *cl, const struct config *config, uint32_t index,
                       clslice_device_info *info, clslice_error *error);

void choice_tell(const struct cl_api *cl, const struct found_device *about, const char *selector,
                 clslice_device_info *info);

/* Whether kernels for few threads suit it. */
bool choice_is_cpu(const struct found_device *about);

/* CLSLICE_HOST_MEMORY_*, as far as the driver tells; USE_HOST_PTR is to be found out. */
uint32_t choice_host_memory(const struct cl_api *cl, const struct found_device *about);

#endif
