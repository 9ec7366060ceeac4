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
    const int32_t *signed_strides;    /* of SLICE1 and SLICE_GRAD */
    const uint32_t *unsigned_strides; /* of SLICE */
    bool counts_output;               /* sizes count output elements, as SLICE's do */
    bool is_gradient;                 /* windows are of the output, not of the input */
    const char *tensor_names[2];
};

static struct family family_of(const DML_OPERATOR_DESC *desc)
{
    const DML_SLICE_OPERATOR_DESC *slice = desc->Desc;
    const DML_SLICE1_OPERATOR_DESC *slice1 = desc->Desc;
    const DML_SLICE_GRAD_OPERATOR_DESC *grad = desc->Desc;
    if (desc->Type == DML_OPERATOR_SLICE)
        return (struct family){.name = "DML_SLICE_OPERATOR_DESC",
                               .offsets_name = "Offsets",
                               .sizes_name = "Sizes",
                               .strides_name = "Strides",
                               .tensors = {slice->InputTensor, slice->OutputTensor},
                               .tensor_names = {"InputTensor", "OutputTensor"},
                               .rank = slice->DimensionCount,
                               .offsets = slice->Offsets,
                               .sizes = slice->Sizes,
                               .unsigned_strides = slice->Strides,
                               .counts_output = true};
    if (desc->Type == DML_OPERATOR_SLICE_GRAD)
        return (struct family){.name = "DML_SLICE_GRAD_OPERATOR_DESC",
                               .offsets_name = "InputWindowOffsets",
                               .sizes_name = "InputWindowSizes",
                               .strides_name = "InputWindowStrides",
                               .tensors = {grad->InputGradientTensor, grad->OutputGradientTensor},
                               .tensor_names = {"InputGradientTensor", "OutputGradientTensor"},
                               .rank = grad->DimensionCount,
                               .offsets = grad->InputWindowOffsets,
                               .sizes = grad->InputWindowSizes,
                               .signed_strides = grad->InputWindowStrides,
                               .is_gradient = true};
    return (struct family){.name = "DML_SLICE1_OPERATOR_DESC",
                           .offsets_name = "InputWindowOffsets",
                           .sizes_name = "InputWindowSizes",
                           .strides_name = "InputWindowStrides",
                           .tensors = {slice1->InputTensor, slice1->OutputTensor},
                           .tensor_names = {"InputTensor", "OutputTensor"},
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
                               "%s is NULL: pass a DML_TENSOR_DESC", family->tensor_names[i]);
        int32_t status =
            tensor_from(family->tensors[i], roles[i], family->tensor_names[i], to[i], error);
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
                           "DimensionCount = %" PRIu32 ", %s.DimensionCount = %" PRIu32
                           " and %s.DimensionCount = %" PRIu32 " must be equal",
                           count, in->name, in->rank, out->name, out->rank);
    if (in->data_type != out->data_type)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_DATA_TYPE_MISMATCH,
                                 .value = {in->data_type, out->data_type}),
                           "%s.DataType = %s and %s.DataType = %s must be equal", in->name,
                           tensor_data_type_name(in->data_type), out->name,
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

/* Of SLICE1, and of SLICE_GRAD, whose window lies in what is written. */
static int32_t check_window(const struct family *family, const struct slice *slice, uint32_t i,
                            clslice_error *error)
{
    uint64_t offset = family->offsets[i], window = family->sizes[i];
    int64_t stride = stride_of(family, i);
    const bool swapped = family->is_gradient;
    const struct tensor *whole = swapped ? &slice->output : &slice->input;
    const struct tensor *part = swapped ? &slice->input : &slice->output;
    uint64_t size = whole->size[i], taken = part->size[i];
    if (offset + window > size)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_WINDOW_BOUNDS,
                                 .tensor = swapped ? CLSLICE_TENSOR_OUTPUT : CLSLICE_TENSOR_INPUT,
                                 DIMENSION(i), .value = {offset, window, size}),
                           "InputWindowOffsets[%" PRIu32 "] + InputWindowSizes[%" PRIu32
                           "] = %" PRIu64 " + %" PRIu64 " = %" PRIu64 " exceeds %s.Sizes[%" PRIu32
                           "] = %" PRIu64,
                           i, i, offset, window, offset + window, whole->name, i, size);
    uint64_t most = 1 + (window - 1) / magnitude(stride);
    if (taken > most)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_OUTPUT_EXCEEDS_MAX,
                  .tensor = swapped ? CLSLICE_TENSOR_INPUT : CLSLICE_TENSOR_OUTPUT, DIMENSION(i),
                  .value = {taken, window, (uint64_t)stride}),
            "%s.Sizes[%" PRIu32 "] = %" PRIu64 " exceeds MaxCopiedElements[%" PRIu32 "] = %" PRIu64
            " = 1 + (InputWindowSizes[%" PRIu32 "] - 1) / |InputWindowStrides[%" PRIu32
            "]| of window %" PRIu64 " and stride %" PRId64 "%s",
            part->name, i, taken, i, most, i, i, window, stride,
            window == taken && !swapped
                ? ": SLICE1 counts a window in input elements; SLICE counts it in output elements"
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
                                 DIMENSION(i), .value = {offset, reach - 1, in_size}),
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

/* Of a gradient, in the order of the output's coordinates: where the stride is negative, the input
 * is read from its end. */
static void fill_scatter(struct slice *slice, uint32_t i, uint64_t start, int64_t stride)
{
    struct slice_dim *dim = &slice->dim[i];
    uint64_t count = slice->input.size[i], last = count - 1, step = magnitude(stride);
    int64_t in_stride = count > 1 ? (int64_t)slice->input.stride[i] : 0;
    dim->in_stride = stride < 0 ? -in_stride : in_stride;
    dim->out_stride = dim->size > 1 ? (int64_t)slice->output.stride[i] : 0;
    if (stride < 0) {
        start -= last * step;
        slice->first += last * (uint64_t)in_stride;
    }
    slice->scatter[i] = (struct slice_scatter){start, count > 1 ? step : 1, count};
}

static void fill_dimension(const struct family *family, struct slice *slice, uint32_t i)
{
    uint64_t offset = family->offsets[i];
    uint64_t window = family->counts_output ? reach_of(family, i) : family->sizes[i];
    int64_t stride = stride_of(family, i);
    struct slice_dim *dim = &slice->dim[i];
    uint64_t start = offset + (stride < 0 ? window - 1 : 0);
    slice->window[i] = (struct slice_window){offset, window};
    dim->size = slice->output.size[i];
    slice->elements *= dim->size;
    if (family->is_gradient) {
        fill_scatter(slice, i, start, stride);
        return;
    }
    slice->first += start * slice->input.stride[i];
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
        return status_fail(
            error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_NULL_DESC), "%s",
            operator_desc
                ? "DML_OPERATOR_DESC.Desc is NULL: pass the description of the Type, such as a "
                  "DML_SLICE1_OPERATOR_DESC"
                : "DML_OPERATOR_DESC is NULL: pass one with a "
                  "DML_SLICE1_OPERATOR_DESC as its Desc");
    uint32_t type = (uint32_t)operator_desc->Type;
    if (type != DML_OPERATOR_SLICE1 && type != DML_OPERATOR_SLICE &&
        type != DML_OPERATOR_SLICE_GRAD)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_OPERATOR_TYPE, .value = {type}),
                           "DML_OPERATOR_DESC.Type = %" PRIu32
                           " is unsupported: clslice runs DML_OPERATOR_SLICE1 (111), "
                           "DML_OPERATOR_SLICE (60) and DML_OPERATOR_SLICE_GRAD (135)",
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
    slice->is_gradient = family.is_gradient;
    return status;
}

struct slice slice_item(const struct slice *slice)
{
    struct slice item = *slice;
    item.first = 0;
    item.is_item = true;
    return item;
}

uint64_t slice_reads(const struct slice *slice)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < slice->rank; ++i)
        count *= slice->is_gradient ? slice->scatter[i].count : slice->dim[i].size;
    return count;
}

bool slice_is_alias(const struct slice *slice, uint64_t *first)
{
    int64_t packed = 1;
    if (slice->is_gradient)
        return false;
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
    if (slice->is_gradient) {
        text_append(text,
                    "gradient: %" PRIu64 " elements; the input from element %" PRIu64 " goes to",
                    slice->elements, slice->first);
        for (uint32_t i = 0; i < slice->rank; ++i)
            text_append(text, "%s %" PRIu64 " coordinates from %" PRIu64 " by %" PRIu64,
                        i > 0 ? "," : "", slice->scatter[i].count, slice->scatter[i].start,
                        slice->scatter[i].step);
        text_append(text, "\n");
        return;
    }
    text_append(text, "slice:  from input element %" PRIu64 ", %" PRIu64 " elements, steps",
                slice->first, slice->elements);
    for (uint32_t i = 0; i < slice->rank; ++i)
        text_append(text, " %" PRId64, slice->dim[i].in_stride);
    text_append(text, "\n");
}
