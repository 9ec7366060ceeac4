/* SPDX-License-Identifier: MIT */
/*
 * rows_gpu: rows that are contiguous in both tensors, for devices with many threads.
 *
 * Grid: one dimension, groups of any size. Work-item i copies unit i, if there is one: 16 bytes, or
 * what a row's end leaves.
 * The plan guarantees: in_step = out_step = 1, run = 16 / ELEMENT_SIZE, batch = 1.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

#define RUN (16 / ELEMENT_SIZE)

kernel void rows_gpu(global const element *in, global element *out, ulong in_first, ulong out_first,
                     struct walk w)
{
    count unit = (count)get_global_id(0);
    if (unit >= w.units)
        return;
    struct place place = place_of(&w, unit);
    global const element *from = in + in_first + place.in;
    global element *to = out + out_first + place.out;
    count n = run_length(&w, place.run_at);
    if (n == RUN) {
        /* All loads before the first store, so that they are in flight together. */
        element held[RUN];
        for (int k = 0; k < RUN; ++k)
            held[k] = from[k];
        for (int k = 0; k < RUN; ++k)
            to[k] = held[k];
    } else {
        for (count k = 0; k < n; ++k)
            to[k] = from[k];
    }
}
