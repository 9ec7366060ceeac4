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
        free(made[i]);
}

/* The host releases what was made before one failed. */
static OrtStatus *ORT_API_CALL compile(OrtEp *base, const OrtGraph **graphs, const OrtNode **fused,
                                       size_t count, OrtNodeComputeInfo **made,
                                       OrtNode **contexts) NO_EXCEPTION
{
    OrtStatus *status = NULL;
    (void)contexts;
    for (size_t i = 0; !status && i < count; ++i)
        status = compute_create((struct provider *)base, graphs[i], fused[i], &made[i]);
    return status;
}

/* ---- Life ---- */

/* The host has defaults for what is not here. */
static const OrtEp functions = {
    .ort_version_supported = HOST_API_VERSION,
    .GetName = get_name,
    .GetCapability = capability_get,
    .Compile = compile,
    .ReleaseNodeComputeInfos = release_nodes,
};

OrtStatus *ep_create(struct devices *devices, const struct options *options, OrtEp **made)
{
    struct provider *provider = calloc(1, sizeof *provider);
    if (!provider)
        return host_error(devices->host, ORT_FAIL, "out of memory for a provider");
    provider->base = functions;
    provider->host = devices->host;
    provider->is_idle = options->keeps_context;
    OrtStatus *status = devices_get(devices, &options->device, &provider->device);
    if (status) {
        free(provider);
        return status;
    }
    provider->memory = (struct memory){provider->device, .lock = PTHREAD_MUTEX_INITIALIZER};
    provider_set_limits(provider, options);
    *made = &provider->base;
    return NULL;
}

void ORT_API_CALL ep_release(OrtEpFactory *factory, OrtEp *base) NO_EXCEPTION
{
    (void)factory;
    struct provider *provider = (struct provider *)base;
    report_log(&provider->report, provider->host);
    memory_release(&provider->memory);
    clslice_device_release(provider->device);
    free(provider);
}
