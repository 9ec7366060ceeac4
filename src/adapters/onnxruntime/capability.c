/* SPDX-License-Identifier: MIT */
#include "capability.h"

#include "node.h"

#include <stdlib.h>

/* A node of another provider is not taken. */
static OrtStatus *is_free(const struct host *host, const OrtNode *node, bool *free)
{
    const char *owner = NULL;
    OrtStatus *status = host->api->Node_GetEpName(node, &owner);
    *free = !status && (!owner || *owner == '\0');
    return status;
}

/* Once the session runs, nothing can be refused any more: what is not known to be possible is left.
 * What is not known to be small is taken, and small ones are then copied by the host's thread. */
static bool suits(const struct provider *provider, const struct slice_node *slice)
{
    struct window window;
    if (slice->rank == 0 || slice->element_bytes == 0)
        return false;
    if (!node_is_fixed(slice))
        return provider_may_want(provider, slice->most_bytes, slice->element_bytes);
    OrtStatus *status =
        window_from(provider->host, slice->rank, slice->sizes, slice->parameters, &window);
    provider->host->api->ReleaseStatus(status);
    return !status && provider_wants(provider, &window, slice->element_bytes);
}

static OrtStatus *judge(const struct provider *provider, const OrtNode *node, bool *takes)
{
    const struct host *host = provider->host;
    bool is_slice = false;
    *takes = false;
    OrtStatus *status = node_is_slice(host, node, &is_slice);
    if (!status && is_slice)
        status = is_free(host, node, takes);
    if (status || !*takes)
        return status;
    struct slice_node slice;
    status = node_read(host, node, &slice);
    *takes = !status && suits(provider, &slice);
    if (status)
        host_log(host, ORT_LOGGING_LEVEL_INFO, "not taken: %s", host->api->GetErrorMessage(status));
    host->api->ReleaseStatus(status);
    return NULL;
}

/* Before 1.25, hosts number the nodes that they make in each graph anew, and refuse a session where
 * those of two graphs, of a branch or loop and what is around it, have one name. */
static bool may_take(const struct provider *provider)
{
    return !provider->is_idle && (!provider->has_taken || provider->host->minor >= 25);
}

static OrtStatus *take(struct provider *provider, const OrtNode *node,
                       OrtEpGraphSupportInfo *support)
{
    bool takes = false;
    OrtStatus *status = judge(provider, node, &takes);
    if (!status && takes)
        status = provider->host->ep->EpGraphSupportInfo_AddNodesToFuse(support, &node, 1, NULL);
    provider->has_taken = provider->has_taken || takes;
    return status;
}

OrtStatus *ORT_API_CALL capability_get(OrtEp *base, const OrtGraph *graph,
                                       OrtEpGraphSupportInfo *support) NO_EXCEPTION
{
    struct provider *provider = (struct provider *)base;
    const struct host *host = provider->host;
    size_t count = 0;
    OrtStatus *status = host->api->Graph_GetNumNodes(graph, &count);
    if (status || count == 0 || !may_take(provider))
        return status;
    const OrtNode **nodes = calloc(count, sizeof(const OrtNode *));
    if (!nodes)
        return host_error(host, ORT_FAIL, "out of memory for %zu nodes", count);
    status = host->api->Graph_GetNodes(graph, nodes, count);
    for (size_t i = 0; !status && i < count; ++i)
        status = take(provider, nodes[i], support);
    free(nodes);
    return status;
}
