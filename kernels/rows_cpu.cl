/* SPDX-License-Identifier: MIT */
/*
 * rows_cpu: rows that are contiguous in the output and hold a pattern of the input's, for devices
 * with few threads and long vectors. Compiled with three definitions more:
 *
 *     GROUP_STRIDE, GROUP_SIZE, ELEMENT_STRIDE
 *         See struct plan_pattern: element j * GROUP_SIZE + c of an output row is element
 *         j * GROUP_STRIDE + c * ELEMENT_STRIDE of the input's.
 *
 * Grid: one dimension, groups of one. Work-item i copies the blocks [i * batch, i * batch + batch),
 * as far as there are any.
 * The plan guarantees: the row's elements are groups of the pattern, in_step = GROUP_STRIDE,
 * out_step = GROUP_SIZE; the column is a group's elements.
 */
#ifndef WALK_CL
#include "line.cl"
#include "strip.cl"
#include "walk.cl"
#endif

#ifndef GROUP_STRIDE
#define GROUP_STRIDE 1
#define GROUP_SIZE 1
#define ELEMENT_STRIDE 0
#endif

/* Where element e of a row lies from its first. */
#define OFFSET(e) \
    ((index)((e) / GROUP_SIZE) * GROUP_STRIDE + (index)((e) % GROUP_SIZE) * ELEMENT_STRIDE)

#if GROUP_STRIDE == 0 && defined LINE_IS_VECTOR

line gather(global const element *from, count e)
{
    return LINE_ALL(*from);
}

#elif GROUP_STRIDE == 1 && GROUP_SIZE == 1 && defined LINE_IS_VECTOR

line gather(global const element *from, count e)
{
    return line_load(from + e);
}

#elif GROUP_STRIDE == -1 && GROUP_SIZE == 1 && ELEMENT_SIZE < 4 && defined LINE_IS_VECTOR

/* The words in reverse, and what each holds: fewer shuffles than part by part. */
line gather(global const element *from, count e)
{
    line r = rotate(line_load(from - (index)(e + LINE - 1)).sfedcba9876543210, (line)(16));
#if ELEMENT_SIZE == 1
    r = (r & 0x00FF00FFu) << 8 | (r >> 8 & 0x00FF00FFu);
#endif
    return r;
}

#elif defined LINE_IS_VECTOR

/* A part of the line that begins with component `component` of pixel 0: from each load of a
 * part's size that it spans, its lanes in their places among zeros. The last load ends with the
 * last element, so that none reaches beyond what is addressed. */
#define SOURCE(l) (OFFSET(q + (l)) - low) /* lane l's place in the span */
#define LOAD_OF(l) (SOURCE(l) / PART < last ? SOURCE(l) / PART : last)
#define START(k) ((k) == last ? span - PART : (k)*PART)
#define LANE(k, l) (LOAD_OF(l) == (k) ? SOURCE(l) - START(k) : PART)
#define LANES_OF(k)                                                                         \
    __builtin_shufflevector(*(global const loose_part *)(from + low + START(k)), (part)(0), \
                            EACH(LANE, k))
#define GATHER_PART(component, number)                                                       \
    part gather_part_##component##number(global const element *from)                         \
    {                                                                                        \
        enum {                                                                               \
            q = component + number * PART,                                                   \
            first = q / GROUP_SIZE * GROUP_STRIDE,              /* the part's first pixel */ \
            pixel = (q + PART - 1) / GROUP_SIZE * GROUP_STRIDE, /* and last */               \
            side = (GROUP_SIZE - 1) * ELEMENT_STRIDE,                                        \
            low = (pixel < first ? pixel : first) + (side < 0 ? side : 0),                   \
            high = (pixel > first ? pixel : first) + (side > 0 ? side : 0),                  \
            span = high - low + 1,                                                           \
            last = (span - 1) / PART                                                         \
        };                                                                                   \
        part r = LANES_OF(0);                                                                \
        if (last > 0)                                                                        \
            r |= LANES_OF(1);                                                                \
        if (last > 1)                                                                        \
            r |= LANES_OF(2);                                                                \
        if (last > 2)                                                                        \
            r |= LANES_OF(3);                                                                \
        return r;                                                                            \
    }
#define GATHERED(component, number) gather_part_##component##number(from)
#define GATHER_FROM(component)                               \
    EACH_PART(GATHER_PART, component)                        \
    line gather_from_##component(global const element *from) \
    {                                                        \
        return LINE_OF(GATHERED, component);                 \
    }

GATHER_FROM(0)
GATHER_FROM(1)
GATHER_FROM(2)
GATHER_FROM(3)

line gather(global const element *from, count e)
{
    from += (index)(e / GROUP_SIZE) * GROUP_STRIDE;
    if (GROUP_SIZE > 1 && e % GROUP_SIZE == 1)
        return gather_from_1(from);
    if (GROUP_SIZE > 2 && e % GROUP_SIZE == 2)
        return gather_from_2(from);
    if (GROUP_SIZE > 3 && e % GROUP_SIZE == 3)
        return gather_from_3(from);
    return gather_from_0(from);
}

#else

line gather(global const element *from, count e)
{
    line r;
    for (int l = 0; l < LINE; ++l)
        LANE_OF(r, l) = from[OFFSET(e + l)];
    return r;
}

#endif

/* What gather reads at most from the first element of a row. */
#define PIXELS_OF_LINE ((LINE + GROUP_SIZE - 2) / GROUP_SIZE * GROUP_STRIDE)
#define SIDE ((GROUP_SIZE - 1) * ELEMENT_STRIDE)
#define GATHER_LOW ((GROUP_STRIDE < 0 ? PIXELS_OF_LINE : 0) + (ELEMENT_STRIDE < 0 ? SIDE : 0))
#define GATHER_HIGH ((GROUP_STRIDE < 0 ? 0 : PIXELS_OF_LINE) + (ELEMENT_STRIDE < 0 ? 0 : SIDE))

/* Whether the launch reads all that gather does for a row's first line. */
bool may_gather(const struct walk *w, index row)
{
    return row + GATHER_LOW >= (index)w->in_low && row + GATHER_HIGH < (index)w->in_high;
}

/* Elements that are put together before they are written, and of rows that need not be. */
#define PIECE (2048 / ELEMENT_SIZE)
#define LONG (4 * LINE)

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

/* Lines of the input that a line of the output takes. */
#define SPREAD (((GROUP_STRIDE < 0 ? -GROUP_STRIDE : GROUP_STRIDE) + GROUP_SIZE - 1) / GROUP_SIZE)

/* Asks for what a line from element e on takes, of a row that comes later. */
void ask_for(global const element *next, index e)
{
    for (index l = 0; l < SPREAD; ++l)
        PREFETCH(next + (OFFSET(e) + l * (GROUP_STRIDE < 0 ? -LINE : LINE)));
}

/* Elements [e, e + n) of a row of `all`. Input that lies downwards is read upwards all the same,
 * for the sake of the CPU's prefetcher. A last line that is not whole goes on, or begins before,
 * where the row has so many elements. */
void piece_read(struct piece *p, global const element *from, index e, index n, index all,
                global const element *next)
{
    element *to = p->at + (LINE + p->n);
    index lines = n / LINE, done = lines * LINE;
    for (index i = 0; i < lines; ++i) {
        index k = (GROUP_STRIDE < 0 ? lines - 1 - i : i) * LINE;
        ask_for(next, k);
        *(loose_line *)(to + k) = gather(from, (count)(e + k));
    }
    if (done < n && e + done + LINE <= all)
        *(loose_line *)(to + done) = gather(from, (count)(e + done));
    else if (done < n && e + n >= LINE)
        *(loose_line *)(to + n - LINE) = gather(from, (count)(e + n - LINE));
    else
        for (; done < n; ++done)
            to[done] = from[OFFSET(e + done)];
    p->n += n;
}

void read_row(struct piece *p, global const element *from, index n, global const element *next)
{
    for (index e = 0, part; e < n; e += part) {
        if (p->n == PIECE)
            piece_write(p, false);
        part = min(n - e, PIECE - p->n);
        piece_read(p, from, e, part, n, n - e > PIECE ? from + OFFSET(e + PIECE) : next);
    }
}

/* A long row goes past the caches without a stop: from its first whole line to its last. */
void stream_row(struct piece *p, global const element *from, index n, global const element *next)
{
    index own = (LINE - line_phase(p->to + p->n)) % LINE, lines = (n - own) / LINE;
    piece_read(p, from, 0, own, n, next);
    piece_write(p, false);
    for (index i = 0; i < lines; ++i) {
        index k = (GROUP_STRIDE < 0 ? lines - 1 - i : i) * LINE;
        ask_for(next, own + k);
        line_stream(gather(from, (count)(own + k)), p->to + k);
    }
    p->to += lines * LINE;
    piece_read(p, from, own + lines * LINE, (n - own) % LINE, n, next);
}

/* A row of at least a line, which stays in the caches. A last line that is not whole begins
 * before. */
void copy_row(global const element *from, global element *to, index n)
{
    for (index k = 0; k + LINE <= n; k += LINE)
        *(global loose_line *)(to + k) = gather(from, (count)k);
    if (n % LINE > 0)
        *(global loose_line *)(to + n - LINE) = gather(from, (count)(n - LINE));
}

/* Rows shorter than a line from the k-th on, as far as there is room and lines may be gathered.
 * Returns which is the next. */
uint read_short(struct piece *p, const struct stretch *t, uint k, const struct walk *w,
                global const element *in, index from, index next)
{
    index n = (index)t->width * GROUP_SIZE, filled = p->n;
    for (; k < t->blocks && filled + n <= PIECE && may_gather(w, from + (index)k * t->in_step);
         ++k, filled += n) {
        PREFETCH(in + (next + (index)k * t->in_step));
        *(loose_line *)(p->at + LINE + filled) = gather(in + (from + (index)k * t->in_step), 0);
    }
    p->n = filled;
    return k;
}

kernel void rows_cpu(global const element *in, global element *out, constant struct walk *walk)
{
    struct walk w = *walk;
    struct piece p; /* its elements need not be set */
    count block = (count)get_global_id(0) * w.batch;
    count end = min((count)w.blocks, block + w.batch);
    struct stretch t;
    struct cursor c;
    cursor_set(&c, &w, block);
    in += w.in_first;
    out += w.out_first;
    p.to = out + c.out;
    p.n = p.kept = 0;
    p.past_caches = w.past_caches;
    for (; block < end; block += t.blocks) {
        index from = c.in, to = c.out;
        t = stretch_from(&c, &w, end - block);
        cursor_advance(&c, &w, t.dim, t.blocks);
        index n = (index)t.width * GROUP_SIZE;
        bool are_short = n < LINE && n == t.out_step;
        uint ahead = are_short ? 1 : 1 + (uint)(PIECE / n); /* a division, for short stretches */
        for (uint k = 0, done; k < t.blocks; k = done) {
            global element *row = out + (to + (index)k * t.out_step);
            index at = from + (index)k * t.in_step;
            if (!w.past_caches && n >= LINE) {
                copy_row(in + at, row, n);
                done = k + 1;
                continue;
            }
            if (p.to + p.n != row) {
                piece_write(&p, true);
                p.to = row;
            }
            done = are_short ? read_short(&p, &t, k, &w, in, from, c.in) : k;
            if (done > k)
                continue;
            global const element *next =
                in + (k + ahead < t.blocks ? at + (index)ahead * t.in_step : c.in);
            if (w.past_caches && n >= LONG)
                stream_row(&p, in + at, n, next);
            else
                read_row(&p, in + at, n, next);
            done = k + 1;
        }
    }
    piece_write(&p, true);
}
