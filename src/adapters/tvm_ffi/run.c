/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "refuse.h"

static int32_t compile(clslice_device *device, const struct view *view,
                       clslice_compiled_operator **compiled, clslice_error *error)
{
    static const uint32_t offsets[RANK_MAX]; /* 0: the view begins where the slice does */
    const DML_BUFFER_TENSOR_DESC in = {.DataType = view->data_type,
                                       .DimensionCount = view->rank,
                                       .Sizes = view->sizes,
                                       .Strides = view->in_strides,
                                       .TotalTensorSizeInBytes = UINT64_MAX};
    DML_BUFFER_TENSOR_DESC out = in;
    out.Strides = view->out_strides;
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, view->rank,
                                            offsets,    view->sizes, view->signs};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    clslice_operator *op = NULL;
    int32_t status = clslice_operator_create(device, &desc, &op, error);
    if (status == CLSLICE_S_OK)
        status = clslice_operator_compile(op, NULL, compiled, error);
    clslice_operator_release(op);
    return status;
}

static int32_t dispatch(clslice_device *device, clslice_compiled_operator *compiled,
                        const struct view *view, clslice_error *error)
{
    const clslice_binding in = {CLSLICE_BINDING_HOST, .handle = view->in, .size = view->in_bytes};
    const clslice_binding out = {CLSLICE_BINDING_HOST, .handle = view->out,
                                 .size = view->out_bytes};
    const clslice_dispatch_desc desc = {
        .size = sizeof desc, .inputs = &in, .outputs = &out, .input_count = 1, .output_count = 1};
    struct _cl_event *done = NULL;
    int32_t status = clslice_dispatch(compiled, &desc, &done, error);
    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(device, done, error);
    if (status != CLSLICE_S_OK) /* steps of it may run: the caller frees the memory next */
        clslice_device_finish(device, NULL);
    clslice_event_release(device, done);
    return status;
}

const char *run(clslice_device *device, const struct view *view, clslice_error *error)
{
    clslice_compiled_operator *compiled = NULL;
    int32_t status = compile(device, view, &compiled, error);
    if (status == CLSLICE_S_OK)
        status = dispatch(device, compiled, view, error);
    clslice_compiled_operator_release(compiled);
    return kind_of(status);
}
