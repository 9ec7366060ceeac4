/* SPDX-License-Identifier: MIT */
/*
 * transpose_gpu: rows of the output that lie across the input's neighbours, for devices with many
 * threads. Compiled with two definitions more:
 *
 *     GROUP        work-items of a group
 *     BLOCK_BYTES  of local memory for a block
 *
 * Grid: one dimension, groups of GROUP. Group i moves block i, if there is one, of up to four of
 * the slice's dimensions. Lines, which are what the block needs of the input, are copied into local
 * memory in whole units of 16 bytes: a line begins there at the same place of a unit as it does in
 * the input. Rows, which are what the block makes of the output, are written in words of 16 bytes
 * at multiples of 16, of elements that are picked from local memory. Where neighbours'
 * elements lie in the same banks, some read those of a word in another order.
 * A row goes through one to three dimensions, of all but the last of which the block holds
 * everything. Where the last one has several blocks, their words continue each other: a block's
 * first word may begin `early` coordinates before it. The elements of words that a row has only a
 * part of are written one by one, by as many work-items side by side.
 * The plan guarantees: blocks, units and words for any alignment that the tensors may have; at most
 * 2 * GROUP lines and GROUP rows, steps and words at once; room for the lines, and that no two of
 * them share a unit.
 */
#ifndef WALK_CL
#include "walk.cl"

#include "word.cl"
#endif

#ifndef GROUP
#define GROUP 256
#define BLOCK_BYTES 24576
#endif

typedef uint4 unit;

#define PER_UNIT (16 / ELEMENT_SIZE)
/* Units that a work-item waits for: all that are its own. Those of small blocks, which have
 * GPU_BLOCK_BYTES_FEW of core/blocks/gpu_block.h, are four. */
#define AT_ONCE (BLOCK_BYTES > 17408 ? 7 : 4)
#define NO_ROW INT_MIN

/* Where a block begins, in elements from the launch's first. */
struct block_place {
    index in, out;
    uint at[8]; /* its coordinates */
};

/* Few dimensions have more than one block. */
#define AT(d)                                                 \
    if (w->dim[d].size > 1) {                                 \
        uint at = near;                                       \
        if (d != w->near) {                                   \
            uint next = quotient(w, d, block);                \
            at = block - next * w->dim[d].size;               \
            block = next;                                     \
        }                                                     \
        place.at[d] = at;                                     \
        place.in += (index)at * (index)w->dim[d].in_stride;   \
        place.out += (index)at * (index)w->dim[d].out_stride; \
    }

/* The block that has coordinate `near` of dimension w->near; `block` numbers the others. */
struct block_place block_place_of(const struct walk *w, uint near, uint block)
{
    struct block_place place = {0, 0, {0, 0, 0, 0, 0, 0, 0, 0}};
    AT(0);
    AT(1);
    AT(2);
    AT(3);
    if (w->rank > 4) {
        AT(4);
        AT(5);
        AT(6);
        AT(7);
    }
    return place;
}

/* n / d, where n * d is below 2^32. */
int divided(int n, uint reciprocal)
{
    return reciprocal == 0 ? n : (int)mul_hi((uint)n, reciprocal);
}

#define IS_LINE(d) (w.line_dims >> d & 1)

/* Of the last block, of the one before it and of the others. */
#define OF_BLOCK(d_at, d_size, of_last, of_previous, of_others) \
    ((d_at) + 1 == (d_size) ? (of_last) : (d_at) + 2 == (d_size) ? (of_previous) : (of_others))

/* Coordinates of dimension d that the block has are [low, high), from its first. */
#define BOUND(d)                                                                             \
    int low##d = place.at[d] > 0 ? -w.block[d].early : 0;                                    \
    int high##d = OF_BLOCK(place.at[d], w.dim[d].size, w.block[d].last, w.block[d].previous, \
                           w.block[d].extent)

/* Takes coordinate d from a line's number; a line that is none of this block's stands for its
 * nearest. */
#define LINE(d)                                                     \
    if (IS_LINE(d)) {                                               \
        int early = w.block[d].early;                               \
        int next = divided(line, w.block[d].reciprocal);            \
        int at = line - next * (w.block[d].extent + early) - early; \
        at = max(low##d, min(at, high##d - 1));                     \
        from += at * (index)w.block[d].in_step;                     \
        to += at * w.block[d].pitch;                                \
        line = next;                                                \
    }

/* The same of a row, which may be none. */
#define ROW(d)                                          \
    if (d >= w.run_rank) {                              \
        int next = divided(row, w.block[d].reciprocal); \
        int at = row - next * w.block[d].extent;        \
        is_there = is_there && at < high##d;            \
        from += at * w.block[d].pitch;                  \
        to += at * (index)w.block[d].out_step;          \
        row = next;                                     \
    }

/* A word's parts, of 4 bytes or an element. */
#define PARTS (PER_UNIT < 4 ? PER_UNIT : 4)
#define PART (PER_UNIT / PARTS)

/* The word whose element n is from[steps[n]], or where it is straight, from[n * pitch]. Of its
 * parts, p ^ of_parts is read as the p-th, and of a part, the element `of_part` behind the j-th as
 * the j-th. Inlined for 0, which is less to compute; pointers to parts leave compilers no sixteen
 * offsets to keep in registers. */
uint4 word_at(local const element *from, local const short *steps, bool is_straight, int pitch,
              int of_parts, int of_part)
{
    wide v[PER_UNIT];
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
        int first = (p ^ of_parts) * PART;
        local const element *part = is_straight ? from + first * pitch : from;
        local const short *part_steps = steps + first;
#pragma unroll
        for (int j = 0; j < PART; ++j) {
            int n = (j + of_part) % PART;
            v[p * PART + j] = part[is_straight ? n * pitch : part_steps[n]];
        }
    }
    uint4 made = word_of(v);
#if ELEMENT_SIZE < 8
    made = of_parts & 2 ? made.zwxy : made;
    made = of_parts & 1 ? made.yxwz : made;
#else
    made = of_parts & 1 ? made.zwxy : made;
#endif
    return PART > 1 ? rotate(made, (uint4)(uint)(of_part * ELEMENT_SIZE * 8)) : made;
}

/* The same in a work-item's order. */
#define WORD_AT(from, steps, is_straight, pitch)                        \
    (w.order_step == 0 ? word_at(from, steps, is_straight, pitch, 0, 0) \
                       : word_at(from, steps, is_straight, pitch, order / PART, order % PART))

/* Where element n of a row through several dimensions lies in local memory, from element 0. */
int step_of(const struct walk *w, int n)
{
    int last = divided(n, w->by_full), inner = n - last * (int)w->full;
    int outer = divided(inner, w->block[0].reciprocal);
    return (inner - outer * w->block[0].extent) * w->block[0].pitch + outer * w->block[1].pitch +
           last * w->last_pitch;
}

kernel void transpose_gpu(global const element *in, global element *out, struct walk w ITEMS)
{
    local unit units[BLOCK_BYTES / sizeof(unit)];
    local element *held = (local element *)units;
    local index line_from[2 * GROUP], rows_to[GROUP];
    local int line_to[2 * GROUP], rows_from[GROUP];
    local short steps[GROUP]; /* in half as many banks as ints */
    count block = (count)get_group_id(0);
    GROUP_ENTERS_ITEM(block);
    uint band = quotient_by((uint)block, w.by_band, w.band_shift);
    uint of_band = (uint)block - band * w.band;
    uint others = quotient_by(of_band, w.by_band_near, w.near_shift);
    uint near = band * w.band_near + of_band - others * w.band_near;
    if (block >= w.blocks || near >= w.near_size) /* true of the whole group */
        return;
    struct block_place place = block_place_of(&w, near, others);
    int item = (int)get_local_id(0);
    BOUND(0);
    BOUND(1);
    BOUND(2);
    BOUND(3);
    in += w.in_first;
    out += w.out_first + place.out;
    index first = place.in;
    int phase = (int)((size_t)(in + first) / ELEMENT_SIZE % PER_UNIT);
    int base = w.before + phase;

#pragma unroll 1
    for (int l = item; l < (int)w.lines; l += GROUP) {
        int line = l, to = base - w.back;
        index from = first - w.back;
        LINE(0);
        LINE(1);
        LINE(2);
        LINE(3);
        int unaligned = (int)((size_t)(in + from) / ELEMENT_SIZE % PER_UNIT);
        from -= unaligned;
        to = (to - unaligned) / PER_UNIT;
        bool is_within =
            from >= (index)w.in_low && from <= (index)w.in_high - (int)w.units * PER_UNIT;
        line_from[l] = from;
        line_to[l] = is_within ? to : -1 - to;
    }
    if (item < (int)w.rows) {
        int row = item, from = base;
        index to = 0;
        bool is_there = true;
        ROW(1);
        ROW(2);
        ROW(3);
        rows_from[item] = is_there ? from : NO_ROW;
        rows_to[item] = to;
    }
    if (item < (int)w.steps)
        steps[item] = (short)step_of(&w, item);
    barrier(CLK_LOCAL_MEM_FENCE);

    int total = (int)(w.lines * w.units);
    for (int n = 0; n < total; n += AT_ONCE * GROUP) {
        unit v[AT_ONCE];
        int at[AT_ONCE];
#pragma unroll
        for (int u = 0; u < AT_ONCE; ++u) {
            int i = n + u * GROUP + item;
            at[u] = -1;
            if (n + u * GROUP >= total) /* true of the whole group, which leaves it out */
                continue;
            if (i < total) {
                int l = divided(i, w.by_units), offset = (i - l * (int)w.units) * PER_UNIT;
                int place_of_line = line_to[l];
                index begin = line_from[l];
                if (place_of_line >= 0) {
                    at[u] = place_of_line + offset / PER_UNIT;
                    v[u] = *(global const unit *)(in + (begin + offset));
                } else { /* where the input begins or ends */
                    for (int e = offset; e < offset + PER_UNIT; ++e)
                        if (e >= (index)w.in_low - begin && e < (index)w.in_high - begin)
                            held[(-1 - place_of_line) * PER_UNIT + e] = in[begin + e];
                }
            }
        }
#pragma unroll
        for (int u = 0; u < AT_ONCE; ++u)
            if (n + u * GROUP < total && at[u] >= 0)
                units[at[u]] = v[u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int run_rank = (int)w.run_rank, full = (int)w.full, words = (int)w.words;
    uint last_at = run_rank == 1 ? place.at[0] : run_rank == 2 ? place.at[1] : place.at[2];
    uint last_size = run_rank == 1 ? w.dim[0].size : run_rank == 2 ? w.dim[1].size : w.dim[2].size;
    int end = OF_BLOCK(last_at, last_size, w.last_end, w.previous_end, w.end);
    int earlier = run_rank == 1 ? low0 : run_rank == 2 ? low1 : low2;
    int pitch = w.block[0].pitch, last_pitch = w.last_pitch;
    int rows = (int)w.rows;
    if (w.has_ends && (!w.is_part || last_at == 0 || last_at + 2 >= last_size)) {
#pragma unroll 1
        for (uint i = (uint)item; i < w.rows * PER_UNIT; i += GROUP) {
            int row = rows_from[i / PER_UNIT];
            global element *to = out + rows_to[i / PER_UNIT];
            int shift = (int)((size_t)to / ELEMENT_SIZE % PER_UNIT),
                least = earlier < 0 ? -shift : 0;
            int most = w.is_part ? min(end, words * PER_UNIT - shift) : end;
            int last = (most + shift) / PER_UNIT;
            if (row == NO_ROW)
                continue;
#pragma unroll
            for (int of_end = 0; of_end < 2; ++of_end) {
                int begin = of_end * last * PER_UNIT - shift, x = begin + (int)(i % PER_UNIT);
                bool is_whole = of_end ? last == 0 : begin >= least && begin + PER_UNIT <= most;
                if (is_whole || x < least || x >= most)
                    continue;
                int beyond = x - earlier * full, of_last = divided(beyond, w.by_full);
                int at = beyond - of_last * full;
                to[x] = held[row + (of_last + earlier) * last_pitch +
                             (w.steps > 0 ? steps[at] : at * pitch)];
            }
        }
    }
    int strip = (int)w.strip, rows_at_once = (int)w.rows_at_once;
    int of_strip = divided(item, w.by_strip), strips = divided(of_strip, w.by_rows_at_once);
    int k_first = item + (strips - of_strip) * strip;
    int k_end = strips < (int)w.strips_at_once ? words : 0;
    int order = (item >> w.order_shift) * w.order_step & (PER_UNIT - 1);
    for (int r = of_strip - strips * rows_at_once; r < rows; r += rows_at_once) {
        int row = rows_from[r];
        global element *to = out + rows_to[r];
        int shift = (int)((size_t)to / ELEMENT_SIZE % PER_UNIT), least = earlier < 0 ? -shift : 0;
        int most = w.is_part ? min(end, words * PER_UNIT - shift) : end;
        if (row == NO_ROW)
            continue;
#pragma unroll 1
        for (int k = k_first; k < k_end; k += (int)w.words_at_once) {
            int x = k * PER_UNIT - shift;
            if (x < least || x + PER_UNIT > most)
                continue;
            int beyond = x - earlier * full, of_last = divided(beyond, w.by_full);
            int at = beyond - of_last * full; /* of those before the last dimension */
            int from = row + (of_last + earlier) * last_pitch;
            local const element *source = held + from;
            uint4 made;
            if (w.steps > 0) {
                made = WORD_AT(source, steps + at, false, 0);
            } else if (w.is_straight) {
                source += at * pitch;
                made = WORD_AT(source, steps, true, pitch);
            } else { /* the last dimension goes on once at most */
                wide v[PER_UNIT];
                from += at * pitch;
#pragma unroll
                for (int e = 0; e < PER_UNIT; ++e) {
                    v[e] = held[from];
                    from += at + e + 1 == full ? last_pitch - (full - 1) * pitch : pitch;
                }
                made = word_of(v);
            }
            *(global uint4 *)(to + x) = made;
        }
    }
}
