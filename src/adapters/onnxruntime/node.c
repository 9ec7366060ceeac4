/* SPDX-License-Identifier: MIT */
#include "node.h"

#include <string.h>

OrtStatus *node_is_free_slice(const struct host *host, const OrtNode *node, bool *is_free)
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
    *is_free = !status && strcmp(type, "Slice") == 0 && *domain == '\0' &&
               (version == 1 || version == 10 || version == 11 || version == 13) &&
               (!provider || *provider == '\0');
    return status;
}

/* Elements are bits: only their width matters. */
static uint32_t element_bytes(ONNXTensorElementDataType type)
{
    switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ:
        return 1;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
        return 2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
        return 4;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64:
        return 8;
    default:
        return 0;
    }
}

static OrtStatus *read_shape(const struct host *host, const OrtTensorTypeAndShapeInfo *info,
                             struct tensor *tensor)
{
    OrtStatus *status = host->api->GetTensorElementType(info, &tensor->type);
    if (!status)
        status = host->api->GetDimensionsCount(info, &tensor->rank);
    if (!status && tensor->rank <= MAX_RANK)
        status = host->api->GetDimensions(info, tensor->sizes, tensor->rank);
    return status;
}

/* The rank is 0 if it is unknown or above MAX_RANK, or if the value is no tensor. */
static OrtStatus *read_declared(const struct host *host, const OrtValueInfo *value,
                                struct tensor *tensor)
{
    const OrtTypeInfo *info = NULL;
    const OrtTensorTypeAndShapeInfo *shape = NULL;
    *tensor = (struct tensor){0};
    OrtStatus *status = host->api->GetValueInfoTypeInfo(value, &info);
    if (!status && info)
        status = host->api->CastTypeInfoToTensorInfo(info, &shape);
    if (!status && shape)
        status = read_shape(host, shape, tensor);
    if (tensor->rank > MAX_RANK)
        tensor->rank = 0;
    return status;
}

OrtStatus *tensor_read(const struct host *host, const OrtValue *value, struct tensor *tensor)
{
    OrtTensorTypeAndShapeInfo *info = NULL;
    OrtStatus *status = host->api->GetTensorTypeAndShape(value, &info);
    if (!status)
        status = read_shape(host, info, tensor);
    if (!status)
        status = host->api->GetTensorData(value, &tensor->data);
    host->api->ReleaseTensorTypeAndShapeInfo(info);
    return status;
}

/* UINT64_MAX: unknown. */
static uint64_t bytes_of(const struct tensor *tensor)
{
    uint64_t bytes = element_bytes(tensor->type);
    for (size_t d = 0; d < tensor->rank; ++d)
        if (tensor->sizes[d] < 0 ||
            __builtin_mul_overflow(bytes, (uint64_t)tensor->sizes[d], &bytes))
            return UINT64_MAX;
    return tensor->rank ? bytes : UINT64_MAX;
}

/* The host's memory need not be aligned. */
static void widen(struct parameter *parameter, const char *data, bool is_narrow)
{
    if (!is_narrow)
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
static OrtStatus *read_attributes(const struct host *host, const OrtNode *node,
                                  struct slice_node *slice)
{
    OrtStatus *status = NULL;
    for (size_t p = STARTS; !status && p < STEPS; ++p) {
        struct parameter *parameter = &slice->parameters[p];
        const OrtOpAttr *attribute = NULL;
        size_t bytes = 0;
        status = host->api->Node_GetAttributeByName(node, parameter_names[p], &attribute);
        if (status || !attribute)
            continue;
        status = host->api->ReadOpAttr(attribute, ORT_OP_ATTR_INTS, parameter->values,
                                       sizeof parameter->values, &bytes);
        parameter->count = bytes / sizeof *parameter->values;
        parameter->is_given = true;
    }
    return status;
}

static OrtStatus *read_input(const struct host *host, const OrtValueInfo *input, size_t p,
                             struct slice_node *slice)
{
    const OrtValue *value = NULL;
    bool is_constant = false;
    OrtStatus *status = host->api->ValueInfo_IsConstantInitializer(input, &is_constant);
    if (!status && is_constant)
        status = host->api->ValueInfo_GetInitializerValue(input, &value);
    if (status)
        return status;
    return value ? parameter_read(host, p, value, &slice->parameters[p])
                 : host->api->GetValueInfoName(input, &slice->names[1 + p]);
}

static OrtStatus *read_inputs(const struct host *host, const OrtNode *node,
                              struct slice_node *slice)
{
    const OrtValueInfo *inputs[MAX_INPUTS] = {NULL};
    size_t count = 0;
    OrtStatus *status = host->api->Node_GetNumInputs(node, &count);
    if (!status && (count < 1 || count > MAX_INPUTS))
        status = host_error(host, ORT_INVALID_GRAPH, "Slice has %zu inputs, not 1 to %d", count,
                            MAX_INPUTS);
    if (!status)
        status = host->api->Node_GetInputs(node, inputs, count);
    if (!status && !inputs[0])
        status = host_error(host, ORT_INVALID_GRAPH, "Slice has no data");
    if (!status)
        status = host->api->GetValueInfoName(inputs[0], &slice->names[0]);
    if (!status)
        status = read_declared(host, inputs[0], &slice->data);
    /* Version 1 has the data as its only input. */
    if (!status && count == 1)
        status = read_attributes(host, node, slice);
    for (size_t p = STARTS; !status && p < PARAMETERS; ++p)
        if (inputs[1 + p])
            status = read_input(host, inputs[1 + p], p, slice);
    return status;
}

bool node_is_fixed(const struct slice_node *slice)
{
    const struct tensor *data = &slice->data;
    for (size_t d = 0; d < data->rank; ++d)
        if (data->sizes[d] < 0)
            return false;
    for (size_t p = STARTS; p < PARAMETERS; ++p)
        if (slice->names[1 + p])
            return false;
    return data->rank > 0 && window_elements_of(data->sizes, data->rank) <= INT64_MAX;
}

OrtStatus *node_read(const struct host *host, const OrtNode *node, struct slice_node *slice)
{
    const OrtValueInfo *output = NULL;
    struct tensor result;
    *slice = (struct slice_node){0};
    OrtStatus *status = read_inputs(host, node, slice);
    if (!status)
        status = host->api->Node_GetOutputs(node, &output, 1);
    if (!status && !output)
        status = host_error(host, ORT_INVALID_GRAPH, "Slice has no output");
    if (!status)
        status = read_declared(host, output, &result);
    if (status)
        return status;
    slice->element_bytes = element_bytes(slice->data.type);
    /* Either may be the only one that is known. */
    const uint64_t data_bytes = bytes_of(&slice->data), output_bytes = bytes_of(&result);
    slice->most_bytes = data_bytes < output_bytes ? data_bytes : output_bytes;
    return NULL;
}
