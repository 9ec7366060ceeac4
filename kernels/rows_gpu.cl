/* SPDX-License-Identifier: MIT */
/*
 * rows_gpu: rows that are contiguous in the output and hold a pattern of the input's, for devices
 * with many threads. Compiled with four definitions more:
 *
 *     GROUP_STRIDE, GROUP_SIZE, ELEMENT_STRIDE
 *         Element j * GROUP_SIZE + c of an output row is element j * GROUP_STRIDE +
 *         c * ELEMENT_STRIDE of the input's; GROUP_SIZE is 1 to 4. Such a group is a pixel here.
 *     PIXELS
 *         Of a block.
 *
 * Grid: one dimension, groups of any size. Work-item i makes block i, if there is one: 16 output
 * bytes at a multiple of 16 (12 at a multiple of 4 where GROUP_SIZE is 3), or what a row's ends
 * leave. It reads the whole aligned words that hold the block's input, shifts them into place and
 * picks.
 * The plan guarantees: the row's elements are pixels, in_step = GROUP_STRIDE, out_step =
 * GROUP_SIZE; the column is a pixel's elements; width = PIXELS, batch = 1; a row has blocks for any
 * alignment.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

#ifndef GROUP_STRIDE
#define GROUP_STRIDE 1
#define GROUP_SIZE 1
#define ELEMENT_STRIDE 0
#define PIXELS (16 / ELEMENT_SIZE)
#endif

#define OUT_BYTES (PIXELS * GROUP_SIZE * ELEMENT_SIZE)
#define OUT_ALIGNMENT (OUT_BYTES % 16 == 0 ? 16 : 4)

/* The elements that a block reads, from its first. */
#define EITHER(condition, a, b) ((condition) ? (a) : (b))
#define LOW                                                     \
    (EITHER(GROUP_STRIDE < 0, (PIXELS - 1) * GROUP_STRIDE, 0) + \
     EITHER(ELEMENT_STRIDE < 0, (GROUP_SIZE - 1) * ELEMENT_STRIDE, 0))
#define HIGH                                                    \
    (EITHER(GROUP_STRIDE > 0, (PIXELS - 1) * GROUP_STRIDE, 0) + \
     EITHER(ELEMENT_STRIDE > 0, (GROUP_SIZE - 1) * ELEMENT_STRIDE, 0))
#define WINDOW_BYTES ((HIGH - LOW + 1) * ELEMENT_SIZE)
#define QUADS_LEAST ((WINDOW_BYTES + 15) / 16)
#define QUADS ((WINDOW_BYTES + 30) / 16)
#define WORDS ((WINDOW_BYTES + 3) / 4)

/* Pixels from the last boundary that wide stores need to the row's first one; PIXELS, where they
 * never meet. */
uint pixels_before(global element *row)
{
    uint bytes = (uint)((size_t)row & (OUT_ALIGNMENT - 1));
#if GROUP_SIZE == 3
    return ELEMENT_SIZE == 1 ? bytes * 3 % 4 : ELEMENT_SIZE == 2 ? bytes / 2 : 0;
#else
    uint pixel = GROUP_SIZE * ELEMENT_SIZE;
    return bytes % pixel == 0 ? bytes / pixel : PIXELS;
#endif
}

/* Element n of the window's words; n is a constant wherever this is used. */
#if ELEMENT_SIZE == 1
#define PICK(n) (words[(n) / 4] >> (n) % 4 * 8 & 0xFF)
#elif ELEMENT_SIZE == 2
#define PICK(n) (words[(n) / 2] >> (n) % 2 * 16 & 0xFFFF)
#endif

/* The pixels' element n is this one of the window's. */
#define FROM(n) ((n) / GROUP_SIZE * GROUP_STRIDE + (n) % GROUP_SIZE * ELEMENT_STRIDE - LOW)

uint out_word(const uint *words, int w)
{
#if ELEMENT_SIZE == 1 && GROUP_SIZE == 1 && GROUP_STRIDE == -1
    return as_uint(as_uchar4(words[3 - w]).wzyx);
#elif ELEMENT_SIZE == 1
    return PICK(FROM(4 * w)) | PICK(FROM(4 * w + 1)) << 8 | PICK(FROM(4 * w + 2)) << 16 |
           PICK(FROM(4 * w + 3)) << 24;
#elif ELEMENT_SIZE == 2
    return upsample((ushort)PICK(FROM(2 * w + 1)), (ushort)PICK(FROM(2 * w)));
#else
    return words[FROM(w * 4 / ELEMENT_SIZE) * (ELEMENT_SIZE / 4) + w % (ELEMENT_SIZE / 4)];
#endif
}

/* The window's words, from the aligned quads of words that hold them; `before` bytes of the
 * first are none of the window's. */
void load_window(global const uint4 *from, uint before, uint *words)
{
    uint held[4 * QUADS + 4];
    if (before == 0) {
        for (uint b = 0; b < QUADS_LEAST; ++b)
            vstore4(from[b], b, held);
        for (uint k = 0; k < WORDS; ++k)
            words[k] = held[k];
        return;
    }
    uint last = (before + WINDOW_BYTES + 15) / 16;
    for (uint b = 0; b < QUADS; ++b) {
        uint4 quad = b < QUADS_LEAST || b < last ? from[b] : (uint4)(0);
        held[4 * b] = quad.x;
        held[4 * b + 1] = quad.y;
        held[4 * b + 2] = quad.z;
        held[4 * b + 3] = quad.w;
    }
    for (uint k = 0; k < 4; ++k)
        held[4 * QUADS + k] = 0;
    bool two = before & 8, one = before & 4;
    for (uint k = 0; k < 4 * QUADS; ++k)
        held[k] = two ? held[k + 2] : held[k];
    for (uint k = 0; k <= WORDS; ++k)
        held[k] = one ? held[k + 1] : held[k];
#if ELEMENT_SIZE < 4
    uint shift = 8 * (before & 3);
    for (uint k = 0; k < WORDS; ++k)
        words[k] = (uint)(((ulong)held[k + 1] << 32 | held[k]) >> shift);
#else
    for (uint k = 0; k < WORDS; ++k)
        words[k] = held[k];
#endif
}

/* Element n of the block's output. */
element out_element(const uint *words, int n)
{
#if ELEMENT_SIZE == 8
    return (element)out_word(words, 2 * n + 1) << 32 | out_word(words, 2 * n);
#else
    return (element)(out_word(words, n * ELEMENT_SIZE / 4) >> n * ELEMENT_SIZE % 4 * 8);
#endif
}

void store_block(global element *to, const uint *words)
{
#if OUT_BYTES == 16
    *(global uint4 *)to =
        (uint4)(out_word(words, 0), out_word(words, 1), out_word(words, 2), out_word(words, 3));
#else
    global uint *at = (global uint *)to;
    for (int w = 0; w < OUT_BYTES / 4; ++w)
        at[w] = out_word(words, w);
#endif
}

#if ELEMENT_SIZE < 4
/* Bytes `at` to `at + 3` of the block's output; `at` is a multiple of what is taken of them. */
uint out_bytes(const uint *words, uint at)
{
    uint low = at < 4 ? out_word(words, 0) : out_word(words, 1);
    uint high = at < 12 ? out_word(words, 2) : out_word(words, OUT_BYTES / 4 - 1);
    return (at < 8 ? low : high) >> at % 4 * 8;
}

/* Bytes `at` to `end` - 1 of it, by as few stores as their addresses take. */
void store_part(global uchar *to, const uint *words, uint at, uint end)
{
#if ELEMENT_SIZE == 1
    if (at % 2 > 0 && at < end) {
        to[at] = (uchar)out_bytes(words, at);
        ++at;
    }
#endif
    if (at % 4 > 0 && at + 2 <= end) {
        *(global ushort *)(to + at) = (ushort)out_bytes(words, at);
        at += 2;
    }
    for (; at + 4 <= end; at += 4)
        *(global uint *)(to + at) = out_bytes(words, at);
    if (at + 2 <= end) {
        *(global ushort *)(to + at) = (ushort)out_bytes(words, at);
        at += 2;
    }
#if ELEMENT_SIZE == 1
    if (at < end)
        to[at] = (uchar)out_bytes(words, at);
#endif
}
#endif

kernel void rows_gpu(global const element *in, global element *out, struct walk w)
{
    count block = (count)get_global_id(0);
    if (block >= w.blocks)
        return;
    struct place place = place_of(&w, (uint)block);
    global element *to = out + w.out_first + place.out;
    uint before = pixels_before(to);
    bool meets = before < PIXELS;
    index shift = meets ? (index)before : 0;
    index pixel = (index)place.at[0] * PIXELS - shift;
    index begin = max((index)0, -pixel), end = min((index)PIXELS, (index)w.row - pixel);
    if (begin >= end)
        return;
    to -= shift * GROUP_SIZE;
    index from = place.in - shift * GROUP_STRIDE;
    global const element *window = in + w.in_first + from + LOW;
    uint gap = (uint)((size_t)window & 15);
    uint bytes = (gap + WINDOW_BYTES + 15) / 16 * 16 - gap;
    if (meets && from + LOW - (index)w.in_low >= (index)((gap + ELEMENT_SIZE - 1) / ELEMENT_SIZE) &&
        (index)w.in_high - from - LOW >= (index)((bytes + ELEMENT_SIZE - 1) / ELEMENT_SIZE)) {
        uint words[WORDS];
        load_window((global const uint4 *)((global const uchar *)window - gap), gap, words);
        if (begin == 0 && end == PIXELS) {
            store_block(to, words);
            return;
        }
#if ELEMENT_SIZE < 4
        store_part((global uchar *)to, words, (uint)begin * GROUP_SIZE * ELEMENT_SIZE,
                   (uint)end * GROUP_SIZE * ELEMENT_SIZE);
#else
        for (int n = 0; n < PIXELS * GROUP_SIZE; ++n)
            if (n >= begin * GROUP_SIZE && n < end * GROUP_SIZE)
                to[n] = out_element(words, n);
#endif
        return;
    }
    for (index j = begin; j < end; ++j)
        for (index c = 0; c < GROUP_SIZE; ++c)
            to[j * GROUP_SIZE + c] =
                (in + w.in_first)[from + j * GROUP_STRIDE + c * ELEMENT_STRIDE];
}
