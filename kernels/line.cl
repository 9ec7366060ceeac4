/* SPDX-License-Identifier: MIT */
/*
 * A line of memory, as CPU kernels move it: from any element's address, and past the caches. A
 * vector where the compiler has clang's builtins, else an array; an element where the device has no
 * vectors, which is what SCALAR says.
 */
#ifndef LINE_CL
#define LINE_CL

/* For loops whose loads lie apart: compilers that gather vectors of them take longer than the
 * loads. */
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable) unroll_count(8)")

/* Lines are arguments of functions, all of which are inlined: how a processor without registers of
 * that size would pass them does not matter, and is no reason to warn the user. Where WARNS says
 * that warnings are on; not every clang knows this one. */
#if defined WARNS && defined __clang__
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wpsabi"
#endif

/* For loops that take little of the time: neither unrolled nor vectorized, they compile sooner. */
#define ROLLED _Pragma("clang loop vectorize(disable) unroll(disable)")

/* Compilers take up to twice as long where all of a kernel is one function. */
#define NOINLINE __attribute__((noinline))

/* Of a kernel, so that compilers do not vectorize over its work-items: with vectors of its own, and
 * groups of one, some take minutes and gain nothing. */
#define HAS_VECTORS __attribute__((vec_type_hint(uint4)))

#ifdef SCALAR
#define LINE_BYTES ELEMENT_SIZE
#else
#define LINE_BYTES 64
#endif
#define LINE (LINE_BYTES / ELEMENT_SIZE)

#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM_STORE(value, to) __builtin_nontemporal_store(value, to)
#endif
/* PREFETCH: into the second-level cache, as columns a power of two apart would drive each other out
 * of the first. PREFETCH_ROW: a row, into the first, which is faster, but not with INTEL, for that
 * vendor's processors (see tests/bench/cpu.md). PREFETCH_TO: for a write, into the cache that
 * the processor prefers. */
#if __has_builtin(__builtin_prefetch) && !defined SCALAR
#define PREFETCHES true
#define PREFETCH(from) __builtin_prefetch((const void *)(ulong)(from), 0, 2)
#ifdef INTEL
#define PREFETCH_ROW(from) PREFETCH(from)
#else
#define PREFETCH_ROW(from) __builtin_prefetch((const void *)(ulong)(from), 0, 3)
#endif
#define PREFETCH_TO(to) __builtin_prefetch((const void *)(ulong)(to), 1, 2)
#endif
#if __has_builtin(__builtin_shufflevector) && ELEMENT_SIZE < 16 && !defined SCALAR
#define LINE_IS_VECTOR
#endif
#endif
#ifndef PREFETCH
#define PREFETCHES false
#define PREFETCH(from) (void)(from)
#define PREFETCH_ROW(from) (void)(from)
#define PREFETCH_TO(to) (void)(to)
#endif
#ifndef STREAM_STORE
#define STREAM_STORE(value, to) (*(to) = (value))
#endif

#ifdef LINE_IS_VECTOR
/* A line moves as 16 words. Its elements are picked part by part: a vector has at most 16 lanes
 * in OpenCL, and there are drivers whose compiler ends the process at more. */
typedef uint16 line;
/* A line that begins at any element. */
typedef line loose_line __attribute__((aligned(ELEMENT_SIZE)));

/* LINE_OF: the line of f(a, w, k, p) for every part p. LINE_ALL: of one value. */
#if ELEMENT_SIZE == 1
#define PART 16
typedef uchar16 part;
#define EACH_PART(f, a, w, k) f(a, w, k, 0) f(a, w, k, 1) f(a, w, k, 2) f(a, w, k, 3)
#define LINE_OF(f, a, w, k)                                                           \
    (line)(as_uint4(f(a, w, k, 0)), as_uint4(f(a, w, k, 1)), as_uint4(f(a, w, k, 2)), \
           as_uint4(f(a, w, k, 3)))
#define LINE_ALL(value) (line)((uint)(value)*0x01010101u)
#elif ELEMENT_SIZE == 2
#define PART 16
typedef ushort16 part;
#define EACH_PART(f, a, w, k) f(a, w, k, 0) f(a, w, k, 1)
#define LINE_OF(f, a, w, k) (line)(as_uint8(f(a, w, k, 0)), as_uint8(f(a, w, k, 1)))
#define LINE_ALL(value) (line)((uint)(value)*0x00010001u)
#elif ELEMENT_SIZE == 4
#define PART 16
typedef uint16 part;
#define EACH_PART(f, a, w, k) f(a, w, k, 0)
#define LINE_OF(f, a, w, k) f(a, w, k, 0)
#define LINE_ALL(value) (line)(value)
#else
#define PART 8
typedef ulong8 part;
#define EACH_PART(f, a, w, k) f(a, w, k, 0)
#define LINE_OF(f, a, w, k) as_uint16(f(a, w, k, 0))
#define LINE_ALL(value) as_uint16((ulong8)(value))
#endif
typedef part loose_part __attribute__((aligned(ELEMENT_SIZE)));

/* 16 bytes, and its elements the other way round. */
#define QUAD (16 / ELEMENT_SIZE)
#if ELEMENT_SIZE == 1
typedef uchar16 quad;
#define AS_QUAD as_uchar16
#define TURNED(q) (q).sfedcba9876543210
#define EACH_OF_QUAD(f, k) EACH8(f, k, 0), EACH8(f, k, 8)
#elif ELEMENT_SIZE == 2
typedef ushort8 quad;
#define AS_QUAD as_ushort8
#define TURNED(q) (q).s76543210
#define EACH_OF_QUAD(f, k) EACH8(f, k, 0)
#elif ELEMENT_SIZE == 4
typedef uint4 quad;
#define AS_QUAD as_uint4
#define TURNED(q) (q).s3210
#define EACH_OF_QUAD(f, k) EACH4(f, k, 0)
#else
typedef ulong2 quad;
#define TURNED(q) (q).s10
#define EACH_OF_QUAD(f, k) f(k, 0), f(k, 1)
#endif
typedef quad loose_quad __attribute__((aligned(ELEMENT_SIZE)));

/* The elements of a quad that the lanes of another name: PICK(n) names element n, and PICK_NONE is
 * 0. Compilers make no single instruction of shuffle() if its lanes are not constants. */
#if defined __SSSE3__ && __has_builtin(__builtin_ia32_pshufb128) && ELEMENT_SIZE < 8
#define PICKED(from, lanes) AS_QUAD(__builtin_ia32_pshufb128(as_char16(from), as_char16(lanes)))
#define PICK(n) (element)((n)*ELEMENT_SIZE * (element)0x01010101 + (element)0x03020100)
#define PICK_NONE (element)0x80808080
#endif

/* f(k, l) of every lane l of a part, or of a quad. */
#define EACH4(f, k, l) f(k, l), f(k, l + 1), f(k, l + 2), f(k, l + 3)
#define EACH8(f, k, l) EACH4(f, k, l), EACH4(f, k, l + 4)
#if PART == 16
#define EACH(f, k) EACH8(f, k, 0), EACH8(f, k, 8)
#else
#define EACH(f, k) EACH8(f, k, 0)
#endif
#else
#ifdef SCALAR
typedef element line;
#define LANE_OF(from, l) (from)
#else
typedef struct {
    element lane[LINE];
} line;
#define LANE_OF(from, l) (from).lane[l]
#endif
typedef line loose_line;
#endif

static line line_load(global const element *from)
{
    return *(global const loose_line *)from;
}

/* `to` is a multiple of LINE_BYTES. */
static void line_stream(line value, global element *to)
{
#ifdef LINE_IS_VECTOR
    STREAM_STORE(value, (global line *)to);
#else
    for (int l = 0; l < LINE; ++l)
        STREAM_STORE(LANE_OF(value, l), to + l);
#endif
}

#endif
