/* SPDX-License-Identifier: MIT */
#include "capability.h"

#include "node.h"

#include <stdlib.h>

/* Once the session runs, nothing can be refused any more: what is not known to be possible is left.
 * What is not known to be small is taken, and small ones are then copied by the host's thread. */
static bool suits(const struct provider *provider, const struct slice_node *slice)
{
    struct window window;
    if (slice->data.rank == 0 || slice->element_bytes == 0)
        return false;
    if (!node_is_fixed(slice))
        return provider_may_want(provider, slice->most_bytes, slice->element_bytes);
    OrtStatus *status = window_from(provider->host, slice->data.rank, slice->data.sizes,
                                    slice->parameters, &window);
    provider->host->api->ReleaseStatus(status);
    return !status && provider_wants(provider, &window, slice->element_bytes);
}

/* Before 1.25, hosts number the nodes that they make in each graph anew, and refuse a session where
 * those of two graphs, of a branch or loop and what is around it, have one name. */
static bool may_take(const struct provider *provider)
{
    return !provider->is_idle && (!provider->has_taken || provider->host->minor >= 25);
}

static OrtStatus *consider(struct provider *provider, const OrtNode *node,
                           OrtEpGraphSupportInfo *support)
{
    const struct host *host = provider->host;
    struct slice_node slice;
    bool is_free = false;
    OrtStatus *status = node_is_free_slice(host, node, &is_free);
    if (status || !is_free)
        return status;
    status = node_read(host, node, &slice);
    if (status) {
        host_log(host, ORT_LOGGING_LEVEL_INFO, "not taken: %s", host->api->GetErrorMessage(status));
        host->api->ReleaseStatus(status);
        return NULL;
    }
    if (!suits(provider, &slice))
        return NULL;
    provider->has_taken = true;
    return host->ep->EpGraphSupportInfo_AddNodesToFuse(support, &node, 1, NULL);
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
        status = consider(provider, nodes[i], support);
    free(nodes);
    return status;
}
