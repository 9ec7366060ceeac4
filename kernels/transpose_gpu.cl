/* SPDX-License-Identifier: MIT */
/*
 * transpose_gpu: rows of the output that are columns of the input, for devices with many threads.
 *
 * Grid: one dimension, groups of GROUP. Group i moves unit i, if there is one: a tile, through local
 * memory, so that neighbours read neighbours and write neighbours. Every line of the tile begins where the output has
 * a multiple of SECTOR bytes, so that no two groups write parts of one.
 * The plan guarantees: out_step = 1, in_line = 1 or -1, run = RUN, lines = LINES, batch = 1; a row has
 * runs for any alignment.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

#define GROUP 256
#define RUN (ELEMENT_SIZE == 1 ? 128 : ELEMENT_SIZE == 16 ? 32 : 64)
#define LINES (ELEMENT_SIZE < 4 ? 64 : 32)
#define SECTOR 32
#define SHIFT_MOST (SECTOR / ELEMENT_SIZE - 1)

/* Elements from the last boundary to a line's first one. */
index shift_of(global const element *line)
{
    return (index)(((size_t)line & (SECTOR - 1)) / ELEMENT_SIZE);
}

kernel void transpose_gpu(global const element *in, global element *out, struct walk w)
{
    /* One more than a tile's lines: a line's elements lie in different banks. */
    local element tile[RUN + SHIFT_MOST][LINES + 1];
    if (get_group_id(0) >= w.units) /* true of the whole group */
        return;
    struct place place = place_of(&w, (count)get_group_id(0));
    index lines = (index)line_count(&w, place.at[0]), row = (index)w.row;
    index begin = (index)place.at[1] * RUN; /* of the row; a line begins up to SHIFT_MOST before */
    index in_step = (index)w.in_step, out_line = (index)w.out_line;
    index item = (index)get_local_id(0);
    global const element *from = in + w.in_first + place.in;
    global element *to = out + w.out_first + place.out;
    bool straight = ((size_t)to | (size_t)out_line * ELEMENT_SIZE) % SECTOR == 0;

    index x = item % LINES, y = item / LINES;
    bool within = begin + RUN <= row && lines == LINES;
    global const element *at = from + (x * (index)w.in_line + y * in_step);
    if (straight && within) {
#pragma unroll
        for (index k = 0; k < RUN; k += GROUP / LINES)
            tile[SHIFT_MOST + y + k][x] = at[k * in_step];
    } else {
        index skip = straight ? 0 : SHIFT_MOST;
        for (index k = y - skip; k < RUN; k += GROUP / LINES)
            if (begin + k >= 0 && begin + k < row && x < lines)
                tile[SHIFT_MOST + k][x] = from[x * (index)w.in_line + k * in_step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    x = item % RUN;
    y = item / RUN;
    if (straight && within) {
        global element *line = to + (y * out_line + x);
#pragma unroll
        for (index k = 0; k < LINES; k += GROUP / RUN)
            line[k * out_line] = tile[SHIFT_MOST + x][y + k];
    } else {
        for (index k = y; k < lines; k += GROUP / RUN) {
            global element *line = to + k * out_line;
            index p = x - shift_of(line);
            if (begin + p >= 0 && begin + p < row)
                line[p] = tile[SHIFT_MOST + p][k];
        }
    }
}
