/* SPDX-License-Identifier: MIT */
#include "conformance/case_desc.h"

#include "conformance/data_type.h"

#include <string.h>

uint32_t case_type_bytes(uint32_t data_type)
{
    const struct data_type *type = data_type_of(data_type);

    return type ? type->bytes : 0;
}

void case_store(void *at, uint64_t number, uint32_t bytes)
{
    uint8_t byte = (uint8_t)number;
    uint16_t half = (uint16_t)number;
    uint32_t word = (uint32_t)number;

    switch (bytes) {
    case 1:
        memcpy(at, &byte, sizeof byte);
        break;
    case 2:
        memcpy(at, &half, sizeof half);
        break;
    case 4:
        memcpy(at, &word, sizeof word);
        break;
    default:
        memcpy(at, &number, sizeof number);
        break;
    }
}

/* False where the product does not fit; it is then left alone. */
static bool multiply(uint64_t *product, uint64_t factor)
{
    if (factor != 0 && *product > UINT64_MAX / factor)
        return false;
    *product *= factor;
    return true;
}

static void fill_strides(uint32_t rank, const uint32_t *sizes, const uint32_t *strides,
                         uint64_t filled[CASE_MAX_RANK])
{
    uint64_t packed = 1;

    for (uint32_t i = rank; i-- > 0;) {
        filled[i] = strides ? strides[i] : packed;
        packed *= sizes[i];
    }
}

void case_in_strides(const struct slice_case *c, uint64_t strides[CASE_MAX_RANK])
{
    fill_strides(c->rank, c->in_sizes, c->in_strided ? c->in_strides : NULL, strides);
}

void case_out_strides(const struct slice_case *c, uint64_t strides[CASE_MAX_RANK])
{
    fill_strides(c->rank, c->out_sizes, c->out_strided ? c->out_strides : NULL, strides);
}

bool case_span(uint32_t rank, const uint32_t *sizes, const uint32_t *strides, uint64_t *elements)
{
    uint64_t packed = 1;
    uint64_t last = 0;

    for (uint32_t i = rank; i-- > 0;) {
        uint64_t reach = sizes[i] - (uint64_t)1;

        if (sizes[i] == 0 || !multiply(&reach, strides ? strides[i] : packed) ||
            reach >= UINT64_MAX - last || (!strides && !multiply(&packed, sizes[i])))
            return false;
        last += reach;
    }
    *elements = last + 1;
    return true;
}

static bool tensor_bytes(const struct slice_case *c, const uint32_t *sizes, const uint32_t *strides,
                         uint64_t *bytes)
{
    uint64_t span;

    if (!case_span(c->rank, sizes, strides, &span) ||
        !multiply(&span, case_type_bytes(c->data_type)))
        return false;
    *bytes = span;
    return true;
}

bool case_in_bytes(const struct slice_case *c, uint64_t *bytes)
{
    return tensor_bytes(c, c->in_sizes, c->in_strided ? c->in_strides : NULL, bytes);
}

bool case_out_bytes(const struct slice_case *c, uint64_t *bytes)
{
    return tensor_bytes(c, c->out_sizes, c->out_strided ? c->out_strides : NULL, bytes);
}

bool case_out_elements(const struct slice_case *c, uint64_t *elements)
{
    uint64_t product = 1;

    for (uint32_t i = 0; i < c->rank; ++i)
        if (!multiply(&product, c->out_sizes[i]))
            return false;
    *elements = product;
    return true;
}

bool case_next(uint32_t rank, const uint32_t *sizes, uint32_t coordinate[CASE_MAX_RANK])
{
    for (uint32_t i = rank; i-- > 0;) {
        if (++coordinate[i] < sizes[i])
            return true;
        coordinate[i] = 0;
    }
    return false;
}

/* DirectML's minimum for `bytes` of elements: rounded up to 4. */
static uint64_t total_bytes(uint64_t given, bool fits, uint64_t bytes)
{
    if (given != 0)
        return given;
    return fits && bytes <= UINT64_MAX - 3 ? (bytes + 3) / 4 * 4 : 0;
}

void case_desc_init(struct case_desc *desc, const struct slice_case *c)
{
    uint64_t in_bytes = 0;
    uint64_t out_bytes = 0;
    bool in_fits = case_in_bytes(c, &in_bytes);
    bool out_fits = case_out_bytes(c, &out_bytes);

    desc->in_buffer = (DML_BUFFER_TENSOR_DESC){
        .DataType = (DML_TENSOR_DATA_TYPE)c->data_type,
        .DimensionCount = c->rank,
        .Sizes = c->in_sizes,
        .Strides = c->in_strided ? c->in_strides : NULL,
        .TotalTensorSizeInBytes = total_bytes(c->in_total_bytes, in_fits, in_bytes),
    };
    desc->out_buffer = (DML_BUFFER_TENSOR_DESC){
        .DataType = (DML_TENSOR_DATA_TYPE)c->data_type,
        .DimensionCount = c->rank,
        .Sizes = c->out_sizes,
        .Strides = c->out_strided ? c->out_strides : NULL,
        .TotalTensorSizeInBytes = total_bytes(c->out_total_bytes, out_fits, out_bytes),
    };
    desc->in_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &desc->in_buffer};
    desc->out_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &desc->out_buffer};
    desc->slice1 = (DML_SLICE1_OPERATOR_DESC){
        .InputTensor = &desc->in_tensor,
        .OutputTensor = &desc->out_tensor,
        .DimensionCount = c->rank,
        .InputWindowOffsets = c->window_offsets,
        .InputWindowSizes = c->window_sizes,
        .InputWindowStrides = c->window_strides,
    };
    desc->op = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE1, &desc->slice1};
}
