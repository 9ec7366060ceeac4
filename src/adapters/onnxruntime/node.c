/* SPDX-License-Identifier: MIT */
#include "node.h"

#include <stdlib.h>
#include <string.h>

/* The data and its parameters. */
enum { MAX_INPUTS = 1 + PARAMETERS };

/* ---- Which operator ---- */

static OrtStatus *read_type(const struct host *host, const OrtNode *node, bool *is_split)
{
    const char *type = "";
    OrtStatus *status = host->api->Node_GetOperatorType(node, &type);
    *is_split = !status && strcmp(type, "Split") == 0;
    return status;
}

static bool is_known(const char *type, int version)
{
    if (strcmp(type, "Slice") == 0)
        return version == 1 || version == 10 || version == 11 || version == 13;
    return strcmp(type, "Split") == 0 &&
           (version == 2 || version == 11 || version == 13 || version == 18);
}

OrtStatus *node_is_free(const struct host *host, const OrtNode *node, bool *is_free)
{
    const char *type = "", *domain = "", *provider = NULL;
    int version = 0;
    OrtStatus *status = host->api->Node_GetOperatorType(node, &type);
    if (!status)
        status = host->api->Node_GetDomain(node, &domain);
    if (!status)
        status = host->api->Node_GetSinceVersion(node, &version);
    if (!status)
        status = host->api->Node_GetEpName(node, &provider);
    *is_free =
        !status && *domain == '\0' && is_known(type, version) && (!provider || *provider == '\0');
    return status;
}

/* ---- A Slice's parameters ---- */

/* The host's memory need not be aligned. */
static void widen(struct parameter *parameter, const char *data, bool is_narrow)
{
    if (!is_narrow && parameter->count > 0) /* else `data` may be NULL */
        memcpy(parameter->values, data, parameter->count * sizeof(int64_t));
    for (size_t i = 0; is_narrow && i < parameter->count; ++i) {
        int32_t value;
        memcpy(&value, data + i * sizeof value, sizeof value);
        parameter->values[i] = value;
    }
}

OrtStatus *parameter_read(const struct host *host, size_t p, const OrtValue *value,
                          struct parameter *parameter)
{
    const char *name = parameter_names[p];
    struct tensor list;
    OrtStatus *status = tensor_read(host, value, &list);
    if (status)
        return status;
    if (list.rank != 1)
        return host_error(host, ORT_INVALID_ARGUMENT, "Slice: '%s' has %zu dimensions; give a list",
                          name, list.rank);
    parameter->count = (size_t)list.sizes[0];
    if (parameter->count > MAX_RANK)
        return host_error(host, ORT_INVALID_ARGUMENT, "Slice: '%s' has %zu values, the limit is %d",
                          name, parameter->count, MAX_RANK);
    if (list.type != ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 &&
        list.type != ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32)
        return host_error(host, ORT_INVALID_ARGUMENT, "Slice: '%s' is neither int32 nor int64",
                          name);
    widen(parameter, list.data, list.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32);
    parameter->is_given = true;
    return NULL;
}

/* Version 1 has no steps. */
static OrtStatus *read_attributes(const struct host *host, const OrtNode *node, struct cut *cut)
{
    OrtStatus *status = NULL;
    for (size_t p = STARTS; !status && p < STEPS; ++p) {
        struct parameter *parameter = &cut->parameters[p];
        const OrtOpAttr *attribute = NULL;
        size_t bytes = 0;
        status = host->api->Node_GetAttributeByName(node, parameter_names[p], &attribute);
        if (status || !attribute)
            continue;
        status = host->api->ReadOpAttr(attribute, ORT_OP_ATTR_INTS, parameter->values,
                                       sizeof parameter->values, &bytes);
        parameter->count = bytes / sizeof *parameter->values;
        parameter->is_given = parameter->is_attribute = true;
    }
    return status;
}

static OrtStatus *read_input(const struct host *host, const OrtValueInfo *input, size_t p,
                             struct cut *cut)
{
    const OrtValue *value = NULL;
    bool is_constant = false;
    OrtStatus *status = host->api->ValueInfo_IsConstantInitializer(input, &is_constant);
    if (!status && is_constant)
        status = host->api->ValueInfo_GetInitializerValue(input, &value);
    if (status)
        return status;
    return value ? parameter_read(host, p, value, &cut->parameters[p])
                 : host->api->GetValueInfoName(input, &cut->names[p]);
}

static OrtStatus *read_slice(const struct host *host, const OrtNode *node,
                             const OrtValueInfo *const inputs[MAX_INPUTS], size_t count,
                             struct cut *cut)
{
    OrtStatus *status = NULL;
    /* Version 1 has the data as its only input. */
    if (count == 1)
        status = read_attributes(host, node, cut);
    for (size_t p = STARTS; !status && p < PARAMETERS; ++p)
        if (inputs[1 + p])
            status = read_input(host, inputs[1 + p], p, cut);
    return status;
}

/* ---- A node ---- */

static OrtStatus *read_split(const struct host *host, const OrtNode *node, struct node *to)
{
    struct part *parts = calloc(to->count, sizeof *parts);
    if (!parts)
        return host_error(host, ORT_FAIL, "out of memory for %zu parts", to->count);
    OrtStatus *status = split_read(host, node, parts, to->count);
    for (size_t i = 0; i < to->count; ++i)
        to->cuts[i].part = parts[i];
    free(parts);
    return status;
}

static OrtStatus *read_inputs(const struct host *host, const OrtNode *node, bool is_split,
                              struct node *to)
{
    const OrtValueInfo *inputs[MAX_INPUTS] = {NULL};
    size_t count = 0;
    OrtStatus *status = host->api->Node_GetNumInputs(node, &count);
    if (!status && (count < 1 || count > MAX_INPUTS))
        status = host_error(host, ORT_INVALID_GRAPH, "a node has %zu inputs, not 1 to %d", count,
                            MAX_INPUTS);
    if (!status)
        status = host->api->Node_GetInputs(node, inputs, count);
    if (!status && !inputs[0])
        status = host_error(host, ORT_INVALID_GRAPH, "a node has no data");
    if (!status)
        status = host->api->GetValueInfoName(inputs[0], &to->data_name);
    if (!status)
        status = tensor_read_declared(host, inputs[0], &to->data);
    if (status)
        return status;
    return is_split ? read_split(host, node, to)
                    : read_slice(host, node, inputs, count, &to->cuts[0]);
}

/* Of the outputs' sizes, the largest bounds them all. */
static OrtStatus *read_outputs(const struct host *host, const OrtValueInfo *const *outputs,
                               struct node *to)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < to->count; ++i) {
        struct tensor result;
        if (!outputs[i])
            continue;
        status = host->api->GetValueInfoName(outputs[i], &to->cuts[i].output);
        if (!status)
            status = tensor_read_declared(host, outputs[i], &result);
        if (!status && tensor_bytes(&result) > to->most_bytes)
            to->most_bytes = tensor_bytes(&result);
    }
    return status;
}

static OrtStatus *read_cuts(const struct host *host, const OrtNode *node, struct node *to)
{
    bool is_split = false;
    OrtStatus *status = read_type(host, node, &is_split);
    if (!status)
        status = host->api->Node_GetNumOutputs(node, &to->count);
    if (!status && (to->count < 1 || (!is_split && to->count > 1)))
        status = host_error(host, ORT_INVALID_GRAPH, "a node has %zu outputs", to->count);
    if (status)
        return status;
    const OrtValueInfo **outputs = calloc(to->count, sizeof(const OrtValueInfo *));
    to->cuts = calloc(to->count, sizeof *to->cuts);
    if (!outputs || !to->cuts)
        status = host_error(host, ORT_FAIL, "out of memory for %zu outputs", to->count);
    if (!status)
        status = host->api->Node_GetOutputs(node, outputs, to->count);
    if (!status)
        status = read_outputs(host, outputs, to);
    free(outputs);
    return status ? status : read_inputs(host, node, is_split, to);
}

OrtStatus *node_read(const struct host *host, const OrtNode *node, struct node *to)
{
    *to = (struct node){0};
    OrtStatus *status = read_cuts(host, node, to);
    if (status) {
        node_release(to);
        return status;
    }
    to->element_bytes = tensor_element_bytes(&to->data);
    /* Either may be the only one that is known. */
    if (tensor_bytes(&to->data) < to->most_bytes)
        to->most_bytes = tensor_bytes(&to->data);
    return NULL;
}

void node_release(struct node *node)
{
    free(node->cuts);
    node->cuts = NULL;
}

bool node_is_constant(const struct node *node)
{
    for (size_t i = 0; i < node->count; ++i)
        for (size_t p = STARTS; p < PARAMETERS; ++p)
            if (node->cuts[i].names[p])
                return false;
    return true;
}

bool node_is_fixed(const struct node *node)
{
    const struct tensor *data = &node->data;
    for (size_t d = 0; d < data->rank; ++d)
        if (data->sizes[d] < 0)
            return false;
    return node_is_constant(node) && data->rank > 0 &&
           window_elements_of(data->sizes, data->rank) <= INT64_MAX;
}

OrtStatus *cut_window(const struct host *host, const struct cut *cut,
                      const struct parameter parameters[PARAMETERS], const struct tensor *data,
                      struct window *window)
{
    return cut->part.of > 0 ? split_window(host, &cut->part, data->rank, data->sizes, window)
                            : window_from(host, data->rank, data->sizes, parameters, window);
}
