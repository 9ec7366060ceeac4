/* SPDX-License-Identifier: MIT */
/*
 * strided_gpu: elements with any steps, reversed and broadcast ones among them, for devices with
 * many threads.
 *
 * Grid: one dimension, groups of any size. Work-item i copies element i, if there is one.
 * The plan guarantees: width = batch = 1.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

kernel void strided_gpu(global const element *in, global element *out, struct walk w)
{
    count block = (count)get_global_id(0);
    if (block >= w.blocks)
        return;
    struct place place = place_of(&w, block);
    (out + w.out_first)[place.out] = (in + w.in_first)[place.in];
}
