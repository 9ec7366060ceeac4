/* SPDX-License-Identifier: MIT */
/*
 * rows_gpu: rows that are contiguous in the output and hold a pattern of the input's, for devices
 * with many threads. Compiled with three definitions more:
 *
 *     GROUP_STRIDE, GROUP_SIZE, ELEMENT_STRIDE
 *         Element j * GROUP_SIZE + c of an output row is element j * GROUP_STRIDE +
 *         c * ELEMENT_STRIDE of the input's; GROUP_SIZE is 1 to 4. Such a group is a pixel here.
 *         A GROUP_STRIDE of 0 stands for single elements 2 to 4 apart, upwards or downwards, as
 *         the walk says.
 *
 * Grid: one dimension, groups of any size. Work-item i makes block i, if there is one, and of a
 * batch those of its item that are `of_item` blocks behind each other: 16 output bytes at a
 * multiple of 16 (12 at a multiple of 4 where GROUP_SIZE is 3), or what a row's ends leave. It
 * reads the whole aligned words that hold the block's input, shifts them into place and picks.
 * Pixels of 2 or 4 elements with 4 bytes or more before the last one are moved element by element
 * where the output's words begin inside them.
 * The plan guarantees: the row's elements are pixels, in_step = GROUP_STRIDE, or 2 to 4 or -2 to -4
 * where that is 0, out_step = GROUP_SIZE; the column is a pixel's elements, in_pitch =
 * ELEMENT_STRIDE; width = PIXELS; a row has blocks for any alignment that it may have.
 */
#ifndef WALK_CL
#include "walk.cl"
#endif

#ifndef GROUP_SIZE
#define GROUP_STRIDE 1
#define GROUP_SIZE 1
#define ELEMENT_STRIDE 0
#endif

#define PIXELS ((GROUP_SIZE > 2 ? 4 : 16 / GROUP_SIZE) / ELEMENT_SIZE)
#define ELEMENTS (PIXELS * GROUP_SIZE)
#define OUT_BYTES (ELEMENTS * ELEMENT_SIZE)
#define OUT_WORDS (OUT_BYTES / 4)
#define OUT_ALIGNMENT (OUT_BYTES % 16 == 0 ? 16 : 4)
#define AT_ONCE 4 /* words of a page that a work-item waits for */

/* Whether blocks may begin inside a pixel: they are then made of a pixel more, and shifted. */
#if GROUP_SIZE % 2 == 0 && (GROUP_SIZE - 1) * ELEMENT_SIZE < 4
#define SHIFTS 1
#else
#define SHIFTS 0
#endif
#define LAST (PIXELS - 1 + SHIFTS) /* of the pixels that it is made of */

/* The elements that a block reads, from its first pixel, where these are `apart`. */
#define EITHER(condition, a, b) ((condition) ? (a) : (b))
#define SIDE ((GROUP_SIZE - 1) * ELEMENT_STRIDE)
#define LOW(apart) (EITHER((apart) < 0, LAST * (apart), 0) + EITHER(SIDE < 0, SIDE, 0))
#define HIGH(apart) (EITHER((apart) > 0, LAST * (apart), 0) + EITHER(SIDE > 0, SIDE, 0))
#define WINDOW_BYTES(apart) ((HIGH(apart) - LOW(apart) + 1) * ELEMENT_SIZE)
#define WORDS ((WINDOW_BYTES(EITHER(GROUP_STRIDE == 0, 4, GROUP_STRIDE)) + 3) / 4)

/* Elements from the last boundary that wide stores need to the row's first one; ELEMENTS, where
 * they never meet. */
uint elements_before(global element *row)
{
    uint bytes = (uint)((size_t)row & (OUT_ALIGNMENT - 1));
#if GROUP_SIZE == 3
    return 3 * (ELEMENT_SIZE == 1 ? bytes * 3 % 4 : ELEMENT_SIZE == 2 ? bytes / 2 : 0);
#else
    uint pixel = GROUP_SIZE * ELEMENT_SIZE;
    return SHIFTS || bytes % pixel == 0 ? bytes / ELEMENT_SIZE : ELEMENTS;
#endif
}

/* NAME: the window's words, where pixels are `apart`, from the aligned quads of words that
 * hold them; `before` bytes of the first are none of the window's. Made for each distance: constant
 * places make registers of an array. */
#define WINDOW(NAME, APART)                                                                     \
    void NAME(global const uint4 *from, uint before, uint *words)                               \
    {                                                                                           \
        enum {                                                                                  \
            bytes = WINDOW_BYTES(APART),                                                        \
            least = (bytes + 15) / 16,                                                          \
            most = (bytes + 30) / 16,                                                           \
            all = (bytes + 3) / 4                                                               \
        };                                                                                      \
        uint held[4 * most + 4];                                                                \
        uint last = (before + bytes + 15) / 16;                                                 \
        for (uint b = 0; b < most; ++b) {                                                       \
            uint4 quad = b < least || b < last ? from[b] : (uint4)(0);                          \
            held[4 * b] = quad.x;                                                               \
            held[4 * b + 1] = quad.y;                                                           \
            held[4 * b + 2] = quad.z;                                                           \
            held[4 * b + 3] = quad.w;                                                           \
        }                                                                                       \
        for (uint k = 0; k < 4; ++k)                                                            \
            held[4 * most + k] = 0;                                                             \
        uint two = before & 8 ? ~0u : 0, one = before & 4 ? ~0u : 0;                            \
        for (uint k = 0; k < 4 * most; ++k)                                                     \
            held[k] = bitselect(held[k], held[k + 2], two);                                     \
        for (uint k = 0; k <= all; ++k)                                                         \
            held[k] = bitselect(held[k], held[k + 1], one);                                     \
        uint shift = 8 * (before & 3);                                                          \
        for (uint k = 0; k < all; ++k)                                                          \
            words[k] = ELEMENT_SIZE < 4 ? (uint)(((ulong)held[k + 1] << 32 | held[k]) >> shift) \
                                        : held[k];                                              \
    }

/* The block's element n is this one of the window's. */
#define PLACE(apart, n) \
    ((n) / GROUP_SIZE * (apart) + (n) % GROUP_SIZE * ELEMENT_STRIDE - LOW(apart))
/* An element of less than a word, in the low bits. */
#define NARROW(apart, n) \
    (words[PLACE(apart, n) * ELEMENT_SIZE / 4] >> PLACE(apart, n) * ELEMENT_SIZE % 4 * 8)
#define BYTE(apart, n) (NARROW(apart, n) & 0xFF)
/* Word w of the block, where pixels are `apart`. */
#if ELEMENT_SIZE == 1
#define PICK(apart, w)                                                                       \
    (BYTE(apart, 4 * (w)) | BYTE(apart, 4 * (w) + 1) << 8 | BYTE(apart, 4 * (w) + 2) << 16 | \
     BYTE(apart, 4 * (w) + 3) << 24)
#elif ELEMENT_SIZE == 2
#define PICK(apart, w) upsample((ushort)NARROW(apart, 2 * (w) + 1), (ushort)NARROW(apart, 2 * (w)))
#else
#define PICK(apart, w) \
    words[PLACE(apart, (w)*4 / ELEMENT_SIZE) * (ELEMENT_SIZE / 4) + (w) % (ELEMENT_SIZE / 4)]
#endif

/* A word of the same elements the other way round. */
uint turned(uint word)
{
#if ELEMENT_SIZE == 1
    return as_uint(as_uchar4(word).wzyx);
#else
    return ELEMENT_SIZE == 2 ? rotate(word, 16u) : word;
#endif
}

#if GROUP_STRIDE == 0

WINDOW(load_window_2, 2)
WINDOW(load_window_3, 3)
WINDOW(load_window_4, 4)

#define MAKE(APART)                               \
    if (abs(apart) == APART) {                    \
        load_window_##APART(from, before, words); \
        for (int w = 0; w < OUT_WORDS; ++w)       \
            up[w] = PICK(APART, w);               \
    }

/* A block's words, made upwards, and turned where its elements lie downwards. */
void make_block(global const uint4 *from, uint before, int apart, uint phase, uint *made)
{
    uint words[WORDS], up[OUT_WORDS];
    MAKE(2)
    MAKE(3)
    MAKE(4)
    for (int w = 0; w < OUT_WORDS; ++w)
        made[w] = apart > 0           ? up[w]
                  : ELEMENT_SIZE == 8 ? up[(w + OUT_WORDS / 2) % OUT_WORDS]
                                      : turned(up[OUT_WORDS - 1 - w]);
}

#else

WINDOW(load_window, GROUP_STRIDE)

#if ELEMENT_SIZE == 1 && GROUP_SIZE == 1 && GROUP_STRIDE == -1
#define OUT_WORD(w) turned(words[3 - (w)])
#else
#define OUT_WORD(w) PICK(GROUP_STRIDE, w)
#endif
/* The one behind the block, as far as a shift takes of it. */
#if ELEMENT_SIZE == 1 && GROUP_SIZE == 2
#define WORD_BEHIND (BYTE(GROUP_STRIDE, 16) | BYTE(GROUP_STRIDE, 17) << 8)
#else
#define WORD_BEHIND OUT_WORD(OUT_WORDS)
#endif

/* A block's words, which begin `phase` elements inside a pixel. */
void make_block(global const uint4 *from, uint before, int apart, uint phase, uint *made)
{
    uint words[WORDS];
    load_window(from, before, words);
    for (int w = 0; w < OUT_WORDS; ++w)
        made[w] = OUT_WORD(w);
#if SHIFTS
    uint behind = WORD_BEHIND;
    for (int w = 0; w < OUT_WORDS; ++w) {
        uint next = w + 1 < OUT_WORDS ? made[w + 1] : behind;
        made[w] = (uint)(((ulong)next << 32 | made[w]) >> 8 * ELEMENT_SIZE * phase);
    }
#endif
}

#endif

/* Element n of the block's output. */
element out_element(const uint *words, int n)
{
#if ELEMENT_SIZE == 8
    return (element)words[2 * n + 1] << 32 | words[2 * n];
#else
    return (element)(words[n * ELEMENT_SIZE / 4] >> n * ELEMENT_SIZE % 4 * 8);
#endif
}

void store_block(global element *to, const uint *words)
{
#if OUT_BYTES == 16
    *(global uint4 *)to = (uint4)(words[0], words[1], words[2], words[3]);
#else
    for (int w = 0; w < OUT_WORDS; ++w)
        ((global uint *)to)[w] = words[w];
#endif
}

#if ELEMENT_SIZE < 4
/* Bytes `at` to `at + 3` of the block's output; `at` is a multiple of what is taken of them. */
uint out_bytes(const uint *words, uint at)
{
    uint low = at < 4 ? words[0] : words[1];
    uint high = at < 12 ? words[2] : words[OUT_WORDS - 1];
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

void make_block_at(global const element *in, global element *out, const struct walk *w, uint block)
{
    struct place place = place_of(w, block);
    global element *to = out + w->out_first + place.out;
    uint before = elements_before(to);
    bool meets = before < ELEMENTS;
    index back = meets ? (index)before : 0, skipped = (back + GROUP_SIZE - 1) / GROUP_SIZE;
    index phase = skipped * GROUP_SIZE - back; /* where in a pixel the block begins */
    index first = ((index)place.at[0] * PIXELS - skipped) * GROUP_SIZE + phase;
    index begin = max((index)0, -first);
    index end = min((index)ELEMENTS, (index)w->row * GROUP_SIZE - first);
    if (begin >= end)
        return;
    to -= back;
    int apart = GROUP_STRIDE != 0 ? GROUP_STRIDE : (int)w->in_step;
    index from = place.in - skipped * apart, low = from + LOW(apart);
    global const element *window = in + w->in_first + low;
    uint gap = (uint)((size_t)window & 15);
    uint bytes = (gap + (uint)WINDOW_BYTES(apart) + 15) / 16 * 16 - gap;
    if (meets && low - (index)w->in_low >= (index)((gap + ELEMENT_SIZE - 1) / ELEMENT_SIZE) &&
        (index)w->in_high - low >= (index)((bytes + ELEMENT_SIZE - 1) / ELEMENT_SIZE)) {
        global const uint4 *quads = (global const uint4 *)((global const uchar *)window - gap);
        uint words[OUT_WORDS];
        make_block(quads, gap, apart, (uint)phase, words);
        if (begin == 0 && end == ELEMENTS) {
            store_block(to, words);
            return;
        }
#if ELEMENT_SIZE < 4
        store_part((global uchar *)to, words, (uint)begin * ELEMENT_SIZE, (uint)end * ELEMENT_SIZE);
#else
#pragma unroll
        for (int n = 0; n < ELEMENTS; ++n)
            if (n >= begin && n < end)
                to[n] = out_element(words, n);
#endif
        return;
    }
    for (index n = begin; n < end; ++n)
        to[n] = (in + w->in_first)[from + (n + phase) / GROUP_SIZE * apart +
                                   (n + phase) % GROUP_SIZE * ELEMENT_STRIDE];
}

kernel void rows_gpu(global const element *in, global element *out, struct walk w ITEMS)
{
    count block = (count)get_global_id(0);
    ENTER_ITEM(block);
#ifdef BATCH
#if GROUP_SIZE == 1 && GROUP_STRIDE == 1
    global const uint4 *from = (global const uint4 *)(in + w.in_first);
    global uint4 *to = (global uint4 *)(out + w.out_first);
    if (w.rank == 1 && w.row % PIXELS == 0 && ((size_t)from | (size_t)to) % 16 == 0) {
        count words = (count)w.row / PIXELS; /* a page: no load waits behind a store */
        for (; block < words; block += AT_ONCE * w.of_item) {
            uint4 held[AT_ONCE];
#pragma unroll
            for (uint n = 0; n < AT_ONCE; ++n)
                if (block + n * w.of_item < words)
                    held[n] = from[block + n * w.of_item];
#pragma unroll
            for (uint n = 0; n < AT_ONCE; ++n)
                if (block + n * w.of_item < words)
                    to[block + n * w.of_item] = held[n];
        }
        return;
    }
#endif
    for (; block < w.blocks; block += w.of_item)
#else
    if (block < w.blocks)
#endif
        make_block_at(in, out, &w, (uint)block);
}
