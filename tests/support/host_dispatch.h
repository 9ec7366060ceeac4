/* SPDX-License-Identifier: MIT */
/* A dispatch from host memory to host memory, for programs without the harness. */
#ifndef CLSLICE_TESTS_SUPPORT_HOST_DISPATCH_H
#define CLSLICE_TESTS_SUPPORT_HOST_DISPATCH_H

#include <clslice/clslice.h>
#include <stddef.h>

/* Waits for it, too. */
static inline int32_t host_dispatch(clslice_device *device, clslice_compiled_operator *compiled,
                                    void *in, uint64_t in_bytes, void *out, uint64_t out_bytes,
                                    clslice_error *error)
{
    const clslice_binding from = {.kind = CLSLICE_BINDING_HOST, .handle = in, .size = in_bytes};
    const clslice_binding to = {.kind = CLSLICE_BINDING_HOST, .handle = out, .size = out_bytes};
    const clslice_dispatch_desc desc = {
        .size = sizeof desc, .inputs = &from, .outputs = &to, .input_count = 1, .output_count = 1};
    struct _cl_event *event = NULL;
    int32_t status = clslice_dispatch(compiled, &desc, &event, error);
    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(device, event, error);
    clslice_event_release(device, event);
    return status;
}

#endif
