/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: rows of the output that lie across neighbours of the input, for devices with few
 * threads and long vectors.
 *
 * Grid: one dimension, groups of one. Work-item i moves `blocks_each` blocks from i times that on,
 * as far as there are any. Dimension 0 counts along the column: blocks that follow each other read
 * the same pages, and looking up pages is what a transpose waits for.
 * The plan guarantees: out_step = 1, width is at most TABLE and a multiple of the inner dimensions'
 * sizes, height at most STRIP_BYTES / 4 / LINE_BYTES.
 */
#ifndef WALK_CL
#include "line.cl"
#include "square.cl"
#include "strip.cl"
#include "walk.cl"
#endif

#define STRIP_BYTES (128 << 10)
#define TABLE 1536
#define COLUMNS 16 /* of single elements at a time */

/* Some columns of a block, the elements of each row behind those that did not fill a line of
 * memory with the columns before them. */
struct strip {
    element at[STRIP_BYTES / ELEMENT_SIZE];
    index column[TABLE]; /* where the columns of a block begin, from its first */
    index pitch;         /* elements from one row to the next */
    index width, height;
} __attribute__((aligned(LINE_BYTES)));

#ifdef LINE_IS_VECTOR
/* A square that would hang out moves back inside: what it moves a second time is the same.
 * Whenever squares come to a line of the input, they ask for that of the next columns. */
void read_squares(struct strip *t, global const element *from, const index *column)
{
    for (index c = 0; c < t->width; c += SQUARE)
        for (index l = 0; l < t->height; l += SQUARE) {
            index x = min(c, t->width - SQUARE), y = min(l, t->height - SQUARE);
            for (index i = c + SQUARE; l % LINE == 0 && i < min(c + 2 * SQUARE, t->width); ++i)
                PREFETCH(from + (column[i] + l));
            square_transpose(from + y, column + x, SQUARE - 1, t->at + (LINE + y * t->pitch + x),
                             t->pitch);
        }
}
#endif

/* Single elements, of as many columns at a time as the first-level cache holds lines of. */
void read_elements(struct strip *t, global const element *from, const index *column, index pitch)
{
    index apart = t->width > 1 ? column[1] - column[0] : LINE;
    index shared = LINE / clamp(max(apart, -apart), (index)1, (index)LINE); /* columns of a line */
    index most = COLUMNS * shared, per_line = max(LINE / pitch, (index)1);
    for (index c = 0, end; c < t->width; c = end) {
        end = min(c + most, t->width);
        for (index l = 0; l < t->height; ++l) {
            element *to = t->at + (LINE + l * t->pitch);
            for (index i = end; l % per_line == 0 && i < min(end + most, t->width); i += shared)
                PREFETCH(from + (column[i] + l * pitch));
            ONE_BY_ONE
            for (index k = c; k < end; ++k)
                to[k] = (from + l * pitch)[column[k]];
        }
    }
}

void transpose_block(struct strip *t, const struct walk *w, global const element *from,
                     global element *to, index width)
{
    index in_pitch = (index)w->in_pitch, out_pitch = (index)w->out_pitch;
    if (in_pitch < 0) {
        from += (t->height - 1) * in_pitch;
        to += (t->height - 1) * out_pitch;
        in_pitch = -in_pitch;
        out_pitch = -out_pitch;
    }
    t->pitch = STRIP_BYTES / ELEMENT_SIZE / t->height / LINE * LINE;
    for (index c = 0; c < width; c += t->width) {
        t->width = min(width - c, t->pitch - LINE);
#ifdef LINE_IS_VECTOR
        if (in_pitch == 1 && t->width >= SQUARE && t->height >= SQUARE)
            read_squares(t, from, t->column + c);
        else
#endif
            read_elements(t, from, t->column + c, in_pitch);
        for (index l = 0; l < t->height; ++l) {
            global element *row = to + (l * out_pitch + c);
            strip_write(t->at + (LINE + l * t->pitch), row, t->width, c > 0 ? line_phase(row) : 0,
                        c + t->width == width, w->past_caches);
        }
    }
}

static void move_blocks(struct strip *t, const struct walk *w, global const element *in,
                        global element *out, count block, count end)
{
    struct cursor c;
    cursor_set(&c, w, block);
    for (; block < end; ++block) {
        t->height = (index)block_height(w, c.at[0]);
        transpose_block(t, w, in + c.in, out + c.out, (index)block_width(w, c.at[1]));
        cursor_step(&c, w);
    }
}

#define MOVE(in, out, first, end, behind) move_blocks(&t, &w, in, out, first, end)

kernel void transpose_cpu(global const element *in, global element *out,
                          constant struct walk *walk ITEMS)
{
    struct walk w = *walk;
    struct strip t;
    list_row(t.column, &w, 0);
    EACH_ITEM(MOVE)
}
