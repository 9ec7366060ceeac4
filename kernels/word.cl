/* SPDX-License-Identifier: MIT */
/*
 * What a work-item of a GPU stores at once: a word of several elements, at a multiple of its size.
 * Compiled with one definition more:
 *
 *     WORD_BYTES   4, 8 or 16, if that is more than an element; else an element. 16 by default, as
 *                  transpose_gpu has it
 */
#ifndef WORD_CL
#define WORD_CL

#ifndef WALK_CL
#include "walk.cl"
#endif

#ifndef WORD_BYTES
#define WORD_BYTES 16
#endif

#define WORD (WORD_BYTES > ELEMENT_SIZE ? WORD_BYTES / ELEMENT_SIZE : 1)

#if ELEMENT_SIZE < 4
typedef uint wide;
#else
typedef element wide;
#endif

#if WORD_BYTES == 4
typedef uint word;
#elif WORD_BYTES == 8
typedef uint2 word;
#else
typedef uint4 word;
#endif

#if ELEMENT_SIZE == 16
static uint4 word_of(const wide *v)
{
    return v[0];
}
#elif WORD_BYTES >= 4
/* Of WORD elements, each in the low bits. */
static word word_of(const wide *v)
{
    uint words[WORD_BYTES / 4];
    for (uint k = 0; k < WORD_BYTES / 4; ++k)
#if ELEMENT_SIZE == 1
        words[k] = v[4 * k] | v[4 * k + 1] << 8 | v[4 * k + 2] << 16 | v[4 * k + 3] << 24;
#elif ELEMENT_SIZE == 2
        words[k] = v[2 * k] | v[2 * k + 1] << 16;
#elif ELEMENT_SIZE == 4
        words[k] = v[k];
#else
        words[k] = (uint)(v[k / 2] >> k % 2 * 32);
#endif
#if WORD_BYTES == 4
    return words[0];
#elif WORD_BYTES == 8
    return (uint2)(words[0], words[1]);
#else
    return (uint4)(words[0], words[1], words[2], words[3]);
#endif
}
#endif

#if ELEMENT_SIZE < 4 && WORD_BYTES == 16
#define WINDOWS

/* Whether the aligned words of 4 bytes that load_window() reads hold nothing that the launch does
 * not read. */
static bool has_window(global const element *in, const struct walk *w, index from, index way)
{
    index low = way > 0 ? from : from - (WORD - 1);
    low -= (index)((size_t)(in + low) & 3) / ELEMENT_SIZE;
    return low >= (index)w->in_low && low + 20 / ELEMENT_SIZE <= (index)w->in_high;
}

/* The same elements the other way round. */
static uint turned(uint word)
{
    return ELEMENT_SIZE == 1 ? as_uint(as_uchar4(word).wzyx) : rotate(word, 16u);
}

/* WORD neighbours, each `way`, 1 or -1, behind the one before: by aligned words. */
static uint4 load_window(global const element *first, index way)
{
    global const uchar *low = (global const uchar *)(way > 0 ? first : first - (WORD - 1));
    uint gap = (uint)((size_t)low & 3);
    global const uint *words = (global const uint *)(low - gap);
    uint v[5] = {words[0], words[1], words[2], words[3], words[4]};
#pragma unroll
    for (uint k = 0; k < 4; ++k) /* of a long, where no shift is too far */
        v[k] = (uint)(((ulong)v[k + 1] << 32 | v[k]) >> 8 * gap);
    if (way < 0)
        return (uint4)(turned(v[3]), turned(v[2]), turned(v[1]), turned(v[0]));
    return (uint4)(v[0], v[1], v[2], v[3]);
}

/* The low n bits of 32. */
static uint low_bits(int n)
{
    return (uint)((ulong)1 << min(max(n, 0), 32)) - 1;
}

/* Of the first n elements all bits, of the others none. */
static uint4 mask_of(uint n)
{
    int bits = (int)(n * ELEMENT_SIZE) * 8;
    return (uint4)(low_bits(bits), low_bits(bits - 32), low_bits(bits - 64), low_bits(bits - 96));
}
#endif

#endif
