/* SPDX-License-Identifier: MIT */
/*
 * What a work-item of a GPU stores at once: a word of several elements, at a multiple of its size.
 * Compiled with up to two definitions more:
 *
 *     WORD_BYTES   4, 8 or 16, if that is more than an element; else an element, or 0 for it. 16 by
 *                  default, as transpose_gpu has it
 *     NEIGHBOURS   if elements of a word are neighbours in the input, one way or the other, and
 *                  smaller than 4 bytes
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

#if WORD_BYTES >= 4
static word join(const uint *words)
{
#if WORD_BYTES == 4
    return words[0];
#elif WORD_BYTES == 8
    return (uint2)(words[0], words[1]);
#else
    return (uint4)(words[0], words[1], words[2], words[3]);
#endif
}
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
    return join(words);
}
#endif

#if defined NEIGHBOURS && WORD_BYTES >= 4
/* The aligned words of 4 bytes that hold WORD neighbours of the input, each `way`, 1 or -1, behind
 * the one before. */
struct window {
    index low; /* the element that they begin with */
    uint gap;  /* bytes from there to the first neighbour in memory */
};

static struct window window_of(global const element *in, index first, index way)
{
    struct window window;
    index low = way > 0 ? first : first - (WORD - 1);
    window.gap = ((uint)(size_t)in + (uint)low * ELEMENT_SIZE) & 3;
    window.low = low - (index)(window.gap / ELEMENT_SIZE);
    return window;
}

/* Whether a window's words hold nothing that the launch does not read. */
static bool is_inside(struct window window, const struct walk *w)
{
    return window.low >= (index)w->in_low &&
           window.low + (WORD_BYTES + 4) / ELEMENT_SIZE <= (index)w->in_high;
}

/* The same elements the other way round. */
static uint turned(uint word)
{
    return ELEMENT_SIZE == 1 ? as_uint(as_uchar4(word).wzyx) : rotate(word, 16u);
}

/* The neighbours that they hold. */
static word load_window(global const element *in, struct window window, index way)
{
    enum { length = WORD_BYTES / 4 };
    global const uint *from = (global const uint *)(in + window.low);
    uint read[length + 1], words[length], reversed[length];
    for (uint k = 0; k <= length; ++k)
        read[k] = from[k];
    for (uint k = 0; k < length; ++k) /* of a long, where no shift is too far */
        words[k] = (uint)(((ulong)read[k + 1] << 32 | read[k]) >> 8 * window.gap);
    for (uint k = 0; k < length; ++k)
        reversed[k] = turned(words[length - 1 - k]);
    return way > 0 ? join(words) : join(reversed);
}

/* Of the first n elements all bits, of the others none. */
static word mask_of(uint n)
{
    uint words[WORD_BYTES / 4];
    for (uint k = 0; k < WORD_BYTES / 4; ++k) {
        int bits = (int)(n * ELEMENT_SIZE) * 8 - (int)k * 32;
        words[k] = (uint)((ulong)1 << min(max(bits, 0), 32)) - 1;
    }
    return join(words);
}
#endif

#endif
