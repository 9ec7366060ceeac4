/* SPDX-License-Identifier: MIT */
/*
 * A line of memory, as CPU kernels move it: from any element's address, and past the caches. A vector
 * where the compiler has clang's builtins, else an array.
 */
#ifndef LINE_CL
#define LINE_CL

#define LINE_BYTES 64
#define LINE (LINE_BYTES / ELEMENT_SIZE)

#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM_STORE(value, to) __builtin_nontemporal_store(value, to)
#endif
#if __has_builtin(__builtin_shufflevector) && ELEMENT_SIZE < 16
#define LINE_IS_VECTOR
#endif
#endif
#ifndef STREAM_STORE
#define STREAM_STORE(value, to) (*(to) = (value))
#endif

#ifdef LINE_IS_VECTOR
typedef element line __attribute__((ext_vector_type(LINE)));
/* A line that begins at any element. */
typedef line loose_line __attribute__((aligned(ELEMENT_SIZE)));
#else
typedef struct {
    element lane[LINE];
} line;
typedef line loose_line;
#endif

#ifdef LINE_IS_VECTOR
/* f(k, l) of every lane l. */
#define EACH4(f, k, l) f(k, l), f(k, l + 1), f(k, l + 2), f(k, l + 3)
#define EACH8(f, k, l) EACH4(f, k, l), EACH4(f, k, l + 4)
#define EACH16(f, k, l) EACH8(f, k, l), EACH8(f, k, l + 8)
#define EACH32(f, k, l) EACH16(f, k, l), EACH16(f, k, l + 16)
#if ELEMENT_SIZE == 1
#define EACH(f, k) EACH32(f, k, 0), EACH32(f, k, 32)
#elif ELEMENT_SIZE == 2
#define EACH(f, k) EACH32(f, k, 0)
#elif ELEMENT_SIZE == 4
#define EACH(f, k) EACH16(f, k, 0)
#else
#define EACH(f, k) EACH8(f, k, 0)
#endif

/* The first n lanes of one line, the others of another. */
#define LANE_NUMBER(k, l) (l)
line line_join(line first, count n, line others)
{
    line lanes = {EACH(LANE_NUMBER, 0)};
    return lanes < (line)((element)n) ? first : others;
}
#endif

line line_load(global const element *from)
{
    return *(global const loose_line *)from;
}

/* `to` is a multiple of LINE_BYTES. */
void line_stream(line value, global element *to)
{
#ifdef LINE_IS_VECTOR
    STREAM_STORE(value, (global line *)to);
#else
    for (int l = 0; l < LINE; ++l)
        STREAM_STORE(value.lane[l], to + l);
#endif
}

#endif
