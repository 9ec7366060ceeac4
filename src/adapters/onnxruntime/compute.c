/* SPDX-License-Identifier: MIT */
#include "compute.h"

#include "host_copy.h"
#include "node.h"
#include "slice1.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_AN_INPUT = -1 };

struct kernel {
    OrtNodeComputeInfo base;         /* first: the host knows only this */
    const struct provider *provider; /* borrowed: the host keeps it longer */
    struct slice_node node;          /* names are not valid */
    /* Of the node's names, among the inputs of the node that runs, which lacks those that are not
     * given. NOT_AN_INPUT: no name. */
    int places[MAX_INPUTS];
};

/* ---- Made once ---- */

/* Inputs are told apart by name: absent ones are dropped, and one value may serve as several. */
static OrtStatus *find_input(const struct host *host, const OrtNode *fused, const char *name,
                             int *place)
{
    const OrtValueInfo *inputs[MAX_INPUTS];
    size_t count = 0;
    OrtStatus *status = host->api->Node_GetNumInputs(fused, &count);
    if (count > MAX_INPUTS)
        count = MAX_INPUTS;
    if (!status)
        status = host->api->Node_GetInputs(fused, inputs, count);
    for (size_t i = 0; !status && i < count; ++i) {
        const char *candidate = NULL;
        status = host->api->GetValueInfoName(inputs[i], &candidate);
        *place = (int)i;
        if (!status && strcmp(candidate, name) == 0)
            return NULL;
    }
    return status ? status
                  : host_error(host, ORT_INVALID_GRAPH, "Slice: '%s' is not an input of its node",
                               name);
}

static OrtStatus *place_inputs(const struct host *host, const OrtNode *fused, struct kernel *kernel)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < MAX_INPUTS; ++i) {
        kernel->places[i] = NOT_AN_INPUT;
        if (kernel->node.names[i])
            status = find_input(host, fused, kernel->node.names[i], &kernel->places[i]);
    }
    return status;
}

static bool is_for_device(const struct kernel *kernel, const struct window *window)
{
    return provider_wants(kernel->provider, window, kernel->node.element_bytes) &&
           slice1_can(window);
}

static OrtStatus *warm(const struct kernel *kernel)
{
    const struct provider *provider = kernel->provider;
    const struct slice_node *node = &kernel->node;
    clslice_error error = {.size = sizeof error};
    struct window window;
    if (!node_is_fixed(node))
        return NULL;
    OrtStatus *status =
        window_from(provider->host, node->data.rank, node->data.sizes, node->parameters, &window);
    if (!status && is_for_device(kernel, &window) &&
        slice1_warm(provider->device, &window, node->element_bytes, &error) != CLSLICE_S_OK)
        status = host_error(provider->host, ORT_EP_FAIL, "Slice: %s", error.text);
    return status;
}

/* ---- Each run, on any number of threads ---- */

static OrtStatus *read_data(const struct kernel *kernel, const OrtKernelContext *context,
                            struct tensor *data)
{
    const struct host *host = kernel->provider->host;
    const OrtValue *value = NULL;
    OrtStatus *status =
        host->api->KernelContext_GetInput(context, (size_t)kernel->places[0], &value);
    if (!status)
        status = tensor_read(host, value, data);
    if (!status && data->rank != kernel->node.data.rank)
        status = host_error(host, ORT_INVALID_ARGUMENT,
                            "Slice: the data has %zu dimensions, and the model says %zu",
                            data->rank, kernel->node.data.rank);
    return status;
}

static OrtStatus *read_window(const struct kernel *kernel, const OrtKernelContext *context,
                              const struct tensor *data, struct window *window)
{
    const struct host *host = kernel->provider->host;
    struct parameter parameters[PARAMETERS];
    OrtStatus *status = NULL;
    memcpy(parameters, kernel->node.parameters, sizeof parameters);
    for (size_t p = STARTS; !status && p < PARAMETERS; ++p) {
        const int place = kernel->places[1 + p];
        const OrtValue *value = NULL;
        if (place == NOT_AN_INPUT)
            continue;
        status = host->api->KernelContext_GetInput(context, (size_t)place, &value);
        if (!status)
            status = parameter_read(host, p, value, &parameters[p]);
    }
    return status ? status : window_from(host, data->rank, data->sizes, parameters, window);
}

static OrtStatus *move(const struct kernel *kernel, const struct window *window, const void *from,
                       void *to)
{
    const struct provider *provider = kernel->provider;
    const uint32_t element_bytes = kernel->node.element_bytes;
    clslice_error error = {.size = sizeof error};
    if (window_elements_of(window->count, window->rank) == 0)
        return NULL;
    if (!is_for_device(kernel, window))
        host_copy(window, element_bytes, from, to);
    else if (slice1_run(provider->device, window, element_bytes, from, to, &error) != CLSLICE_S_OK)
        return host_error(provider->host, ORT_EP_FAIL, "Slice: %s", error.text);
    return NULL;
}

static OrtStatus *ORT_API_CALL compute(OrtNodeComputeInfo *base, void *state,
                                       OrtKernelContext *context) NO_EXCEPTION
{
    const struct kernel *kernel = (const struct kernel *)base;
    const OrtApi *api = kernel->provider->host->api;
    struct tensor data;
    struct window window;
    OrtValue *output = NULL;
    void *to = NULL;
    (void)state;
    OrtStatus *status = read_data(kernel, context, &data);
    if (!status)
        status = read_window(kernel, context, &data, &window);
    if (!status)
        status = api->KernelContext_GetOutput(context, 0, window.count, window.rank, &output);
    if (!status)
        status = api->GetTensorMutableData(output, &to);
    return status ? status : move(kernel, &window, data.data, to);
}

/* The node itself is all the state there is. */
static OrtStatus *ORT_API_CALL create_state(OrtNodeComputeInfo *base,
                                            OrtNodeComputeContext *context,
                                            void **state) NO_EXCEPTION
{
    (void)context;
    *state = base;
    return NULL;
}

static void ORT_API_CALL release_state(OrtNodeComputeInfo *base, void *state) NO_EXCEPTION
{
    (void)base;
    (void)state;
}

/* ---- Life ---- */

OrtStatus *compute_create(const struct provider *provider, const OrtGraph *graph,
                          const OrtNode *fused, OrtNodeComputeInfo **made)
{
    const OrtNode *node = NULL;
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return host_error(provider->host, ORT_FAIL, "out of memory for a node");
    kernel->base = (OrtNodeComputeInfo){.ort_version_supported = HOST_API_VERSION,
                                        .CreateState = create_state,
                                        .Compute = compute,
                                        .ReleaseState = release_state};
    kernel->provider = provider;
    /* Fails where there are more. */
    OrtStatus *status = provider->host->api->Graph_GetNodes(graph, &node, 1);
    if (!status)
        status = node_read(provider->host, node, &kernel->node);
    if (!status)
        status = place_inputs(provider->host, fused, kernel);
    if (!status)
        status = warm(kernel);
    if (status)
        free(kernel);
    else
        *made = &kernel->base;
    return status;
}
