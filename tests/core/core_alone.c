/* SPDX-License-Identifier: MIT */
/* core links without anything else of the project: a description becomes a slice, a plan and its
 * texts. */
#include "base/structs.h"
#include "core/floor.h"
#include "core/launch.h"
#include "core/planner.h"

#include <stdio.h>
#include <string.h>

static bool describe(const DML_OPERATOR_DESC *op, char *bytes, uint64_t size)
{
    clslice_error error = {.size = sizeof error};
    const struct plan_limits limits = {true, 2, 64, 4096, 0, 0, false, false};
    struct slice slice;
    struct plan plan;
    if (slice_from(op, &slice, &error) != CLSLICE_S_OK ||
        !plan_from(&slice, &limits, PLAN_ALIGNED_16, PLAN_VARIANT_COUNT, &plan)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    struct text text = text_in(bytes, size);
    slice_describe(&slice, &text);
    plan_describe(&plan, &text);
    launch_describe(&plan, &text);
    text_append(&text, "floor:  %llu bytes\n", (unsigned long long)floor_bytes(&slice, 64));
    return text.length < size;
}

int main(void)
{
    const uint32_t in_sizes[] = {8, 9}, out_sizes[] = {4, 3}, offsets[] = {0, 1},
                   windows[] = {8, 6};
    const int32_t strides[] = {2, -2};
    const DML_BUFFER_TENSOR_DESC in = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                       .DimensionCount = 2,
                                       .Sizes = in_sizes,
                                       .TotalTensorSizeInBytes = 8 * 9 * 4};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                        .DimensionCount = 2,
                                        .Sizes = out_sizes,
                                        .TotalTensorSizeInBytes = 4 * 3 * 4};
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice1 = {&in_tensor, &out_tensor, 2, offsets, windows, strides};
    const DML_OPERATOR_DESC op = {DML_OPERATOR_SLICE1, &slice1};
    uint32_t grown[2] = {sizeof grown, 7}, read[2];
    char bytes[1024];
    if (structs_read(read, sizeof read, sizeof read, grown, "grown", NULL) != CLSLICE_S_OK ||
        !describe(&op, bytes, sizeof bytes))
        return 1;
    fputs(bytes, stdout);
    return strstr(bytes, "from input element 6, 12 elements") == NULL;
}
