/* SPDX-License-Identifier: MIT */
/*
 * strided_cpu: rows of any dimensions with any steps, reversed and broadcast ones among them, for
 * devices with few threads.
 *
 * Grid: one dimension, groups of one. Work-item i copies the blocks [i * batch, i * batch + batch),
 * as far as there are any.
 * The plan guarantees: width is at most TABLE, and a multiple of the inner dimensions' sizes.
 */
#ifndef WALK_CL
#include "line.cl"
#include "strip.cl"
#include "walk.cl"
#endif

#define TABLE (4096 / ELEMENT_SIZE)

/* What every block of a work-item has alike. */
struct table {
    index at[TABLE];    /* where its elements lie in the input, from its first */
    index touch[TABLE]; /* and of these about one in each line of memory */
    index touches, touches_per_line;
};

/* Reads a block of n elements, and asks for the next one's memory: the processor cannot guess it,
 * and does not look ahead so far. */
void block_read(const struct table *t, global const element *from, element *to, index n,
                global const element *next)
{
    index touched = 0;
    for (index k = 0, end; k < n; k = end) {
        end = min(k + LINE, n);
        for (index i = 0; i < t->touches_per_line && touched < t->touches; ++i)
            PREFETCH(next + t->touch[touched++]);
        ONE_BY_ONE
        for (index e = k; e < end; ++e)
            to[e] = from[t->at[e]];
    }
}

kernel void strided_cpu(global const element *in, global element *out, constant struct walk *walk)
{
    struct walk w = *walk;
    struct table t;
    element strip[TABLE + 2 * LINE] __attribute__((aligned(LINE_BYTES))), *held = strip + LINE;
    index out_step = (index)w.out_step, n, kept = 0;
    count block = (count)get_global_id(0) * w.batch;
    count end = min((count)w.blocks, block + w.batch);
    struct cursor c;
    if (block >= end)
        return;
    cursor_set(&c, &w, block);
    n = list_row(t.at, &w, 0);
    t.touches = list_row(t.touch, &w, LINE);
    t.touches_per_line = (t.touches * LINE + n - 1) / n;
    in += w.in_first;
    out += w.out_first;
    bool is_held = false;
    for (struct stretch s; block < end && (out_step != 1 || w.width < LINE); block += s.blocks) {
        s = stretch_from(&c, &w, end - block);
        for (uint k = 0; k < s.blocks; ++k) {
            global const element *from = in + (c.in + (index)k * s.in_step);
            global element *to = out + (c.out + (index)k * s.out_step);
            ONE_BY_ONE
            for (index e = 0; e < (index)s.width; ++e)
                to[e * out_step] = from[t.at[e]];
        }
        cursor_advance(&c, &w, s.dim, s.blocks);
    }
    for (; block < end; ++block) {
        struct cursor next = c;
        global element *to = out + c.out;
        n = (index)block_width(&w, c.at[0]);
        cursor_step(&next, &w);
        if (!is_held)
            block_read(&t, in + c.in, held, n, in + next.in);
        bool ends = block + 1 == end || next.out != c.out + n;
        kept = strip_write(held, to, n, kept, ends, w.past_caches);
        is_held = next.in == c.in && (index)block_width(&w, next.at[0]) <= n;
        c = next;
    }
}
