/* SPDX-License-Identifier: MIT */
/* Windows of one input, and what lies around them. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_PIECES_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_PIECES_H

#include "window.h"

/* None is empty, and all that are looked at together are of one input. */
struct piece {
    struct window window;
    void *to; /* where its elements go */
};

/* The least box of the input that holds some windows. It spans one range of elements: the strides
 * of the box's dimensions are those of the input. */
struct box {
    size_t rank;
    int64_t low[MAX_RANK], sizes[MAX_RANK], strides[MAX_RANK];
    uint64_t first, span; /* elements of the input */
};

struct box pieces_box(const struct piece *pieces, size_t count);

/* The window, of the box as its input. */
struct window box_window(const struct box *box, const struct window *window);

/* Moves the pieces that differ from the first in their places alone behind it, and returns how many
 * they are with it. */
size_t pieces_alike(struct piece *pieces, size_t count);

/* Of pieces that are alike, the dimensions from *axis on in which their places differ; at least
 * one. */
void pieces_axes(const struct piece *pieces, size_t count, size_t *axis, size_t *axes);

#endif
