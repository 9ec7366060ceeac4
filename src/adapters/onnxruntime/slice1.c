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

static DML_TENSOR_DATA_TYPE data_type(uint32_t element_bytes)
{
    switch (element_bytes) {
    case 1:
        return DML_TENSOR_DATA_TYPE_UINT8;
    case 2:
        return DML_TENSOR_DATA_TYPE_UINT16;
    case 4:
        return DML_TENSOR_DATA_TYPE_UINT32;
    default:
        return DML_TENSOR_DATA_TYPE_UINT64;
    }
}

/* A packed tensor; `sizes` is borrowed, and `to` receives them. */
static DML_BUFFER_TENSOR_DESC packed(const int64_t *sizes, size_t rank, uint32_t element_bytes,
                                     uint32_t *to)
{
    for (size_t d = 0; d < rank; ++d)
        to[d] = (uint32_t)sizes[d];
    return (DML_BUFFER_TENSOR_DESC){
        .DataType = data_type(element_bytes),
        .DimensionCount = (uint32_t)rank,
        .Sizes = to,
        .TotalTensorSizeInBytes = (window_elements_of(sizes, rank) * element_bytes + 3) / 4 * 4,
    };
}

/* SLICE1's window is what lies between the first and the last element taken, and a negative stride starts
 * at its upper end. */
static void place(const struct window *window, size_t d, uint32_t *offset, uint32_t *size)
{
    const int64_t reach = (window->count[d] - 1) * window->step[d];
    const int64_t low = reach < 0 ? window->first[d] + reach : window->first[d];
    *offset = (uint32_t)low;
    *size = (uint32_t)((reach < 0 ? -reach : reach) + 1);
}

/* Cheap where the programs are there: 2 us, so that no operator needs to be kept. */
static int32_t compile(clslice_device *device, const struct window *window, uint32_t element_bytes,
                       uint32_t flags, clslice_compiled_operator **compiled, clslice_error *error)
{
    uint32_t in_sizes[MAX_RANK], out_sizes[MAX_RANK], offsets[MAX_RANK], sizes[MAX_RANK];
    int32_t strides[MAX_RANK];
    const size_t rank = window->rank;
    const DML_BUFFER_TENSOR_DESC in = packed(window->sizes, rank, element_bytes, in_sizes);
    const DML_BUFFER_TENSOR_DESC out = packed(window->count, rank, element_bytes, out_sizes);
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, (uint32_t)rank,
                                            offsets,    sizes,       strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    const clslice_compile_options options = {.size = sizeof options, .flags = flags};
    clslice_operator *op = NULL;
    for (size_t d = 0; d < rank; ++d) {
        place(window, d, &offsets[d], &sizes[d]);
        strides[d] = (int32_t)window->step[d];
    }
    int32_t result = clslice_operator_create(device, &desc, &op, error);
    if (result == CLSLICE_S_OK)
        result = clslice_operator_compile(op, &options, compiled, error);
    clslice_operator_release(op);
    return result;
}

int32_t slice1_warm(clslice_device *device, const struct window *window, uint32_t element_bytes,
                    clslice_error *error)
{
    clslice_compiled_operator *compiled = NULL;
    const int32_t result =
        compile(device, window, element_bytes, CLSLICE_COMPILE_FLAG_WARM, &compiled, error);
    clslice_compiled_operator_release(compiled);
    return result;
}

static clslice_binding bind(const void *memory, const int64_t *sizes, size_t rank,
                            uint32_t element_bytes)
{
    /* clslice_binding has one type for both directions, and never writes to an input. */
    union {
        const void *in;
        void *any;
    } handle = {.in = memory};
    return (clslice_binding){.kind = CLSLICE_BINDING_HOST,
                             .handle = handle.any,
                             .size = window_elements_of(sizes, rank) * element_bytes};
}

int32_t slice1_run(clslice_device *device, const struct window *window, uint32_t element_bytes,
                   const void *from, void *to, clslice_error *error)
{
    const clslice_binding input = bind(from, window->sizes, window->rank, element_bytes);
    const clslice_binding output = bind(to, window->count, window->rank, element_bytes);
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .inputs = &input,
                                            .outputs = &output,
                                            .input_count = 1,
                                            .output_count = 1};
    clslice_compiled_operator *compiled = NULL;
    struct _cl_event *done = NULL;
    int32_t result = compile(device, window, element_bytes, 0, &compiled, error);
    if (result == CLSLICE_S_OK)
        result = clslice_dispatch(compiled, &dispatch, &done, error);
    if (result == CLSLICE_S_OK)
        result = clslice_event_wait(device, done, error);
    /* Whatever failed, what was enqueued before it may still use the memory. */
    if (result != CLSLICE_S_OK)
        clslice_device_finish(device, NULL);
    clslice_event_release(device, done);
    clslice_compiled_operator_release(compiled);
    return result;
}
