/* SPDX-License-Identifier: MIT */
#include "conformance/reference.h"

#include "conformance/case_desc.h"

#include <string.h>

/* Which of the input's coordinates of dimension `i` the output's `at` is; of a gradient, the other
 * way round. */
static uint64_t window_coordinate(const struct slice_case *c, uint32_t i, uint32_t at)
{
    int64_t start = c->window_offsets[i];

    if (c->window_strides[i] < 0)
        start += (int64_t)c->window_sizes[i] - 1;
    return (uint64_t)(start + (int64_t)c->window_strides[i] * at);
}

/* Of constant lengths, so that large cases cost seconds, not minutes. */
static void copy_element(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        *to = *from;
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, 8);
        break;
    }
}

/* Zeros, and then each element of the input to its place. */
static void reference_gradient(const struct slice_case *c, const unsigned char *in,
                               unsigned char *out, unsigned char *written)
{
    uint32_t bytes = case_type_bytes(c->data_type);
    uint64_t in_strides[CASE_MAX_RANK];
    uint64_t out_strides[CASE_MAX_RANK];
    uint32_t coordinate[CASE_MAX_RANK] = {0};

    case_in_strides(c, in_strides);
    case_out_strides(c, out_strides);
    do {
        uint64_t to = 0;

        for (uint32_t i = 0; i < c->rank; ++i)
            to += coordinate[i] * out_strides[i];
        memset(out + to * bytes, 0, bytes);
        if (written)
            memset(written + to * bytes, 1, bytes);
    } while (case_next(c->rank, c->out_sizes, coordinate));
    do {
        uint64_t from = 0;
        uint64_t to = 0;

        for (uint32_t i = 0; i < c->rank; ++i) {
            from += coordinate[i] * in_strides[i];
            to += window_coordinate(c, i, coordinate[i]) * out_strides[i];
        }
        copy_element(out + to * bytes, in + from * bytes, bytes);
    } while (case_next(c->rank, c->in_sizes, coordinate));
}

void reference_slice(const struct slice_case *c, const void *in, void *out, unsigned char *written)
{
    const unsigned char *source = in;
    unsigned char *target = out;
    uint32_t bytes = case_type_bytes(c->data_type);
    uint32_t inner = c->rank - 1;
    uint64_t in_strides[CASE_MAX_RANK];
    uint64_t out_strides[CASE_MAX_RANK];
    uint32_t coordinate[CASE_MAX_RANK] = {0};

    if (c->op == CASE_SLICE_GRAD) {
        reference_gradient(c, in, out, written);
        return;
    }
    case_in_strides(c, in_strides);
    case_out_strides(c, out_strides);
    do {
        uint64_t row_from = 0;
        uint64_t row_to = 0;

        for (uint32_t i = 0; i < inner; ++i) {
            row_from += window_coordinate(c, i, coordinate[i]) * in_strides[i];
            row_to += coordinate[i] * out_strides[i];
        }
        for (uint32_t at = 0; at < c->out_sizes[inner]; ++at) {
            uint64_t from = row_from + window_coordinate(c, inner, at) * in_strides[inner];
            uint64_t to = row_to + at * out_strides[inner];

            copy_element(target + to * bytes, source + from * bytes, bytes);
            if (written)
                memset(written + to * bytes, 1, bytes);
        }
    } while (case_next(inner, c->out_sizes, coordinate));
}

void reference_pack(const struct slice_case *c, struct slice_case *packed)
{
    *packed = *c;
    packed->out_strided = false;
    packed->out_total_bytes = 0;
}

void reference_unpack(const struct slice_case *c, struct slice_case *unpack)
{
    *unpack = *c;
    unpack->op = CASE_SLICE1;
    unpack->in_strided = false;
    unpack->in_total_bytes = 0;
    for (uint32_t i = 0; i < c->rank; ++i) {
        unpack->in_sizes[i] = c->out_sizes[i];
        unpack->window_offsets[i] = 0;
        unpack->window_sizes[i] = c->out_sizes[i];
        unpack->window_strides[i] = 1;
    }
}

/* Bit patterns of the IEEE type of that width; 1-byte elements have none to lose. */
static uint64_t fragile_value(uint32_t bytes, size_t i)
{
    static const uint64_t patterns[3][8] = {
        {0x7E01, 0xFD55, 0x7C01, 0x8000, 0x0001, 0x83FF, 0xFFFF, 0xFC00},
        {0x7FC00001, 0xFFEAAAAA, 0x7F800001, 0x80000000, 0x00000001, 0x807FFFFF, 0xFFFFFFFF,
         0xFF800000},
        {0x7FF8000000000001, 0xFFFD555555555555, 0x7FF0000000000001, 0x8000000000000000,
         0x0000000000000001, 0x800FFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0xFFF0000000000000},
    };

    if (bytes == 1)
        return i % 2 ? 0xFF : 0x00;
    return patterns[bytes == 2 ? 0 : bytes == 4 ? 1 : 2][i % 8];
}

void reference_input(const struct slice_case *c, void *in, size_t size)
{
    enum { FRAGILE_EVERY = 5 };
    unsigned char *bytes = in;
    uint32_t width = case_type_bytes(c->data_type);
    uint64_t state = 0x9E3779B97F4A7C15;

    for (size_t i = 0; i < size; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (unsigned char)(state >> 32);
    }
    for (size_t i = 0; (i + 1) * width <= size; i += FRAGILE_EVERY)
        case_store(bytes + i * width, fragile_value(width, i / FRAGILE_EVERY), width);
}
