/* SPDX-License-Identifier: MIT */
#include "core/tensor.h"

#include "base/checked.h"
#include "core/overlap.h"

#include <inttypes.h>

static const struct {
    const char *name;
    uint32_t element_size; /* 0: not for SLICE1 */
} data_types[] = {
    [DML_TENSOR_DATA_TYPE_UNKNOWN] = {"UNKNOWN", 0},
    [DML_TENSOR_DATA_TYPE_FLOAT32] = {"FLOAT32", 4},
    [DML_TENSOR_DATA_TYPE_FLOAT16] = {"FLOAT16", 2},
    [DML_TENSOR_DATA_TYPE_UINT32] = {"UINT32", 4},
    [DML_TENSOR_DATA_TYPE_UINT16] = {"UINT16", 2},
    [DML_TENSOR_DATA_TYPE_UINT8] = {"UINT8", 1},
    [DML_TENSOR_DATA_TYPE_INT32] = {"INT32", 4},
    [DML_TENSOR_DATA_TYPE_INT16] = {"INT16", 2},
    [DML_TENSOR_DATA_TYPE_INT8] = {"INT8", 1},
    [DML_TENSOR_DATA_TYPE_FLOAT64] = {"FLOAT64", 8},
    [DML_TENSOR_DATA_TYPE_UINT64] = {"UINT64", 8},
    [DML_TENSOR_DATA_TYPE_INT64] = {"INT64", 8},
    [DML_TENSOR_DATA_TYPE_UINT4] = {"UINT4", 0},
    [DML_TENSOR_DATA_TYPE_INT4] = {"INT4", 0},
};

enum { DATA_TYPE_COUNT = sizeof data_types / sizeof data_types[0] };

const char *tensor_data_type_name(uint32_t data_type)
{
    return data_type < DATA_TYPE_COUNT ? data_types[data_type].name : "unknown";
}

uint32_t tensor_element_size(uint32_t data_type)
{
    return data_type < DATA_TYPE_COUNT ? data_types[data_type].element_size : 0;
}

static int32_t check_type_and_flags(const DML_BUFFER_TENSOR_DESC *desc, uint32_t role,
                                    struct tensor *tensor, clslice_error *error)
{
    const char *name = tensor->name;
    uint32_t data_type = (uint32_t)desc->DataType;
    uint32_t flags = (uint32_t)desc->Flags;
    tensor->data_type = data_type;
    tensor->element_size = tensor_element_size(data_type);
    if (tensor->element_size == 0)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_DATA_TYPE_UNSUPPORTED, .tensor = role, .value = {data_type}),
            "%s.DataType = %" PRIu32 " (%s) is unsupported: SLICE1 takes FLOAT32, "
            "FLOAT16, FLOAT64, INT8 to INT64 and UINT8 to UINT64",
            name, data_type, tensor_data_type_name(data_type));
    if (flags & ~(uint32_t)DML_TENSOR_FLAG_OWNED_BY_DML)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_FLAGS_UNKNOWN, .tensor = role, .value = {flags}),
            "%s.Flags = 0x%" PRIx32 " has unknown bits: use DML_TENSOR_FLAG_NONE", name, flags);
    if (flags)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_OWNED_BY_DML, .tensor = role, .value = {flags}),
            "%s.Flags = 0x1 (OWNED_BY_DML): clslice binds every tensor at dispatch; use "
            "DML_TENSOR_FLAG_NONE",
            name);
    return CLSLICE_S_OK;
}

static int32_t read_sizes(const DML_BUFFER_TENSOR_DESC *desc, uint32_t role, struct tensor *tensor,
                          clslice_error *error)
{
    const char *name = tensor->name;
    if (desc->DimensionCount < 1 || desc->DimensionCount > TENSOR_RANK_MAX)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE, .tensor = role,
                                 .value = {desc->DimensionCount}),
                           "%s.DimensionCount = %" PRIu32 " is outside 1 to %d", name,
                           desc->DimensionCount, TENSOR_RANK_MAX);
    if (!desc->Sizes)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_NULL_SIZES, .tensor = role),
                           "%s.Sizes is NULL: pass %" PRIu32 " sizes", name, desc->DimensionCount);
    tensor->rank = desc->DimensionCount;
    for (uint32_t i = 0; i < tensor->rank; ++i) {
        tensor->size[i] = desc->Sizes[i];
        if (desc->Sizes[i] == 0)
            return status_fail(error, CLSLICE_E_INVALIDARG,
                               WHERE(.rule = CLSLICE_RULE_SIZE_ZERO, .tensor = role, DIMENSION(i)),
                               "%s.Sizes[%" PRIu32
                               "] = 0: a tensor has at least 1 element in every dimension",
                               name, i);
    }
    return CLSLICE_S_OK;
}

/* Strides, and the span that they and the sizes make. Returns the dimension at which it exceeds
 * the limit, the innermost first, or the rank where it does not. Each term is below 2^64, and
 * the sum stops at the first that passes 2^32, so nothing can wrap. */
static uint32_t read_strides(const DML_BUFFER_TENSOR_DESC *desc, struct tensor *tensor)
{
    uint64_t packed = 1;
    tensor->span = 1;
    for (uint32_t i = tensor->rank; i-- > 0;) {
        tensor->stride[i] = desc->Strides ? desc->Strides[i] : packed;
        if (!desc->Strides &&
            (!checked_multiply(packed, tensor->size[i], &packed) || packed > TENSOR_ELEMENTS_MAX))
            return i;
        tensor->span += (tensor->size[i] - 1) * tensor->stride[i];
        if (tensor->span > TENSOR_ELEMENTS_MAX)
            return i;
    }
    return tensor->rank;
}

static int32_t check_output_strides(const DML_BUFFER_TENSOR_DESC *desc, const struct tensor *tensor,
                                    clslice_error *error)
{
    uint32_t i = overlap_find(tensor->rank, tensor->size, tensor->stride);
    if (i == OVERLAP_NONE)
        return CLSLICE_S_OK;
    if (i == OVERLAP_UNDECIDED)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP, .tensor = CLSLICE_TENSOR_OUTPUT),
            "%s.Strides are too complex to decide whether two output elements share an address: "
            "make "
            "each stride larger than the span of the dimensions with smaller strides",
            tensor->name);
    return status_fail(error, CLSLICE_E_INVALIDARG,
                       WHERE(.rule = CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP,
                             .tensor = CLSLICE_TENSOR_OUTPUT, DIMENSION(i),
                             .value = {desc->Strides[i], desc->Sizes[i]}),
                       "%s.Strides[%" PRIu32 "] = %" PRIu32 " with %s.Sizes[%" PRIu32 "] = %" PRIu32
                       " makes two output elements share an address: give every element its own",
                       tensor->name, i, desc->Strides[i], tensor->name, i, desc->Sizes[i]);
}

static int32_t check_memory(const DML_BUFFER_TENSOR_DESC *desc, uint32_t role,
                            struct tensor *tensor, clslice_error *error)
{
    const char *name = tensor->name;
    uint64_t least = (tensor->span * tensor->element_size + 3) / 4 * 4;
    tensor->total_bytes = desc->TotalTensorSizeInBytes;
    if (desc->TotalTensorSizeInBytes < least)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL, .tensor = role,
                                 .value = {desc->TotalTensorSizeInBytes, least}),
                           "%s.TotalTensorSizeInBytes = %" PRIu64 " is below the minimum %" PRIu64
                           " = (last element + 1) * %" PRIu32 ", rounded up to a multiple of 4",
                           name, desc->TotalTensorSizeInBytes, least, tensor->element_size);
    if (role == CLSLICE_TENSOR_OUTPUT && desc->Strides) {
        int32_t status = check_output_strides(desc, tensor, error);
        if (status != CLSLICE_S_OK)
            return status;
    }
    uint32_t guaranteed = desc->GuaranteedBaseOffsetAlignment;
    if (guaranteed != 0 && ((guaranteed & (guaranteed - 1)) || guaranteed < tensor->element_size))
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_BASE_OFFSET_ALIGNMENT, .tensor = role,
                  .value = {guaranteed, tensor->element_size}),
            "%s.GuaranteedBaseOffsetAlignment = %" PRIu32
            " must be 0 or a power of two that is at least the element size, %" PRIu32 " bytes",
            name, guaranteed, tensor->element_size);
    tensor->alignment = guaranteed ? guaranteed : tensor->element_size;
    return CLSLICE_S_OK;
}

int32_t tensor_from(const DML_TENSOR_DESC *tensor_desc, uint32_t role, const char *name,
                    struct tensor *tensor, clslice_error *error)
{
    tensor->name = name;
    uint32_t type = (uint32_t)tensor_desc->Type;
    if (type != DML_TENSOR_TYPE_BUFFER)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_TENSOR_TYPE, .tensor = role, .value = {type}),
                           "%s.Type = %" PRIu32 " must be DML_TENSOR_TYPE_BUFFER (1)", name, type);
    const DML_BUFFER_TENSOR_DESC *desc = tensor_desc->Desc;
    if (!desc)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_NULL_BUFFER_TENSOR_DESC, .tensor = role),
                           "%s.Desc is NULL: pass a DML_BUFFER_TENSOR_DESC", name);
    int32_t status = check_type_and_flags(desc, role, tensor, error);
    if (status == CLSLICE_S_OK)
        status = read_sizes(desc, role, tensor, error);
    if (status != CLSLICE_S_OK)
        return status;
    uint32_t i = read_strides(desc, tensor);
    if (i < tensor->rank)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_TENSOR_ELEMENT_LIMIT, .tensor = role, DIMENSION(i),
                  .value = {tensor->size[i], tensor->stride[i]}),
            "%s.Sizes[%" PRIu32 "] = %" PRIu64 " with %s.Strides[%" PRIu32 "] = %" PRIu64
            "%s makes the tensor span more than 2^32 - 1 elements: split it",
            name, i, tensor->size[i], name, i, tensor->stride[i], desc->Strides ? "" : " (packed)");
    return check_memory(desc, role, tensor, error);
}
