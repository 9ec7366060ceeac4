/* SPDX-License-Identifier: MIT */
#include "cli/args/parts.h"

struct parts parts_of(const struct slice_case *c, uint64_t most)
{
    struct parts parts = {.count = 1, .elements = 1};

    for (uint32_t i = 1; i < c->rank; ++i)
        parts.elements *= c->out_sizes[i];
    while (parts.elements > most && parts.axis + 1 < c->rank) {
        parts.count *= c->out_sizes[parts.axis++];
        parts.elements /= c->out_sizes[parts.axis];
    }
    uint64_t size = c->out_sizes[parts.axis], chunk = most / parts.elements;
    chunk = chunk < 1 ? 1 : chunk < size ? chunk : size;
    parts.chunk = (uint32_t)chunk;
    parts.pieces = (size + chunk - 1) / chunk;
    parts.count *= parts.pieces;
    return parts;
}

/* Elements [at, at + count) of the axis' output. */
static void take(struct slice_case *c, uint32_t axis, uint64_t at, uint64_t count)
{
    int64_t stride = c->window_strides[axis];
    uint64_t step = (uint64_t)(stride < 0 ? -stride : stride);
    uint64_t offset = c->window_offsets[axis];

    if (stride < 0)
        offset += c->window_sizes[axis] - 1 - (at + count - 1) * step;
    else
        offset += at * step;
    c->window_offsets[axis] = (uint32_t)offset;
    c->window_sizes[axis] = (uint32_t)((count - 1) * step + 1);
    c->out_sizes[axis] = (uint32_t)count;
}

uint64_t parts_case(const struct parts *parts, const struct slice_case *whole, uint64_t i,
                    struct slice_case *part)
{
    uint64_t at = i % parts->pieces * parts->chunk, left = whole->out_sizes[parts->axis] - at;
    uint64_t first = at * parts->elements;
    uint64_t outer = (uint64_t)whole->out_sizes[parts->axis] * parts->elements;

    *part = *whole;
    take(part, parts->axis, at, left < parts->chunk ? left : parts->chunk);
    i /= parts->pieces;
    for (uint32_t axis = parts->axis; axis-- > 0;) {
        uint64_t coordinate = i % whole->out_sizes[axis];
        take(part, axis, coordinate, 1);
        first += coordinate * outer;
        outer *= whole->out_sizes[axis];
        i /= whole->out_sizes[axis];
    }
    return first;
}
