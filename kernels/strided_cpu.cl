/* SPDX-License-Identifier: MIT */
/*
 * strided_cpu: rows with any steps, reversed and broadcast ones among them, for devices with few
 * threads.
 *
 * Grid: one dimension, groups of one. Work-item i copies the blocks [i * batch, i * batch + batch),
 * as far as there are any.
 * The plan guarantees nothing further.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

kernel void strided_cpu(global const element *in, global element *out, constant struct walk *walk)
{
    struct walk w = *walk;
    index in_step = (index)w.in_step, out_step = (index)w.out_step;
    count block = (count)get_global_id(0) * w.batch;
    count end = min((count)w.blocks, block + w.batch);
    struct cursor c;
    cursor_set(&c, &w, block);
    for (struct stretch s; block < end; block += s.blocks) {
        s = stretch_from(&c, &w, end - block);
        index n = (index)s.width;
        for (uint k = 0; k < s.blocks; ++k) {
            global const element *from = in + w.in_first + (c.in + (index)k * s.in_step);
            global element *to = out + w.out_first + (c.out + (index)k * s.out_step);
            for (index e = 0; e < n; ++e)
                to[e * out_step] = from[e * in_step];
        }
        cursor_advance(&c, &w, s.dim, s.blocks);
    }
}
