/* SPDX-License-Identifier: MIT */
/*
 * strided_gpu: elements with any steps, reversed and broadcast ones among them, for devices with
 * many threads.
 *
 * Grid: one dimension, groups of any size. Work-item i copies element i, if there is one.
 * The plan guarantees: run = batch = 1.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

kernel void strided_gpu(global const element *in, global element *out, ulong in_first,
                        ulong out_first, struct walk w)
{
    count unit = (count)get_global_id(0);
    if (unit >= w.units)
        return;
    struct place place = place_of(&w, unit);
    (out + out_first)[place.out] = (in + in_first)[place.in];
}
