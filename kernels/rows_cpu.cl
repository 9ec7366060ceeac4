/* SPDX-License-Identifier: MIT */
/*
 * rows_cpu: rows that are contiguous in both tensors, for devices with few threads and long vectors.
 *
 * Grid: one dimension, groups of one. Work-item i copies the units [i * batch, i * batch + batch),
 * as far as there are any.
 * The plan guarantees: in_step = out_step = 1.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

void copy_run(global const element *in, global element *out, count n)
{
    count k = 0;
#if ELEMENT_SIZE == 16
    for (; n - k >= 4; k += 4)
        vstore16(vload16(0, (global const uint *)(in + k)), 0, (global uint *)(out + k));
#else
    for (; n - k >= 16; k += 16)
        vstore16(vload16(0, in + k), 0, out + k);
#endif
    for (; k < n; ++k)
        out[k] = in[k];
}

kernel void rows_cpu(global const element *in, global element *out, ulong in_first, ulong out_first,
                     struct walk w)
{
    count unit = (count)get_global_id(0) * w.batch;
    count end = min((count)w.units, unit + w.batch);
    struct cursor c;
    cursor_set(&c, &w, unit);
    for (; unit < end; ++unit) {
        copy_run(in + in_first + c.in, out + out_first + c.out, run_length(&w, c.at[0]));
        cursor_step(&c, &w);
    }
}
