/* SPDX-License-Identifier: MIT */
/*
 * rows_cpu: rows that are contiguous in the output and hold a pattern of the input's, for devices
 * with few threads and long vectors. Compiled with up to three definitions more:
 *
 *     GROUP_SIZE     1 to 4: elements of a group, which is a pixel here
 *     GROUP_STRIDE   1 or -1 where single elements are neighbours; 0 where they are 2 to 4 apart,
 *                    either way, or the same one, and of pixels: the walk says which
 *     INTEL          for that vendor's processors: rows are prefetched into the second-level cache,
 *                    and put together up to a greater length; a batch's long rows ask for their
 *                    own lines sooner
 *
 * Element j * GROUP_SIZE + c of an output row is element j * in_step + c * in_pitch of the input's.
 * Grid: one dimension, groups of one. Work-item i copies `blocks_each` blocks from i times that on,
 * as far as there are any.
 * The plan guarantees: the row's elements are pixels; in_step is at most 4 either way, and at least
 * a pixel, or 0 where that is a single element; out_step = GROUP_SIZE; the column is a pixel's
 * elements, in_pitch 1 or -1 where there are several; pixels do not continue each other.
 */
#ifndef WALK_CL
#include "walk.cl"

#include "line.cl"

#include "gather.cl"
#include "origins.cl"
#include "strip.cl"
#endif

/* Elements that are put together before they are written. */
#define PIECE (2048 / ELEMENT_SIZE)
/* Elements from which on a row need not be: LONG, or, where MANY rows follow each other, so many
 * that LONG_OF_MANY of the input are read. On Intel's processors the second always holds. */
#define MANY 100
#define LONG_OF_MANY (12 * LINE)
#ifdef INTEL
#define LONG LONG_OF_MANY
#else
#define LONG (5 * LINE)
#endif
#define LINES_AHEAD 128 /* of the input, by which short rows are asked for before they are read */
/* A long block of a row that takes fewer lines of the input than LONG_LINES_LEAST asks for those of
 * the next row; others ask for their own, so far ahead, and at their end for the next row's. The
 * first-level cache does not hold two larger blocks. Of a batch, the next row may lie anywhere:
 * asked for early, it takes longer. */
#if defined BATCH && defined INTEL
#define LONG_LINES_AHEAD 24
#define LONG_LINES_LEAST 25
#else
#define LONG_LINES_AHEAD 64
#define LONG_LINES_LEAST 257
#endif

struct piece {
    element at[PIECE + 3 * LINE] __attribute__((aligned(LINE_BYTES)));
    global element *to; /* where at[LINE] goes */
    index n, kept;      /* elements there are, and in front of them */
    bool past_caches;
};

void piece_write(struct piece *p, bool ends)
{
    p->kept = strip_write(p->at + LINE, p->to, p->n, p->kept, ends, p->past_caches);
    p->to += p->n;
    p->n = 0;
}

/* Asks for a line of the output's worth of pixels, from this one upwards. */
void ask_for(const struct pattern *g, global const element *pixel)
{
    for (index l = 0; l < SPREAD(g); ++l)
        PREFETCH_ROW(pixel + l * LINE);
}

/* Asks for elements [e, n) of a row, at most a line, and for the row's highest end. */
void ask_for_end(const struct pattern *g, global const element *row, index e, index n)
{
    const bool is_down = STRIDE(g) < 0;
    ask_for(g, row + offset_of(g, is_down ? n - 1 : e));
    PREFETCH_ROW(row + (is_down ? 0 : offset_of(g, n - 1)));
}

/* Lines of a row in the order in which rows follow each other in the input, for the sake of the
 * CPU's prefetcher: the next one, and where it lies in the row. */
struct lines {
    struct spot next;
    index at, way; /* 1 or -1: to the following line */
};

struct lines lines_of(const struct pattern *g, global const element *from, index e, index n)
{
    struct lines l = {{from, 0}, 0, (STRIDE(g) < 0) != g->down ? -1 : 1};
    l.at = l.way < 0 ? (n - 1) * LINE : 0;
    l.next = spot_of(g, from, e + l.at);
    return l;
}

void lines_step(struct lines *l, const struct pattern *g)
{
    spot_step(&l->next, g, l->way);
    l->at += l->way * LINE;
}

/* Elements [e, e + n) of a row of `all`. A last line that is not whole goes on, or begins before,
 * where the row has so many elements. */
void piece_read(struct piece *p, const struct pattern *g, global const element *from, index e,
                index n, index all, global const element *next)
{
    element *to = p->at + (LINE + p->n);
    index lines = n / LINE, done = lines * LINE;
    struct lines l = lines_of(g, from, e, lines);
    const index apart = next - from - offset_of(g, e);
    for (index i = 0; i < lines; ++i, lines_step(&l, g)) {
        ask_for(g, l.next.pixel + apart);
        *(loose_line *)(to + l.at) = gather(g, l.next);
    }
    p->n += n;
    if (done == n)
        return;
    ask_for_end(g, next, done, n);
    index last = e + done + LINE <= all ? done : n - LINE;
    if (e + last >= 0)
        *(loose_line *)(to + last) = gather(g, spot_of(g, from, e + last));
    else
        for (; done < n; ++done)
            to[done] = from[offset_of(g, e + done)];
}

/* The next n lines, past the caches. Asks for what lies `apart` from each. */
void stream_lines(const struct pattern *g, struct lines *l, index n, global element *to,
                  index apart)
{
    for (index i = 0; i < n; ++i, lines_step(l, g)) {
        ask_for(g, l->next.pixel + apart);
        line_stream(gather(g, l->next), to + l->at);
    }
}

/* So many lines of a row from element `own` on. Asks for those of the next row, but for most of a
 * long one for later lines of its own. */
void stream_row(const struct pattern *g, global const element *from, index own, index lines,
                global element *to, global const element *next)
{
    const index ahead = lines * SPREAD(g) < LONG_LINES_LEAST ? lines : LONG_LINES_AHEAD / SPREAD(g);
    struct lines l = lines_of(g, from, own, lines);
    global const element *first = l.next.pixel;
    global const element *later = spot_of(g, from, own + l.at + ahead * LINE * l.way).pixel;
    stream_lines(g, &l, lines - ahead, to, later - first);
    stream_lines(g, &l, ahead, to, next - from + (first - l.next.pixel));
}

/* A row. One that `streams` goes past the caches without a stop from its first whole line to its
 * last; before that, it has `own` elements. */
void read_row(struct piece *p, const struct pattern *g, global const element *from, index n,
              bool streams, global const element *next)
{
    index own = streams ? (LINE - line_phase(p->to + p->n)) % LINE : n, end = own;
    for (index e = 0, part; e < n; e += part) {
        bool own_end = e == end;
        if (own_end || p->n == PIECE)
            piece_write(p, false);
        if (own_end) {
            index lines = (n - own) / LINE;
            stream_row(g, from, own, lines, p->to, next);
            p->to += lines * LINE;
            e += lines * LINE;
            end = n;
        }
        part = min(end - e, PIECE - p->n);
        bool is_last = streams || n - e <= PIECE;
        piece_read(p, g, from, e, part, n, is_last ? next : from + offset_of(g, e + PIECE));
    }
}

/* A row of at least a line, which stays in the caches; `asks` for what a later one takes. The
 * first line begins at element `first`, which may lie in front of the row, as a store that crosses
 * a line of memory takes longer. A line that would hang out moves back inside. */
void copy_row(const struct pattern *g, global const element *from, global element *to, index first,
              index n, bool asks, global const element *next, global const element *next_to)
{
    for (index k = first; k < n; k += LINE) {
        index e = min(max(k, (index)0), n - LINE);
        struct spot s = spot_of(g, from, e);
        if (asks) {
            ask_for(g, s.pixel + (next - from));
            PREFETCH_TO(next_to + e);
        }
        *(global loose_line *)(to + e) = gather(g, s);
    }
}

#if defined LINE_IS_VECTOR && GROUP_STRIDE != 0

/* A row of at least 16 bytes. A last quad that is not whole begins before. */
void copy_quads(global const element *from, global element *to, index n)
{
    for (index k = 0; k < n; k += QUAD) {
        index e = min(k, n - QUAD);
        quad q = *(global const loose_quad *)(from + (GROUP_STRIDE > 0 ? e : -e - (QUAD - 1)));
        *(global loose_quad *)(to + e) = GROUP_STRIDE > 0 ? q : TURNED(q);
    }
}

/* Rows shorter than a line, between gaps of the output. False for others. */
bool copy_short(const struct stretch *t, const struct walk *w, global const element *from,
                global element *to)
{
    index n = (index)t->width;
    if (w->past_caches || n < QUAD || n >= LINE || n == t->out_step)
        return false;
    for (uint k = 0; k < t->blocks; ++k)
        copy_quads(from + (index)k * t->in_step, to + (index)k * t->out_step, n);
    return true;
}

#else

bool copy_short(const struct stretch *t, const struct walk *w, global const element *from,
                global element *to)
{
    return false;
}

#endif

#if defined LINE_IS_VECTOR && GROUP_SIZE == 1 && GROUP_STRIDE == 0

#define SHORT_SAME (2 * LINE) /* elements of a row, where the caches hold all */

/* Rows that repeat one element each, from the k-th on, as far as there is room, by lines, of which
 * the last goes on. Returns which is the next. */
uint read_same(struct piece *p, const struct stretch *t, uint k, global const element *from)
{
    index n = (index)t->width, filled = p->n;
    for (; k < t->blocks && filled + n <= PIECE; ++k, filled += n) {
        line same = LINE_ALL(from[(index)k * t->in_step]);
        for (index e = 0; e < n; e += LINE)
            *(loose_line *)(p->at + LINE + filled + e) = same;
    }
    p->n = filled;
    return k;
}

#else

#define SHORT_SAME LINE

uint read_same(struct piece *p, const struct stretch *t, uint k, global const element *from)
{
    return k;
}

#endif

/* Rows [k, end), as far as there is room and lines may be gathered: by lines, of which the last
 * goes on. Those of single elements downwards are read upwards where rows follow each other so, for
 * the sake of the CPU's prefetcher. Asks for as many from `next` on. Returns which is the next.
 * Inlined for short rows, which end in their first line. */
uint read_rows(struct piece *p, const struct pattern *g, const struct stretch *t, uint k, uint end,
               const struct walk *w, global const element *in, index row,
               global const element *next, bool is_short)
{
    index n = (index)t->width * GROUP_SIZE, filled = p->n,
          last = is_short ? 0 : (n - 1) / LINE * LINE;
    index reach = last / GROUP_SIZE * STRIDE(g);
#if GROUP_SIZE == 1 && GROUP_STRIDE <= 0
    bool turns = STRIDE(g) < 0 && !g->down;
#else
    bool turns = false;
#endif
    for (; k < end && filled + n <= PIECE; ++k, filled += n) {
        if (!may_gather(g, w, row) || (!is_short && !may_gather(g, w, row + reach)))
            break;
        for (index i = 0; i <= last; i += LINE) {
            index e = turns ? last - i : i;
            struct spot s = spot_of(g, in + row, e);
            if (is_short)
                PREFETCH_ROW(next);
            else if (e < last)
                ask_for(g, s.pixel + (next - (in + row)));
            *(loose_line *)(p->at + LINE + filled + e) = gather(g, s);
        }
        if (!is_short)
            ask_for_end(g, next, last, n);
        row += t->in_step;
        next += t->in_step;
    }
    p->n = filled;
    return k;
}

/* Where row k of a stretch lies that begins at `first`, or of the `next` one behind it. */
index row_at(const struct stretch *t, uint k, index step, index first, index next)
{
    return k < t->blocks ? first + (index)k * step : next + (index)(k - t->blocks) * step;
}

/* `behind`: the input of the blocks behind these. */
NOINLINE static void copy_blocks(const struct walk *restrict w, global const element *in,
                                 global element *out, count block, count end,
                                 global const element *behind)
{
    struct piece p; /* its elements need not be set */
    struct pattern g = pattern_of(w);
    struct stretch t;
    struct cursor c;
    cursor_set(&c, w, block);
    p.to = out + c.out;
    p.n = p.kept = 0;
    p.past_caches = w->past_caches;
    const index long_of_many = LONG_OF_MANY / max(g.spread, (index)1);
    for (; block < end; block += t.blocks) {
        index from = c.in, to = c.out;
        t = stretch_from(&c, w, end - block);
        cursor_advance(&c, w, t.dim, t.blocks);
        g.down = t.in_step < 0;
        if (copy_short(&t, w, in + from, out + to))
            continue;
        index n = (index)t.width * GROUP_SIZE;
        bool are_many = w->dim[t.dim].size >= MANY && g.stride != 0;
        index long_row = are_many ? long_of_many : min(long_of_many, (index)LONG);
        index most = w->past_caches ? long_row : LINE;
        if (g.stride == 0)
            most = w->past_caches ? PIECE + 1 : w->is_large ? LINE : SHORT_SAME;
        bool are_short = n < most && n == t.out_step;
        index lines = max(n, (index)LINE) * max(g.spread, (index)1);
        index rows_ahead = are_short ? LINES_AHEAD * LINE / lines : 1 + PIECE / n;
        uint ahead = min((uint)rows_ahead, t.blocks);
        bool is_aligned = GROUP_STRIDE != 0 && w->is_large; /* or more lines would be gathered */
        bool are_guessed =
            t.out_step - n < LINE && t.in_step >= 0 && t.in_step - n * g.spread < LINE;
        index run = n == t.out_step ? n * (index)t.blocks : n;
        if (w->past_caches && run != n && c.out != to + run)
            ask_for_ends(out + c.out, run);
        for (uint k = 0, done; k < t.blocks; k = done) {
            global element *row = out + (to + (index)k * t.out_step);
            index at = from + (index)k * t.in_step;
            uint same = k + ahead < t.blocks ? t.blocks - ahead : t.blocks; /* `next` moves on */
            global const element *next =
                (k + ahead < t.blocks || block + t.blocks < end ? in : behind) +
                row_at(&t, k + ahead, t.in_step, from, c.in);
            if (!w->past_caches && n >= LINE && !are_short) {
                copy_row(&g, in + at, row, is_aligned ? -line_phase(row) : 0, n,
                         w->is_large && !are_guessed, next,
                         out + row_at(&t, k + ahead, t.out_step, to, c.out));
                done = k + 1;
                continue;
            }
            if (p.to + p.n != row) {
                piece_write(&p, true);
                p.to = row;
            }
            done = !are_short      ? k
                   : g.stride == 0 ? read_same(&p, &t, k, in + from)
                   : n < LINE      ? read_rows(&p, &g, &t, k, same, w, in, at, next, true)
                                   : read_rows(&p, &g, &t, k, same, w, in, at, next, false);
            if (done > k)
                continue;
            if (w->past_caches && n != t.out_step)
                ask_for_ends(out + row_at(&t, k + 1, t.out_step, to, c.out), n);
            read_row(&p, &g, in + at, n, w->past_caches && n >= long_row, next);
            done = k + 1;
        }
    }
    piece_write(&p, true);
}

#define COPY(in, out, first, end, behind) copy_blocks(&w, in, out, first, end, behind)

kernel HAS_VECTORS void rows_cpu(global const element *in, global element *out,
                                 constant struct walk *walk ITEMS)
{
    struct walk w = *walk;
    EACH_ITEM(COPY)
}
