/* SPDX-License-Identifier: MIT */
#include "core/runs.h"

#include <string.h>

struct runs runs_of(const struct plan *plan, const struct plan_box *box)
{
    struct runs runs = {.bytes = plan->element_size};
    for (uint32_t i = plan->rank; i-- > 0;) {
        uint64_t step = (uint64_t)plan->dim[i].out_stride * plan->element_size;
        uint32_t inner = runs.rank - (runs.rank > 0);
        if (box->size[i] == 1)
            continue;
        if (runs.rank == 0 && step == runs.bytes) {
            runs.bytes *= box->size[i];
        } else if (runs.rank > 0 && step == runs.step[inner] * runs.count[inner]) {
            runs.count[inner] *= box->size[i];
        } else {
            runs.count[runs.rank] = box->size[i];
            runs.step[runs.rank++] = step;
        }
    }
    return runs;
}

uint64_t runs_bytes(const struct runs *runs, uint32_t rank)
{
    uint64_t bytes = runs->bytes;
    for (uint32_t i = 0; i < rank; ++i)
        bytes *= runs->count[i];
    return bytes;
}

/* Compiled once for each size of run that is a constant below. */
static inline void scatter_line(unsigned char *to, const unsigned char *from, size_t bytes,
                                size_t step, size_t count)
{
    for (; count > 0; --count, to += step, from += bytes)
        memcpy(to, from, bytes);
}

const unsigned char *runs_scatter(const struct runs *runs, uint32_t rank, const unsigned char *from,
                                  unsigned char *to)
{
    size_t bytes = (size_t)runs->bytes, step, count;
    if (rank == 0) {
        memcpy(to, from, bytes);
        return from + bytes;
    }
    step = (size_t)runs->step[rank - 1];
    count = (size_t)runs->count[rank - 1];
    if (rank > 1) {
        for (; count > 0; --count, to += step)
            from = runs_scatter(runs, rank - 1, from, to);
        return from;
    }
    switch (bytes) {
#define LINE(constant)                                 \
    case constant:                                     \
        scatter_line(to, from, constant, step, count); \
        break;
        LINE(1)
        LINE(2)
        LINE(3)
        LINE(4)
        LINE(6)
        LINE(8)
        LINE(12)
        LINE(16)
#undef LINE
    default:
        scatter_line(to, from, bytes, step, count);
    }
    return from + bytes * count;
}
