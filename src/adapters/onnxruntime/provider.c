/* SPDX-License-Identifier: MIT */
#include "provider.h"

/* From here on a device is not slower than ONNX Runtime's own Slice, which copies rows at the speed
 * of memory and picks elements one by one: PoCL 3.1 on two cores,
 * tests/adapters/onnxruntime/bench.py. Rows break even at 4 MiB where each of PoCL's threads has
 * its own core, and here where Linux wakes them on the same. */
enum { MIN_BYTES = 32 << 20, MIN_PICKS = 64 << 10 };
/* Where host memory is copied to and from the device, no bus carries rows as fast. Estimated, not
 * measured. */
enum { MIN_STAGED_PICKS = 1 << 20 };
/* Of the device's memory, what a session may hold between its runs. */
enum { KEPT_PART = 16 };
/* Shorter runs count as elements picked: a cache line. */
enum { ROW_BYTES = 64 };

void provider_set_limits(struct provider *provider, const struct options *options)
{
    clslice_device_info info = {.size = sizeof info};
    const bool is_known = clslice_device_get_info(provider->device, &info, NULL) == CLSLICE_S_OK;
    const bool is_staged = is_known && info.host_memory == CLSLICE_HOST_MEMORY_STAGED;
    provider->memory.most_bytes = is_staged ? info.max_alloc_bytes : 0;
    provider->memory.kept_bytes = info.global_bytes / KEPT_PART;
    provider->min_bytes = is_staged ? UINT64_MAX : MIN_BYTES;
    provider->min_picks = is_staged ? MIN_STAGED_PICKS : MIN_PICKS;
    if (options->has_min_bytes) {
        provider->min_bytes = options->min_bytes;
        provider->min_picks = UINT64_MAX;
    }
}

bool provider_may_want(const struct provider *provider, uint64_t most_bytes, uint32_t element_bytes)
{
    return most_bytes >= provider->min_bytes || most_bytes / element_bytes >= provider->min_picks;
}

bool provider_wants(const struct provider *provider, const struct window *window,
                    uint32_t element_bytes)
{
    const uint64_t elements = window_elements_of(window->count, window->rank);
    if (elements * element_bytes >= provider->min_bytes)
        return true;
    return elements >= provider->min_picks &&
           (uint64_t)window_run(window) * element_bytes < ROW_BYTES;
}
