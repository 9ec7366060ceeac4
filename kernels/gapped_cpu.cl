/* SPDX-License-Identifier: MIT */
/*
 * gapped_cpu: short runs between gaps of the output, of any dimensions with any steps, for devices
 * with few threads. Right for every slice, but slow where runs are long.
 *
 * Grid: one dimension, groups of one. Work-item i copies `blocks_each` blocks from i times that on,
 * as far as there are any.
 * The plan guarantees: width is at most TABLE, and a multiple of the inner dimensions' sizes.
 */
#ifndef WALK_CL
#include "walk.cl"

#include "line.cl"
#include "offsets.cl"
#include "origins.cl"
#endif

#define TABLE (4096 / ELEMENT_SIZE)
/* For the functions that copy: called, they would load a stretch's numbers again after each store.
 * None has a restrict pointer, as Oclgrind lacks what clang makes of one that is inlined. */
#define INLINE __attribute__((always_inline))
#define FEW 4 /* elements of a row that are kept in registers */
/* Elements of longer ones that a loop moves at once: not every compiler unrolls as it is told, and
 * a loop of few instructions takes twice as long at some addresses. */
#define UNROLLED 8
/* Rows are asked for so many ahead, about so many lines at once. */
#define ROWS_AHEAD 32
#define ASKED_AT_ONCE 16
/* The output's memory is asked for in so many parts of what is asked for ahead. */
#define OUT_PARTS 4

/* What every row of a work-item has alike. */
struct table {
    index at[TABLE];    /* where its elements lie in the input, from its first */
    index touch[TABLE]; /* and of these about one in each line of memory */
    index touches;
    index step; /* elements of a step of the row, which the inner dimensions number */
    bool asks;  /* for the memory of later rows */
#ifdef PICKED
    index picks;      /* elements of a row that are picked from one quad; 0 if none are, */
    index low;        /* where this begins, from the first of them, */
    index stored;     /* bytes that are stored at once: the first and the last of those picked, */
    quad first, last; /* and their lanes */
#endif
};

#ifdef PICKED
/* Contiguous rows of the output of at least three elements are picked if all lie within one quad of
 * the input, except neighbours upwards; rows longer than a quad, if they are neighbours downwards
 * or all the same. */
void picks_set(struct table *t, const struct walk *w)
{
    element first[QUAD], last[QUAD];
    const index n = min((index)w->width, (index)QUAD), way = (index)w->in_step;
    index high = 0, some = 8 / ELEMENT_SIZE;
    t->picks = t->low = 0;
    for (index e = 0; e < n; ++e) {
        t->low = min(t->low, t->at[e]);
        high = max(high, t->at[e]);
    }
    if (high - t->low >= QUAD || n < 3 || w->out_step != 1 || (t->step == 1 && way == 1) ||
        (n < (index)w->width && (t->step > 1 || way < -1 || way > 0)))
        return;
    while (some > n)
        some /= 2;
    for (index l = 0; l < QUAD; ++l) {
        first[l] = l < some ? PICK(t->at[l] - t->low) : PICK_NONE;
        last[l] = l < some ? PICK(t->at[n - some + l] - t->low) : PICK_NONE;
    }
    t->picks = n;
    t->stored = some * ELEMENT_SIZE;
    t->first = *(loose_quad *)first;
    t->last = *(loose_quad *)last;
}
#endif

/* Whether later rows are asked for: the processor guesses lines that follow each other upwards, but
 * not those that a row leaves lines between, or of rows downwards. */
bool asks_for_rows(const struct table *t, const struct walk *w)
{
    const uint d = w->dim[0].size == 1 && w->rank > 1;
    bool asks = (index)w->dim[d].in_stride < -LINE;
    for (index i = 1; i < t->touches; ++i)
        asks = asks || magnitude(t->touch[i] - t->touch[i - 1]) > LINE;
    return PREFETCHES && w->is_large && asks;
}

/* How many rows that follow each other share a line of the input. */
uint rows_per_line(const struct walk *w)
{
    uint d = w->dim[0].size == 1 && w->rank > 1;
    index apart = magnitude((index)w->dim[d].in_stride);
    return min(w->dim[d].size, (uint)(LINE / clamp(apart, (index)1, (index)LINE)));
}

NOINLINE void table_set(struct table *t, const struct walk *restrict w)
{
    t->step = step_elements(w);
    const index steps = (index)w->width / t->step;
    list_row(t->at, w, steps, 0, 1);
    t->touches = list_row(t->touch, w, steps, LINE, 1);
    t->asks = asks_for_rows(t, w);
#ifdef PICKED
    picks_set(t, w);
#endif
}

/* Stretches that follow each other along the next dimension: short ones cost no cursor each. */
struct plane {
    struct stretch s;
    uint stretches;
    index in_step, out_step;
};

struct plane plane_from(const struct cursor *c, const struct walk *w, count most)
{
    struct plane p = {stretch_from(c, w, most), 1, 0, 0};
    uint d = p.s.dim + 1;
    if (p.s.blocks == w->dim[p.s.dim].size && d < w->rank) {
        p.stretches = (uint)min((count)(w->dim[d].size - c->at[d]), most / p.s.blocks);
        p.in_step = (index)w->dim[d].in_stride;
        p.out_step = (index)w->dim[d].out_stride;
    }
    return p;
}

/* Returns the blocks of a plane. */
count plane_pass(const struct plane *p, struct cursor *c, const struct walk *w)
{
    bool are_many = p->stretches > 1;
    cursor_advance(c, w, p->s.dim + are_many, are_many ? p->stretches : p->s.blocks);
    return (count)p->stretches * p->s.blocks;
}

/* Rows of n elements. For a constant n, it keeps its table in registers. */
INLINE void copy_few(const index *offsets, struct stretch s, global const element *from,
                     global element *to, index n, index step)
{
    index at[FEW];
    for (index e = 0; e < n; ++e)
        at[e] = offsets[e];
    ONE_BY_ONE
    for (uint k = 0; k < s.blocks; ++k, from += s.in_step, to += s.out_step)
        for (index e = 0; e < n; ++e)
            to[e * step] = from[at[e]];
}

/* copy_N: rows of N neighbours, in as few moves as the compiler finds for so many bytes. */
#define NEIGHBOURS(n)                                                                      \
    INLINE void copy_##n(struct stretch s, global const element *from, global element *to) \
    {                                                                                      \
        struct neighbours {                                                                \
            element at[n];                                                                 \
        };                                                                                 \
        for (uint k = 0; k < s.blocks; ++k)                                                \
            *(global struct neighbours *)(to + (index)k * s.out_step) =                    \
                *(global const struct neighbours *)(from + (index)k * s.in_step);          \
    }
NEIGHBOURS(2)
NEIGHBOURS(3)
NEIGHBOURS(4)

/* Rows of more than four neighbours. The last four may overlap the four before them. */
INLINE void copy_fours(struct stretch s, global const element *from, global element *to)
{
    struct neighbours {
        element at[4];
    };
    const index last = (index)s.width - 4;
    for (uint k = 0; k < s.blocks; ++k, from += s.in_step, to += s.out_step) {
        for (index e = 0; e < last; e += 4)
            *(global struct neighbours *)(to + e) = *(global const struct neighbours *)(from + e);
        *(global struct neighbours *)(to + last) = *(global const struct neighbours *)(from + last);
    }
}

/* Rows of any elements: at `offsets`, or neighbours where these are null. */
INLINE void copy_listed(const index *offsets, struct stretch s, global const element *from,
                        global element *to, index out_step)
{
    for (uint k = 0; k < s.blocks; ++k, from += s.in_step, to += s.out_step) {
        index e = 0;
        ROLLED
        for (; e + UNROLLED <= (index)s.width; e += UNROLLED) {
#pragma unroll
            for (index i = e; i < e + UNROLLED; ++i)
                to[i * out_step] = from[offsets ? offsets[i] : i];
        }
        ROLLED
        for (; e < (index)s.width; ++e)
            to[e * out_step] = from[offsets ? offsets[e] : e];
    }
}

/* Rows whose elements are `in_step` apart: a step that varies costs an addition for each. */
INLINE void copy_steps(struct stretch s, global const element *from, global element *to,
                       index in_step, index out_step)
{
    for (uint k = 0; k < s.blocks; ++k, from += s.in_step, to += s.out_step) {
        global const element *at = from;
        global element *put = to;
        index left = (index)s.width;
        ROLLED
        for (; left >= UNROLLED; left -= UNROLLED) {
#pragma unroll
            for (index i = 0; i < UNROLLED; ++i, at += in_step, put += out_step)
                *put = *at;
        }
        ROLLED
        for (; left > 0; --left, at += in_step, put += out_step)
            *put = *at;
    }
}

#ifdef PICKED
/* From the first of a plane's rows to that which lies highest. */
index plane_high(const struct plane *p)
{
    return max((index)(p->s.blocks - 1) * p->s.in_step, (index)0) +
           max((index)(p->stretches - 1) * p->in_step, (index)0);
}

/* Cuts stretches off a plane's end, or rows where it has one stretch: QUAD of those that go
 * upwards, which lowers the highest by a quad, else all but the first, or QUAD rows. Returns false
 * where that gains nothing. */
bool plane_cut(struct plane *p)
{
    if (p->stretches > 1 && (p->in_step != 0 || p->s.blocks > QUAD))
        p->stretches = p->in_step > 0 && p->stretches > QUAD ? p->stretches - QUAD : 1;
    else if (p->stretches == 1 && p->s.blocks > QUAD && p->s.in_step != 0)
        p->s.blocks = p->s.in_step > 0 ? p->s.blocks - QUAD : QUAD;
    else
        return false;
    return true;
}

/* Whether a plane's rows are picked: none of their quads may reach beyond the input of the launch,
 * or item. Cuts the plane until none does, or as far as it can be cut. */
bool plane_is_picked(const struct table *t, const struct walk *w, struct plane *p, index at)
{
    if (t->picks == 0 || p->s.width != (count)w->width)
        return false;
    while (at + t->low + plane_high(p) > (index)w->in_high - QUAD)
        if (!plane_cut(p))
            return false;
    return true;
}

/* copy_picked_N: rows of which N bytes are stored at once. */
#define PICKED_ROWS(bytes, type, type_n)                                                           \
    INLINE void copy_picked_##bytes(const struct table *t, struct stretch s,                       \
                                    global const element *from, global element *to, index in_step) \
    {                                                                                              \
        typedef type word __attribute__((aligned(ELEMENT_SIZE)));                                  \
        const quad first = t->first, last = t->last;                                               \
        const index n = t->picks, end = (index)s.width - n, behind = n - bytes / ELEMENT_SIZE;     \
        from += t->low;                                                                            \
        for (uint k = 0; k < s.blocks; ++k, from += s.in_step, to += s.out_step)                   \
            for (index e = 0; e < (index)s.width; e += n) {                                        \
                const index at = min(e, end);                                                      \
                const quad q = *(global const loose_quad *)(from + at * in_step);                  \
                *(global word *)(to + at) = as_##type_n(PICKED(q, first)).s0;                      \
                if (behind > 0)                                                                    \
                    *(global word *)(to + (at + behind)) = as_##type_n(PICKED(q, last)).s0;        \
            }                                                                                      \
    }
PICKED_ROWS(2, ushort, ushort8)
PICKED_ROWS(4, uint, uint4)
PICKED_ROWS(8, ulong, ulong2)
#endif

/* Asks for the memory of the next n rows, and of one in `every` of those that share lines. */
void ask_for_rows(const struct table *restrict t, const struct walk *restrict w,
                  global const element *in, struct cursor *c, count n, uint every)
{
    while (n > 0) {
        const struct plane p = plane_from(c, w, n);
        global const element *from = in + c->in;
        for (uint j = 0; j < p.stretches; ++j, from += p.in_step)
            for (uint k = 0; k < p.s.blocks; k += every)
                for (index i = 0; i < t->touches; ++i)
                    PREFETCH(from + (index)k * p.s.in_step + t->touch[i]);
        n -= plane_pass(&p, c, w);
    }
}

/* Blocks that are copied before more of the output's memory is asked for: all, if none is. */
count blocks_per_part(const struct walk *w)
{
    const uint d = w->dim[0].size == 1 && w->rank > 1;
    const index apart = max((index)w->dim[d].out_stride, (index)1);
    if (!PREFETCHES || w->out_ahead == 0)
        return ~(count)0;
    return (count)max(w->out_ahead / OUT_PARTS / apart, (index)1);
}

/* Asks for the output's memory up to `ahead` elements behind `at`, but for what lies before `due`.
 * Returns where that ends, which may be beyond what an index can hold. */
long ask_for_output(global element *out, long at, long due, long ahead)
{
    long next = max(at, due);
    for (; next < at + ahead; next += LINE)
        PREFETCH_TO(out + next);
    return next;
}

#define EACH_STRETCH(copy)                                                      \
    for (uint j = 0; j < p.stretches; ++j, from += p.in_step, to += p.out_step) \
    copy

#ifdef PICKED
INLINE void pick_plane(const struct table *t, struct plane p, global const element *from,
                       global element *to, index in_step)
{
    if (ELEMENT_SIZE == 1 && t->stored == 2)
        EACH_STRETCH(copy_picked_2(t, p.s, from, to, in_step));
    else if (ELEMENT_SIZE <= 2 && t->stored == 4)
        EACH_STRETCH(copy_picked_4(t, p.s, from, to, in_step));
    else
        EACH_STRETCH(copy_picked_8(t, p.s, from, to, in_step));
}
#endif

INLINE void copy_plane(const struct table *t, struct plane p, global const element *from,
                       global element *to, index in_step, index out_step)
{
    const index width = (index)p.s.width;
    const bool are_neighbours = t->step == 1 && in_step == 1 && out_step == 1;
    if (are_neighbours && width == 2)
        EACH_STRETCH(copy_2(p.s, from, to));
    else if (are_neighbours && width == 3)
        EACH_STRETCH(copy_3(p.s, from, to));
    else if (are_neighbours && width == 4)
        EACH_STRETCH(copy_4(p.s, from, to));
    else if (are_neighbours && width > 4)
        EACH_STRETCH(copy_fours(p.s, from, to));
    else if (width == 2)
        EACH_STRETCH(copy_few(t->at, p.s, from, to, 2, out_step));
    else if (width == 3)
        EACH_STRETCH(copy_few(t->at, p.s, from, to, 3, out_step));
    else if (width == 4)
        EACH_STRETCH(copy_few(t->at, p.s, from, to, 4, out_step));
    else if (t->step > 1)
        EACH_STRETCH(copy_listed(t->at, p.s, from, to, out_step));
    else if (in_step == 1)
        EACH_STRETCH(copy_listed(0, p.s, from, to, out_step));
    else
        EACH_STRETCH(copy_steps(p.s, from, to, in_step, out_step));
}

NOINLINE static void copy_blocks(const struct table *restrict table, const struct walk *restrict w,
                                 global const element *in, global element *out, count block,
                                 count end)
{
    struct cursor c, later;
    uint every = 1;
    count burst = 0, asked = end;
    const count part = blocks_per_part(w);
    long due = 0;
    cursor_set(&c, w, block);
    if (table->asks && end - block > ROWS_AHEAD) {
        every = rows_per_line(w);
        burst = max(ASKED_AT_ONCE / (count)table->touches, (count)2) * every;
        asked = block;
        cursor_set(&later, w, block + ROWS_AHEAD);
    }
    while (block < end) {
        if (block == asked) {
            asked += min(end - block, burst);
            if (end - block > ROWS_AHEAD)
                ask_for_rows(table, w, in, &later, min(asked, end - ROWS_AHEAD) - block, every);
        }
        struct plane p = plane_from(&c, w, min(asked - block, part));
        if (PREFETCHES && w->out_ahead > 0)
            due = ask_for_output(out, c.out, due, w->out_ahead);
        const index in_step = (index)w->in_step;
#ifdef PICKED
        if (plane_is_picked(table, w, &p, c.in))
            pick_plane(table, p, in + c.in, out + c.out, in_step);
        else
#endif
            copy_plane(table, p, in + c.in, out + c.out, in_step, (index)w->out_step);
        block += plane_pass(&p, &c, w);
    }
}

#define COPY(in, out, first, end, behind) copy_blocks(&t, &w, in, out, first, end)

kernel HAS_VECTORS void gapped_cpu(global const element *in, global element *out,
                                   constant struct walk *walk ITEMS)
{
    struct walk w = *walk;
    struct table t;
    table_set(&t, &w);
    EACH_ITEM(COPY)
}
