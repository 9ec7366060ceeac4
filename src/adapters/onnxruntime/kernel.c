/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* ---- The values of the node that runs ---- */

struct values {
    const OrtValueInfo **inputs, **outputs; /* owned */
    size_t input_count, output_count;
};

static void release_values(struct values *values)
{
    free(values->inputs);
    free(values->outputs);
}

static OrtStatus *read_values(const struct host *host, const OrtNode *fused, struct values *values)
{
    *values = (struct values){0};
    OrtStatus *status = host->api->Node_GetNumInputs(fused, &values->input_count);
    if (!status)
        status = host->api->Node_GetNumOutputs(fused, &values->output_count);
    if (status)
        return status;
    values->inputs = calloc(values->input_count + 1, sizeof(const OrtValueInfo *));
    values->outputs = calloc(values->output_count + 1, sizeof(const OrtValueInfo *));
    if (!values->inputs || !values->outputs)
        return host_error(host, ORT_FAIL, "out of memory for a node's values");
    status = host->api->Node_GetInputs(fused, values->inputs, values->input_count);
    if (!status)
        status = host->api->Node_GetOutputs(fused, values->outputs, values->output_count);
    return status;
}

/* Values are told apart by name: absent ones are dropped, and one may serve as several. */
static OrtStatus *find(const struct host *host, const OrtValueInfo *const *values, size_t count,
                       const char *name, int *place)
{
    OrtStatus *status = NULL;
    *place = NOT_THERE;
    for (size_t i = 0; name && !status && i < count; ++i) {
        const char *candidate = NULL;
        status = host->api->GetValueInfoName(values[i], &candidate);
        if (status || strcmp(candidate, name) != 0)
            continue;
        *place = (int)i;
        break;
    }
    return status;
}

static OrtStatus *find_input(const struct host *host, const struct values *values, const char *name,
                             int *place)
{
    OrtStatus *status = find(host, values->inputs, values->input_count, name, place);
    if (!status && name && *place == NOT_THERE)
        status = host_error(host, ORT_INVALID_GRAPH, "'%s' is not an input of its node", name);
    return status;
}

/* ---- What was fused ---- */

static OrtStatus *set_member(const struct host *host, const struct values *values,
                             const struct cut *cut, struct member *member)
{
    OrtStatus *status =
        find(host, values->outputs, values->output_count, cut->output, &member->output);
    for (size_t p = STARTS; !status && p < PARAMETERS; ++p)
        status = find_input(host, values, cut->names[p], &member->inputs[p]);
    member->cut = *cut;
    return status;
}

/* The kernel grows by the node's outputs, and moves. */
static OrtStatus *append(const struct host *host, const OrtNode *node, const struct values *values,
                         struct kernel **kernel)
{
    struct node read;
    OrtStatus *status = node_read(host, node, &read);
    if (status)
        return status;
    const size_t count = (*kernel)->count + read.count;
    struct kernel *grown = realloc(*kernel, sizeof *grown + count * sizeof *grown->members);
    if (grown) {
        *kernel = grown;
        grown->is_fixed = grown->is_fixed && node_is_fixed(&read);
        grown->data = read.data;
        grown->element_bytes = read.element_bytes;
        status = find_input(host, values, read.data_name, &grown->input);
    } else
        status = host_error(host, ORT_FAIL, "out of memory for %zu outputs", count);
    for (size_t i = 0; !status && i < read.count; ++i)
        status = set_member(host, values, &read.cuts[i], &grown->members[grown->count++]);
    node_release(&read);
    return status;
}

static OrtStatus *append_all(const struct host *host, const OrtGraph *graph,
                             const struct values *values, struct kernel **kernel)
{
    size_t count = 0;
    OrtStatus *status = host->api->Graph_GetNumNodes(graph, &count);
    if (status)
        return status;
    const OrtNode **nodes = calloc(count + 1, sizeof(const OrtNode *));
    if (!nodes)
        return host_error(host, ORT_FAIL, "out of memory for %zu nodes", count);
    status = host->api->Graph_GetNodes(graph, nodes, count);
    for (size_t i = 0; !status && i < count; ++i)
        status = append(host, nodes[i], values, kernel);
    free(nodes);
    return status;
}

static OrtStatus *read_all(const struct host *host, const OrtGraph *graph, const OrtNode *fused,
                           struct kernel **kernel)
{
    struct values values;
    OrtStatus *status = read_values(host, fused, &values);
    if (!status)
        status = append_all(host, graph, &values, kernel);
    release_values(&values);
    return status;
}

OrtStatus *kernel_read(struct provider *provider, const OrtGraph *graph, const OrtNode *fused,
                       struct kernel **made)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return host_error(provider->host, ORT_FAIL, "out of memory for a node");
    kernel->provider = provider;
    kernel->is_fixed = true;
    OrtStatus *status = read_all(provider->host, graph, fused, &kernel);
    if (status)
        free(kernel);
    else
        *made = kernel;
    return status;
}
