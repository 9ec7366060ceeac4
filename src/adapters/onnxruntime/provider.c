/* SPDX-License-Identifier: MIT */
#include "provider.h"

#include "capability.h"
#include "compute.h"

#include <stdlib.h>

/* From here on a device is not slower than ONNX Runtime's own Slice, which copies rows at the speed of memory
 * and picks elements one by one: PoCL 3.1 on two cores, tests/adapters/onnxruntime/bench.py. Rows break even at
 * 4 MiB where each of PoCL's threads has its own core, and here where Linux wakes them on the same. */
enum { MIN_BYTES = 32 << 20, MIN_PICKS = 64 << 10 };
/* Where host memory is copied to and from the device, no bus carries rows as fast. Reckoned, not measured. */
enum { MIN_STAGED_PICKS = 1 << 20 };
/* Shorter runs count as elements picked: a cache line. */
enum { ROW_BYTES = 64 };

static const char *ORT_API_CALL get_name(const OrtEp *base) NO_EXCEPTION
{
    (void)base;
    return PROVIDER_NAME;
}

static void ORT_API_CALL release_nodes(OrtEp *base, OrtNodeComputeInfo **made,
                                       size_t count) NO_EXCEPTION
{
    (void)base;
    for (size_t i = 0; i < count; ++i)
        compute_release(made[i]);
}

/* What was made before one failed, the host releases. */
static OrtStatus *ORT_API_CALL compile(OrtEp *base, const OrtGraph **graphs, const OrtNode **fused,
                                       size_t count, OrtNodeComputeInfo **made,
                                       OrtNode **contexts) NO_EXCEPTION
{
    OrtStatus *status = NULL;
    (void)contexts;
    for (size_t i = 0; !status && i < count; ++i)
        status = compute_create((const struct provider *)base, graphs[i], fused[i], &made[i]);
    return status;
}

/* ---- What the host may ask of any provider ---- */

static OrtStatus *ORT_API_CALL get_layout(OrtEp *base, OrtEpDataLayout *layout) NO_EXCEPTION
{
    (void)base;
    *layout = OrtEpDataLayout_NCHW;
    return NULL;
}

static OrtStatus *ORT_API_CALL converts_layout(OrtEp *base, const char *domain, const char *type,
                                               OrtEpDataLayout layout, int *converts) NO_EXCEPTION
{
    (void)base, (void)domain, (void)type, (void)layout;
    *converts = -1; /* as the host likes */
    return NULL;
}

static OrtStatus *ORT_API_CALL set_dynamic_options(OrtEp *base, const char *const *keys,
                                                   const char *const *values,
                                                   size_t count) NO_EXCEPTION
{
    (void)base, (void)keys, (void)values, (void)count;
    return NULL; /* they are for every provider of the session, and none is for this one */
}

static OrtStatus *ORT_API_CALL start_run(OrtEp *base, const OrtRunOptions *options) NO_EXCEPTION
{
    (void)base, (void)options;
    return NULL;
}

static OrtStatus *ORT_API_CALL end_run(OrtEp *base, const OrtRunOptions *options,
                                       bool synchronize) NO_EXCEPTION
{
    (void)base, (void)options, (void)synchronize;
    return NULL;
}

static OrtStatus *ORT_API_CALL create_allocator(OrtEp *base, const OrtMemoryInfo *memory,
                                                OrtAllocator **allocator) NO_EXCEPTION
{
    (void)base, (void)memory;
    *allocator = NULL; /* the host's memory will do */
    return NULL;
}

static OrtStatus *ORT_API_CALL create_stream(OrtEp *base, const OrtMemoryDevice *memory,
                                             OrtSyncStreamImpl **stream) NO_EXCEPTION
{
    (void)base, (void)memory;
    *stream = NULL; /* a run returns when it is done */
    return NULL;
}

static const char *ORT_API_CALL get_compatibility(OrtEp *base, const OrtGraph *graph) NO_EXCEPTION
{
    (void)base, (void)graph;
    return ""; /* nothing compiled is kept in models */
}

/* ---- Life ---- */

static const OrtEp functions = {
    .ort_version_supported = HOST_API_VERSION,
    .GetName = get_name,
    .GetCapability = capability_get,
    .Compile = compile,
    .ReleaseNodeComputeInfos = release_nodes,
    .GetPreferredDataLayout = get_layout,
    .ShouldConvertDataLayoutForOp = converts_layout,
    .SetDynamicOptions = set_dynamic_options,
    .OnRunStart = start_run,
    .OnRunEnd = end_run,
    .CreateAllocator = create_allocator,
    .CreateSyncStreamForDevice = create_stream,
    .GetCompiledModelCompatibilityInfo = get_compatibility,
};

static void set_limits(struct provider *provider, const struct options *options)
{
    clslice_device_info info = {.size = sizeof info};
    const bool is_known = clslice_device_get_info(provider->device, &info, NULL) == CLSLICE_S_OK;
    const bool is_staged = is_known && info.host_memory == CLSLICE_HOST_MEMORY_STAGED;
    provider->min_bytes = is_staged ? UINT64_MAX : MIN_BYTES;
    provider->min_picks = is_staged ? MIN_STAGED_PICKS : MIN_PICKS;
    if (options->has_min_bytes) {
        provider->min_bytes = options->min_bytes;
        provider->min_picks = UINT64_MAX;
    }
}

OrtStatus *provider_create(const struct host *host, struct devices *devices, const char *selector,
                           const struct options *options, OrtEp **made)
{
    struct provider *provider = calloc(1, sizeof *provider);
    if (!provider)
        return host_error(host, ORT_FAIL, "out of memory for a provider");
    provider->base = functions;
    provider->host = host;
    provider->is_idle = options->keeps_context;
    OrtStatus *status = devices_get(devices, selector, options->cache, &provider->device);
    if (status) {
        free(provider);
        return status;
    }
    set_limits(provider, options);
    *made = &provider->base;
    return NULL;
}

void provider_release(OrtEp *base)
{
    struct provider *provider = (struct provider *)base;
    clslice_device_release(provider->device);
    free(provider);
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
