/* SPDX-License-Identifier: MIT */
/* A square of elements, which turns from columns of the input to rows in registers. */
#ifndef SQUARE_CL
#define SQUARE_CL

#ifdef LINE_IS_VECTOR
/* Rows of 16 bytes: compilers take long over vectors that the processor lacks, and make slow code
 * of them. Of 8-byte elements, four are faster than two. */
#if ELEMENT_SIZE == 8
#define SQUARE 4
typedef ulong4 side;
#define SIDE_TURNED(v) (v).s3210
#else
#define SQUARE QUAD
typedef quad side;
#define SIDE_TURNED TURNED
#endif
typedef side loose_side __attribute__((aligned(ELEMENT_SIZE)));
#define PAIR(i, l) (i) + (l), (i) + (l) + SQUARE
#if SQUARE == 4
#define INTERLEAVE(a, b, i) __builtin_shufflevector(a, b, PAIR(i, 0), PAIR(i, 1))
#elif SQUARE == 8
#define INTERLEAVE(a, b, i) \
    __builtin_shufflevector(a, b, PAIR(i, 0), PAIR(i, 1), PAIR(i, 2), PAIR(i, 3))
#else
#define INTERLEAVE(a, b, i)                                                                   \
    __builtin_shufflevector(a, b, PAIR(i, 0), PAIR(i, 1), PAIR(i, 2), PAIR(i, 3), PAIR(i, 4), \
                            PAIR(i, 5), PAIR(i, 6), PAIR(i, 7))
#endif

/* The n columns, or where those are fewer than a square's, a copy with more like the last. */
static const index *square_columns(index *few, const index *column, index n)
{
    for (index i = 0; i < SQUARE && n < SQUARE; ++i)
        few[i] = column[min(i, n - 1)];
    return n < SQUARE ? few : column;
}

/* SQUARE times SQUARE elements, of columns that go upwards or downwards: log2(SQUARE) times,
 * vectors i and i + SQUARE / 2 interleave to vectors 2i and 2i + 1. */
static void square_transpose(global const element *from, const index *column, index way,
                             element *to, index pitch)
{
    side a[SQUARE], b[SQUARE];
    from -= way < 0 ? SQUARE - 1 : 0;
#pragma unroll
    for (int i = 0; i < SQUARE; ++i)
        a[i] = *(global const loose_side *)(from + column[i]);
    if (way < 0) {
#pragma unroll
        for (int i = 0; i < SQUARE; ++i)
            a[i] = SIDE_TURNED(a[i]);
    }
#pragma unroll
    for (int done = 1; done < SQUARE; done *= 2) {
#pragma unroll
        for (int i = 0; i < SQUARE / 2; ++i) {
            b[2 * i] = INTERLEAVE(a[i], a[i + SQUARE / 2], 0);
            b[2 * i + 1] = INTERLEAVE(a[i], a[i + SQUARE / 2], SQUARE / 2);
        }
#pragma unroll
        for (int i = 0; i < SQUARE; ++i)
            a[i] = b[i];
    }
#pragma unroll
    for (int i = 0; i < SQUARE; ++i)
        *(loose_side *)(to + i * pitch) = a[i];
}
#else
#define SQUARE 1
#endif

#endif
