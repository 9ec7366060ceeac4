/* SPDX-License-Identifier: MIT */
#include "pieces.h"

#include <string.h>

struct box pieces_box(const struct piece *pieces, size_t count)
{
    struct box box = {.rank = pieces->window.rank, .span = 1};
    int64_t stride = 1;
    for (size_t d = box.rank; d-- > 0;) {
        int64_t high = 0;
        box.low[d] = INT64_MAX;
        for (size_t i = 0; i < count; ++i) {
            const int64_t low = window_low(&pieces[i].window, d);
            const int64_t end = low + window_extent(&pieces[i].window, d);
            box.low[d] = low < box.low[d] ? low : box.low[d];
            high = end > high ? end : high;
        }
        box.sizes[d] = high - box.low[d];
        box.strides[d] = stride;
        box.first += (uint64_t)(box.low[d] * stride);
        box.span += (uint64_t)((box.sizes[d] - 1) * stride);
        stride *= pieces->window.sizes[d];
    }
    return box;
}

struct window box_window(const struct box *box, const struct window *window)
{
    struct window inside = *window;
    for (size_t d = 0; d < box->rank; ++d) {
        inside.sizes[d] = box->sizes[d];
        inside.first[d] -= box->low[d];
    }
    return inside;
}

static bool are_alike(const struct window *a, const struct window *b)
{
    return memcmp(a->count, b->count, a->rank * sizeof *a->count) == 0 &&
           memcmp(a->step, b->step, a->rank * sizeof *a->step) == 0;
}

size_t pieces_alike(struct piece *pieces, size_t count)
{
    size_t alike = 1;
    for (size_t i = 1; i < count; ++i) {
        const struct piece piece = pieces[i];
        if (!are_alike(&pieces->window, &piece.window))
            continue;
        pieces[i] = pieces[alike];
        pieces[alike++] = piece;
    }
    return alike;
}

void pieces_axes(const struct piece *pieces, size_t count, size_t *axis, size_t *axes)
{
    size_t first = pieces->window.rank, last = 0;
    for (size_t d = 0; d < pieces->window.rank; ++d)
        for (size_t i = 1; i < count; ++i)
            if (pieces[i].window.first[d] != pieces->window.first[d]) {
                first = d < first ? d : first;
                last = d;
            }
    *axis = first <= last ? first : 0;
    *axes = first <= last ? last - first + 1 : 1;
}
