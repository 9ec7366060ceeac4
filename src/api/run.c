/* SPDX-License-Identifier: MIT */
#include "runtime/run.h"
#include "api/checks.h"

/* A binding has one pointer type for both directions; an input is never written. */
static clslice_binding bind(const void *memory, uint64_t bytes)
{
    union {
        const void *given;
        void *bound;
    } handle = {.given = memory};
    return (clslice_binding){CLSLICE_BINDING_HOST, .handle = handle.bound, .size = bytes};
}

int32_t clslice_run(clslice_device *device, const struct DML_OPERATOR_DESC *desc, const void *input,
                    uint64_t input_bytes, void *output, uint64_t output_bytes, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(input, error);
    CHECK_POINTER(output, error);
    CHECK_STATUS(device_check_process(device, error));
    const clslice_binding from = bind(input, input_bytes), to = bind(output, output_bytes);
    return run_on_host_memory(device, desc, &from, &to, error);
}
