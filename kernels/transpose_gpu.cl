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
 * at multiples of 16, of elements that are picked from local memory.
 * A row goes through one to three dimensions, of all but the last of which the block holds
 * everything. Where the last one has several blocks, their words continue each other: a block's
 * first word may begin `early` coordinates before it.
 * The plan guarantees: blocks and words for any alignment; at most GROUP lines, rows and steps;
 * room for the lines, and that no two of them share a unit.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

#ifndef GROUP
#define GROUP 256
#define BLOCK_BYTES 24576
#endif

typedef uint4 unit;

#define PER_UNIT ((int)sizeof(unit) / ELEMENT_SIZE)
#define AT_ONCE 8 /* units that a work-item waits for */
#define NO_ROW INT_MIN

/* Where a block begins, in elements from the launch's first. */
struct block_place {
    index in, out;
    uint at[8]; /* its coordinates */
};

/* Few dimensions have more than one block. */
#define AT(d)                                                          \
    if (w->dim[d].size > 1) {                                          \
        uint next = quotient(w, d, block);                             \
        place.at[d] = block - next * w->dim[d].size;                   \
        place.in += (index)place.at[d] * (index)w->dim[d].in_stride;   \
        place.out += (index)place.at[d] * (index)w->dim[d].out_stride; \
        block = next;                                                  \
    }

struct block_place block_place_of(const struct walk *w, uint block)
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

#define IS_LAST(d) (w.run_rank == d + 1)
#define IS_LINE(d) (w.line_dims >> d & 1)

/* Coordinates of dimension d that the block has are [low, high), from its first; a line goes back
 * before that one as far as the input's distances are negative. */
#define BOUND(d)                                                                          \
    if (IS_LAST(d) && place.at[d] > 0)                                                    \
        low##d = -(int)w.early;                                                           \
    high##d = (int)w.block[d].extent;                                                     \
    if (place.at[d] + 2 >= w.dim[d].size)                                                 \
        high##d = min(high##d, (int)(w.block[d].size - place.at[d] * w.block[d].extent)); \
    if (!IS_LINE(d))                                                                      \
    back -= min(low##d * (int)w.block[d].in_step, (high##d - 1) * (int)w.block[d].in_step)

/* Takes coordinate d from a line's number; a line that is none of this block's stands for its
 * nearest. */
#define LINE(d)                                                          \
    if (IS_LINE(d)) {                                                    \
        int extra = IS_LAST(d) ? (int)w.early : 0;                       \
        int next = divided(line, w.block[d].reciprocal);                 \
        int at = line - next * ((int)w.block[d].extent + extra) - extra; \
        at = max(low##d, min(at, high##d - 1));                          \
        from += at * (index)w.block[d].in_step;                          \
        to += at * w.block[d].pitch;                                     \
        line = next;                                                     \
    }

/* The same of a row, which may be none. */
#define ROW(d)                                          \
    if (d >= w.run_rank) {                              \
        int next = divided(row, w.block[d].reciprocal); \
        int at = row - next * (int)w.block[d].extent;   \
        is_there = is_there && at < high##d;            \
        from += at * w.block[d].pitch;                  \
        to += at * (index)w.block[d].out_step;          \
        row = next;                                     \
    }

#if ELEMENT_SIZE == 1
#define WORD_OF(v, k) (v[4 * k] | v[4 * k + 1] << 8 | v[4 * k + 2] << 16 | v[4 * k + 3] << 24)
#elif ELEMENT_SIZE == 2
#define WORD_OF(v, k) (v[2 * k] | v[2 * k + 1] << 16)
#elif ELEMENT_SIZE == 4
#define WORD_OF(v, k) v[k]
#elif ELEMENT_SIZE == 8
#define WORD_OF(v, k) (uint)(v[k / 2] >> k % 2 * 32)
#endif

#if ELEMENT_SIZE < 4
typedef uint wide;
#else
typedef element wide;
#endif

/* Where element n of a row through several dimensions lies in local memory, from element 0. */
int step_of(const struct walk *w, int n)
{
    int last = divided(n, w->by_full), inner = n - last * (int)w->full;
    int outer = divided(inner, w->block[0].reciprocal);
    int last_pitch = w->run_rank == 2 ? w->block[1].pitch : w->block[2].pitch;
    return (inner - outer * (int)w->block[0].extent) * w->block[0].pitch +
           outer * w->block[1].pitch + last * last_pitch;
}

kernel void transpose_gpu(global const element *in, global element *out, struct walk w)
{
    local unit units[BLOCK_BYTES / sizeof(unit)];
    local element *held = (local element *)units;
    local index line_from[GROUP], rows_to[GROUP];
    local int line_to[GROUP], rows_from[GROUP], steps[GROUP];
    if (get_group_id(0) >= w.blocks) /* true of the whole group */
        return;
    struct block_place place = block_place_of(&w, (uint)get_group_id(0));
    int item = (int)get_local_id(0);
    int low0 = 0, low1 = 0, low2 = 0, low3 = 0, high0, high1, high2, high3, back = 0;
    BOUND(0);
    BOUND(1);
    BOUND(2);
    BOUND(3);
    in += w.in_first;
    out += w.out_first + place.out;
    index first = place.in;
    int phase = (int)((size_t)(in + first) / ELEMENT_SIZE % PER_UNIT);
    int base = (back + (int)w.before + PER_UNIT - 1) / PER_UNIT * PER_UNIT + phase;

    for (int l = item; l < (int)w.lines; l += GROUP) {
        int line = l, to = base - back;
        index from = first - back;
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
    for (int r = item; r < (int)w.rows; r += GROUP) {
        int row = r, from = base;
        index to = 0;
        bool is_there = true;
        ROW(1);
        ROW(2);
        ROW(3);
        rows_from[r] = is_there ? from : NO_ROW;
        rows_to[r] = to;
    }
    for (int n = item; n < (int)w.steps; n += GROUP)
        steps[n] = step_of(&w, n);
    barrier(CLK_LOCAL_MEM_FENCE);

    int total = (int)(w.lines * w.units);
    for (int n = item; n < total; n += AT_ONCE * GROUP) {
        unit v[AT_ONCE];
        int at[AT_ONCE];
#pragma unroll
        for (int u = 0; u < AT_ONCE; ++u) {
            int i = n + u * GROUP;
            at[u] = -1;
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
            if (at[u] >= 0)
                units[at[u]] = v[u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int run_rank = (int)w.run_rank, full = (int)w.full, words = (int)w.words, rows = (int)w.rows;
    int last = run_rank == 1 ? high0 : run_rank == 2 ? high1 : high2;
    int earlier = run_rank == 1 ? low0 : run_rank == 2 ? low1 : low2;
    int pitch = w.block[0].pitch, last_pitch = run_rank == 1   ? pitch
                                               : run_rank == 2 ? w.block[1].pitch
                                                               : w.block[2].pitch;
    uint last_at = run_rank == 1 ? place.at[0] : run_rank == 2 ? place.at[1] : place.at[2];
    uint last_extent = run_rank == 1   ? w.block[0].extent
                       : run_rank == 2 ? w.block[1].extent
                                       : w.block[2].extent;
    int end = (int)min((long)last * full,
                       (long)w.row_size - (long)last_at * (long)(last_extent * w.full));
    int strip = (int)w.strip, strip_words = strip * rows;
    total = words * rows;
    for (int n = item; n < total; n += GROUP) {
        int s = divided(n, w.by_strip_words), rest = n - s * strip_words, before = s * strip;
        bool is_last = before + strip > words;
        int r = divided(rest, is_last ? w.by_last_strip : w.by_strip);
        int k = rest - r * (is_last ? (int)w.last_strip : strip) + before;
        int from = rows_from[r];
        global element *to = out + rows_to[r];
        int shift = (int)((size_t)to / ELEMENT_SIZE % PER_UNIT);
        int begin = k * PER_UNIT - shift, least = earlier < 0 ? -shift : 0;
        int most = w.is_part ? min(end, words * PER_UNIT - shift) : end;
        bool is_whole = begin >= least && begin + PER_UNIT <= most;
        int x = max(begin, least), stop = min(begin + PER_UNIT, most);
        if (from == NO_ROW || x >= stop)
            continue;
        int beyond = x - earlier * full, of_last = divided(beyond, w.by_full);
        int at = beyond - of_last * full; /* of those before the last dimension */
        from += (of_last + earlier) * last_pitch;
        if (!is_whole) {
            for (; x < stop; ++x, ++at)
                to[x] = held[from + (w.steps > 0     ? steps[at]
                                     : run_rank == 1 ? at * pitch
                                     : at < full     ? at * pitch
                                                     : (at - full) * pitch + last_pitch)];
            continue;
        }
        wide v[PER_UNIT];
        if (w.steps > 0) {
#pragma unroll
            for (int e = 0; e < PER_UNIT; ++e)
                v[e] = held[from + steps[at + e]];
        } else if (run_rank == 1) {
#pragma unroll
            for (int e = 0; e < PER_UNIT; ++e)
                v[e] = held[from + e * pitch];
        } else { /* the last dimension goes on once at most */
            from += at * pitch;
#pragma unroll
            for (int e = 0; e < PER_UNIT; ++e) {
                v[e] = held[from];
                from += at + e + 1 == full ? last_pitch - (full - 1) * pitch : pitch;
            }
        }
#if ELEMENT_SIZE == 16
        to[x] = v[0];
#else
        *(global uint4 *)(to + x) =
            (uint4)(WORD_OF(v, 0), WORD_OF(v, 1), WORD_OF(v, 2), WORD_OF(v, 3));
#endif
    }
}
