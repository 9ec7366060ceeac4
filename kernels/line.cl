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
