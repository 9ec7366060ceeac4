/* SPDX-License-Identifier: MIT */
#include "tensor.h"

/* Elements are bits: only their width matters. */
static uint32_t bytes_of_type(ONNXTensorElementDataType type)
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

uint32_t tensor_element_bytes(const struct tensor *tensor)
{
    return bytes_of_type(tensor->type);
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

OrtStatus *tensor_read_declared(const struct host *host, const OrtValueInfo *value,
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

uint64_t tensor_bytes(const struct tensor *tensor)
{
    uint64_t bytes = tensor_element_bytes(tensor);
    for (size_t d = 0; d < tensor->rank; ++d)
        if (tensor->sizes[d] < 0 ||
            __builtin_mul_overflow(bytes, (uint64_t)tensor->sizes[d], &bytes))
            return UINT64_MAX;
    return tensor->rank ? bytes : UINT64_MAX;
}
