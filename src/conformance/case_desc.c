/* SPDX-License-Identifier: MIT */
#include "conformance/case_desc.h"

#include "conformance/data_type.h"

#include <clslice/clslice.h>
#include <string.h>

uint32_t case_type_bytes(uint32_t data_type)
{
    const struct data_type *type = data_type_of(data_type);

    return type ? type->bytes : 0;
}

void case_store(void *at, uint64_t number, uint32_t bytes)
{
    const uint16_t one = 1;
    bool is_little_endian = *(const uint8_t *)&one == 1;
    const char *low = (const char *)&number + (is_little_endian ? 0 : sizeof number - bytes);

    memcpy(at, low, bytes);
}

/* False where the product does not fit; it is then left alone. */
static bool multiply(uint64_t *product, uint64_t factor)
{
    if (factor != 0 && *product > UINT64_MAX / factor)
        return false;
    *product *= factor;
    return true;
}

static const uint32_t *in_strides_of(const struct slice_case *c)
{
    return c->in_strided ? c->in_strides : NULL;
}

static const uint32_t *out_strides_of(const struct slice_case *c)
{
    return c->out_strided ? c->out_strides : NULL;
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
    fill_strides(c->rank, c->in_sizes, in_strides_of(c), strides);
}

void case_out_strides(const struct slice_case *c, uint64_t strides[CASE_MAX_RANK])
{
    fill_strides(c->rank, c->out_sizes, out_strides_of(c), strides);
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
    return tensor_bytes(c, c->in_sizes, in_strides_of(c), bytes);
}

bool case_out_bytes(const struct slice_case *c, uint64_t *bytes)
{
    return tensor_bytes(c, c->out_sizes, out_strides_of(c), bytes);
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

/* Of a total size that is 0, DirectML's minimum: that of the elements, rounded up to 4. */
static DML_BUFFER_TENSOR_DESC buffer_desc(const struct slice_case *c, const uint32_t *sizes,
                                          const uint32_t *strides, uint64_t total_bytes)
{
    uint64_t bytes;

    if (total_bytes == 0 && tensor_bytes(c, sizes, strides, &bytes) && bytes <= UINT64_MAX - 3)
        total_bytes = (bytes + 3) / 4 * 4;
    return (DML_BUFFER_TENSOR_DESC){
        .DataType = (DML_TENSOR_DATA_TYPE)c->data_type,
        .DimensionCount = c->rank,
        .Sizes = sizes,
        .Strides = strides,
        .TotalTensorSizeInBytes = total_bytes,
    };
}

void case_turn(struct slice_case *c)
{
    struct slice_case of = *c;

    c->op = CASE_SLICE_GRAD;
    c->in_strided = of.out_strided;
    c->out_strided = of.in_strided;
    memcpy(c->in_sizes, of.out_sizes, sizeof of.out_sizes);
    memcpy(c->out_sizes, of.in_sizes, sizeof of.in_sizes);
    memcpy(c->in_strides, of.out_strides, sizeof of.out_strides);
    memcpy(c->out_strides, of.in_strides, sizeof of.in_strides);
    c->in_total_bytes = of.out_total_bytes;
    c->out_total_bytes = of.in_total_bytes;
}

struct slice_case case_gradient(const struct slice_case *c)
{
    clslice_error error = {.size = sizeof error};
    struct slice_case gradient = *c;
    struct case_desc desc;

    case_turn(&gradient);
    case_desc_init(&desc, &gradient);
    if (clslice_operator_create(NULL, &desc.op, NULL, &error) != CLSLICE_S_OK &&
        error.rule == CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP) {
        gradient.out_strided = false;
        gradient.out_total_bytes = 0;
    }
    return gradient;
}

void case_desc_init(struct case_desc *desc, const struct slice_case *c)
{
    desc->in_buffer = buffer_desc(c, c->in_sizes, in_strides_of(c), c->in_total_bytes);
    desc->out_buffer = buffer_desc(c, c->out_sizes, out_strides_of(c), c->out_total_bytes);
    desc->in_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &desc->in_buffer};
    desc->out_tensor = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &desc->out_buffer};
    if (c->op == CASE_SLICE_GRAD) {
        desc->gradient = (DML_SLICE_GRAD_OPERATOR_DESC){
            .InputGradientTensor = &desc->in_tensor,
            .OutputGradientTensor = &desc->out_tensor,
            .DimensionCount = c->rank,
            .InputWindowOffsets = c->window_offsets,
            .InputWindowSizes = c->window_sizes,
            .InputWindowStrides = c->window_strides,
        };
        desc->op = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE_GRAD, &desc->gradient};
        return;
    }
    if (c->op == CASE_SLICE) {
        desc->slice = (DML_SLICE_OPERATOR_DESC){
            .InputTensor = &desc->in_tensor,
            .OutputTensor = &desc->out_tensor,
            .DimensionCount = c->rank,
            .Offsets = c->window_offsets,
            .Sizes = c->out_sizes,
            .Strides = (const uint32_t *)c->window_strides,
        };
        desc->op = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE, &desc->slice};
        return;
    }
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
