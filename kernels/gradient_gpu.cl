/* SPDX-License-Identifier: MIT */
/*
 * gradient_gpu: a slice's gradient, for devices with many threads. Compiled with GRADIENT defined,
 * and with one definition more:
 *
 *     WORD_BYTES   what a work-item stores at once: 16, or an element where the output has gaps
 *
 * Grid: one dimension, groups of the plan's size. Where makes_words is set, a work-item makes
 * `blocks_each` words at multiples of their size, each as far behind the one before as the group is
 * large, as far as there are any; and the first or last elements of the output that make none. The
 * group first lists where the inputs of its rows lie, as finding a row takes divisions. Else a
 * work-item makes an element. Only what the input has is read.
 * The plan guarantees: the dimensions count elements, the fastest first, whose number is row; where
 * words are made, the output has no gaps, width = WORD, and ROWS holds a group's rows; else
 * width = 1, blocks_each = 1.
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
#define INPUT_AT(d, at)                                                             \
    (w->scatter[d].step == 1                                                        \
         ? at - w->scatter[d].start                                                 \
         : input_by(at - w->scatter[d].start, w->scatter[d].step,                   \
                    quotient_by(at - w->scatter[d].start, w->scatter[d].reciprocal, \
                                w->scatter[d].shift)))

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

/* What element `at` of a row gets whose inputs begin at `from`. */
element value_of(global const element *in, const struct walk *w, index from, uint at)
{
    uint k = INPUT_AT(0, at);
    if (at < w->scatter[0].start || k >= w->scatter[0].count)
        return (element)0;
    return in[from + (index)k * (index)w->dim[0].in_stride];
}

void make_element(global const element *in, global element *out, const struct walk *w,
                  const struct row *row, uint at)
{
    element value = row->has_input ? value_of(in, w, row->from, at) : (element)0;
    out[row->out + (index)at * (index)w->dim[0].out_stride] = value;
}

#if WORD > 1

#define ROWS 1025                                        /* that a group's words are of */
#define NO_INPUT ((index)((count)1 << (INDEX_BITS - 1))) /* in place of where a row comes from */

#ifdef WINDOWS
#define PER_WORD (4 / ELEMENT_SIZE)

/* The same elements the other way round. */
uint turned(uint word)
{
    return ELEMENT_SIZE == 1 ? as_uint(as_uchar4(word).wzyx) : rotate(word, 16u);
}

uint4 all_turned(uint4 w)
{
    return (uint4)(turned(w.w), turned(w.z), turned(w.y), turned(w.x));
}
#endif

/* A word whose element n is from[n * way] for each n that `first + n < inputs` holds for, without
 * a carry, and else 0. Few loads at once, so that registers leave room for more groups. */
uint4 straight(global const element *from, index way, uint first, uint inputs)
{
#ifdef WINDOWS
    uint4 made = (uint4)(0);
#pragma unroll 2
    for (uint n = 0; n < WORD; n += PER_WORD) {
        uint next = 0;
#pragma unroll
        for (uint i = 0; i < PER_WORD; ++i)
            if (first + n + i < inputs)
                next |= (uint)from[(index)(n + i) * way] << i * ELEMENT_SIZE * 8;
        made = (uint4)(made.yzw, next);
    }
    return made;
#else
    wide v[WORD];
#pragma unroll
    for (uint n = 0; n < WORD; ++n) {
        v[n] = 0;
        if (first + n < inputs)
            v[n] = from[(index)n * way];
    }
    return word_of(v);
#endif
}

#ifdef WINDOWS
/* The same of neighbours, up- or downwards, whose lowest is `low`: all are the input's. */
uint4 neighbours(global const element *low, index way, uint first, uint inputs)
{
    uint4 window = load_window(low);
    if (way < 0)
        window = all_turned(window);
    if (first >= inputs)
        window &= ~mask_of(-first);
    if (inputs - first < WORD)
        window &= mask_of(inputs - first);
    return window;
}
#endif

/* The word `made`, with `value` at element `at`, where it had 0. */
uint4 with(uint4 made, element value, uint at)
{
#if ELEMENT_SIZE == 8
    made.xy |= at == 0 ? as_uint2(value) : (uint2)(0);
    made.zw |= at == 1 ? as_uint2(value) : (uint2)(0);
#else
    uint v = (uint)value << at * ELEMENT_SIZE % 4 * 8, word = at / (4 / ELEMENT_SIZE);
    made.x |= word == 0 ? v : 0;
    made.y |= word == 1 ? v : 0;
    made.z |= word == 2 ? v : 0;
    made.w |= word == 3 ? v : 0;
#endif
    return made;
}

#ifdef WINDOWS
#define NEAR (8 / ELEMENT_SIZE)

/* NEAR neighbours, up- or downwards, whose lowest is `low`, the first in the low bits. */
ulong load_near(global const element *low, index way)
{
    uint gap = (uint)((size_t)low & 3);
    global const uint *words = (global const uint *)((global const uchar *)low - gap);
    uint first = words[0], second = words[1], third = words[2]; /* of a long: see load_window() */
    uint v = (uint)(((ulong)second << 32 | first) >> 8 * gap);
    uint next = (uint)(((ulong)third << 32 | second) >> 8 * gap);
    return way > 0 ? (ulong)next << 32 | v : (ulong)turned(v) << 32 | turned(next);
}

/* A word that has `near` at every `step`th element and 0 between. Inlined for a constant step. */
uint4 spread(ulong near, uint step)
{
    uint made[4] = {0, 0, 0, 0};
#pragma unroll
    for (uint n = 0; n < NEAR && n * step < WORD; ++n) {
        uint value = (uint)(near >> n * ELEMENT_SIZE * 8) & ((1u << ELEMENT_SIZE * 8) - 1);
        made[n * step / PER_WORD] |= value << n * step % PER_WORD * ELEMENT_SIZE * 8;
    }
    return (uint4)(made[0], made[1], made[2], made[3]);
}

/* The same of steps of fewer than half a word, behind `phase` elements, which are fewer than a
 * step. */
uint4 apart(ulong near, uint step, uint phase)
{
    uint4 made = step == 2 ? spread(near, 2) : spread(near, 3);
#if ELEMENT_SIZE == 1
    if (step > 3)
        made = step == 4   ? spread(near, 4)
               : step == 5 ? spread(near, 5)
               : step == 6 ? spread(near, 6)
                           : spread(near, 7);
#endif
    if (phase >= PER_WORD)
        made = (uint4)(0, made.xyz);
    uint shift = 32 - phase % PER_WORD * ELEMENT_SIZE * 8; /* of a long, where none is too far */
    return (uint4)((uint)((ulong)made.x << 32 >> shift),
                   (uint)(((ulong)made.y << 32 | made.x) >> shift),
                   (uint)(((ulong)made.z << 32 | made.y) >> shift),
                   (uint)(((ulong)made.w << 32 | made.z) >> shift));
}
#endif

/* Adds to a word what a row has of it. The word's first element is `at` elements behind the row's
 * first input; or before it, by 2^32 - at: no row is so long that these are mistaken. */
uint4 add_row(uint4 made, global const element *in, const struct walk *w, index from, uint at)
{
    uint step = w->scatter[0].step, inputs = w->scatter[0].count;
    index in_step = (index)w->dim[0].in_stride;
    if (from == NO_INPUT)
        return made;
    if (step == 1) {
        if (at + (WORD - 1) >= inputs + (WORD - 1))
            return made;
        from += ((index)(at + (WORD - 1)) - (WORD - 1)) * in_step;
#ifdef WINDOWS
        index low = in_step > 0 ? from : from - (WORD - 1);
        if ((in_step == 1 || in_step == -1) && has_window(in, w, low))
            return made | neighbours(in + low, in_step, at, inputs);
        return made | straight(in + from, in_step, at, inputs);
#else
        return made | (in_step == 1 ? straight(in + from, 1, at, inputs)
                                    : straight(in + from, in_step, at, inputs));
#endif
    }
#ifdef WINDOWS
    if (step < WORD / 2 && at < (uint)INT_MAX) {
        uint k = quotient_by(at + (step - 1), w->scatter[0].reciprocal, w->scatter[0].shift);
        index first = (index)((count)from + k * (count)in_step);
        index low = in_step > 0 ? first : (index)((count)first - (NEAR - 1));
        if (k + NEAR <= inputs && (in_step == 1 || in_step == -1) && has_words(in, w, low, 3))
            return made | apart(load_near(in + low, in_step), step, k * step - at);
    }
#endif
    /* The last input that is not behind the word, and which of the word's elements it is. Where
     * there is none, `from` may be anything. */
    uint k = quotient_by(at + (WORD - 1), w->scatter[0].reciprocal, w->scatter[0].shift);
    uint last = WORD - 1 - (at + (WORD - 1) - k * step);
    from = (index)((count)from + k * (count)in_step);
    element value = (element)0, other = (element)0;
    if (last < WORD && k < inputs)
        value = in[from];
    if (step < WORD) {
        if (last - step < WORD && k - 1 < inputs)
            other = in[(index)((count)from - (count)in_step)];
        made = with(made, other, last - step);
    }
    made = with(made, value, last);
#ifdef WINDOWS
    for (uint n = 2; n * step <= last && last < WORD; ++n)
        if (k - n < inputs)
            made = with(made, in[(index)((count)from - n * (count)in_step)], last - n * step);
#endif
    return made;
}

/* The word whose first element is element `first` of the row that *rows is of. */
uint4 make_word(global const element *in, const struct walk *w, local const index *rows, uint first)
{
    uint4 made = (uint4)(0);
    uint start = w->scatter[0].start, next = w->dim[0].size - first, at = first - start;
    for (;;) {
        made = add_row(made, in, w, *rows, at);
        if (next >= WORD)
            return made;
        at = -next - start;
        next += w->dim[0].size;
        ++rows;
    }
}

/* Element `number` of the launch, whose rows from `row` on have their inputs at `froms`. */
void make_single(global const element *in, global element *out, const struct walk *w,
                 local const index *froms, uint row, uint number)
{
    uint found = quotient(w, 0, number), at = number - found * w->dim[0].size;
    index from = froms[found - row];
    out[(index)number] = from == NO_INPUT ? (element)0 : value_of(in, w, from, at);
}

kernel void gradient_gpu(global const element *in, global element *out, struct walk w)
{
    in += w.in_first;
    out += w.out_first;
    uint group = (uint)get_local_size(0), in_group = (uint)get_local_id(0), size = w.dim[0].size;
    uint before = (uint)((size_t)out / ELEMENT_SIZE % WORD);
    uint number = (uint)get_global_id(0), row = quotient(&w, 0, number);
    uint rows = number < (uint)w.row, n = 0, block = 0, end = 0, whole = 0;
    if (w.makes_words) { /* no sum may be more than w.row */
        whole = (uint)((w.row + before) / WORD);
        block = (number - in_group) * w.blocks_each;
        end = (uint)min((ulong)block + group * w.blocks_each, (w.row + before + WORD - 1) / WORD);
        if (block >= end)
            return;
        row = quotient(&w, 0, block > 0 ? block * WORD - before : 0);
        rows = end > whole ? (uint)w.row - 1 : end * WORD - before - 1;
        rows = quotient(&w, 0, rows) + 1 - row;
        n = in_group;
    }
    local index froms[ROWS];
    for (; n < rows; n += group) {
        struct row found = row_of(&w, row + n);
        if (w.makes_words)
            froms[n] = found.has_input ? found.from : NO_INPUT;
        else
            make_element(in, out, &w, &found, number - row * size);
    }
    if (!w.makes_words)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint first_whole = before > 0, tail = whole * WORD - before;
    if (block < first_whole || end > whole)
        for (n = in_group; n < WORD; n += group) {
            if (block < first_whole && n < min(WORD - before, (uint)w.row))
                make_single(in, out, &w, froms, row, n);
            if (end > whole && whole >= first_whole && n < (uint)w.row - tail)
                make_single(in, out, &w, froms, row, tail + n);
        }
    uint rows_far = quotient(&w, 0, group * WORD), far = group * WORD - rows_far * size;
    end = min(end, whole);
    block = max(block, first_whole) + in_group;
    number = block * WORD - before;
    uint found = quotient(&w, 0, number), first = number - found * size;
    for (row = found - row; block < end; block += group) {
        uint4 made = make_word(in, &w, froms + row, first);
        *(global uint4 *)(out + (index)(block * WORD - before)) = made;
        row += rows_far;
        first += far;
        if (first >= size) {
            first -= size;
            ++row;
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
