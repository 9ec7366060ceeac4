/* SPDX-License-Identifier: MIT */
#include "support/fake_cl/fault_shapes.h"

#include <string.h>

enum { RANK = 3 };

static const struct shape {
    DML_TENSOR_DATA_TYPE type;
    uint32_t bytes; /* of an element */
    uint32_t in[RANK], out[RANK], out_strides[RANK], offsets[RANK], window[RANK];
    int32_t strides[RANK];
} shapes[] = {
    [SHAPE_ROWS] = {DML_TENSOR_DATA_TYPE_UINT16,
                    2,
                    {2, 37, 50},
                    {2, 30, 40},
                    {1200, 40, 1},
                    {0, 3, 3},
                    {2, 30, 40},
                    {1, 1, 1}},
    [SHAPE_STRIDED] = {DML_TENSOR_DATA_TYPE_UINT16,
                       2,
                       {2, 37, 50},
                       {2, 15, 40},
                       {600, 40, 1},
                       {0, 3, 4},
                       {2, 30, 40},
                       {1, -2, -1}},
    /* several rectangles to read back: no pitch of a row divides that of a slice */
    [SHAPE_GAPS] = {DML_TENSOR_DATA_TYPE_UINT16,
                    2,
                    {3, 4, 5},
                    {3, 4, 5},
                    {53, 10, 1},
                    {0, 0, 0},
                    {3, 4, 5},
                    {-1, 1, 1}},
    /* the same where one does */
    [SHAPE_PLANES] = {DML_TENSOR_DATA_TYPE_UINT16,
                      2,
                      {3, 4, 5},
                      {3, 4, 5},
                      {60, 10, 1},
                      {0, 0, 0},
                      {3, 4, 5},
                      {-1, 1, 1}},
    /* no two elements side by side */
    [SHAPE_ELEMENTS] = {DML_TENSOR_DATA_TYPE_UINT16,
                        2,
                        {3, 4, 5},
                        {3, 4, 5},
                        {100, 20, 3},
                        {0, 0, 0},
                        {3, 4, 5},
                        {1, -1, 1}},
    /* 1.2 MiB on both sides */
    [SHAPE_BIG] = {DML_TENSOR_DATA_TYPE_FLOAT32,
                   4,
                   {1, 1024, 300},
                   {1, 1024, 300},
                   {307200, 300, 1},
                   {0, 0, 0},
                   {1, 1024, 300},
                   {1, 1, -1}},
    /* a transpose of pairs: of wider elements where everything is aligned, else rows of two */
    [SHAPE_PAIRS] = {DML_TENSOR_DATA_TYPE_UINT16,
                     2,
                     {160, 128, 2},
                     {160, 128, 2},
                     {2, 320, 1},
                     {0, 0, 0},
                     {160, 128, 2},
                     {1, 1, 1}},
};

static size_t span_of(const uint32_t *sizes, const uint32_t *strides)
{
    size_t last = 0;
    for (int i = 0; i < RANK; ++i)
        last += (size_t)(sizes[i] - 1) * strides[i];
    return last + 1;
}

static void packed(const uint32_t *sizes, uint32_t strides[RANK])
{
    strides[2] = 1;
    strides[1] = sizes[2];
    strides[0] = sizes[1] * sizes[2];
}

void shape_sizes(enum step_shape which, size_t *in, size_t *out)
{
    const struct shape *s = &shapes[which];
    uint32_t strides[RANK];
    packed(s->in, strides);
    *in = span_of(s->in, strides) * s->bytes;
    *out = span_of(s->out, s->out_strides) * s->bytes;
}

const DML_OPERATOR_DESC *shape_desc(enum step_shape which)
{
    static struct {
        DML_BUFFER_TENSOR_DESC buffers[2];
        DML_TENSOR_DESC tensors[2];
        DML_SLICE1_OPERATOR_DESC slice;
        DML_OPERATOR_DESC op;
    } all[sizeof shapes / sizeof shapes[0]];
    const struct shape *s = &shapes[which];
    size_t bytes[2];
    shape_sizes(which, &bytes[0], &bytes[1]);
    for (int i = 0; i < 2; ++i) {
        all[which].buffers[i] =
            (DML_BUFFER_TENSOR_DESC){.DataType = s->type,
                                     .DimensionCount = RANK,
                                     .Sizes = i ? s->out : s->in,
                                     .Strides = i ? s->out_strides : NULL,
                                     .TotalTensorSizeInBytes = (bytes[i] + 3) / 4 * 4};
        all[which].tensors[i] = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &all[which].buffers[i]};
    }
    all[which].slice = (DML_SLICE1_OPERATOR_DESC){
        &all[which].tensors[0], &all[which].tensors[1], RANK, s->offsets, s->window, s->strides};
    all[which].op = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE1, &all[which].slice};
    return &all[which].op;
}

void shape_slice(enum step_shape which, const unsigned char *in, unsigned char *out)
{
    const struct shape *s = &shapes[which];
    uint32_t in_strides[RANK];
    packed(s->in, in_strides);
    for (uint32_t i = 0; i < s->out[0] * s->out[1] * s->out[2]; ++i) {
        const uint32_t o[RANK] = {i / s->out[2] / s->out[1], i / s->out[2] % s->out[1],
                                  i % s->out[2]};
        size_t from = 0, to = 0;
        for (int d = 0; d < RANK; ++d) {
            int64_t start = s->offsets[d] + (s->strides[d] < 0 ? s->window[d] - 1 : 0);
            from += (size_t)(start + (int64_t)s->strides[d] * o[d]) * in_strides[d];
            to += (size_t)o[d] * s->out_strides[d];
        }
        memcpy(out + to * s->bytes, in + from * s->bytes, s->bytes);
    }
}
