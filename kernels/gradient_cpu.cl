/* SPDX-License-Identifier: MIT */
/*
 * gradient_cpu: a slice's gradient, for devices with few threads. Compiled with GRADIENT defined.
 *
 * Grid: one dimension, groups of one. Work-item i makes `blocks_each` blocks from i times that on,
 * as far as there are any: of `width` elements, of any rows. Of each row come `full` elements, then
 * as many more of each: fewer than all where rows lie across the input's neighbours. The work-item
 * puts them together in a strip of its own: zeros, and what the input has for them. Along each
 * dimension it keeps which coordinate is the next to have an input, so that few rows cost
 * divisions. Short rows that follow each other are made together, one of their inputs after the
 * other.
 * The plan guarantees: the dimensions count elements, whose number is row; dimension 0 is that of
 * neighbours in the output.
 */
#ifndef WALK_CL
#define GRADIENT
#include "walk.cl"

#include "line.cl"
#include "strip.cl"
#endif

#define TABLE (4096 / ELEMENT_SIZE) /* elements of a strip: it stays in the first-level cache */
#define SHORT (TABLE / 4)           /* elements of rows that are made together */
#define AHEAD_BYTES 4096            /* from the inputs that are read to those asked for */
#define FEW 4 /* inputs of a row that are put one after the other in all rows */

/* Along a dimension: a coordinate; and the next one from there on that has an input, and where. */
struct reach {
    uint at, due;
    uint left; /* inputs from that one on */
    index in;
};

struct reach reach_of(const struct walk *w, uint d, uint at)
{
    const struct walk_scatter *s = &w->scatter[d];
    uint k = at > s->start ? min((at - s->start - 1) / s->step + 1, s->count) : 0;
    struct reach r = {at, 0, s->count - k, 0};
    if (r.left > 0) {
        r.due = s->start + k * s->step;
        r.in = (index)k * (index)w->dim[d].in_stride;
    }
    return r;
}

/* Where a row begins, and whether it has inputs at all. Dimension 0 runs along it, and what is made
 * of it before the next row is [begin, end). */
struct rows {
    struct reach reach[8];
    index in, out;
    uint begin, end;
    bool has_input;
};

void rows_find_input(struct rows *r, const struct walk *w)
{
    r->in = 0;
    r->has_input = w->scatter[0].count > 0;
    for (uint d = 1; d < w->rank; ++d) {
        r->in += r->reach[d].in;
        r->has_input = r->has_input && r->reach[d].left > 0 && r->reach[d].due == r->reach[d].at;
    }
}

/* Returns the element's place in its row. */
uint rows_set(struct rows *r, const struct walk *w, count element)
{
    count rows = (count)(w->row / w->dim[0].size);
    r->begin = (uint)(element / (rows * w->full)) * w->full;
    r->end = r->begin + min(w->full, w->dim[0].size - r->begin);
    element -= r->begin * rows;
    uint first = r->begin + (uint)(element % (r->end - r->begin));
    element /= r->end - r->begin;
    r->out = 0;
    for (uint d = 1; d < w->rank; ++d) {
        uint at = (uint)(element % w->dim[d].size);
        element /= w->dim[d].size;
        r->reach[d] = reach_of(w, d, at);
        r->out += (index)at * (index)w->dim[d].out_stride;
    }
    rows_find_input(r, w);
    return first;
}

/* Behind the last row comes what is next of the first. */
void rows_step(struct rows *r, const struct walk *w)
{
    uint d = 1;
    for (; d < w->rank; ++d) {
        struct reach *reach = &r->reach[d];
        if (reach->left > 0 && reach->due == reach->at && --reach->left > 0) {
            reach->due += w->scatter[d].step;
            reach->in += (index)w->dim[d].in_stride;
        }
        if (++reach->at < w->dim[d].size) {
            r->out += (index)w->dim[d].out_stride;
            break;
        }
        r->out -= (index)(reach->at - 1) * (index)w->dim[d].out_stride;
        *reach = (struct reach){0, w->scatter[d].start, w->scatter[d].count, 0};
    }
    if (d == w->rank) {
        r->begin = r->end;
        r->end = r->begin + min(w->full, w->dim[0].size - r->begin);
    }
    rows_find_input(r, w);
}

/* How many elements from element `at` of the row on have no input, as a dimension has none up to
 * its next coordinate; as far as they lie side by side. */
ulong zeros_from(const struct rows *r, const struct walk *w, uint at)
{
    ulong zeros = 0, block = w->dim[0].size, inside = at;
    if (w->dim[0].out_stride != 1 || w->full < w->dim[0].size)
        return 0;
    for (uint d = 1; d < w->rank && (ulong)w->dim[d].out_stride == block; ++d) {
        const struct reach *reach = &r->reach[d];
        uint end = reach->left > 0 ? reach->due : w->dim[d].size;
        if (end > reach->at)
            zeros = (ulong)(end - reach->at) * block - inside;
        inside += (ulong)reach->at * block;
        block *= w->dim[d].size;
    }
    return zeros;
}

/* May write up to a line more. */
void put_zeros(element *to, index n)
{
#ifdef LINE_IS_VECTOR
    for (index k = 0; k < n; k += LINE)
        *(loose_line *)(to + k) = LINE_ALL(0);
#else
    for (index k = 0; k < n; ++k)
        to[k] = (element)0;
#endif
}

/* Inlined for constants, the loops become vectors. */
void put_each(global const element *from, element *to, index n, index in_step, index step)
{
    for (index k = 0; k < n; ++k)
        to[k * step] = from[k * in_step];
}

#ifdef LINE_IS_VECTOR
#define SPREADS

/* Lane l of the v-th quad that a quad of inputs becomes, `step` apart: one of its lanes, or 0. */
#define SPREAD_LANE(v, l) \
    ((v) < step && ((v)*QUAD + (l)) % step == 0 ? ((v)*QUAD + (l)) / step : QUAD)
#define SPREAD(v)                                     \
    if (v < step)                                     \
        *(loose_quad *)(to + (k * step + (v)*QUAD)) = \
            __builtin_shufflevector(q, (quad)(0), EACH_OF_QUAD(SPREAD_LANE, v));
/* Inputs to every s-th element, and zeros between them: whole quads. Returns how many. */
#define PUT_SPREAD(s)                                                                          \
    index put_spread_##s(global const element *from, element *to, index n, index way)          \
    {                                                                                          \
        enum { step = s };                                                                     \
        index k = 0;                                                                           \
        for (; k + QUAD <= n; k += QUAD) {                                                     \
            quad q = *(global const loose_quad *)(way > 0 ? from + k : from - k - (QUAD - 1)); \
            if (way < 0)                                                                       \
                q = TURNED(q);                                                                 \
            SPREAD(0) SPREAD(1) SPREAD(2) SPREAD(3) SPREAD(4) SPREAD(5) SPREAD(6) SPREAD(7)    \
        }                                                                                      \
        return k;                                                                              \
    }
#define EACH_STEP(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8)
#define SPREAD_IF(s) \
    if (step == s)   \
        return put_spread_##s(from, to, n, way);
EACH_STEP(PUT_SPREAD)

index put_spread(global const element *from, element *to, index n, index way, index step)
{
    EACH_STEP(SPREAD_IF)
    return 0;
}
#endif

/* Neighbours. A last quad that is not whole begins before. */
void put_neighbours(global const element *from, element *to, index n)
{
#ifdef LINE_IS_VECTOR
    if (n >= QUAD && n < 4 * LINE) {
        for (index k = 0; k < n; k += QUAD) {
            index e = min(k, n - QUAD);
            *(loose_quad *)(to + e) = *(global const loose_quad *)(from + e);
        }
        return;
    }
#endif
    put_each(from, to, n, 1, 1);
}

void put_inputs(global const element *from, element *to, index n, index in_step, index step)
{
    index k = 0;
    if (step == 1 && in_step == 1) {
        put_neighbours(from, to, n);
        return;
    }
#ifdef SPREADS
    if (in_step == 1 || in_step == -1)
        k = put_spread(from, to, n, in_step, step);
#endif
    put_each(from + k * in_step, to + k * step, n - k, in_step, step);
}

/* Asks for what follows n neighbours: while a strip is written, the processor stops guessing it. */
void ask_ahead(global const element *from, index n, index way)
{
    for (index e = 0; PREFETCHES && e < n; e += LINE)
        PREFETCH(from + (e + AHEAD_BYTES / ELEMENT_SIZE) * way);
}

/* Elements [at, at + n) of a row. */
NOINLINE void put_row(const struct walk *restrict w, const struct rows *restrict r,
                      global const element *in, element *to, uint at, uint n)
{
    uint step = w->scatter[0].step, end = at + n;
    struct reach first = {0, w->scatter[0].start, w->scatter[0].count, 0};
    uint inputs = first.left;
    if (r->has_input && (at > 0 || end < w->dim[0].size)) {
        first = reach_of(w, 0, at);
        inputs = first.left == 0 || first.due >= end
                     ? 0
                     : min(first.left, (end - 1 - first.due) / step + 1);
    }
    if (!r->has_input || inputs == 0) {
        put_zeros(to, n);
        return;
    }
    uint before = first.due - at;
    if (step > 1) {
        put_zeros(to, n);
    } else {
        put_zeros(to, before);
        put_zeros(to + before + inputs, n - before - inputs);
    }
    index in_step = (index)w->dim[0].in_stride;
    in += r->in + first.in;
    if (in_step == 1 || in_step == -1)
        ask_ahead(in, inputs, in_step);
    put_inputs(in, to + before, inputs, in_step, (index)step);
}

/* How many short rows from this one on lie side by side, of at most so many elements. */
uint rows_together(const struct rows *r, const struct walk *w, uint most)
{
    uint row = w->dim[0].size;
    if (row > SHORT || w->full < row || w->rank < 2 || w->dim[0].out_stride != 1 ||
        w->dim[1].out_stride != row)
        return 0;
    return min(w->dim[1].size - r->reach[1].at, most / row);
}

void rows_skip(struct rows *r, const struct walk *w, uint n)
{
    r->reach[1] = reach_of(w, 1, r->reach[1].at + n);
    r->out += (index)n * (index)w->dim[1].out_stride;
}

/* Of each row the n neighbours that it has. Inlined for a constant n. */
void put_few(global const element *from, element *to, index rows, index n, index in_step,
             index step)
{
    for (index i = 0; i < rows; ++i)
        for (index e = 0; e < n; ++e)
            to[i * step + e] = from[i * in_step + e];
}

/* Whole rows. */
NOINLINE void put_rows(const struct walk *restrict w, const struct rows *restrict r,
                       global const element *in, element *to, uint n)
{
    const struct walk_scatter *s = &w->scatter[0];
    const struct reach *first = &r->reach[1];
    uint end = first->at + n, row = w->dim[0].size, step = w->scatter[1].step;
    bool has_input = first->left > 0 && first->due < end;
    index from = 0;
    for (uint d = 1; d < w->rank; ++d) {
        from += r->reach[d].in;
        has_input =
            has_input && r->reach[d].left > 0 && (d == 1 || r->reach[d].due == r->reach[d].at);
    }
    put_zeros(to, (index)n * row);
    if (!has_input)
        return;
    uint inputs = min(first->left, (end - 1 - first->due) / step + 1);
    to += (first->due - first->at) * row + s->start;
    in += from;
    if (s->count > FEW) {
        for (uint i = 0; i < inputs; ++i)
            put_inputs(in + (index)i * (index)w->dim[1].in_stride, to + (index)(i * step) * row,
                       s->count, (index)w->dim[0].in_stride, (index)s->step);
        return;
    }
    index in_step = (index)w->dim[1].in_stride, out_step = (index)step * row;
    if (s->step == 1 && w->dim[0].in_stride == 1 && s->count == 2)
        put_few(in, to, inputs, 2, in_step, out_step);
    else if (s->step == 1 && w->dim[0].in_stride == 1 && s->count == 3)
        put_few(in, to, inputs, 3, in_step, out_step);
    else if (s->step == 1 && w->dim[0].in_stride == 1 && s->count == 4)
        put_few(in, to, inputs, 4, in_step, out_step);
    else
        for (uint k = 0; k < s->count; ++k, in += (index)w->dim[0].in_stride, to += s->step)
            put_each(in, to, inputs, in_step, out_step);
}

kernel HAS_VECTORS void gradient_cpu(global const element *in, global element *out,
                                     constant struct walk *walk)
{
    element strip[TABLE + 2 * LINE] __attribute__((aligned(LINE_BYTES))), *held = strip + LINE;
    struct walk w = *walk;
    struct rows rows;
    count each = (count)w.width * w.blocks_each, element_at = (count)get_global_id(0) * each;
    count end = min((count)w.row, element_at + each);
    index out_step = (index)w.dim[0].out_stride, run = 0, kept = 0;
    if (element_at >= end)
        return;
    in += w.in_first;
    out += w.out_first;
    uint at = rows_set(&rows, &w, element_at);
    while (element_at < end) {
        index first = rows.out + (index)at * out_step, n = 0;
        bool goes_on = true;
        while (goes_on && n < TABLE) {
            uint most = (uint)min(end - element_at, (count)(TABLE - n));
            uint part = min(rows.end - at, most);
            ulong zeros = rows.has_input ? 0 : zeros_from(&rows, &w, at);
            uint alike = at == 0 ? rows_together(&rows, &w, most) : 0;
            if (zeros > part && zeros > (ulong)alike * w.dim[0].size) {
                part = (uint)min((ulong)most, zeros);
                put_zeros(held + n, part);
                if (element_at + part < end)
                    at = rows_set(&rows, &w, element_at + part);
            } else if (alike > 1) {
                put_rows(&w, &rows, in, held + n, alike);
                rows_skip(&rows, &w, alike - 1);
                part = alike * w.dim[0].size;
                at = w.dim[0].size;
            } else {
                put_row(&w, &rows, in, held + n, at, part);
                at += part;
            }
            n += part;
            element_at += part;
            if (at == rows.end) {
                rows_step(&rows, &w);
                at = rows.begin;
            }
            goes_on = out_step == 1 && element_at < end && rows.out + (index)at == first + n;
        }
        run += n;
        if (!goes_on && w.past_caches)
            ask_for_ends(out + (rows.out + (index)at), run);
        run = goes_on ? run : 0;
        if (out_step == 1)
            kept = strip_write(held, out + first, n, kept, !goes_on, w.past_caches);
        for (index k = 0; k < n && out_step != 1; ++k)
            out[first + k * out_step] = held[k];
    }
}
