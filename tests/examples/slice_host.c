/* SPDX-License-Identifier: MIT */
/* Crops and mirrors an array in host memory, on the device that CLSLICE_DEVICE names. */
#include <clslice/clslice.h>
#include <clslice/directml.h>

#include <stdio.h>

int main(void)
{
    float input[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}, output[2][3];

    /* Rows 1 and 2; columns 1 to 3, backwards. */
    const uint32_t in_sizes[] = {3, 4}, out_sizes[] = {2, 3}, offsets[] = {1, 1}, window[] = {2, 3};
    const int32_t strides[] = {1, -1};
    const DML_BUFFER_TENSOR_DESC in = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                       .DimensionCount = 2,
                                       .Sizes = in_sizes,
                                       .TotalTensorSizeInBytes = sizeof input};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                        .DimensionCount = 2,
                                        .Sizes = out_sizes,
                                        .TotalTensorSizeInBytes = sizeof output};
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, 2, offsets, window, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};

    const clslice_binding from = {CLSLICE_BINDING_HOST, .handle = input, .size = sizeof input};
    const clslice_binding to = {CLSLICE_BINDING_HOST, .handle = output, .size = sizeof output};
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .inputs = &from,
                                            .outputs = &to,
                                            .input_count = 1,
                                            .output_count = 1};

    clslice_device *device = NULL;
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    struct _cl_event *done = NULL;
    clslice_error error = {.size = sizeof error};
    int failed = clslice_device_create(NULL, &device, &error) ||
                 clslice_operator_create(device, &desc, &op, &error) ||
                 clslice_operator_compile(op, NULL, &compiled, &error) ||
                 clslice_dispatch(compiled, &dispatch, &done, &error) ||
                 clslice_event_wait(device, done, &error);
    if (failed)
        fprintf(stderr, "slice_host: %s\n", error.text);
    for (int row = 0; row < 2 && !failed; ++row)
        printf("%g %g %g\n", output[row][0], output[row][1], output[row][2]);

    clslice_event_release(device, done);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    clslice_device_release(device);
    return failed;
}
