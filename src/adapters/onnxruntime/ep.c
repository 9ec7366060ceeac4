/* SPDX-License-Identifier: MIT */
#include "ep.h"

#include "capability.h"
#include "compute.h"
#include "provider.h"

#include <stdlib.h>

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

/* The host releases what was made before one failed. */
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
    *converts = -1; /* no preference */
    return NULL;
}

static OrtStatus *ORT_API_CALL set_dynamic_options(OrtEp *base, const char *const *keys,
                                                   const char *const *values,
                                                   size_t count) NO_EXCEPTION
{
    (void)base, (void)keys, (void)values, (void)count;
    return NULL; /* options go to every provider of the session; this one has none */
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
    *allocator = NULL; /* the host's memory is enough */
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

OrtStatus *ep_create(const struct host *host, struct devices *devices, const char *selector,
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
    provider_set_limits(provider, options);
    *made = &provider->base;
    return NULL;
}

void ep_release(OrtEp *base)
{
    struct provider *provider = (struct provider *)base;
    clslice_device_release(provider->device);
    free(provider);
}
