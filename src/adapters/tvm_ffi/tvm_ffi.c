/* SPDX-License-Identifier: MIT */
/* The module's one function, which TVM-FFI finds by its name. */
#include "arguments.h"
#include "devices.h"
#include "refuse.h"
#include "view.h"

/* The host's own, found when it loads this library; no host, no link. */
#pragma weak TVMFFIErrorSetRaisedFromCStr

/* Slices and waits. */
static const char *run(clslice_device *device, const struct view *view, clslice_error *error)
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

static const char *slice(const TVMFFIAny *args, int32_t count, clslice_error *error)
{
    struct arguments arguments;
    struct view view;
    clslice_device *device = NULL;
    const char *kind = arguments_read(args, count, &arguments, error);
    if (!kind)
        kind = view_from(&arguments, &view, error);
    if (!kind)
        kind = devices_get(arguments.selector, &device, error);
    if (!kind)
        kind = run(device, &view, error);
    clslice_device_release(device);
    return kind;
}

/*
 * slice(x, offsets, sizes, strides, out, device=None): SLICE1 of x into out, which the caller has
 * made. x, out: tensors in memory of the CPU, of one type of whole bytes, 1 to 8 dimensions, or 7
 * where that is not of 1, 2, 4 or 8 bytes, any strides; they must not overlap. offsets, sizes,
 * strides: a tuple, list, shape or int64 vector of one number per dimension. device: a selector as
 * CLSLICE_DEVICE takes it; the devices of the first 16 are kept for later calls. Returns None once
 * out holds the slice. On any thread.
 */
TVM_FFI_DLL_EXPORT int __tvm_ffi_slice(void *handle, const TVMFFIAny *args, int32_t count,
                                       TVMFFIAny *result);

int __tvm_ffi_slice(void *handle, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
    clslice_error error = {.size = sizeof error};
    const char *kind = slice(args, count, &error);
    (void)handle;
    (void)result; /* None, as the caller has set it */
    if (!kind)
        return 0;
    if (TVMFFIErrorSetRaisedFromCStr)
        TVMFFIErrorSetRaisedFromCStr(kind, error.text);
    return -1;
}
