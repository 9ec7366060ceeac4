/* SPDX-License-Identifier: MIT */
/*
 * What a work-item of a GPU stores at once: a word of several elements, at a multiple of its size.
 * Compiled with one definition more:
 *
 *     WORD_BYTES   4, 8, 16 or an element, whichever is larger
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

#if ELEMENT_SIZE < 16
/* Of WORD elements, each in the low bits. */
word word_of(const wide *v)
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

/* Whether the aligned words that hold WORD neighbours, the first one `from`, hold nothing that the
 * launch does not read. */
bool has_window(global const element *in, const struct walk *w, index from)
{
    index gap = (index)((size_t)(in + from) & 3) / ELEMENT_SIZE;
    return from - gap >= (index)w->in_low && from - gap + 20 / ELEMENT_SIZE <= (index)w->in_high;
}

/* WORD neighbours, by aligned words. */
uint4 load_window(global const element *first)
{
    uint gap = (uint)((size_t)first & 3), shift = 8 * gap;
    global const uint *words = (global const uint *)((global const uchar *)first - gap);
    uint4 low = (uint4)(words[0], words[1], words[2], words[3]);
    uint4 high = (uint4)(low.y, low.z, low.w, words[4]);
    return gap == 0 ? low : low >> shift | high << (32 - shift);
}

/* Of the first n elements all bits, of the others none. Oclgrind 21.10 takes the bounds of clamp
 * for vectors even where they are not. */
uint4 mask_of(uint n)
{
    int4 bits = (int4)((int)(n * ELEMENT_SIZE) * 8) - (int4)(0, 32, 64, 96);
    uint4 some = ((uint4)(1) << as_uint4(clamp(bits, (int4)(0), (int4)(31)))) - 1;
    return select(some, (uint4)(~0u), bits > 31);
}
#endif

#endif
