/* SPDX-License-Identifier: MIT */
/*
 * strided_gpu: elements with any steps, reversed and broadcast ones among them, for devices with
 * many threads. Compiled with up to two definitions more:
 *
 *     WORD_BYTES   what a work-item moves at once: 4, 8, 16 or an element, whichever is larger
 *     NEIGHBOURS   if rows of 1- or 2-byte elements are read as they lie in memory
 *
 * Grid: one dimension, groups of any size. Work-item i makes block i, if there is one: `width`
 * elements in the order of the output's addresses, whatever rows they are of. They are one word at
 * a multiple of its size, or what the output's ends leave of one, of a row and perhaps the next:
 * the work-item divides for the first element's place. Rows shorter than a word make steps of
 * longer ones; where a step's elements lie, a group lists in local memory. Where `repeat` is not 0,
 * block i comes again as block i + repeat, and the work-item stores all of these. With
 * NEIGHBOURS, a word is read by aligned ones: see word.cl; once for each of up to three rows.
 * Where the output has gaps, or a word is an element, a group shares out the elements of its blocks
 * instead; also where elements have 4 bytes or more, as making words of these takes more
 * instructions than storing them, but not of a batch, where work-items of a group may be of two
 * items. Small slices wait for the shortest program. Pixels of single bytes between gaps are
 * columns, written by pairs where their address permits: each store is a partial write of a memory
 * line.
 * Groups begin at lines of memory, if `by_units` is not 0, as a sector that two of them write takes
 * longer. For the same reason narrow gaps between rows of wide elements may be numbered, too.
 * The plan guarantees: the dimensions count elements, gaps among them, or columns of 2 to 4
 * neighbours of the output where ELEMENT_SIZE is 1 and no words are made, and have more than one
 * each, unless there is only one dimension; row is how many there are, blocks_each = 1. Where
 * makes_words is set, the output has no gaps, and width = WORD. Where words are made, the
 * dimensions count steps of `full` elements, fewer than a word; a row has a word or everything, and
 * blocks that come again are whole once at any alignment; of NEIGHBOURS, full = 1, repeat = 0,
 * in_step is 1 or -1 and a row has at least 8 elements. Elsewhere width is at most AT_ONCE, and
 * nothing comes again; if makes_words is not set, only `full` elements of the first dimension are
 * there, all where ELEMENT_SIZE < 4. There are blocks for any alignment.
 */
#ifndef WALK_CL
#include "walk.cl"
#include "word.cl"
#endif

/* Elements, or columns, that a work-item waits for. */
#ifdef BATCH
#define AT_ONCE 1
#else
#define AT_ONCE (ELEMENT_SIZE > 4 ? 16 / ELEMENT_SIZE : 4)
#endif

/* Turns each number into one of dimension d, and moves its place accordingly. PoCL 7.1 crashes
 * unless this loop is unrolled. */
void number_outwards(const struct walk *w, uint d, uint *number, struct place *places)
{
    const struct walk_dim *inner = &w->dim[d - 1];
    const struct walk_dim *dim = &w->dim[d];
    count in_next = (count)dim->in_stride - inner->size * (count)inner->in_stride;
    count out_next = (count)dim->out_stride - inner->size * (count)inner->out_stride;
#pragma unroll
    for (uint n = 0; n < AT_ONCE; ++n) {
        number[n] = quotient_above_1(w, d - 1, number[n]);
        places[n].in = (index)((count)places[n].in + number[n] * in_next);
        places[n].out = (index)((count)places[n].out + number[n] * out_next);
        if (d == 1)
            places[n].at[0] -= number[n] * inner->size;
    }
}

#define APART(d, FURTHER)                      \
    if (w->rank > d) {                         \
        number_outwards(w, d, number, places); \
        FURTHER                                \
    }
#define APART_4(FURTHER) APART(4, APART(5, APART(6, FURTHER)))

/* Where elements lie, or columns, from `first` on, each `apart` behind the one before: as many as
 * a group has work-items, so that neighbours write neighbours. Narrow elements wait for these
 * instructions: one dimension after the other takes two thirds of what one element after the other
 * does. */
void places_apart(const struct walk *w, count first, uint apart, struct place *places)
{
    uint number[AT_ONCE];
#pragma unroll
    for (uint n = 0; n < AT_ONCE; ++n) {
        number[n] = (uint)first + n * apart;
        places[n].in = (index)(number[n] * (count)w->dim[0].in_stride);
        places[n].out = (index)(number[n] * (count)w->dim[0].out_stride);
        places[n].at[0] = number[n];
    }
    APART(1, APART(2, APART(3, APART_4(APART(7, )))))
}

#if ELEMENT_SIZE == 1
/* Three bytes by a pair and one; 2 and 4 by pairs at even addresses, else one by one. */
void store_column(global uchar *out, uint pixel, uint column)
{
    uint odd = (uint)((size_t)out % 2), single = odd ? 0 : 2;
    if (column == 3) {
        *(global ushort *)(out + odd) = (ushort)(pixel >> 8 * odd);
        out[single] = (uchar)(pixel >> 8 * single);
    } else if (odd) {
        for (uint k = 0; k < column; ++k)
            out[k] = (uchar)(pixel >> 8 * k);
    } else {
        for (uint k = 0; k < column; k += 2)
            *(global ushort *)(out + k) = (ushort)(pixel >> 8 * k);
    }
}

/* `width` columns, as move_apart() does elements. All loads come before what needs the first. */
void move_columns(global const uchar *in, global uchar *out, const struct walk *w, count first,
                  uint apart)
{
    uchar v[AT_ONCE][4] = {{0}};
    bool is_there[AT_ONCE];
    struct place places[AT_ONCE];
    places_apart(w, first, apart, places);
#pragma unroll
    for (uint n = 0; n < AT_ONCE; ++n) {
        is_there[n] = n < w->width && first + n * (count)apart < (count)w->row;
#pragma unroll
        for (uint k = 0; k < 4; ++k)
            if (is_there[n] && k < w->column)
                v[n][k] = in[places[n].in + (index)k * (index)w->in_pitch];
    }
#pragma unroll
    for (uint n = 0; n < AT_ONCE; ++n)
        if (is_there[n])
            store_column(out + places[n].out,
                         v[n][0] | v[n][1] << 8 | v[n][2] << 16 | (uint)v[n][3] << 24,
                         (uint)w->column);
}
#endif

/* `width` elements. Inlined for a constant `is_packed`: then the output has no gaps. */
void move_apart(global const element *in, global element *out, const struct walk *w, count first,
                uint apart, bool is_packed)
{
#if ELEMENT_SIZE == 1
    if (w->column > 1) {
        move_columns(in, out, w, first, apart);
        return;
    }
#endif
    element v[AT_ONCE];
    bool is_there[AT_ONCE];
    struct place places[AT_ONCE];
    places_apart(w, first, apart, places);
#pragma unroll
    for (uint n = 0; n < AT_ONCE; ++n) {
        is_there[n] = n < w->width && first + n * (count)apart < (count)w->row;
        if (ELEMENT_SIZE >= 4 && !is_packed)
            is_there[n] = is_there[n] && places[n].at[0] < w->full;
        if (is_there[n])
            v[n] = in[places[n].in];
    }
#pragma unroll
    for (uint n = 0; n < AT_ONCE; ++n)
        if (is_there[n])
            out[is_packed ? (index)(first + n * (count)apart) : places[n].out] = v[n];
}

/* Elements, or columns, from a line of memory to the output's first. */
count before_first(global const element *out, const struct walk *w)
{
    return ((uint)((size_t)out / ELEMENT_SIZE) & (w->units - 1)) * w->by_units >> 16;
}

#if WORD == 1 || (ELEMENT_SIZE >= 4 && !defined BATCH)

kernel void strided_gpu(global const element *in, global element *out, struct walk w ITEMS)
{
    uint group = (uint)get_local_size(0);
    count first = (count)get_group_id(0) * group * w.width + (count)get_local_id(0);
    ENTER_ITEM(first);
    in += w.in_first;
    out += w.out_first;
    first -= before_first(out, &w);
    if (WORD > 1 && w.makes_words)
        move_apart(in, out, &w, first, group, true);
    else
        move_apart(in, out, &w, first, group, false);
}

#else

/* Elements of a step, and blocks behind which the same come again: constants of NEIGHBOURS, so that
 * compilers drop the rest. */
#ifdef NEIGHBOURS
#define STEP(w) 1
#define REPEAT(w) 0
#else
#define STEP(w) ((w)->full)
#define REPEAT(w) ((w)->repeat)
#endif

/* Which step element n is of. */
uint step_number(const struct walk *w, uint n)
{
    return STEP(w) > 1 ? quotient_by(n, w->by_full, 31 - clz(w->full - 1)) : n;
}

#define INNER(d)                                                           \
    if (w->rank <= d && w->dim[d].size > 0) {                              \
        uint next = quotient(w, d, at);                                    \
        from += (at - next * w->dim[d].size) * (count)w->dim[d].in_stride; \
        at = next;                                                         \
    }

/* Where a step's elements lie, and those of the steps behind it up to a word, from its first. */
void list_step(local count *places, const struct walk *w, uint in_group, uint group)
{
    for (uint n = in_group; n < w->full + WORD - 1; n += group) {
        uint at = n;
        count from = 0;
        INNER(1)
        INNER(2)
        INNER(3)
        INNER(4)
        INNER(5)
        INNER(6)
        INNER(7)
        places[n] = from + at * (count)w->in_step;
    }
}

/* The coordinates are variables, not an array: compilers for GPUs keep arrays that they must index
 * in slow memory. No carry leaves the last dimension, as every whole word has all its elements. */
#define FIND(d, FURTHER)                     \
    at##d = at;                              \
    if (w.rank > d + 1) {                    \
        at = quotient_above_1(&w, d, at##d); \
        at##d -= at * w.dim[d].size;         \
        FURTHER                              \
    }                                        \
    from += at##d * (count)w.dim[d].in_stride;
#define FIND_4(FURTHER) FIND(4, FIND(5, FIND(6, FURTHER)))

/* Behind the end of dimension d follows the next of dimension e. */
#define WRAP(d, e, FURTHER)                                                            \
    {                                                                                  \
        at##d = 0;                                                                     \
        from += (count)w.dim[e].in_stride - w.dim[d].size * (count)w.dim[d].in_stride; \
        FURTHER                                                                        \
    }
#define CARRY(d, e, FURTHER)      \
    if (++at##d == w.dim[d].size) \
    WRAP(d, e, FURTHER)
#define CARRY_4(FURTHER) CARRY(4, 5, CARRY(5, 6, CARRY(6, 7, FURTHER)))
/* Moves `from` to the next row, less this one's length: the row's steps simply go on. */
#define NEXT_ROW WRAP(0, 1, CARRY(1, 2, CARRY(2, 3, CARRY(3, 4, CARRY_4(++at7;)))))

#ifdef NEIGHBOURS
/* The first n elements of one word, the others of another. */
word joined(word one, word other, uint n)
{
    word mask = mask_of(n);
    return (one & mask) | (other & ~mask);
}
#endif

/* What the output has of a word. */
void move_some(global const element *in, global element *out, const struct walk *w,
               local const count *places, index first)
{
    index end = min(first + WORD, (index)w->row);
    for (index e = max(first, (index)0); e < end; ++e) {
        uint step = step_number(w, (uint)e);
        index from = place_of(w, step).in;
        if (STEP(w) > 1)
            from += (index)places[(uint)e - step * w->full];
        out[e] = in[from];
    }
}

kernel void strided_gpu(global const element *in, global element *out, struct walk w ITEMS)
{
    in += w.in_first;
    out += w.out_first;
    uint group = (uint)get_local_size(0), in_group = (uint)get_local_id(0);
    local count places[2 * WORD - 1];
    if (STEP(&w) > 1 && w.makes_words) { /* before any return: PoCL 7.1 else loses work-items */
        list_step(places, &w, in_group, group);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!w.makes_words) {
        count first = (count)get_group_id(0) * group * w.width + in_group;
        ENTER_ITEM(first);
        move_apart(in, out, &w, first - before_first(out, &w), group, false);
        return;
    }
    count block = (count)get_global_id(0);
    ENTER_ITEM(block);
    if (block >= (REPEAT(&w) > 0 ? w.repeat : (count)w.blocks))
        return;
    index before = (index)before_first(out, &w);
    index first = (index)(block * w.width) - before;
    if (REPEAT(&w) == 0 && (first < 0 || first + WORD > (index)w.row)) {
        move_some(in, out, &w, places, first);
        return;
    }
    if (first < 0) /* the same word, where it is whole */
        first += (index)w.repeat * WORD;
    count from = 0;
    uint at = step_number(&w, (uint)first), of_step = (uint)first - at * STEP(&w);
    uint at0 = 0, at1 = 0, at2 = 0, at3 = 0, at4 = 0, at5 = 0, at6 = 0, at7 = 0;
    FIND(0, FIND(1, FIND(2, FIND(3, FIND_4(FIND(7, ))))))
    uint left = (w.dim[0].size - at0) * STEP(&w) - of_step; /* elements of the row */
#ifdef NEIGHBOURS
    index way = (index)w.dim[0].in_stride;
    uint length = w.dim[0].size;
    bool is_of_two = left < WORD, is_of_three = length < WORD && left + length < WORD;
    struct window window = window_of(in, (index)from, way), second = window, third = window;
    if (is_of_two) {
        NEXT_ROW
        second = window_of(in, (index)from, way);
    }
    if (is_of_three) {
        NEXT_ROW
        third = window_of(in, (index)from, way);
    }
    if (!is_inside(window, &w) || !is_inside(second, &w) || !is_inside(third, &w)) {
        move_some(in, out, &w, places, first); /* where the input ends */
        return;
    }
    /* Work-items that run together store at once: two parts of a sector are two writes. */
    word made = load_window(in, window, way);
    if (is_of_two)
        made = joined(made, load_window(in, second, way), left);
    if (is_of_three)
        made = joined(made, load_window(in, third, way), left + length);
    *(global word *)(out + first) = made;
#else
    index near = (index)from;
    if (left < WORD)
        NEXT_ROW
    count step = (count)w.dim[0].in_stride, skip = from - (count)near;
    global const element *row = in + near;
    wide v[WORD];
    if (w.full > 1) {
        local const count *of = places + of_step;
        for (uint n = 0; n < WORD; ++n)
            v[n] = row[(index)((n < left ? 0 : skip) + of[n])];
    } else if (step == 0) {
        wide same = *row, next = left < WORD ? row[(index)skip] : same;
        for (uint n = 0; n < WORD; ++n)
            v[n] = n < left ? same : next;
    } else {
        for (uint n = 0; n < WORD; ++n)
            v[n] = row[(index)((n < left ? 0 : skip) + n * step)];
    }
    word whole = word_of(v);
    if (w.repeat == 0) {
        *(global word *)(out + first) = whole;
        return;
    }
    for (; block < w.blocks; block += w.repeat) {
        first = (index)(block * WORD) - before;
        if (first < 0 || first + WORD > (index)w.row)
            move_some(in, out, &w, places, first);
        else
            *(global word *)(out + first) = whole;
    }
#endif
}
#endif
