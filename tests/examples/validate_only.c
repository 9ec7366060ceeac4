/* SPDX-License-Identifier: MIT */
/* Checks slices without a device and without OpenCL, and shows what an error says: to people, and
 * to programs. */
#include <clslice/clslice.h>
#include <clslice/directml.h>
#include <inttypes.h>
#include <stdio.h>

/* Whether 4 rows of 6 bytes can be sliced so into 2 rows of 3. */
static void validate(uint32_t row, uint32_t column, int32_t step)
{
    const uint32_t in_sizes[] = {4, 6}, out_sizes[] = {2, 3};
    const uint32_t offsets[] = {row, column}, window[] = {2, 5};
    const int32_t strides[] = {1, step};
    const DML_BUFFER_TENSOR_DESC in = {.DataType = DML_TENSOR_DATA_TYPE_UINT8,
                                       .DimensionCount = 2,
                                       .Sizes = in_sizes,
                                       .TotalTensorSizeInBytes = 24};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = DML_TENSOR_DATA_TYPE_UINT8,
                                        .DimensionCount = 2,
                                        .Sizes = out_sizes,
                                        .TotalTensorSizeInBytes = 8};
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, 2, offsets, window, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};

    clslice_error error = {.size = sizeof error};
    printf("row %" PRIu32 ", column %" PRIu32 ", step %" PRId32 ": ", row, column, step);
    if (clslice_operator_create(NULL, &desc, NULL, &error) == CLSLICE_S_OK) {
        printf("valid\n");
        return;
    }
    printf("status 0x%08" PRIX32 ", rule %" PRIu32 ", tensor %" PRIu32, (uint32_t)error.status,
           error.rule, error.tensor);
    if (error.dimension != CLSLICE_NO_DIMENSION)
        printf(", dimension %" PRIu32, error.dimension);
    printf(", values %" PRIu64 " %" PRIu64 " %" PRId64 "\n    %s\n", error.value[0], error.value[1],
           (int64_t)error.value[2], error.text);
}

int main(void)
{
    validate(0, 0, 2);
    validate(0, 0, -2);
    validate(3, 0, 2);
    validate(0, 2, 2);
    validate(0, 0, 0);
    validate(0, 0, -3);
    return 0;
}
