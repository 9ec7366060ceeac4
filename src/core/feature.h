/* SPDX-License-Identifier: MIT */
/* IDMLDevice::CheckFeatureSupport: the same answers for every device. */
#ifndef CLSLICE_CORE_FEATURE_H
#define CLSLICE_CORE_FEATURE_H

#include "core/tensor.h"

/* `query` and `support` are not NULL; their sizes are what is judged. */
int32_t feature_check(uint32_t feature, uint32_t query_size, const void *query,
                      uint32_t support_size, void *support, clslice_error *error);

#endif
