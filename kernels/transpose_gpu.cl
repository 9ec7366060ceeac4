/* SPDX-License-Identifier: MIT */
/*
 * transpose_gpu: rows of the output that are columns of the input, for devices with many threads.
 * Compiled with four definitions more:
 *
 *     WIDTH, HEIGHT   of a block, in elements
 *     GROUP           work-items of a group
 *     SECTOR          bytes of memory that no two groups should write parts of
 *
 * Grid: one dimension, groups of GROUP. Group i moves block i, if there is one, through local
 * memory, so that neighbours read neighbours and write neighbours. Every row of the block begins
 * where the output has a multiple of SECTOR bytes, so that no two groups write parts of one.
 * The plan guarantees: out_step = 1, in_pitch = 1 or -1, width = WIDTH, height = HEIGHT, batch = 1;
 * a row has blocks for any alignment.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

#ifndef WIDTH
#define WIDTH 32
#define HEIGHT 32
#define GROUP 256
#define SECTOR 32
#endif

#define SHIFT_MOST (SECTOR / ELEMENT_SIZE - 1)

/* Elements from the last boundary to a row's first one. */
index shift_of(global const element *to_row)
{
    return (index)(((size_t)to_row & (SECTOR - 1)) / ELEMENT_SIZE);
}

kernel void transpose_gpu(global const element *in, global element *out, struct walk w)
{
    /* One more than a block's rows: a row's elements lie in different banks. */
    local element block[WIDTH + SHIFT_MOST][HEIGHT + 1];
    if (get_group_id(0) >= w.blocks) /* true of the whole group */
        return;
    struct place place = place_of(&w, (uint)get_group_id(0));
    index height = (index)block_height(&w, place.at[0]), row = (index)w.row;
    index begin = (index)place.at[1] * WIDTH; /* of the row; less up to SHIFT_MOST */
    index in_step = (index)w.in_step, out_pitch = (index)w.out_pitch;
    index item = (index)get_local_id(0);
    global const element *from = in + w.in_first + place.in;
    global element *to = out + w.out_first + place.out;
    bool straight = ((size_t)to | (size_t)out_pitch * ELEMENT_SIZE) % SECTOR == 0;

    index x = item % HEIGHT, y = item / HEIGHT;
    bool within = begin + WIDTH <= row && height == HEIGHT;
    global const element *at = from + (x * (index)w.in_pitch + y * in_step);
    if (straight && within) {
#pragma unroll
        for (index k = 0; k < WIDTH; k += GROUP / HEIGHT)
            block[SHIFT_MOST + y + k][x] = at[k * in_step];
    } else {
        index skip = straight ? 0 : SHIFT_MOST;
        for (index k = y - skip; k < WIDTH; k += GROUP / HEIGHT)
            if (begin + k >= 0 && begin + k < row && x < height)
                block[SHIFT_MOST + k][x] = from[x * (index)w.in_pitch + k * in_step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    x = item % WIDTH;
    y = item / WIDTH;
    if (straight && within) {
        global element *to_row = to + (y * out_pitch + x);
#pragma unroll
        for (index k = 0; k < HEIGHT; k += GROUP / WIDTH)
            to_row[k * out_pitch] = block[SHIFT_MOST + x][y + k];
    } else {
        for (index k = y; k < height; k += GROUP / WIDTH) {
            global element *to_row = to + k * out_pitch;
            index p = x - shift_of(to_row);
            if (begin + p >= 0 && begin + p < row)
                to_row[p] = block[SHIFT_MOST + p][k];
        }
    }
}
