/* SPDX-License-Identifier: MIT */
/* The module's one function, which TVM-FFI finds by its name. */
#include "arguments.h"
#include "devices.h"
#include "refuse.h"
#include "run.h"
#include "view.h"

/* The host's own, found when it loads this library; no host, no link. */
#pragma weak TVMFFIErrorSetRaisedFromCStr

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
 * made. x, out: tensors in memory of the CPU, of one type of whole bytes, 1 to 8 dimensions, any
 * strides; they must not overlap. offsets, sizes, strides: a tuple, list, shape or int64 vector of
 * one number per dimension. device: a selector as CLSLICE_DEVICE takes it; its device is kept for
 * later calls. Returns None once out holds the slice. On any thread.
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
