/* SPDX-License-Identifier: MIT */
#include "slice1.h"

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

/* `to` receives the sizes; strides NULL: packed. */
static DML_BUFFER_TENSOR_DESC tensor(const int64_t *sizes, const uint32_t *strides, size_t rank,
                                     uint32_t element_bytes, uint32_t *to)
{
    uint64_t elements = strides ? 1 : window_elements_of(sizes, rank);
    for (size_t d = 0; d < rank; ++d) {
        to[d] = (uint32_t)sizes[d];
        elements += strides ? (uint64_t)(sizes[d] - 1) * strides[d] : 0;
    }
    return (DML_BUFFER_TENSOR_DESC){
        .DataType = data_types[element_bytes],
        .DimensionCount = (uint32_t)rank,
        .Sizes = to,
        .Strides = strides,
        .TotalTensorSizeInBytes = (elements * element_bytes + 3) / 4 * 4,
    };
}

void slice1_describe(const struct window *window, const int64_t *strides, uint32_t element_bytes,
                     struct slice1 *to)
{
    const size_t rank = window->rank;
    for (size_t d = 0; d < rank; ++d) {
        to->in_strides[d] = strides ? (uint32_t)strides[d] : 0;
        /* SLICE1's window is what lies between the first and the last element taken, and a negative
         * stride starts at its upper end. */
        to->offsets[d] = (uint32_t)window_low(window, d);
        to->sizes[d] = (uint32_t)window_extent(window, d);
        to->strides[d] = (int32_t)window->step[d];
    }
    to->in =
        tensor(window->sizes, strides ? to->in_strides : NULL, rank, element_bytes, to->in_sizes);
    to->out = tensor(window->count, NULL, rank, element_bytes, to->out_sizes);
    to->in_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &to->in};
    to->out_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &to->out};
    to->slice = (DML_SLICE1_OPERATOR_DESC){&to->in_tensor, &to->out_tensor, (uint32_t)rank,
                                           to->offsets,    to->sizes,       to->strides};
    to->desc = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE1, &to->slice};
}

int32_t slice1_compile(clslice_device *device, const struct slice1 *slice1, uint32_t flags,
                       clslice_compiled_operator **compiled, clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options, .flags = flags};
    clslice_operator *op = NULL;
    int32_t result = clslice_operator_create(device, &slice1->desc, &op, error);
    if (result == CLSLICE_S_OK)
        result = clslice_operator_compile(op, &options, compiled, error);
    clslice_operator_release(op);
    return result;
}

int32_t slice1_warm(clslice_device *device, const struct window *window, uint32_t element_bytes,
                    clslice_error *error)
{
    clslice_compiled_operator *compiled = NULL;
    struct slice1 slice1;
    slice1_describe(window, NULL, element_bytes, &slice1);
    const int32_t result =
        slice1_compile(device, &slice1, CLSLICE_COMPILE_FLAG_WARM, &compiled, error);
    clslice_compiled_operator_release(compiled);
    return result;
}

/* Compiling is cheap where the programs are there, 2 us, so that no operator needs to be kept. */
int32_t slice1_run(clslice_device *device, const struct window *window, uint32_t element_bytes,
                   const void *from, void *to, clslice_error *error)
{
    struct slice1 slice1;
    slice1_describe(window, NULL, element_bytes, &slice1);
    return clslice_run(device, &slice1.desc, from,
                       window_elements_of(window->sizes, window->rank) * element_bytes, to,
                       window_elements_of(window->count, window->rank) * element_bytes, error);
}
