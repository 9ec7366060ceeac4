/* SPDX-License-Identifier: MIT */
/* Windows of one input. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_PIECES_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_PIECES_H

#include "window.h"

/* None is empty, and all that are looked at together are of one input. */
struct piece {
    struct window window;
    void *to; /* where its elements go */
};

#endif
