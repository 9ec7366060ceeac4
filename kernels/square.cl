/* SPDX-License-Identifier: MIT */
/* A square of elements, which turns from columns of the input to rows in registers. */
#ifndef SQUARE_CL
#define SQUARE_CL

#ifdef LINE_IS_VECTOR
#define SQUARE PART
#if SQUARE == 8
#define INTERLEAVE(a, b, i) \
    __builtin_shufflevector(a, b, i, i + 8, i + 1, i + 9, i + 2, i + 10, i + 3, i + 11)
#else
#define INTERLEAVE(a, b, i)                                                                      \
    __builtin_shufflevector(a, b, i, i + 16, i + 1, i + 17, i + 2, i + 18, i + 3, i + 19, i + 4, \
                            i + 20, i + 5, i + 21, i + 6, i + 22, i + 7, i + 23)
#endif

/* The n columns, or where those are fewer than a square's, a copy with more like the last. */
const index *square_columns(index *few, const index *column, index n)
{
    for (index i = 0; i < SQUARE && n < SQUARE; ++i)
        few[i] = column[min(i, n - 1)];
    return n < SQUARE ? few : column;
}

/* SQUARE times SQUARE elements: log2(SQUARE) times, vectors i and i + SQUARE / 2 interleave to
 * vectors 2i and 2i + 1. */
void square_transpose(global const element *from, const index *column, element *to, index pitch)
{
    part a[SQUARE], b[SQUARE];
#pragma unroll
    for (int i = 0; i < SQUARE; ++i)
        a[i] = *(global const loose_part *)(from + column[i]);
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
        *(loose_part *)(to + i * pitch) = a[i];
}
#else
#define SQUARE 1
#endif

#endif
