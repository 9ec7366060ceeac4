/* SPDX-License-Identifier: MIT */
/*
 * strided_cpu: rows of any dimensions with any steps, reversed and broadcast ones among them, for
 * devices with few threads.
 *
 * Grid: one dimension, groups of one. Work-item i copies `blocks_each` blocks from i times that on,
 * as far as there are any.
 * The plan guarantees: width is at most TABLE, and a multiple of the inner dimensions' sizes.
 */
#ifndef WALK_CL
#include "line.cl"
#include "square.cl"
#include "strip.cl"
#include "walk.cl"
#endif

#define TABLE (4096 / ELEMENT_SIZE)
#define RUN_LEAST 3     /* elements, for vectors to be faster than single ones */
#define FEW 4           /* elements of a row between gaps that are kept in registers */
#define FEW_OF_SQUARE 4 /* turning is faster where a square is filled to a quarter */

/* What every block of a work-item has alike. */
struct table {
    index at[TABLE];    /* where its elements lie in the input, from its first */
    index touch[TABLE]; /* and of these about one in each line of memory */
    index touches, touches_per_line;
    index step;      /* elements of a step of the row, which the inner dimensions number */
    index run, way;  /* so many of them are neighbours, upwards or downwards, or one; 0: too few */
    index low, high; /* where a block's elements lie, at most */
    bool turns;      /* the steps are neighbours, and enough of a square */
};

void table_set(struct table *t, const struct walk *w)
{
    index n = list_row(t->at, w, 0), inner = w->rank < 8 ? (index)w->dim[w->rank].size : 0;
    t->touches = list_row(t->touch, w, LINE);
    t->touches_per_line = (t->touches * LINE + n - 1) / n;
    t->step = 1;
    for (uint d = w->rank; d < 8 && w->dim[d].size > 0; ++d)
        t->step *= (index)w->dim[d].size;
    t->turns = w->in_step == 1 && t->step * FEW_OF_SQUARE >= SQUARE;
    t->way = inner > 0 ? (index)w->dim[w->rank].in_stride : 0;
    t->run = t->way >= -1 && t->way <= 1 && inner >= RUN_LEAST ? inner : 0;
    t->low = t->high = 0;
    for (index e = 0; e < n; ++e) {
        t->low = min(t->low, t->at[e]);
        t->high = max(t->high, t->at[e]);
    }
}

#ifdef LINE_IS_VECTOR

/* By whole quads, of which the last may read and write more. */
void run_copy(element *to, global const element *from, index n, index way)
{
    if (way > 0)
        for (index k = 0; k < n; k += QUAD)
            *(loose_quad *)(to + k) = *(global const loose_quad *)(from + k);
    else if (way == 0)
        for (index k = 0; k < n; k += QUAD)
            *(loose_quad *)(to + k) = (quad)(*from);
    else
        for (index k = 0; k < n; k += QUAD)
            *(loose_quad *)(to + k) = TURNED(*(global const loose_quad *)(from - k - (QUAD - 1)));
}

/* Reads squares upwards: what a row of one has too much, the next one overwrites. Those that would
 * hang out move back inside. */
void block_turn(const struct table *t, global const element *from, element *to, index steps,
                global const element *next)
{
    index touched = 0, at_once = t->touches / (steps / SQUARE) + 1;
    for (index s = 0; s < steps; s += SQUARE) {
        index y = min(s, steps - SQUARE);
        for (index i = 0; i < at_once && touched < t->touches; ++i)
            PREFETCH(next + t->touch[touched++]);
        for (index c = 0; c < t->step; c += SQUARE) {
            index x = max(min(c, t->step - SQUARE), (index)0);
            square_transpose(from + y, t->at + x, (int)min(t->step - 1, (index)SQUARE - 1),
                             to + y * t->step + x, t->step);
        }
    }
}

#endif

/* Reads a block of n elements, and asks for the next one's memory: the processor cannot guess it,
 * and does not look ahead so far. Behind `to` is room for a line more. */
void block_read(const struct table *t, global const element *from, element *to, index n,
                global const element *next, bool may_overrun)
{
    index touched = 0, e = 0;
#ifdef LINE_IS_VECTOR
    if (t->turns && n >= SQUARE * t->step) {
        block_turn(t, from, to, n / t->step, next);
        return;
    }
#endif
    for (index k = 0; k < n; k += LINE) {
        index end = min(k + LINE, n);
        for (index i = 0; i < t->touches_per_line && touched < t->touches; ++i)
            PREFETCH(next + t->touch[touched++]);
#ifdef LINE_IS_VECTOR
        if (t->run > 0 && may_overrun) {
            for (; e < end; e += t->run)
                run_copy(to + e, from + t->at[e], t->run, t->way);
            continue;
        }
#endif
        ONE_BY_ONE
        for (; e < end; ++e)
            to[e] = from[t->at[e]];
    }
}

/* Rows of n elements between gaps. Inlined for a constant n, it keeps its table in registers. */
void copy_rows(const struct table *t, const struct stretch *s, global const element *from,
               global element *to, index n, index step)
{
    index at[FEW];
    for (index e = 0; e < n; ++e)
        at[e] = t->at[e];
    for (uint k = 0; k < s->blocks; ++k, from += s->in_step, to += s->out_step)
        for (index e = 0; e < n; ++e)
            to[e * step] = from[at[e]];
}

/* `behind`: the input of the blocks behind these. */
static void copy_blocks(const struct table *t, const struct walk *w, global const element *in,
                        global element *out, count block, count end, global const element *behind)
{
    element strip[TABLE + 2 * LINE] __attribute__((aligned(LINE_BYTES))), *held = strip + LINE;
    index out_step = (index)w->out_step, n, kept = 0;
    struct cursor c;
    cursor_set(&c, w, block);
    /* A whole block at such a place leaves a line on either side. No sum here exceeds the span. */
    index overruns_from = (index)w->in_low + LINE - t->low;
    index overruns_to = (index)w->in_high - LINE - t->high;
    bool is_held = false;
    for (struct stretch s; block < end && (out_step != 1 || w->width < LINE); block += s.blocks) {
        s = stretch_from(&c, w, end - block);
        if (s.width == 2)
            copy_rows(t, &s, in + c.in, out + c.out, 2, out_step);
        else if (s.width == 3)
            copy_rows(t, &s, in + c.in, out + c.out, 3, out_step);
        else if (s.width == 4)
            copy_rows(t, &s, in + c.in, out + c.out, 4, out_step);
        else
            for (uint k = 0; k < s.blocks; ++k) {
                global const element *from = in + (c.in + (index)k * s.in_step);
                global element *to = out + (c.out + (index)k * s.out_step);
                ONE_BY_ONE
                for (index e = 0; e < (index)s.width; ++e)
                    to[e * out_step] = from[t->at[e]];
            }
        cursor_advance(&c, w, s.dim, s.blocks);
    }
    for (; block < end; ++block) {
        struct cursor next = c;
        global element *to = out + c.out;
        n = (index)block_width(w, c.at[0]);
        cursor_step(&next, w);
        if (!is_held)
            block_read(t, in + c.in, held, n, (block + 1 < end ? in : behind) + next.in,
                       c.in >= overruns_from && c.in < overruns_to);
        bool ends = block + 1 == end || next.out != c.out + n;
        kept = strip_write(held, to, n, kept, ends, w->past_caches);
        is_held = next.in == c.in && (index)block_width(w, next.at[0]) <= n;
        c = next;
    }
}

#define COPY(in, out, first, end, behind) copy_blocks(&t, &w, in, out, first, end, behind)

kernel void strided_cpu(global const element *in, global element *out,
                        constant struct walk *walk ITEMS)
{
    struct walk w = *walk;
    struct table t;
    table_set(&t, &w);
    EACH_ITEM(COPY)
}
