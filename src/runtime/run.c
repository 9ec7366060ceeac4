/* SPDX-License-Identifier: MIT */
#include "runtime/run.h"

#include "runtime/event.h"

int32_t run_on_host_memory(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                           const clslice_binding *input, const clslice_binding *output,
                           clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options};
    const clslice_dispatch_desc host = {.size = sizeof host,
                                        .inputs = input,
                                        .outputs = output,
                                        .input_count = 1,
                                        .output_count = 1};
    struct clslice_operator *op = NULL;
    struct clslice_compiled_operator *compiled = NULL;
    cl_event event = NULL;
    int32_t status = operator_create(device, desc, &op, error);
    if (status == CLSLICE_S_OK)
        status = compiled_operator_create(op, &options, &compiled, error);
    if (status == CLSLICE_S_OK) {
        status = dispatch(compiled, &host, NULL, &event, error);
        if (status == CLSLICE_S_OK)
            status = event_wait(device, event, error);
        if (status != CLSLICE_S_OK) /* steps before the one that failed may still run */
            device_finish(device, NULL);
    }
    if (event)
        event_release(device, event);
    compiled_operator_release(compiled);
    operator_release(op);
    return status;
}
