/* SPDX-License-Identifier: MIT */
#include "runtime/dispatch.h"
#include "api/checks.h"

int32_t clslice_dispatch(clslice_compiled_operator *compiled, const clslice_dispatch_desc *desc,
                         struct _cl_event **event, clslice_error *error)
{
    clslice_dispatch_desc whole;
    clslice_batch batch;
    CHECK_ERROR(error);
    CHECK_POINTER(compiled, error);
    CHECK_POINTER(desc, error);
    READ(clslice_dispatch_desc, &whole, desc, error);
    if (whole.batch)
        READ(clslice_batch, &batch, whole.batch, error);
    return dispatch(compiled, &whole, whole.batch ? &batch : NULL, event, error);
}
