/* SPDX-License-Identifier: MIT */
/*
 * gradient_gpu: a slice's gradient, for devices with many threads. Compiled with GRADIENT defined,
 * and with one definition more:
 *
 *     WORD_BYTES   what a work-item stores at once: 16, or an element where the output has gaps
 *
 * Grid: one dimension, groups of any size. A work-item makes `blocks_each` blocks, each as far
 * behind the one before as the group is large, as far as there are any: where makes_words is set, a
 * word at a multiple of its size, or what the output's ends leave of one; else an element. It
 * divides where it comes to another row, and reads only what the input has.
 * The plan guarantees: the dimensions count elements, the fastest first, whose number is row; where
 * words are made, the output has no gaps, width = WORD, and there are blocks for any alignment;
 * else width = 1, blocks_each = 1.
 */
#ifndef WALK_CL
#define GRADIENT
#include "walk.cl"
#include "word.cl"
#endif

/* A row, along dimension 0: where it lies, in elements from the launch's first. */
struct row {
    uint first;      /* the number of its first element */
    index from, out; /* its first input, if it has any */
    bool is_known, has_input;
};

/* Which input coordinate of dimension d is the first at output coordinate `at` or behind it; if
 * that is count, there is none. */
#define NEXT_INPUT(d, at)                                                                     \
    (at <= w->scatter[d].start ? 0                                                            \
     : w->scatter[d].step == 1 ? at - w->scatter[d].start                                     \
                               : quotient_by(at - w->scatter[d].start - 1,                    \
                                             w->scatter[d].reciprocal, w->scatter[d].shift) + \
                                     1)

/* Every step stands by itself: see place_of(). A row has inputs if each of the other dimensions has
 * one at its coordinate. */
#define ROW_STEP(d)                                                                         \
    {                                                                                       \
        bool last = w->rank == d + 1;                                                       \
        uint next = last ? 0 : quotient(w, d, number);                                      \
        uint at = number - next * w->dim[d].size, k = NEXT_INPUT(d, at);                    \
        r.out += (index)at * (index)w->dim[d].out_stride;                                   \
        if (k >= w->scatter[d].count || w->scatter[d].start + k * w->scatter[d].step != at) \
            r.has_input = false;                                                            \
        else                                                                                \
            r.from += (index)k * (index)w->dim[d].in_stride;                                \
        if (last)                                                                           \
            return r;                                                                       \
        number = next;                                                                      \
    }

/* The row of the launch's element `number`. Called at one place alone, so that compilers put it
 * there: a walk whose address is passed on would be copied to slow memory. */
struct row row_of(const struct walk *w, uint number)
{
    uint next = w->rank == 1 ? 0 : quotient(w, 0, number);
    struct row r = {next * w->dim[0].size, 0, 0, true, w->scatter[0].count > 0};
    if (w->rank == 1)
        return r;
    number = next;
    ROW_STEP(1)
    ROW_STEP(2)
    ROW_STEP(3)
    ROW_STEP(4)
    ROW_STEP(5)
    ROW_STEP(6)
    ROW_STEP(7)
    return r;
}

#if WORD > 1

enum { FEW = 4 }; /* elements of a word: too few for rows to be much shorter */

#ifdef WINDOWS
/* The same elements the other way round. */
uint4 turned(uint4 w)
{
    w = rotate(w.wzyx, (uint4)(16));
    return ELEMENT_SIZE == 1 ? (w & 0x00FF00FFu) << 8 | (w >> 8 & 0x00FF00FFu) : w;
}
#endif

/* The word whose element n is in[from + n * way], a neighbour up- or downwards: elements
 * [due, due + left) of it. */
uint4 neighbours(global const element *in, const struct walk *w, index from, index way, uint due,
                 uint left)
{
#ifdef WINDOWS
    index low = way > 0 ? from : from - (WORD - 1);
    if (has_window(in, w, low)) {
        uint4 window = load_window(in + low);
        if (way < 0)
            window = turned(window);
        if (due > 0 || left < WORD)
            window &= mask_of(min(due + left, (uint)WORD)) & ~mask_of(due);
        return window;
    }
#endif
    wide v[WORD];
#pragma unroll
    for (uint n = 0; n < WORD; ++n) {
        v[n] = 0;
        if (n - due < left)
            v[n] = in[from + (index)n * way];
    }
    return word_of(v);
}

/* Elements due, due + step and so on of a word, up to `left` of them; of 4 bytes at most `most`. */
uint4 apart(global const element *from, uint due, uint left, uint step, index in_step, uint most)
{
    uint stop = add_sat(due + 1, (left - 1) * step);
#if ELEMENT_SIZE == 8
    ulong v[2];
    for (uint n = 0; n < 2; ++n) {
        v[n] = 0;
        if (due == n && due < stop) {
            v[n] = *from;
            from += in_step;
            due += step;
        }
    }
    return (uint4)((uint)v[0], (uint)(v[0] >> 32), (uint)v[1], (uint)(v[1] >> 32));
#else
    uint v[4];
#pragma unroll
    for (uint k = 0; k < 4; ++k) {
        uint first = k * 4 / ELEMENT_SIZE, end = min(stop, first + 4 / ELEMENT_SIZE);
        v[k] = 0;
#pragma unroll
        for (uint n = 0; n < 4 / ELEMENT_SIZE; ++n)
            if (n < most && due < end) {
                v[k] |= (uint)*from << (due - first) * ELEMENT_SIZE * 8;
                from += in_step;
                due += step;
            }
    }
    return (uint4)(v[0], v[1], v[2], v[3]);
#endif
}

/* The same, of a row that is shorter than a word. */
uint4 of_short(global const element *from, uint due, uint left, uint step, index in_step)
{
    ulong low = 0, high = 0;
    for (uint n = 0; n < left && due < WORD; ++n, due += step, from += in_step) {
        uint bit = due * ELEMENT_SIZE * 8;
        low |= bit < 64 ? (ulong)*from << bit : 0;
        high |= bit < 64 ? 0 : (ulong)*from << (bit - 64);
    }
    return (uint4)((uint)low, (uint)(low >> 32), (uint)high, (uint)(high >> 32));
}

/* Elements [at, end) of a word, of which the first is the launch's element `number`. `row` is that
 * of an element before, or the row found here. */
uint4 make_word(global const element *in, const struct walk *w, struct row *row, uint number,
                uint at, uint end)
{
    uint4 made = (uint4)(0);
    uint step = w->scatter[0].step, size = w->dim[0].size;
    index in_step = (index)w->dim[0].in_stride;
    while (at < end) {
        if (!row->is_known || number - row->first >= size)
            *row = row_of(w, number);
        /* A row may have so many elements that they must not be added to. */
        uint first = number - row->first, k = NEXT_INPUT(0, first), begin = at, room = end - at;
        uint due = w->scatter[0].start + k * step - first;
        number += size - first;
        at = size - first < room ? at + (size - first) : end;
        if (!row->has_input || k >= w->scatter[0].count || due >= room)
            continue;
        due += begin;
        uint left = min(w->scatter[0].count - k, (uint)WORD);
        index from = row->from + (index)k * in_step;
        if (step == 1 && (in_step == 1 || in_step == -1))
            made |= neighbours(in, w, from - (index)due * in_step, in_step, due, left);
        else if (WORD > FEW && size < WORD)
            made |= of_short(in + from, due, left, step, in_step);
        else if (step >= 4 / ELEMENT_SIZE)
            made |= apart(in + from, due, left, step, in_step, 1);
        else
            made |= apart(in + from, due, left, step, in_step, step == 1 ? 4 : 2);
    }
    return made;
}

/* What the output has of a word that begins before it or ends behind it. */
void store_some(uint4 made, global element *word, uint at, uint end)
{
    uint words[] = {made.x, made.y, made.z, made.w};
#pragma unroll
    for (uint n = 0; n < WORD; ++n)
        if (n >= at && n < end)
#if ELEMENT_SIZE == 8
            word[n] = (element)words[2 * n + 1] << 32 | words[2 * n];
#else
            word[n] = (element)(words[n * ELEMENT_SIZE / 4] >> n * ELEMENT_SIZE % 4 * 8);
#endif
}

kernel void gradient_gpu(global const element *in, global element *out, struct walk w)
{
    count group = (count)get_local_size(0), in_group = (count)get_local_id(0);
    count block = ((count)get_global_id(0) - in_group) * w.blocks_each + in_group;
    in += w.in_first;
    out += w.out_first;
    uint before = (uint)((size_t)out / ELEMENT_SIZE % WORD);
    struct row row = {0, 0, 0, false, false};
    for (uint n = 0; n < w.blocks_each; ++n, block += group) {
        uint at = WORD - 1, end = WORD; /* an element is a word's last */
        count number = block;
        if (w.makes_words) {
            at = block == 0 ? before : 0;
            number = block * WORD + at - before;
        }
        if (number >= (count)w.row)
            return;
        if (w.makes_words)
            end = (uint)min((count)w.row - number, (count)(WORD - at)) + at;
        uint4 made = make_word(in, &w, &row, (uint)number, at, end);
        index to = (index)number;
        if (!w.makes_words)
            to = row.out + (index)((uint)number - row.first) * (index)w.dim[0].out_stride;
        global element *word = out + to - at;
        if (at == 0 && end == WORD)
            *(global uint4 *)word = made;
        else
            store_some(made, word, at, end);
    }
}

#else

void make_element(global const element *in, global element *out, const struct walk *w, uint number)
{
    struct row row = row_of(w, number);
    uint at = number - row.first, k = NEXT_INPUT(0, at);
    element value = (element)0;
    if (row.has_input && k < w->scatter[0].count &&
        w->scatter[0].start + k * w->scatter[0].step == at)
        value = in[row.from + (index)k * (index)w->dim[0].in_stride];
    out[row.out + (index)at * (index)w->dim[0].out_stride] = value;
}

kernel void gradient_gpu(global const element *in, global element *out, struct walk w)
{
    count number = (count)get_global_id(0);
    if (number < (count)w.row)
        make_element(in + w.in_first, out + w.out_first, &w, (uint)number);
}
#endif
