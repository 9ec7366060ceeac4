/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: rows of the output that are columns of the input, for devices with few threads and
 * long vectors.
 *
 * Grid: one dimension, groups of one. Work-item i moves the blocks [i * batch, i * batch + batch),
 * as far as there are any. Dimension 0 counts along the column: blocks that follow each other read
 * the same pages, and looking up pages is what a transpose waits for.
 * The plan guarantees: out_step = 1, in_pitch = 1 or -1, height at most
 * STRIP_BYTES / 4 / LINE_BYTES.
 */
#ifndef WALK_CL
#include "line.cl"
#include "walk.cl"
#endif

#define STRIP_BYTES (128 << 10)

/* Some columns of a block, the elements of each row behind those that did not fill a line of
 * memory with the columns before them. */
struct strip {
    element at[STRIP_BYTES / ELEMENT_SIZE];
    index pitch; /* elements from one row to the next */
    index width, height;
} __attribute__((aligned(LINE_BYTES)));

#ifdef LINE_IS_VECTOR
#define SQUARE PART
#if SQUARE == 8
#define INTERLEAVE(a, b, i) \
    __builtin_shufflevector(a, b, i, i + 8, i + 1, i + 9, i + 2, i + 10, i + 3, i + 11)
#else
#define INTERLEAVE(a, b, i)                                                                      \
    __builtin_shufflevector(a, b, i, i + 16, i + 1, i + 17, i + 2, i + 18, i + 3, i + 19, i + 4, \
                            i + 20, i + 5, i + 21, i + 6, i + 22, i + 7, i + 23)
#endif

/* SQUARE times SQUARE elements: log2(SQUARE) times, vectors i and i + SQUARE / 2 interleave to
 * vectors 2i and 2i + 1. */
void square_transpose(global const element *from, index step, element *to, index pitch)
{
    part a[SQUARE], b[SQUARE];
#pragma unroll
    for (int i = 0; i < SQUARE; ++i)
        a[i] = *(global const loose_part *)(from + i * step);
#pragma unroll
    for (int done = 1; done < SQUARE; done *= 2) {
#pragma unroll
        for (int i = 0; i < SQUARE / 2; ++i) {
            b[2 * i] = INTERLEAVE(a[i], a[i + SQUARE / 2], 0);
            b[2 * i + 1] = INTERLEAVE(a[i], a[i + SQUARE / 2], SQUARE / 2);
        }
#pragma unroll
        for (int i = 0; i < SQUARE; ++i)
            a[i] = b[i];
    }
#pragma unroll
    for (int i = 0; i < SQUARE; ++i)
        *(loose_part *)(to + i * pitch) = a[i];
}
#else
#define SQUARE 4
void square_transpose(global const element *from, index step, element *to, index pitch)
{
    for (int i = 0; i < SQUARE; ++i)
        for (int k = 0; k < SQUARE; ++k)
            to[i * pitch + k] = from[k * step + i];
}
#endif

/* A square that would hang out moves back inside: what it moves a second time is the same. */
void strip_read(struct strip *t, global const element *from, index step)
{
    element *to = t->at + LINE;
    if (t->height < SQUARE || t->width < SQUARE) {
        for (index c = 0; c < t->width; ++c)
            for (index l = 0; l < t->height; ++l)
                to[l * t->pitch + c] = from[c * step + l];
        return;
    }
    for (index c = 0; c < t->width; c += SQUARE)
        for (index l = 0; l < t->height; l += SQUARE) {
            index x = min(c, t->width - SQUARE), y = min(l, t->height - SQUARE);
            square_transpose(from + (x * step + y), step, to + (y * t->pitch + x), t->pitch);
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

/* Writes what is complete of each row; at the ends of the block's, all there is. `pitch`: from
 * row to row. */
void strip_write(struct strip *t, global element *to, index pitch, bool starts, bool ends,
                 bool past_caches)
{
    for (index l = 0; l < t->height; ++l, to += pitch) {
        element *from = t->at + (l * t->pitch + LINE);
        index low = starts ? 0 : -line_phase(to);
        index high = t->width - (ends ? 0 : line_phase(to + t->width));
        if (past_caches && low < high)
            copy_past_caches(from + low, to + low, high - low);
        else
            copy_elements(from + low, to + low, high - low);
        if (!ends)
            *(loose_line *)(from - LINE) = *(loose_line *)(from + t->width - LINE);
    }
}

void transpose_block(struct strip *t, const struct walk *w, global const element *from,
                     global element *to, index width)
{
    index step = (index)w->in_step, pitch = (index)w->out_pitch;
    if (w->in_pitch < 0) {
        from -= t->height - 1;
        to += (t->height - 1) * pitch;
        pitch = -pitch;
    }
    t->pitch = STRIP_BYTES / ELEMENT_SIZE / t->height / LINE * LINE;
    for (index k = 0; k < width; k += t->width) {
        t->width = min(width - k, t->pitch - LINE);
        strip_read(t, from + k * step, step);
        strip_write(t, to + k, pitch, k == 0, k + t->width == width, w->past_caches);
    }
}

kernel void transpose_cpu(global const element *in, global element *out, constant struct walk *walk)
{
    struct walk w = *walk;
    struct strip t;
    count block = (count)get_global_id(0) * w.batch;
    count end = min((count)w.blocks, block + w.batch);
    struct cursor c;
    cursor_set(&c, &w, block);
    for (; block < end; ++block) {
        t.height = (index)block_height(&w, c.at[0]);
        transpose_block(&t, &w, in + w.in_first + c.in, out + w.out_first + c.out,
                        (index)block_width(&w, c.at[1]));
        cursor_step(&c, &w);
    }
}
