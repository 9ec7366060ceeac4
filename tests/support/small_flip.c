/* SPDX-License-Identifier: MIT */
#include "support/small_flip.h"

#include "support/host_dispatch.h"

#include <clslice/directml.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 40, COLUMNS = 50 };

static float in[ROWS][COLUMNS], out[ROWS][COLUMNS];

static bool is_right(bool flips_rows)
{
    for (int row = 0; row < ROWS; ++row)
        for (int column = 0; column < COLUMNS; ++column) {
            float from = flips_rows ? in[ROWS - 1 - row][column] : in[row][COLUMNS - 1 - column];
            if (out[row][column] != from) /* small whole numbers */
                return false;
        }
    return true;
}

static int32_t make(bool flips_rows, struct small_flip_objects *made, clslice_error *error)
{
    static const uint32_t sizes[] = {ROWS, COLUMNS}, offsets[] = {0, 0};
    const int32_t strides[] = {flips_rows ? -1 : 1, flips_rows ? 1 : -1};
    static const DML_BUFFER_TENSOR_DESC buffer = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                                  .DimensionCount = 2,
                                                  .Sizes = sizes,
                                                  .TotalTensorSizeInBytes = sizeof in};
    static const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_SLICE1_OPERATOR_DESC slice = {&tensor, &tensor, 2, offsets, sizes, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    int32_t status = clslice_device_create(NULL, &made->device, error);
    if (status == CLSLICE_S_OK)
        status = clslice_operator_create(made->device, &desc, &made->op, error);
    if (status == CLSLICE_S_OK)
        status = clslice_operator_compile(made->op, NULL, &made->compiled, error);
    return status;
}

enum small_flip small_flip(bool flips_rows, struct small_flip_objects *made)
{
    clslice_error error = {.size = sizeof error};
    clslice_compiled_operator_info info = {.size = sizeof info};
    *made = (struct small_flip_objects){NULL, NULL, NULL};
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i / COLUMNS][i % COLUMNS] = (float)i;
    if (make(flips_rows, made, &error) != CLSLICE_S_OK ||
        host_dispatch(made->device, made->compiled, in, sizeof in, out, sizeof out, &error) !=
            CLSLICE_S_OK ||
        clslice_compiled_operator_get_info(made->compiled, &info, &error) != CLSLICE_S_OK) {
        fprintf(stderr, "small_flip: %s\n", error.text);
        return FLIP_FAILED;
    }
    if (!is_right(flips_rows))
        return FLIP_WRONG;
    return info.program_outcome == CLSLICE_PROGRAM_FROM_CACHE ? FLIP_FROM_CACHE : FLIP_BUILT;
}

void small_flip_release(struct small_flip_objects *made)
{
    clslice_compiled_operator_release(made->compiled);
    clslice_operator_release(made->op);
    clslice_device_release(made->device);
}

void small_flip_forgive_leaks(void)
{
    const char *options = getenv("ASAN_OPTIONS");
    char more[1024];
    snprintf(more, sizeof more, "%s:detect_leaks=0", options ? options : "");
    setenv("ASAN_OPTIONS", more, 1);
}
