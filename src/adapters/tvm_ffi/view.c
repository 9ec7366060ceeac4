/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "refuse.h"

#include <inttypes.h>

/* A tensor in DirectML's terms, but for signs, which decide neither spans nor overlaps. */
struct description {
    uint32_t sizes[RANK_MAX], strides[RANK_MAX];
    DML_BUFFER_TENSOR_DESC buffer;
    DML_TENSOR_DESC tensor;
};

static const char *check_kind(const DLTensor *tensor, const char *name, clslice_error *error)
{
    uint32_t bits = (uint32_t)tensor->dtype.bits * tensor->dtype.lanes;
    if (tensor->device.device_type != kDLCPU)
        return refuse(
            error, "ValueError",
            "%s is on DLPack's device type %d: pass memory of the CPU (1); a tensor on an "
            "OpenCL device comes without the queue that it belongs to",
            name, (int)tensor->device.device_type);
    if (bits == 0 || bits % 8 != 0)
        return refuse(error, "ValueError",
                      "%s has elements of %" PRIu32 " bits: clslice takes whole bytes", name, bits);
    return NULL;
}

static const char *describe(const DLTensor *tensor, const char *name, struct description *to,
                            clslice_error *error)
{
    *to = (struct description){
        .buffer = {.DataType = DML_TENSOR_DATA_TYPE_UINT8,
                   .DimensionCount = (uint32_t)tensor->ndim,
                   .Sizes = to->sizes,
                   .Strides = tensor->strides ? to->strides : NULL,
                   .TotalTensorSizeInBytes = UINT64_MAX},
        .tensor = {DML_TENSOR_TYPE_BUFFER, &to->buffer},
    };
    for (int32_t i = 0; i < tensor->ndim && i < RANK_MAX; ++i) {
        int64_t size = tensor->shape[i], stride = tensor->strides ? tensor->strides[i] : 0;
        if (size < 0 || size > UINT32_MAX)
            return refuse(error, "ValueError",
                          "%s.shape[%" PRId32 "] = %" PRId64 " is outside 0 to %" PRIu32, name, i,
                          size, UINT32_MAX);
        if (size > 1 && (stride < -(int64_t)UINT32_MAX || stride > UINT32_MAX))
            return refuse(error, "ValueError",
                          "%s.strides[%" PRId32 "] = %" PRId64 " exceeds %" PRIu32 " elements",
                          name, i, stride, UINT32_MAX);
        to->sizes[i] = (uint32_t)size;
        to->strides[i] = size > 1 ? (uint32_t)(stride < 0 ? -stride : stride) : 0;
    }
    return check_kind(tensor, name, error);
}

/* By the numbers that the caller wrote, so that errors name them. */
static const char *validate(const struct arguments *arguments, clslice_error *error)
{
    const DLDataType *x = &arguments->x->dtype, *out = &arguments->out->dtype;
    struct description in_desc, out_desc;
    const DML_SLICE1_OPERATOR_DESC slice = {&in_desc.tensor,  &out_desc.tensor,
                                            arguments->rank,  arguments->offsets,
                                            arguments->sizes, arguments->strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    const char *kind = describe(arguments->x, "x", &in_desc, error);
    if (!kind)
        kind = describe(arguments->out, "out", &out_desc, error);
    if (kind)
        return kind;
    if (x->code != out->code || x->bits != out->bits || x->lanes != out->lanes)
        return refuse(error, "ValueError",
                      "x.dtype is DLDataType {%d, %d, %d}, out.dtype is {%d, %d, %d}: they must be "
                      "equal",
                      x->code, x->bits, x->lanes, out->code, out->bits, out->lanes);
    kind = kind_of(clslice_operator_create(NULL, &desc, NULL, error));
    if (!kind && (!arguments->x->data || !arguments->out->data))
        return refuse(error, "ValueError", "%s.data is NULL", arguments->x->data ? "out" : "x");
    return kind;
}

/* Elements from one index to the next. A validated tensor's packed strides cannot overflow. */
static void read_strides(const DLTensor *tensor, int64_t *strides)
{
    int64_t packed = 1;
    for (int32_t i = tensor->ndim; i-- > 0;) {
        strides[i] = tensor->strides ? tensor->strides[i] : packed;
        if (!tensor->strides)
            packed *= tensor->shape[i];
    }
}

/* A dimension of a validated slice, in elements or words. */
struct step {
    int64_t size, in, out;
};

static void add_dimension(struct view *view, const struct step *step)
{
    uint32_t i = view->rank++;
    view->sizes[i] = (uint32_t)step->size;
    view->in_strides[i] = (uint32_t)(step->in < 0 ? -step->in : step->in);
    view->out_strides[i] = (uint32_t)step->out;
    view->signs[i] = step->in < 0 ? -1 : 1;
}

/* Where the lowest elements lie and how far it is to the end of the highest, in elements. */
struct extent {
    int64_t in, out, in_span, out_span;
};

/* The dimensions of more than one element. The output is walked upwards: a dimension that goes down
 * in it is turned around in both. What a validated slice reaches spans less than 2^32 elements. */
static struct extent walk(const struct arguments *arguments, struct view *view)
{
    struct extent extent = {.in_span = 1, .out_span = 1};
    int64_t in_strides[RANK_MAX] = {0}, out_strides[RANK_MAX] = {0};
    read_strides(arguments->x, in_strides);
    read_strides(arguments->out, out_strides);
    for (uint32_t i = 0; i < arguments->rank; ++i) {
        int64_t stride = arguments->strides[i], size = arguments->out->shape[i];
        int64_t first = arguments->offsets[i] + (stride < 0 ? arguments->sizes[i] - INT64_C(1) : 0);
        extent.in += first * in_strides[i];
        if (size == 1)
            continue;
        struct step step = {size, stride * in_strides[i], out_strides[i]};
        if (step.out < 0) {
            extent.in += (size - 1) * step.in;
            extent.out += (size - 1) * step.out;
            step.in = -step.in;
            step.out = -step.out;
        }
        if (step.in < 0)
            extent.in += (size - 1) * step.in;
        extent.in_span += (size - 1) * (step.in < 0 ? -step.in : step.in);
        extent.out_span += (size - 1) * step.out;
        add_dimension(view, &step);
    }
    return extent;
}

static DML_TENSOR_DATA_TYPE type_of(uint32_t word)
{
    return word == 1   ? DML_TENSOR_DATA_TYPE_UINT8
           : word == 2 ? DML_TENSOR_DATA_TYPE_UINT16
           : word == 4 ? DML_TENSOR_DATA_TYPE_UINT32
                       : DML_TENSOR_DATA_TYPE_UINT64;
}

/* From elements of `bytes` bytes to words of a size that DirectML has. Those of an element become
 * the innermost dimension where there are several. */
static const char *count_words(struct view *view, const struct extent *extent, uint32_t bytes,
                               clslice_error *error)
{
    int64_t span = extent->in_span > extent->out_span ? extent->in_span : extent->out_span;
    uint32_t word = 1;
    while (word < 8 && bytes % (2 * word) == 0)
        word *= 2;
    uint32_t words = bytes / word;
    view->data_type = type_of(word);
    if (words == 1 && view->rank > 0)
        return NULL;
    if (view->rank == RANK_MAX)
        return refuse(error, "ValueError",
                      "out has %d dimensions of elements of %" PRIu32
                      " bytes: at most %d where these are not 1, 2, 4 or 8",
                      RANK_MAX, bytes, RANK_MAX - 1);
    if (span > UINT32_MAX / words)
        return refuse(error, "ValueError",
                      "the slice spans %" PRId64 " elements of %" PRIu32 " bytes: at most %" PRIu32
                      "; split it",
                      span, bytes, UINT32_MAX / words);
    for (uint32_t i = 0; i < view->rank; ++i) {
        view->in_strides[i] *= words;
        view->out_strides[i] *= words;
    }
    add_dimension(view, &(struct step){words, 1, 1});
    return NULL;
}

const char *view_from(const struct arguments *arguments, struct view *view, clslice_error *error)
{
    const DLTensor *x = arguments->x, *out = arguments->out;
    const char *kind = validate(arguments, error);
    if (kind)
        return kind;
    *view = (struct view){0};
    uint32_t bytes = (uint32_t)x->dtype.bits * x->dtype.lanes / 8;
    struct extent extent = walk(arguments, view);
    view->in = (char *)x->data + x->byte_offset + extent.in * bytes;
    view->out = (char *)out->data + out->byte_offset + extent.out * bytes;
    view->in_bytes = (uint64_t)extent.in_span * bytes;
    view->out_bytes = (uint64_t)extent.out_span * bytes;
    return count_words(view, &extent, bytes, error);
}
