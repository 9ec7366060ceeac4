/* SPDX-License-Identifier: MIT */
#include <clslice/clslice.h>
#include <clslice/directml.h>
#include <stdio.h>

int main(void)
{
    float x[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}, y[2][3];

    /* Rows 1 and 2; columns 1 to 3, backwards. */
    const uint32_t in_sizes[] = {3, 4}, out_sizes[] = {2, 3}, offsets[] = {1, 1}, window[] = {2, 3};
    const int32_t strides[] = {1, -1};
    DML_BUFFER_TENSOR_DESC in = {DML_TENSOR_DATA_TYPE_FLOAT32, 0, 2, in_sizes, NULL, sizeof x, 0};
    DML_BUFFER_TENSOR_DESC out = {DML_TENSOR_DATA_TYPE_FLOAT32, 0, 2, out_sizes, NULL, sizeof y, 0};
    DML_TENSOR_DESC from = {DML_TENSOR_TYPE_BUFFER, &in}, to = {DML_TENSOR_TYPE_BUFFER, &out};
    DML_SLICE1_OPERATOR_DESC slice = {&from, &to, 2, offsets, window, strides};
    DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};

    clslice_device *device = NULL;
    clslice_error error = {.size = sizeof error};
    if (clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK ||
        clslice_run(device, &desc, x, sizeof x, y, sizeof y, &error) != CLSLICE_S_OK)
        fprintf(stderr, "slice_host: %s\n", error.text);
    else
        for (int row = 0; row < 2; ++row)
            printf("%g %g %g\n", y[row][0], y[row][1], y[row][2]);
    clslice_device_release(device);
    return error.status != CLSLICE_S_OK;
}
