/* SPDX-License-Identifier: MIT */
#include "node.h"

#include <string.h>

OrtStatus *node_is_slice(const struct host *host, const OrtNode *node, bool *is_slice)
{
    const char *type = "", *domain = "";
    int version = 0;
    OrtStatus *status = host->api->Node_GetOperatorType(node, &type);
    if (!status)
        status = host->api->Node_GetDomain(node, &domain);
    if (!status)
        status = host->api->Node_GetSinceVersion(node, &version);
    *is_slice = !status && strcmp(type, "Slice") == 0 && *domain == '\0' &&
                (version == 1 || version == 10 || version == 11 || version == 13);
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

struct tensor_type {
    ONNXTensorElementDataType element;
    size_t rank; /* 0: unknown, a scalar, no tensor at all, or more than MAX_RANK */
    int64_t sizes[MAX_RANK];
};

static OrtStatus *read_type(const struct host *host, const OrtValueInfo *value,
                            struct tensor_type *type)
{
    const OrtTypeInfo *info = NULL;
    const OrtTensorTypeAndShapeInfo *tensor = NULL;
    OrtStatus *status = host->api->GetValueInfoTypeInfo(value, &info);
    memset(type, 0, sizeof *type);
    if (!status && info)
        status = host->api->CastTypeInfoToTensorInfo(info, &tensor);
    if (status || !tensor)
        return status;
    status = host->api->GetTensorElementType(tensor, &type->element);
    if (!status)
        status = host->api->GetDimensionsCount(tensor, &type->rank);
    if (type->rank > MAX_RANK)
        type->rank = 0;
    if (!status)
        status = host->api->GetDimensions(tensor, type->sizes, type->rank);
    return status;
}

/* UINT64_MAX: unknown. */
static uint64_t bytes_of(const struct tensor_type *type)
{
    uint64_t bytes = element_bytes(type->element);
    for (size_t d = 0; d < type->rank; ++d)
        if (type->sizes[d] < 0 || __builtin_mul_overflow(bytes, (uint64_t)type->sizes[d], &bytes))
            return UINT64_MAX;
    return type->rank ? bytes : UINT64_MAX;
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

OrtStatus *parameter_read(const struct host *host, const char *name, const OrtValue *value,
                          struct parameter *parameter)
{
    OrtTensorTypeAndShapeInfo *info = NULL;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    const void *data = NULL;
    size_t rank = 0;
    OrtStatus *status = host->api->GetTensorTypeAndShape(value, &info);
    if (!status)
        status = host->api->GetTensorElementType(info, &type);
    if (!status)
        status = host->api->GetDimensionsCount(info, &rank);
    if (!status)
        status = host->api->GetTensorShapeElementCount(info, &parameter->count);
    if (!status)
        status = host->api->GetTensorData(value, &data);
    host->api->ReleaseTensorTypeAndShapeInfo(info);
    if (status)
        return status;
    if (rank != 1)
        return host_error(host, ORT_INVALID_ARGUMENT, "Slice: '%s' has %zu dimensions; give a list",
                          name, rank);
    if (parameter->count > MAX_RANK)
        return host_error(host, ORT_INVALID_ARGUMENT, "Slice: '%s' has %zu values, the limit is %d",
                          name, parameter->count, MAX_RANK);
    if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 && type != ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32)
        return host_error(host, ORT_INVALID_ARGUMENT, "Slice: '%s' is neither int32 nor int64",
                          name);
    widen(parameter, data, type == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32);
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
    return value ? parameter_read(host, parameter_names[p], value, &slice->parameters[p])
                 : host->api->GetValueInfoName(input, &slice->run_time[p]);
}

static OrtStatus *read_inputs(const struct host *host, const OrtNode *node,
                              struct slice_node *slice)
{
    const OrtValueInfo *inputs[MAX_INPUTS] = {NULL};
    struct tensor_type type;
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
        status = host->api->GetValueInfoName(inputs[0], &slice->data);
    if (!status)
        status = read_type(host, inputs[0], &type);
    if (status)
        return status;
    slice->element_bytes = element_bytes(type.element);
    slice->rank = type.rank;
    memcpy(slice->sizes, type.sizes, sizeof slice->sizes);
    slice->most_bytes = bytes_of(&type);
    /* Version 1 has the data as its only input. */
    if (count == 1)
        return read_attributes(host, node, slice);
    for (size_t p = STARTS; !status && p < PARAMETERS; ++p)
        if (inputs[1 + p])
            status = read_input(host, inputs[1 + p], p, slice);
    return status;
}

static OrtStatus *read_output(const struct host *host, const OrtNode *node,
                              struct slice_node *slice)
{
    const OrtValueInfo *output = NULL;
    struct tensor_type type;
    OrtStatus *status = host->api->Node_GetOutputs(node, &output, 1);
    if (!status && !output)
        status = host_error(host, ORT_INVALID_GRAPH, "Slice has no output");
    if (!status)
        status = read_type(host, output, &type);
    /* Either may be the only one that is known. */
    if (!status && bytes_of(&type) < slice->most_bytes)
        slice->most_bytes = bytes_of(&type);
    return status;
}

bool node_is_fixed(const struct slice_node *slice)
{
    for (size_t d = 0; d < slice->rank; ++d)
        if (slice->sizes[d] < 0)
            return false;
    for (size_t p = STARTS; p < PARAMETERS; ++p)
        if (slice->run_time[p])
            return false;
    return slice->rank > 0 && window_elements_of(slice->sizes, slice->rank) <= INT64_MAX;
}

OrtStatus *node_read(const struct host *host, const OrtNode *node, struct slice_node *slice)
{
    memset(slice, 0, sizeof *slice);
    OrtStatus *status = read_inputs(host, node, slice);
    if (!status)
        status = read_output(host, node, slice);
    return status;
}
