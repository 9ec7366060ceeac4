/* SPDX-License-Identifier: MIT */
#include "runtime/run.h"

#include "runtime/event.h"

static int32_t compile(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                       struct clslice_compiled_operator **compiled, clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options};
    struct clslice_operator *op = NULL;
    int32_t status = operator_create(device, desc, &op, error);
    if (status == CLSLICE_S_OK)
        status = compiled_operator_create(op, &options, compiled, error);
    operator_release(op);
    return status;
}

static int32_t dispatch_and_wait(struct clslice_compiled_operator *compiled,
                                 const clslice_dispatch_desc *desc, clslice_error *error)
{
    struct clslice_device *device = compiled->op->device;
    cl_event event = NULL;
    int32_t status = dispatch(compiled, desc, &event, error);
    if (status == CLSLICE_S_OK)
        status = event_wait(device, event, error);
    if (event)
        event_release(device, event);
    return status;
}

int32_t run_on_host_memory(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                           const clslice_binding *input, const clslice_binding *output,
                           clslice_error *error)
{
    const clslice_dispatch_desc host = {.size = sizeof host,
                                        .inputs = input,
                                        .outputs = output,
                                        .input_count = 1,
                                        .output_count = 1};
    struct clslice_compiled_operator *compiled = NULL;
    int32_t status = compile(device, desc, &compiled, error);
    if (status != CLSLICE_S_OK)
        return status;
    status = dispatch_and_wait(compiled, &host, error);
    if (status != CLSLICE_S_OK) /* steps before the one that failed may still run */
        device_finish(device, NULL);
    compiled_operator_release(compiled);
    return status;
}
