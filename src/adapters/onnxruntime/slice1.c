/* SPDX-License-Identifier: MIT */
#include "slice1.h"

#include <clslice/directml.h>

bool slice1_can(const struct window *window)
{
    if (window_elements_of(window->count, window->rank) == 0 ||
        window_elements_of(window->sizes, window->rank) > UINT32_MAX)
        return false;
    for (size_t d = 0; d < window->rank; ++d)
        if (window->step[d] < INT32_MIN || window->step[d] > INT32_MAX)
            return false;
    return true;
}

static const DML_TENSOR_DATA_TYPE data_types[] = {
    [1] = DML_TENSOR_DATA_TYPE_UINT8,
    [2] = DML_TENSOR_DATA_TYPE_UINT16,
    [4] = DML_TENSOR_DATA_TYPE_UINT32,
    [8] = DML_TENSOR_DATA_TYPE_UINT64,
};

/* A packed tensor; `sizes` is borrowed, and `to` receives them. */
static DML_BUFFER_TENSOR_DESC packed(const int64_t *sizes, size_t rank, uint32_t element_bytes,
                                     uint32_t *to)
{
    for (size_t d = 0; d < rank; ++d)
        to[d] = (uint32_t)sizes[d];
    return (DML_BUFFER_TENSOR_DESC){
        .DataType = data_types[element_bytes],
        .DimensionCount = (uint32_t)rank,
        .Sizes = to,
        .TotalTensorSizeInBytes = (window_elements_of(sizes, rank) * element_bytes + 3) / 4 * 4,
    };
}

/* SLICE1's window is what lies between the first and the last element taken, and a negative stride
 * starts at its upper end. */
static void place(const struct window *window, size_t d, uint32_t *offset, uint32_t *size)
{
    const int64_t reach = (window->count[d] - 1) * window->step[d];
    const int64_t low = reach < 0 ? window->first[d] + reach : window->first[d];
    *offset = (uint32_t)low;
    *size = (uint32_t)((reach < 0 ? -reach : reach) + 1);
}

/* A window as DirectML describes it: the structures point into each other, so it must not move. */
struct slice1 {
    uint32_t in_sizes[MAX_RANK], out_sizes[MAX_RANK], offsets[MAX_RANK], sizes[MAX_RANK];
    int32_t strides[MAX_RANK];
    DML_BUFFER_TENSOR_DESC in, out;
    DML_TENSOR_DESC in_tensor, out_tensor;
    DML_SLICE1_OPERATOR_DESC slice;
    DML_OPERATOR_DESC desc;
};

static void describe(const struct window *window, uint32_t element_bytes, struct slice1 *to)
{
    const size_t rank = window->rank;
    to->in = packed(window->sizes, rank, element_bytes, to->in_sizes);
    to->out = packed(window->count, rank, element_bytes, to->out_sizes);
    to->in_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &to->in};
    to->out_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &to->out};
    to->slice = (DML_SLICE1_OPERATOR_DESC){&to->in_tensor, &to->out_tensor, (uint32_t)rank,
                                           to->offsets,    to->sizes,       to->strides};
    to->desc = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE1, &to->slice};
    for (size_t d = 0; d < rank; ++d) {
        place(window, d, &to->offsets[d], &to->sizes[d]);
        to->strides[d] = (int32_t)window->step[d];
    }
}

int32_t slice1_warm(clslice_device *device, const struct window *window, uint32_t element_bytes,
                    clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options,
                                             .flags = CLSLICE_COMPILE_FLAG_WARM};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    struct slice1 slice1;
    describe(window, element_bytes, &slice1);
    int32_t result = clslice_operator_create(device, &slice1.desc, &op, error);
    if (result == CLSLICE_S_OK)
        result = clslice_operator_compile(op, &options, &compiled, error);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    return result;
}

/* Compiling is cheap where the programs are there, 2 us, so that no operator needs to be kept. */
int32_t slice1_run(clslice_device *device, const struct window *window, uint32_t element_bytes,
                   const void *from, void *to, clslice_error *error)
{
    struct slice1 slice1;
    describe(window, element_bytes, &slice1);
    return clslice_run(device, &slice1.desc, from,
                       window_elements_of(window->sizes, window->rank) * element_bytes, to,
                       window_elements_of(window->count, window->rank) * element_bytes, error);
}
