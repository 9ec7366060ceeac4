/* SPDX-License-Identifier: MIT */
#include "use.h"

#include "clslice/directml.h"

static int32_t create_operator(struct use *use)
{
    const uint32_t in_sizes[] = {USE_IN}, out_sizes[] = {USE_OUT}, offsets[] = {0};
    const int32_t strides[] = {-2};
    const DML_BUFFER_TENSOR_DESC in = {.DataType = DML_TENSOR_DATA_TYPE_UINT8,
                                       .DimensionCount = 1,
                                       .Sizes = in_sizes,
                                       .TotalTensorSizeInBytes = USE_IN};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = DML_TENSOR_DATA_TYPE_UINT8,
                                        .DimensionCount = 1,
                                        .Sizes = out_sizes,
                                        .TotalTensorSizeInBytes = USE_OUT};
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, 1, offsets, in_sizes, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    return use->api->operator_create(use->device, &desc, &use->op, &use->error);
}

bool use_create(struct use *use, const struct clslice_api *api,
                const clslice_device_options *options, unsigned char seed)
{
    *use = (struct use){.api = api, .error = {.size = sizeof use->error}};
    for (int i = 0; i < USE_IN; ++i)
        use->in[i] = (unsigned char)(seed + i);
    return api->device_create(options, &use->device, &use->error) == CLSLICE_S_OK &&
           create_operator(use) == CLSLICE_S_OK &&
           api->operator_compile(use->op, NULL, &use->compiled, &use->error) == CLSLICE_S_OK;
}

bool use_dispatch(struct use *use)
{
    const clslice_binding in = {.kind = CLSLICE_BINDING_HOST, .handle = use->in, .size = USE_IN};
    const clslice_binding out = {.kind = CLSLICE_BINDING_HOST, .handle = use->out, .size = USE_OUT};
    const clslice_dispatch_desc desc = {
        .size = sizeof desc, .inputs = &in, .outputs = &out, .input_count = 1, .output_count = 1};
    return use->api->dispatch(use->compiled, &desc, &use->event, &use->error) == CLSLICE_S_OK;
}

bool use_wait(struct use *use)
{
    return use->api->event_wait(use->device, use->event, &use->error) == CLSLICE_S_OK;
}

bool use_is_right(const struct use *use)
{
    bool right = true;
    for (int i = 0; i < USE_OUT; ++i)
        right &= use->out[i] == use->in[USE_IN - 1 - 2 * i];
    return right;
}

void use_release(struct use *use)
{
    use->api->event_release(use->device, use->event);
    use->api->compiled_operator_release(use->compiled);
    use->api->operator_release(use->op);
    use->api->device_release(use->device);
}
