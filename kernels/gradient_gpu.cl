/* SPDX-License-Identifier: MIT */
/*
 * gradient_gpu: a slice's gradient, for devices with many threads. Compiled with GRADIENT defined,
 * and with more definitions:
 *
 *     WORD_BYTES   what a work-item stores at once: 16; or 0, for single elements, where the output
 *                  has gaps or local memory no room
 *     NEIGHBOURS   if words are made of elements of 1 or 2 bytes that lie side by side in both
 *                  tensors, in the same order or in reverse
 *     SHORT_ROWS   or if rows have so few elements or inputs that finding each row would take
 *                  longer than finding each input
 *
 * Grid: one dimension, groups of the plan's size. Where makes_words is set, a group makes
 * `blocks_each` words at multiples of their size for each of its work-items, as far as there are
 * any. It first lists where the inputs of its rows lie, as finding a row takes divisions; with
 * SHORT_ROWS, it numbers the inputs instead. Words of neighbours are read as they lie in memory.
 * Others are made in a strip of local memory: zeros, and the inputs that go there, several of which
 * are loaded before one is put there. Where makes_words is not set, a work-item makes an element.
 * Only what the input has is read.
 * The plan guarantees: the dimensions count elements, the fastest first, whose number is row; where
 * words are made, the output has no gaps, width = WORD, STRIP holds a group's words and, without
 * SHORT_ROWS, ROWS its rows, of which each has fewer elements than 2^32 less a group's work-items;
 * else width = 1, blocks_each = 1. Of NEIGHBOURS, along dimension 0, in_stride = 1 or -1, and
 * step = 1.
 */
#ifndef WALK_CL
#define GRADIENT
#include "walk.cl"
#include "word.cl"
#endif

/* A row, along dimension 0: where it lies, in elements from the launch's first. */
struct row {
    index from, out; /* its first input, if it has any */
    bool has_input;
};

/* Which input coordinate of dimension d is at output coordinate `at`; count or more if none is. */
#define INPUT_AT(d, at)                                                          \
    (w->scatter[d].step == 1                                                     \
         ? at - w->scatter[d].start                                              \
         : input_by(at - w->scatter[d].start, w->scatter[d].step,                \
                    quotient_by(at - w->scatter[d].start, w->scatter[d].by_step, \
                                w->scatter[d].step_shift)))

uint input_by(uint at, uint step, uint before)
{
    return before * step == at ? before : ~(uint)0;
}

/* Every step stands by itself: see place_of(). A row has inputs if each of the other dimensions has
 * one at its coordinate. */
#define ROW_STEP(d)                                                    \
    {                                                                  \
        bool last = w->rank == d + 1;                                  \
        uint next = last ? 0 : quotient(w, d, number);                 \
        uint at = number - next * w->dim[d].size, k = INPUT_AT(d, at); \
        r.out += (index)at * (index)w->dim[d].out_stride;              \
        if (at < w->scatter[d].start || k >= w->scatter[d].count)      \
            r.has_input = false;                                       \
        else                                                           \
            r.from += (index)k * (index)w->dim[d].in_stride;           \
        if (last)                                                      \
            return r;                                                  \
        number = next;                                                 \
    }

/* Row `number` of the launch. Called at one place alone, so that compilers put it there: a walk
 * whose address is passed on would be copied to slow memory. */
struct row row_of(const struct walk *w, uint number)
{
    struct row r = {0, 0, w->scatter[0].count > 0};
    if (w->rank == 1)
        return r;
    ROW_STEP(1)
    ROW_STEP(2)
    ROW_STEP(3)
    ROW_STEP(4)
    ROW_STEP(5)
    ROW_STEP(6)
    ROW_STEP(7)
    return r;
}

/* Element `at` of a row. */
void make_element(global const element *in, global element *out, const struct walk *w,
                  const struct row *row, uint at)
{
    uint k = INPUT_AT(0, at);
    element value = (element)0;
    if (row->has_input && at >= w->scatter[0].start && k < w->scatter[0].count)
        value = in[row->from + (index)k * (index)w->dim[0].in_stride];
    out[row->out + (index)at * (index)w->dim[0].out_stride] = value;
}

#if WORD_BYTES > 0

#ifndef SHORT_ROWS
#define ROWS 1025                                        /* that a group's words are of */
#define NO_INPUT ((index)((count)1 << (INDEX_BITS - 1))) /* in place of where a row comes from */
#endif

#ifdef NEIGHBOURS
#define PER_WORD (4 / ELEMENT_SIZE)

/* A word whose element n is from[n * way] for each n that `first + n < inputs` holds for, without
 * a carry, and else 0. Few loads at once, so that registers leave room for more groups. */
uint4 straight(global const element *from, index way, uint first, uint inputs)
{
    uint4 made = (uint4)(0);
#pragma unroll 1
    for (uint n = 0; n < WORD; n += PER_WORD) {
        uint next = 0;
#pragma unroll
        for (uint i = 0; i < PER_WORD; ++i)
            if (first + n + i < inputs)
                next |= (uint)from[(index)(n + i) * way] << i * ELEMENT_SIZE * 8;
        made = (uint4)(made.yzw, next);
    }
    return made;
}

/* The same by a window. */
uint4 neighbours(global const element *in, struct window window, index way, uint first, uint inputs)
{
    uint4 made = load_window(in, window, way);
    if (first >= inputs)
        made &= ~mask_of(-first);
    if (inputs - first < WORD)
        made &= mask_of(inputs - first);
    return made;
}

/* What a word has of a row whose inputs are neighbours, from `from` on. The word's first element is
 * `at` elements behind the first of these; or before it, by 2^32 - at: no row is so long that these
 * are mistaken. */
uint4 word_of_row(global const element *in, const struct walk *w, index from, uint at)
{
    uint inputs = w->scatter[0].count;
    index way = (index)w->dim[0].in_stride;
    if (from == NO_INPUT || at + (WORD - 1) >= inputs + (WORD - 1))
        return (uint4)(0);
    from += ((index)(at + (WORD - 1)) - (WORD - 1)) * way;
    struct window window = window_of(in, from, way);
    return is_inside(window, w) ? neighbours(in, window, way, at, inputs)
                                : straight(in + from, way, at, inputs);
}

/* The word whose first element is element `first` of the row that *froms is of, or before it, by
 * 2^32 - first; of so many rows. */
uint4 make_word(global const element *in, const struct walk *w, local const index *froms, uint rows,
                uint first)
{
    uint4 made = (uint4)(0);
    uint start = w->scatter[0].start, next = w->dim[0].size - first, at = first - start;
    for (uint row = 0; row < rows; ++row) {
        made |= word_of_row(in, w, froms[row], at);
        if (next >= WORD)
            break;
        at = -next - start;
        next += w->dim[0].size;
    }
    return made;
}

#else
#define STRIP 1024         /* words that a group makes */
#define NOWHERE (~(uint)0) /* in place of where an input goes there */
#define AT_ONCE 8          /* inputs loaded before one is put there */

/* How many whole steps along dimension d are in n elements. */
uint steps_in(const struct walk *w, uint d, uint n)
{
    const struct walk_scatter *s = &w->scatter[d];
    return s->step > 1 ? quotient_by(n, s->by_step, s->step_shift) : n;
}

#ifdef SHORT_ROWS
#define RUN (ELEMENT_SIZE < 4 ? 4 / ELEMENT_SIZE : 1) /* inputs, one behind the other */

/* The launch's inputs are numbered in the order of its output. */
struct input {
    index from; /* from the launch's first */
    uint to;    /* the element, but for where the starts lead */
    uint at[8]; /* its coordinates, of the input */
};

/* What the starts of all dimensions add up to. */
uint start_of(const struct walk *w)
{
    uint start = 0;
#pragma unroll
    for (uint d = 0; d < 8; ++d)
        if (d < w->rank)
            start += w->scatter[d].start * (uint)w->dim[d].out_stride;
    return start;
}

/* Every step stands by itself: see place_of(). */
#define BEFORE_STEP(d)                                                                          \
    {                                                                                           \
        bool last = w->rank == d + 1;                                                           \
        uint next = last ? 0 : quotient(w, d, number);                                          \
        uint at = number - next * w->dim[d].size, start = w->scatter[d].start;                  \
        uint n = at > start ? min(w->scatter[d].count, steps_in(w, d, at - start - 1) + 1) : 0; \
        bool is_input = n < w->scatter[d].count && start + n * w->scatter[d].step == at;        \
        before = n * inputs + (is_input ? before : 0);                                          \
        inputs *= w->scatter[d].count;                                                          \
        if (last)                                                                               \
            return before;                                                                      \
        number = next;                                                                          \
    }

/* How many inputs go before element `number`. */
uint inputs_before(const struct walk *w, uint number)
{
    uint before = 0, inputs = 1;
    BEFORE_STEP(0)
    BEFORE_STEP(1)
    BEFORE_STEP(2)
    BEFORE_STEP(3)
    BEFORE_STEP(4)
    BEFORE_STEP(5)
    BEFORE_STEP(6)
    BEFORE_STEP(7)
    return before;
}

/* Along dimension d, for a number that may be behind the last input's: its place, which is not read
 * then, may wrap. */
#define INPUT_STEP(d)                                                                          \
    {                                                                                          \
        const struct walk_scatter *s = &w->scatter[d];                                         \
        bool last = w->rank == d + 1;                                                          \
        uint next = last            ? 0                                                        \
                    : s->count == 1 ? number                                                   \
                                    : quotient_by(number, w->dim[d].by_count, s->count_shift); \
        uint at = number - next * s->count;                                                    \
        found.from = (index)((count)found.from + at * (count)w->dim[d].in_stride);             \
        found.to += at * (s->step * (uint)w->dim[d].out_stride);                               \
        found.at[d] = at;                                                                      \
        if (last)                                                                              \
            return found;                                                                      \
        number = next;                                                                         \
    }

struct input input_of(const struct walk *w, uint number)
{
    struct input found = {0, 0, {0, 0, 0, 0, 0, 0, 0, 0}};
    INPUT_STEP(0)
    INPUT_STEP(1)
    INPUT_STEP(2)
    INPUT_STEP(3)
    INPUT_STEP(4)
    INPUT_STEP(5)
    INPUT_STEP(6)
    INPUT_STEP(7)
    return found;
}

/* To the next input along dimension d, or behind the last one to the first, and `further`. Here,
 * too, a place may wrap. */
#define NEXT_STEP(d, further)                                             \
    {                                                                     \
        const struct walk_scatter *s = &w->scatter[d];                    \
        const count stride = (count)w->dim[d].in_stride;                  \
        next.from = (index)((count)next.from + stride);                   \
        next.to += s->step * (uint)w->dim[d].out_stride;                  \
        if (++next.at[d] == s->count && w->rank > d + 1) {                \
            next.from = (index)((count)next.from - s->count * stride);    \
            next.to -= s->count * (s->step * (uint)w->dim[d].out_stride); \
            next.at[d] = 0;                                               \
            further                                                       \
        }                                                                 \
    }
#define NEXT_STEPS_FROM_4 NEXT_STEP(4, NEXT_STEP(5, NEXT_STEP(6, NEXT_STEP(7, ))))

struct input input_behind(const struct walk *w, struct input next)
{
    NEXT_STEP(0, NEXT_STEP(1, NEXT_STEP(2, NEXT_STEP(3, NEXT_STEPS_FROM_4))))
    return next;
}

/* Puts inputs [first, first + length) into a group's strip, which begins with element `begin` of
 * the launch, less what the starts add up to. Work-item i of the group takes runs of RUN. */
void put_inputs(global const element *in, local element *strip, const struct walk *w, uint first,
                uint length, uint begin, uint i, uint group)
{
    for (i *= RUN; i < length; i += group * AT_ONCE) {
        element v[AT_ONCE];
        uint to[AT_ONCE];
#pragma unroll
        for (uint n = 0; n < AT_ONCE; n += RUN) {
            uint number = i + n * group;
            struct input input = input_of(w, first + number);
#pragma unroll
            for (uint r = 0; r < RUN; ++r) {
                to[n + r] = NOWHERE;
                if (number + r < length) {
                    v[n + r] = in[input.from];
                    to[n + r] = input.to - begin;
                }
                if (r + 1 < RUN)
                    input = input_behind(w, input);
            }
        }
#pragma unroll
        for (uint n = 0; n < AT_ONCE; ++n)
            if (to[n] != NOWHERE)
                strip[to[n]] = v[n];
    }
}
#else

/* Puts the inputs of a group's rows into its strip of `length` elements, the first of which is
 * element `begin` of the first row; or before it, by 2^32 - begin, less than a word. Work-item i of
 * the group takes one input after the other, as far behind the one before as the group is large. */
void put_inputs(global const element *in, local element *strip, const struct walk *w,
                local const index *froms, uint rows, uint begin, uint length, uint i, uint group)
{
    uint start = w->scatter[0].start, step = w->scatter[0].step, inputs = w->scatter[0].count;
    uint size = w->dim[0].size, skipped = 0, all = (rows - 1) * inputs,
         end_in_last = begin + length - (rows - 1) * size;
    if (inputs == 0)
        return;
    if (begin < (uint)-WORD && begin > start)
        skipped = min(inputs, steps_in(w, 0, begin - start - 1) + 1);
    if (end_in_last > start)
        all += min(inputs, steps_in(w, 0, end_in_last - start - 1) + 1);
    all -= skipped;
    uint k = skipped + i, row = k >= inputs, rows_far = 0;
    if (inputs <= group) { /* others, as most rows are, need no division */
        row = k / inputs;
        rows_far = group / inputs;
    }
    uint far = group - rows_far * inputs;
    k -= row * inputs;
    while (i < all) {
        element v[AT_ONCE];
        uint to[AT_ONCE];
#pragma unroll
        for (uint n = 0; n < AT_ONCE; ++n) {
            to[n] = NOWHERE;
            if (i < all && froms[row] != NO_INPUT) {
                v[n] = in[froms[row] + (index)k * (index)w->dim[0].in_stride];
                to[n] = row * size + start + k * step - begin;
            }
            i += group;
            k += far;
            row += rows_far;
            if (k >= inputs) {
                k -= inputs;
                ++row;
            }
        }
#pragma unroll
        for (uint n = 0; n < AT_ONCE; ++n)
            if (to[n] != NOWHERE)
                strip[to[n]] = v[n];
    }
}
#endif
#endif

kernel void gradient_gpu(global const element *in, global element *out, struct walk w)
{
    in += w.in_first;
    out += w.out_first;
    uint group = (uint)get_local_size(0), in_group = (uint)get_local_id(0), size = w.dim[0].size;
    uint before = (uint)((size_t)out / ELEMENT_SIZE % WORD);
    uint number = (uint)get_global_id(0), row = quotient(&w, 0, number);
    uint rows = number < (uint)w.row, n = 0, block = 0, words = 0, end = 0;
#ifdef SHORT_ROWS
    local uint bounds[2]; /* the first input, and the one behind the last */
#else
    local index froms[ROWS];
#endif
#ifndef NEIGHBOURS
    local uint4 strip[STRIP];
#endif
    if (w.makes_words) { /* sums of more than w.row are longs */
        ulong all = (w.row + before + WORD - 1) / WORD;
        block = (number - in_group) * w.blocks_each;
        rows = 0;
        if (block < all) {
            words = (uint)min((ulong)group * w.blocks_each, all - block);
            end = (uint)min(((ulong)block + words) * WORD - before, (ulong)w.row);
#ifndef SHORT_ROWS
            row = quotient(&w, 0, block > 0 ? block * WORD - before : 0);
            rows = quotient(&w, 0, end - 1) + 1 - row;
#endif
            n = in_group;
        }
    }
    uint begin = block * WORD - before;
#ifdef SHORT_ROWS
    if (!w.makes_words && rows > 0) { /* in a loop as below, PoCL 3.1 made more than the row */
        struct row found = row_of(&w, row);
        make_element(in, out, &w, &found, number - row * size);
    }
    if (words > 0)
        for (n = in_group; n < 2; n += group)
            bounds[n] = inputs_before(&w, n > 0 ? end : block > 0 ? begin : 0);
#else
    for (; n < rows; n += group) {
        struct row found = row_of(&w, row + n);
        if (w.makes_words)
            froms[n] = found.has_input ? found.from : NO_INPUT;
        else
            make_element(in, out, &w, &found, number - row * size);
    }
#endif
#ifndef NEIGHBOURS
    for (n = in_group; n < words; n += group)
        strip[n] = (uint4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (words > 0)
#ifdef SHORT_ROWS
        put_inputs(in, (local element *)strip, &w, bounds[0], bounds[1] - bounds[0],
                   begin - start_of(&w), in_group, group);
#else
        put_inputs(in, (local element *)strip, &w, froms, rows, begin - row * size, end - begin,
                   in_group, group);
#endif
#endif
    /* In no branch, in which PoCL 3.1 would lose variables, and here behind no return, with which
     * 7.1 would crash. */
    barrier(CLK_LOCAL_MEM_FENCE);
    for (n = in_group; n < words; n += group) {
#ifdef NEIGHBOURS
        uint at = begin + n * WORD, of = block + n > 0 ? quotient(&w, 0, at) : row;
        uint4 made = make_word(in, &w, froms + (of - row), row + rows - of, at - of * size);
#else
        uint4 made = strip[n];
#endif
        index first = block + n > 0 ? (index)(begin + n * WORD) : -(index)before;
        if (first >= 0 && first + WORD <= (index)w.row) {
            *(global uint4 *)(out + first) = made;
        } else {
#pragma unroll
            for (uint e = 0; e < WORD; ++e)
                if (first + (index)e >= 0 && first + (index)e < (index)w.row)
                    out[first + (index)e] = ((const element *)&made)[e];
        }
    }
}

#else

kernel void gradient_gpu(global const element *in, global element *out, struct walk w)
{
    uint number = (uint)get_global_id(0);
    if (number >= (uint)w.row)
        return;
    uint row = quotient(&w, 0, number);
    struct row found = row_of(&w, row);
    make_element(in + w.in_first, out + w.out_first, &w, &found, number - row * w.dim[0].size);
}
#endif
