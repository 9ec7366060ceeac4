/* SPDX-License-Identifier: MIT */
#include "core/slice.h"

#include "base/checked.h"

#include <inttypes.h>

/* What the operators of the family have alike, and what their fields are called. */
struct family {
    const char *name; /* of the structure */
    const char *offsets_name, *sizes_name, *strides_name;
    const DML_TENSOR_DESC *tensors[2];
    uint32_t rank;
    const uint32_t *offsets, *sizes;
    const int32_t *signed_strides;    /* of SLICE1 */
    const uint32_t *unsigned_strides; /* of SLICE */
    bool counts_output;               /* sizes count output elements, as SLICE's do */
};

static struct family family_of(const DML_OPERATOR_DESC *desc)
{
    const DML_SLICE_OPERATOR_DESC *slice = desc->Desc;
    const DML_SLICE1_OPERATOR_DESC *slice1 = desc->Desc;
    if (desc->Type == DML_OPERATOR_SLICE)
        return (struct family){.name = "DML_SLICE_OPERATOR_DESC",
                               .offsets_name = "Offsets",
                               .sizes_name = "Sizes",
                               .strides_name = "Strides",
                               .tensors = {slice->InputTensor, slice->OutputTensor},
                               .rank = slice->DimensionCount,
                               .offsets = slice->Offsets,
                               .sizes = slice->Sizes,
                               .unsigned_strides = slice->Strides,
                               .counts_output = true};
    return (struct family){.name = "DML_SLICE1_OPERATOR_DESC",
                           .offsets_name = "InputWindowOffsets",
                           .sizes_name = "InputWindowSizes",
                           .strides_name = "InputWindowStrides",
                           .tensors = {slice1->InputTensor, slice1->OutputTensor},
                           .rank = slice1->DimensionCount,
                           .offsets = slice1->InputWindowOffsets,
                           .sizes = slice1->InputWindowSizes,
                           .signed_strides = slice1->InputWindowStrides};
}

static int64_t stride_of(const struct family *family, uint32_t i)
{
    return family->counts_output ? (int64_t)family->unsigned_strides[i] : family->signed_strides[i];
}

static int32_t read_tensors(const struct family *family, struct slice *slice, clslice_error *error)
{
    struct tensor *to[] = {&slice->input, &slice->output};
    const uint32_t roles[] = {CLSLICE_TENSOR_INPUT, CLSLICE_TENSOR_OUTPUT};
    const uint32_t null_rules[] = {CLSLICE_RULE_NULL_INPUT_TENSOR, CLSLICE_RULE_NULL_OUTPUT_TENSOR};
    for (int i = 0; i < 2; ++i) {
        if (!family->tensors[i])
            return status_fail(error, CLSLICE_E_INVALIDARG,
                               WHERE(.rule = null_rules[i], .tensor = roles[i]),
                               "%s is NULL: pass a DML_TENSOR_DESC", tensor_role_name(roles[i]));
        int32_t status = tensor_from(family->tensors[i], roles[i], to[i], error);
        if (status != CLSLICE_S_OK)
            return status;
    }
    return CLSLICE_S_OK;
}

/* The operator's own fields, and that both tensors are of one kind. */
static int32_t check_operator(const struct family *family, const struct slice *slice,
                              clslice_error *error)
{
    const struct tensor *in = &slice->input, *out = &slice->output;
    uint32_t count = family->rank;
    if (count < 1 || count > TENSOR_RANK_MAX)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_DIMENSION_COUNT_RANGE, .value = {count}),
                           "%s.DimensionCount = %" PRIu32 " is outside 1 to %d", family->name,
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
    bool has_strides = family->signed_strides || family->unsigned_strides;
    const char *missing = !family->offsets ? family->offsets_name
                          : !family->sizes ? family->sizes_name
                          : !has_strides   ? family->strides_name
                                           : NULL;
    if (missing)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_NULL_WINDOW_ARRAY),
                           "%s is NULL: pass %" PRIu32 " numbers", missing, count);
    return CLSLICE_S_OK;
}

/* What no window of either operator may be. */
static int32_t check_numbers(const struct family *family, uint32_t i, clslice_error *error)
{
    if (stride_of(family, i) == 0)
        return status_fail(
            error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_STRIDE_ZERO, DIMENSION(i)),
            "%s[%" PRIu32 "] = 0: use 1 to take every element%s", family->strides_name, i,
            family->counts_output ? "" : ", a negative stride to go backwards");
    if (family->sizes[i] == 0)
        return status_fail(
            error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_WINDOW_EMPTY, DIMENSION(i)),
            "%s[%" PRIu32 "] = 0: a window has at least 1 element; an empty slice needs no "
            "operator",
            family->sizes_name, i);
    return CLSLICE_S_OK;
}

/* Of SLICE1. */
static int32_t check_window(const struct family *family, const struct slice *slice, uint32_t i,
                            clslice_error *error)
{
    uint64_t offset = family->offsets[i], window = family->sizes[i];
    int64_t stride = stride_of(family, i);
    uint64_t in_size = slice->input.size[i], out_size = slice->output.size[i];
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
                  DIMENSION(i), .value = {out_size, window, (uint64_t)stride}),
            "OutputTensor.Sizes[%" PRIu32 "] = %" PRIu64 " exceeds MaxCopiedElements[%" PRIu32
            "] = %" PRIu64 " = 1 + (InputWindowSizes[%" PRIu32
            "] - 1) / |InputWindowStrides[%" PRIu32 "]| of window %" PRIu64 " and stride %" PRId64
            "%s",
            i, out_size, i, most, i, i, window, stride,
            window == out_size ? ": SLICE1 counts a window in input elements; SLICE counts it in "
                                 "output elements"
                               : "");
    return CLSLICE_S_OK;
}

/* Input elements from a SLICE's first to its last, both included: less than 2^64. */
static uint64_t reach_of(const struct family *family, uint32_t i)
{
    return (uint64_t)(family->sizes[i] - 1) * family->unsigned_strides[i] + 1;
}

/* Of SLICE. */
static int32_t check_sizes(const struct family *family, const struct slice *slice, uint32_t i,
                           clslice_error *error)
{
    uint64_t offset = family->offsets[i], size = family->sizes[i], reach = reach_of(family, i);
    uint64_t in_size = slice->input.size[i], out_size = slice->output.size[i];
    if (size != out_size)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_OUTPUT_SIZE_MISMATCH,
                                 .tensor = CLSLICE_TENSOR_OUTPUT, DIMENSION(i),
                                 .value = {size, out_size}),
                           "Sizes[%" PRIu32 "] = %" PRIu64 " and OutputTensor.Sizes[%" PRIu32
                           "] = %" PRIu64 " must be equal: SLICE counts output elements",
                           i, size, i, out_size);
    if (offset >= in_size || reach > in_size - offset)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_WINDOW_BOUNDS, .tensor = CLSLICE_TENSOR_INPUT,
                                 DIMENSION(i), .value = {offset, reach, in_size}),
                           "Offsets[%" PRIu32 "] + (Sizes[%" PRIu32 "] - 1) * Strides[%" PRIu32
                           "] = %" PRIu64 " + %" PRIu64 " is not below InputTensor.Sizes[%" PRIu32
                           "] = %" PRIu64,
                           i, i, i, offset, reach - 1, i, in_size);
    return CLSLICE_S_OK;
}

static int32_t check_dimension(const struct family *family, const struct slice *slice, uint32_t i,
                               clslice_error *error)
{
    int32_t status = check_numbers(family, i, error);
    if (status != CLSLICE_S_OK)
        return status;
    return family->counts_output ? check_sizes(family, slice, i, error)
                                 : check_window(family, slice, i, error);
}

static void fill_dimension(const struct family *family, struct slice *slice, uint32_t i)
{
    uint64_t offset = family->offsets[i];
    uint64_t window = family->counts_output ? reach_of(family, i) : family->sizes[i];
    int64_t stride = stride_of(family, i);
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
    if (type != DML_OPERATOR_SLICE1 && type != DML_OPERATOR_SLICE)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_OPERATOR_TYPE, .value = {type}),
                           "DML_OPERATOR_DESC.Type = %" PRIu32
                           " is unsupported: clslice runs DML_OPERATOR_SLICE1 (111) and "
                           "DML_OPERATOR_SLICE (60)",
                           type);
    const struct family family = family_of(operator_desc);
    int32_t status = read_tensors(&family, slice, error);
    if (status == CLSLICE_S_OK)
        status = check_operator(&family, slice, error);
    for (uint32_t i = 0; status == CLSLICE_S_OK && i < family.rank; ++i) {
        status = check_dimension(&family, slice, i, error);
        if (status == CLSLICE_S_OK)
            fill_dimension(&family, slice, i);
    }
    slice->rank = family.rank;
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
