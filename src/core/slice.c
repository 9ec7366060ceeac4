/* SPDX-License-Identifier: MIT */
#include "core/slice.h"

#include "base/checked.h"

#include <inttypes.h>

static int32_t read_tensors(const DML_SLICE1_OPERATOR_DESC *desc, struct slice *slice,
                            clslice_error *error)
{
    const DML_TENSOR_DESC *tensors[] = {desc->InputTensor, desc->OutputTensor};
    struct tensor *to[] = {&slice->input, &slice->output};
    const uint32_t roles[] = {CLSLICE_TENSOR_INPUT, CLSLICE_TENSOR_OUTPUT};
    const uint32_t null_rules[] = {CLSLICE_RULE_NULL_INPUT_TENSOR, CLSLICE_RULE_NULL_OUTPUT_TENSOR};
    for (int i = 0; i < 2; ++i) {
        if (!tensors[i])
            return status_fail(error, CLSLICE_E_INVALIDARG,
                               WHERE(.rule = null_rules[i], .tensor = roles[i]),
                               "%s is NULL: pass a DML_TENSOR_DESC", tensor_role_name(roles[i]));
        int32_t status = tensor_from(tensors[i], roles[i], to[i], error);
        if (status != CLSLICE_S_OK)
            return status;
    }
    return CLSLICE_S_OK;
}

/* The operator's own fields, and that both tensors are of one kind. */
static int32_t check_operator(const DML_SLICE1_OPERATOR_DESC *desc, const struct slice *slice,
                              clslice_error *error)
{
    const struct tensor *in = &slice->input, *out = &slice->output;
    uint32_t count = desc->DimensionCount;
    if (count < 1 || count > TENSOR_RANK_MAX)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE, .value = {count}),
                           "DML_SLICE1_OPERATOR_DESC.DimensionCount = %" PRIu32
                           " is outside 1 to %d",
                           count, TENSOR_RANK_MAX);
    if (count != in->rank || count != out->rank)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_DIMENSION_COUNT_MATCH,
                                 .value = {count, in->rank, out->rank}),
                           "DimensionCount = %" PRIu32 ", InputTensor.DimensionCount = %" PRIu32
                           " and OutputTensor.DimensionCount = %" PRIu32 " must be equal",
                           count, in->rank, out->rank);
    if (in->data_type != out->data_type)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_DATA_TYPE_MISMATCH,
                                 .value = {in->data_type, out->data_type}),
                           "InputTensor.DataType = %s and OutputTensor.DataType = %s must be equal",
                           tensor_data_type_name(in->data_type),
                           tensor_data_type_name(out->data_type));
    const char *missing = !desc->InputWindowOffsets   ? "InputWindowOffsets"
                          : !desc->InputWindowSizes   ? "InputWindowSizes"
                          : !desc->InputWindowStrides ? "InputWindowStrides"
                                                      : NULL;
    if (missing)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_NULL_WINDOW_ARRAY),
                           "%s is NULL: pass %" PRIu32 " numbers", missing, count);
    return CLSLICE_S_OK;
}

static int32_t check_window(const DML_SLICE1_OPERATOR_DESC *desc, const struct slice *slice,
                            uint32_t i, clslice_error *error)
{
    uint64_t offset = desc->InputWindowOffsets[i], window = desc->InputWindowSizes[i];
    int32_t stride = desc->InputWindowStrides[i];
    uint64_t in_size = slice->input.size[i], out_size = slice->output.size[i];
    if (stride == 0)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_STRIDE_ZERO, DIMENSION(i)),
                           "InputWindowStrides[%" PRIu32 "] = 0: use 1 to take every element, a "
                           "negative stride to go backwards",
                           i);
    if (window == 0)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_WINDOW_EMPTY, DIMENSION(i)),
                           "InputWindowSizes[%" PRIu32 "] = 0: a window has at least 1 element; an "
                           "empty slice needs no operator",
                           i);
    if (offset + window > in_size)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_WINDOW_BOUNDS, .tensor = CLSLICE_TENSOR_INPUT,
                                 DIMENSION(i), .value = {offset, window, in_size}),
                           "InputWindowOffsets[%" PRIu32 "] + InputWindowSizes[%" PRIu32
                           "] = %" PRIu64 " + %" PRIu64 " = %" PRIu64
                           " exceeds InputTensor.Sizes[%" PRIu32 "] = %" PRIu64,
                           i, i, offset, window, offset + window, i, in_size);
    uint64_t most = 1 + (window - 1) / magnitude(stride);
    if (out_size > most)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_OUTPUT_EXCEEDS_MAX, .tensor = CLSLICE_TENSOR_OUTPUT,
                  DIMENSION(i), .value = {out_size, window, (uint64_t)(int64_t)stride}),
            "OutputTensor.Sizes[%" PRIu32 "] = %" PRIu64 " exceeds MaxCopiedElements[%" PRIu32
            "] = %" PRIu64 " = 1 + (InputWindowSizes[%" PRIu32
            "] - 1) / |InputWindowStrides[%" PRIu32 "]| of window %" PRIu64 " and stride %" PRId32
            "%s",
            i, out_size, i, most, i, i, window, stride,
            window == out_size ? ": SLICE1 counts a window in input elements; SLICE counts it in "
                                 "output elements"
                               : "");
    return CLSLICE_S_OK;
}

static void fill_dimension(const DML_SLICE1_OPERATOR_DESC *desc, struct slice *slice, uint32_t i)
{
    uint64_t offset = desc->InputWindowOffsets[i], window = desc->InputWindowSizes[i];
    int64_t stride = desc->InputWindowStrides[i];
    struct slice_dim *dim = &slice->dim[i];
    slice->window[i] = (struct slice_window){offset, window};
    dim->size = slice->output.size[i];
    slice->first += (offset + (stride < 0 ? window - 1 : 0)) * slice->input.stride[i];
    slice->elements *= dim->size;
    if (dim->size > 1) {
        /* Two elements of the window are taken, so their distance lies inside the span. */
        dim->in_stride = stride * (int64_t)slice->input.stride[i];
        dim->out_stride = (int64_t)slice->output.stride[i];
    }
}

int32_t slice_from(const DML_OPERATOR_DESC *operator_desc, struct slice *slice,
                   clslice_error *error)
{
    *slice = (struct slice){.elements = 1};
    if (!operator_desc || !operator_desc->Desc)
        return status_fail(error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_NULL_DESC), "%s",
                           operator_desc
                               ? "DML_OPERATOR_DESC.Desc is NULL: pass a DML_SLICE1_OPERATOR_DESC"
                               : "DML_OPERATOR_DESC is NULL: pass one with a "
                                 "DML_SLICE1_OPERATOR_DESC as its Desc");
    uint32_t type = (uint32_t)operator_desc->Type;
    if (type != DML_OPERATOR_SLICE1)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_OPERATOR_TYPE, .value = {type}),
                           "DML_OPERATOR_DESC.Type = %" PRIu32
                           " is unsupported: clslice runs DML_OPERATOR_SLICE1 (111)",
                           type);
    const DML_SLICE1_OPERATOR_DESC *desc = operator_desc->Desc;
    int32_t status = read_tensors(desc, slice, error);
    if (status == CLSLICE_S_OK)
        status = check_operator(desc, slice, error);
    for (uint32_t i = 0; status == CLSLICE_S_OK && i < desc->DimensionCount; ++i) {
        status = check_window(desc, slice, i, error);
        if (status == CLSLICE_S_OK)
            fill_dimension(desc, slice, i);
    }
    slice->rank = desc->DimensionCount;
    return status;
}

struct slice slice_item(const struct slice *slice)
{
    struct slice item = *slice;
    item.first = 0;
    item.is_item = true;
    return item;
}

bool slice_is_alias(const struct slice *slice, uint64_t *first)
{
    int64_t packed = 1;
    for (uint32_t i = slice->rank; i-- > 0;) {
        const struct slice_dim *dim = &slice->dim[i];
        if (dim->size == 1)
            continue;
        if (dim->out_stride != packed || dim->in_stride != packed)
            return false;
        packed *= (int64_t)dim->size;
    }
    *first = slice->first;
    return true;
}

static void describe_tensor(const struct tensor *tensor, const char *name, struct text *text)
{
    text_append(text, "%s %s, sizes", name, tensor_data_type_name(tensor->data_type));
    for (uint32_t i = 0; i < tensor->rank; ++i)
        text_append(text, " %" PRIu64, tensor->size[i]);
    text_append(text, ", strides");
    for (uint32_t i = 0; i < tensor->rank; ++i)
        text_append(text, " %" PRIu64, tensor->stride[i]);
    text_append(text, ", %" PRIu64 " bytes\n", tensor->span * tensor->element_size);
}

void slice_describe(const struct slice *slice, struct text *text)
{
    describe_tensor(&slice->input, "input: ", text);
    describe_tensor(&slice->output, "output:", text);
    text_append(text, "slice:  from input element %" PRIu64 ", %" PRIu64 " elements, steps",
                slice->first, slice->elements);
    for (uint32_t i = 0; i < slice->rank; ++i)
        text_append(text, " %" PRId64, slice->dim[i].in_stride);
    text_append(text, "\n");
}
