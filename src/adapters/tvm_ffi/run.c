/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "refuse.h"

const char *run(clslice_device *device, const struct view *view, clslice_error *error)
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
    return kind_of(
        clslice_run(device, &desc, view->in, view->in_bytes, view->out, view->out_bytes, error));
}
