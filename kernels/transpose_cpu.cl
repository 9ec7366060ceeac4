/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: rows of the output that lie across neighbours of the input, for devices with few
 * threads and long vectors.
 *
 * Grid: one dimension, groups of one. Work-item i moves `blocks_each` blocks from i times that on,
 * as far as there are any. Dimension 0 counts along the column: blocks that follow each other read
 * the same pages, and looking up pages is what a transpose waits for.
 * The plan guarantees: out_step = 1, width is at most TABLE and a multiple of the inner dimensions'
 * sizes, height is at most ROWS and a multiple of the extents of a column's inner dimensions, a
 * column spans at most ROWS elements of the input, and no two of its elements are the same.
 */
#ifndef WALK_CL
#include "walk.cl"

#include "line.cl"
#include "offsets.cl"
#include "origins.cl"
#include "square.cl"
#include "strip.cl"
#endif

#define STRIP_BYTES (128 << 10)
#define TABLE 1536
#define ROWS 512
#define COLUMNS 16       /* of single elements at a time */
#define AHEAD_BYTES 4096 /* that squares read until they come to the columns asked for, about */
/* Of a square's rows, for it to be faster than these. */
#define USED_LEAST (ELEMENT_SIZE == 1 ? 4 : ELEMENT_SIZE == 2 ? 3 : 1)

/* Some columns of a block, the elements of each row behind those that did not fill a line of
 * memory with the columns before them. */
struct strip {
    element at[STRIP_BYTES / ELEMENT_SIZE];
    index column[TABLE];               /* where the columns of a block begin, from its first, */
    index low, high;                   /* and at most */
    index row_in[ROWS], row_out[ROWS]; /* where the rows begin in the tensors, from the first */
    index step;                        /* rows, which the column's inner dimensions number, */
    index step_low, step_high;         /* and where they begin in the input, at most */
    index pitch;                       /* elements from one row to the next */
    index rows; /* with those between a column's elements, which are read but not written */
    index width;
} __attribute__((aligned(LINE_BYTES)));

void list_columns(struct strip *t, const struct walk *w)
{
    t->low = t->high = 0;
    index steps = (index)w->width / step_elements(w);
    for (index c = list_row(t->column, w, steps, 0, 1); c-- > 0;) {
        t->low = min(t->low, t->column[c]);
        t->high = max(t->high, t->column[c]);
    }
}

void list_rows(struct strip *t, const struct walk *w)
{
    t->row_in[0] = t->row_out[0] = 0;
    t->step = 1;
    for (uint d = 0; d < 4 && w->block[d].extent > 0; ++d) {
        const struct walk_extent *inner = &w->block[d];
        list_steps(t->row_in, t->step, inner->extent, (index)inner->in_step, 0, 0);
        t->step = list_steps(t->row_out, t->step, inner->extent, (index)inner->out_step, 0, 0);
    }
    t->step_low = t->step_high = 0;
    for (index l = 0; l < t->step; ++l) {
        t->step_low = min(t->step_low, t->row_in[l]);
        t->step_high = max(t->step_high, t->row_in[l]);
    }
    list_steps(t->row_in, t->step, (index)w->height / t->step, (index)w->in_pitch, 0, 0);
    list_steps(t->row_out, t->step, (index)w->height / t->step, (index)w->out_pitch, 0, 0);
}

/* How many columns that follow each other have elements in one line of the input. */
index columns_of_line(const struct strip *t, const index *column)
{
    index apart = t->width > 1 ? column[1] - column[0] : LINE;
    index n = LINE / clamp(max(apart, -apart), (index)1, (index)LINE), last = min(n, t->width) - 1;
    return column[last] - column[0] == last * apart ? n : 1;
}

#ifdef LINE_IS_VECTOR
/* A square that would hang out moves back inside: what it moves a second time is the same.
 * At every LINE elements down, squares ask for the last of the next LINE elements in columns
 * further on, and at the top for the first, so that no line is left out wherever columns begin. */
NOINLINE void read_squares(struct strip *t, global const element *from, const index *column)
{
    index few[SQUARE], shared = columns_of_line(t, column);
    index ahead = max((index)(AHEAD_BYTES / ELEMENT_SIZE) / t->rows, (index)SQUARE);
    column = square_columns(few, column, t->width);
    for (index c = 0; c < t->width; c += SQUARE)
        for (index l = 0; l < t->rows; l += SQUARE) {
            index x = max(min(c, t->width - SQUARE), (index)0), y = min(l, t->rows - SQUARE);
            index end = l % LINE == 0 ? min(c + ahead + SQUARE, t->width) : 0;
            for (index i = c > 0 ? c + ahead : 0; i < end; i += shared) {
                if (l == 0)
                    PREFETCH(from + column[i]);
                PREFETCH(from + (column[i] + min(l + LINE, t->rows) - 1));
            }
            square_transpose(from + y, column + x, 1, t->at + (LINE + y * t->pitch + x), t->pitch);
        }
}
#endif

/* Single elements, of as many columns at a time as the first-level cache holds lines of. */
NOINLINE void read_elements(struct strip *t, global const element *from, const index *column)
{
    index shared = columns_of_line(t, column), most = COLUMNS * shared;
    for (index c = 0, end; c < t->width; c = end) {
        end = min(c + most, t->width);
        for (index l = 0, asked = 0; l < t->rows; ++l) {
            global const element *at = from + t->row_in[l];
            element *to = t->at + (LINE + l * t->pitch);
            index since = t->row_in[l] - asked;
            bool asks = l == 0 || max(since, -since) >= LINE;
            asked += asks ? since : 0;
            for (index i = end; asks && i < min(end + most, t->width); i += shared)
                PREFETCH(at + column[i]);
            ONE_BY_ONE
            for (index k = c; k < end; ++k)
                to[k] = at[column[k]];
        }
    }
}

/* Whether columns whose elements lie at [first, first + span) are read by squares. Then `back` is
 * how far before the columns these begin, so that they stay where the launch reads. */
bool reads_squares(struct strip *t, const struct walk *w, index first, index span, index height,
                   index *back)
{
#ifdef LINE_IS_VECTOR
    index beyond = first - ((index)w->in_high - t->high - SQUARE);
    t->rows = max(span, (index)SQUARE);
    *back = span < SQUARE ? max(beyond, (index)0) : 0;
    return height * SQUARE >= t->rows * USED_LEAST && *back <= t->rows - span &&
           first - *back >= (index)w->in_low - t->low;
#else
    return false;
#endif
}

NOINLINE void transpose_block(struct strip *t, const struct walk *restrict w,
                              global const element *from, index at, global element *to, index width,
                              index height)
{
    index reach = (height / t->step - 1) * (index)w->in_pitch, back = 0;
    index low = t->step_low + min(reach, (index)0), high = t->step_high + max(reach, (index)0);
    bool by_squares = reads_squares(t, w, at + low, high - low + 1, height, &back);
    if (!by_squares)
        t->rows = height;
    t->pitch = (STRIP_BYTES / LINE_BYTES / t->rows - 1 | 1) * LINE;
    for (index l = 0; w->past_caches && l < height; ++l)
        ask_for_ends(to + t->row_out[l], width);
    for (index c = 0; c < width; c += t->width) {
        t->width = min(width - c, t->pitch - LINE);
#ifdef LINE_IS_VECTOR
        if (by_squares)
            read_squares(t, from + (low - back), t->column + c);
        else
#endif
            read_elements(t, from, t->column + c);
        for (index l = 0; l < height; ++l) {
            index row = by_squares ? t->row_in[l] - low + back : l;
            global element *out = to + (t->row_out[l] + c);
            strip_write(t->at + (LINE + row * t->pitch), out, t->width, c > 0 ? line_phase(out) : 0,
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
        transpose_block(t, w, in + c.in, c.in, out + c.out, (index)block_width(w, c.at[1]),
                        (index)block_height(w, c.at[0]));
        cursor_step(&c, w);
    }
}

#define MOVE(in, out, first, end, behind) move_blocks(&t, &w, in, out, first, end)

kernel HAS_VECTORS void transpose_cpu(global const element *in, global element *out,
                                      constant struct walk *walk ITEMS)
{
    struct walk w = *walk;
    struct strip t;
    list_columns(&t, &w);
    list_rows(&t, &w);
    EACH_ITEM(MOVE)
}
