/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: rows of the output that are columns of the input, for devices with few threads and
 * long vectors.
 *
 * Grid: one dimension, groups of one. Work-item i moves the units [i * batch, i * batch + batch), as far
 * as there are any. Dimension 0 counts the blocks of lines, 1 the runs: units that follow each other read
 * the same pages, and looking up pages is what a transpose waits for.
 * The plan guarantees: out_step = 1, in_line = 1 or -1, lines at most TILE_BYTES / 4 / LINE_BYTES.
 */
#ifndef WALK_CL
#include "line.cl"
#include "walk.cl"
#endif

#define TILE_BYTES (128 << 10)

/* Some columns of a unit's lines, each behind what did not fill a line of memory with the columns before
 * them. */
struct tile {
    element at[TILE_BYTES / ELEMENT_SIZE];
    index width; /* elements from one line to the next */
    index lines, columns;
} __attribute__((aligned(LINE_BYTES)));

#ifdef LINE_IS_VECTOR
#define BLOCK PART
#if BLOCK == 8
#define INTERLEAVE(a, b, i) \
    __builtin_shufflevector(a, b, i, i + 8, i + 1, i + 9, i + 2, i + 10, i + 3, i + 11)
#else
#define INTERLEAVE(a, b, i)                                                                      \
    __builtin_shufflevector(a, b, i, i + 16, i + 1, i + 17, i + 2, i + 18, i + 3, i + 19, i + 4, \
                            i + 20, i + 5, i + 21, i + 6, i + 22, i + 7, i + 23)
#endif

/* BLOCK times BLOCK elements: log2(BLOCK) times, vectors i and i + BLOCK / 2 interleave to vectors 2i
 * and 2i + 1. */
void block_transpose(global const element *from, index step, element *to, index width)
{
    part a[BLOCK], b[BLOCK];
#pragma unroll
    for (int i = 0; i < BLOCK; ++i)
        a[i] = *(global const loose_part *)(from + i * step);
#pragma unroll
    for (int done = 1; done < BLOCK; done *= 2) {
#pragma unroll
        for (int i = 0; i < BLOCK / 2; ++i) {
            b[2 * i] = INTERLEAVE(a[i], a[i + BLOCK / 2], 0);
            b[2 * i + 1] = INTERLEAVE(a[i], a[i + BLOCK / 2], BLOCK / 2);
        }
#pragma unroll
        for (int i = 0; i < BLOCK; ++i)
            a[i] = b[i];
    }
#pragma unroll
    for (int i = 0; i < BLOCK; ++i)
        *(loose_part *)(to + i * width) = a[i];
}
#else
#define BLOCK 4
void block_transpose(global const element *from, index step, element *to, index width)
{
    for (int i = 0; i < BLOCK; ++i)
        for (int k = 0; k < BLOCK; ++k)
            to[i * width + k] = from[k * step + i];
}
#endif

/* A block that would hang out moves back inside: what it moves a second time is the same. */
void tile_read(struct tile *t, global const element *from, index step)
{
    element *to = t->at + LINE;
    if (t->lines < BLOCK || t->columns < BLOCK) {
        for (index c = 0; c < t->columns; ++c)
            for (index l = 0; l < t->lines; ++l)
                to[l * t->width + c] = from[c * step + l];
        return;
    }
    for (index c = 0; c < t->columns; c += BLOCK)
        for (index l = 0; l < t->lines; l += BLOCK) {
            index x = min(c, t->columns - BLOCK), y = min(l, t->lines - BLOCK);
            block_transpose(from + (x * step + y), step, to + (y * t->width + x), t->width);
        }
}

/* Elements from the start of the line of memory that `to` lies in. */
index line_phase(global element *to)
{
    return (index)((ulong)to % LINE_BYTES / ELEMENT_SIZE);
}

void copy_elements(const element *from, global element *to, index n)
{
    for (index k = 0; k < n; ++k)
        to[k] = from[k];
}

/* Whole lines go past the caches. */
void copy_past_caches(const element *from, global element *to, index n)
{
    index head = min(n, (LINE - line_phase(to)) % LINE), tail = head + (n - head) / LINE * LINE;
    copy_elements(from, to, head);
    for (index k = head; k < tail; k += LINE)
        line_stream(*(const loose_line *)(from + k), to + k);
    copy_elements(from + tail, to + tail, n - tail);
}

/* Writes what is complete of each line; at the ends of a run, all there is. `stride`: from line to line. */
void tile_write(struct tile *t, global element *to, index stride, bool starts, bool ends,
                bool past_caches)
{
    for (index l = 0; l < t->lines; ++l, to += stride) {
        element *from = t->at + (l * t->width + LINE);
        index low = starts ? 0 : -line_phase(to);
        index high = t->columns - (ends ? 0 : line_phase(to + t->columns));
        if (past_caches && low < high)
            copy_past_caches(from + low, to + low, high - low);
        else
            copy_elements(from + low, to + low, high - low);
        if (!ends)
            *(loose_line *)(from - LINE) = *(loose_line *)(from + t->columns - LINE);
    }
}

void transpose_unit(struct tile *t, const struct walk *w, global const element *from,
                    global element *to, index run)
{
    index step = (index)w->in_step, stride = (index)w->out_line;
    if (w->in_line < 0) {
        from -= t->lines - 1;
        to += (t->lines - 1) * stride;
        stride = -stride;
    }
    t->width = TILE_BYTES / ELEMENT_SIZE / t->lines / LINE * LINE;
    for (index k = 0; k < run; k += t->columns) {
        t->columns = min(run - k, t->width - LINE);
        tile_read(t, from + k * step, step);
        tile_write(t, to + k, stride, k == 0, k + t->columns == run, w->past_caches);
    }
}

kernel void transpose_cpu(global const element *in, global element *out, constant struct walk *walk)
{
    struct walk w = *walk;
    struct tile t;
    count unit = (count)get_global_id(0) * w.batch;
    count end = min((count)w.units, unit + w.batch);
    struct cursor c;
    cursor_set(&c, &w, unit);
    for (; unit < end; ++unit) {
        t.lines = (index)line_count(&w, c.at[0]);
        transpose_unit(&t, &w, in + w.in_first + c.in, out + w.out_first + c.out,
                       (index)run_length(&w, c.at[1]));
        cursor_step(&c, &w);
    }
}
