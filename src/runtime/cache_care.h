/* SPDX-License-Identifier: MIT */
/* Looking after the cache's folder without a device: where it is, what is in it, clearing it. */
#ifndef CLSLICE_RUNTIME_CACHE_CARE_H
#define CLSLICE_RUNTIME_CACHE_CARE_H

#include "runtime/device.h"

/* `options` are whole: every field of this version is there. */
int32_t cache_info(const clslice_device_options *options, clslice_cache_info *info,
                   clslice_error *error);
int32_t cache_entry_info(const clslice_device_options *options, uint32_t index,
                         clslice_cache_entry *entry, clslice_error *error);
int32_t cache_clear_all(const clslice_device_options *options, uint64_t *removed,
                        clslice_error *error);

#endif
