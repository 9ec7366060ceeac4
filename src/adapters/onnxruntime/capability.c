/* SPDX-License-Identifier: MIT */
#include "capability.h"

#include "node.h"

#include <stdlib.h>
#include <string.h>

/* A node that is taken. */
struct candidate {
    const OrtNode *node; /* NULL: fused already */
    const char *data;    /* its name; NULL: the node stays alone */
};

/* ---- One node ---- */

/* Once the session runs, nothing can be refused any more: what is not known to be possible is left.
 * What is not known to be small is taken, and small ones are then copied by the host's thread, as
 * are the small parts of a Split that has a large one. */
static bool suits(const struct provider *provider, const struct node *node)
{
    bool is_wanted = false;
    if (node->data.rank == 0 || node->element_bytes == 0)
        return false;
    if (!node_is_fixed(node))
        return provider_may_want(provider, node->most_bytes, node->element_bytes);
    for (size_t i = 0; i < node->count; ++i) {
        const struct cut *cut = &node->cuts[i];
        struct window window;
        OrtStatus *status = cut_window(provider->host, cut, cut->parameters, &node->data, &window);
        provider->host->api->ReleaseStatus(status);
        if (status)
            return false;
        is_wanted = is_wanted || provider_wants(provider, &window, node->element_bytes);
    }
    return is_wanted;
}

/* Before 1.25, hosts number the nodes that they make in each graph anew, and refuse a session where
 * those of two graphs, of a branch or loop and what is around it, have one name. */
static bool may_take(const struct provider *provider)
{
    return !provider->is_idle && (!provider->has_taken || provider->host->minor >= 25);
}

/* Appends it to the candidates if it suits. */
static OrtStatus *consider(const struct provider *provider, const OrtNode *node,
                           struct candidate *candidates, size_t *count)
{
    const struct host *host = provider->host;
    struct node read;
    bool is_free = false;
    OrtStatus *status = node_is_free(host, node, &is_free);
    if (status || !is_free)
        return status;
    status = node_read(host, node, &read);
    if (status) {
        host_log(host, ORT_LOGGING_LEVEL_INFO, "not taken: %s", host->api->GetErrorMessage(status));
        host->api->ReleaseStatus(status);
        return NULL;
    }
    if (suits(provider, &read))
        candidates[(*count)++] =
            (struct candidate){node, node_is_constant(&read) ? read.data_name : NULL};
    node_release(&read);
    return NULL;
}

/* ---- Siblings ---- */

static bool are_siblings(const struct candidate *a, const struct candidate *b)
{
    return a->node && b->node && a->data && b->data && strcmp(a->data, b->data) == 0;
}

/* Siblings become one node. They depend on one value and on constants alone: no path leads from one
 * through other nodes to another. `nodes` has room for all. */
static OrtStatus *fuse(struct provider *provider, struct candidate *candidates, size_t count,
                       const OrtNode **nodes, OrtEpGraphSupportInfo *support)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < count; ++i) {
        const struct candidate first = candidates[i];
        size_t taken = 0;
        if (!first.node)
            continue;
        for (size_t j = i; j < count; ++j)
            if (j == i || are_siblings(&first, &candidates[j])) {
                nodes[taken++] = candidates[j].node;
                candidates[j].node = NULL;
            }
        provider->has_taken = true;
        status = provider->host->ep->EpGraphSupportInfo_AddNodesToFuse(support, nodes, taken, NULL);
    }
    return status;
}

static OrtStatus *take(struct provider *provider, const OrtGraph *graph, const OrtNode **nodes,
                       struct candidate *candidates, size_t count, OrtEpGraphSupportInfo *support)
{
    size_t taken = 0;
    OrtStatus *status = provider->host->api->Graph_GetNodes(graph, nodes, count);
    for (size_t i = 0; !status && i < count; ++i)
        status = consider(provider, nodes[i], candidates, &taken);
    return status ? status : fuse(provider, candidates, taken, nodes, support);
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
    struct candidate *candidates = calloc(count, sizeof *candidates);
    status = nodes && candidates ? take(provider, graph, nodes, candidates, count, support)
                                 : host_error(host, ORT_FAIL, "out of memory for %zu nodes", count);
    free(candidates);
    free(nodes);
    return status;
}
