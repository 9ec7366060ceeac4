/* SPDX-License-Identifier: MIT */
#include "conformance/cases.h"

/* A case reads: in a tensor of sizes IN, take the window of sizes WINDOW that begins at FROM, in
 * steps BY, and write OUT of its elements. What is left out is 0, and strides that are left out are
 * those of a packed tensor. */
#define CASE(text, type, ...)                                               \
    {                                                                       \
        .name = text, .data_type = DML_TENSOR_DATA_TYPE_##type, __VA_ARGS__ \
    }
#define COUNT(...) (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define IN(...) .rank = COUNT(__VA_ARGS__), .in_sizes = {__VA_ARGS__}
#define IN_STRIDES(...) .in_strided = true, .in_strides = {__VA_ARGS__}
#define FROM(...) .window_offsets = {__VA_ARGS__}
#define WINDOW(...) .window_sizes = {__VA_ARGS__}
#define BY(...) .window_strides = {__VA_ARGS__}
#define OUT(...) .out_sizes = {__VA_ARGS__}
#define OUT_STRIDES(...) .out_strided = true, .out_strides = {__VA_ARGS__}
#define IN_TOTAL(bytes) .in_total_bytes = (bytes)
#define OUT_TOTAL(bytes) .out_total_bytes = (bytes)

/* A window of which every element is taken, and one whose steps are 1. */
#define TAKE(...) WINDOW(__VA_ARGS__), OUT(__VA_ARGS__)
#define CROP(...) TAKE(__VA_ARGS__), BY(1, 1, 1, 1, 1, 1, 1, 1)
/* WINDOW, TAKE and CROP of the whole tensor, and all of it backwards. */
#define WHOLE(...) IN(__VA_ARGS__), WINDOW(__VA_ARGS__)
#define TAKE_ALL(...) IN(__VA_ARGS__), TAKE(__VA_ARGS__)
#define COPY(...) IN(__VA_ARGS__), CROP(__VA_ARGS__)
#define FLIP(...) TAKE_ALL(__VA_ARGS__), BY(-1, -1, -1, -1, -1, -1, -1, -1)

/* What `clslice bench` measures. */
#define LARGE(text, type, ...) CASE(text, type, .flags = CASE_LARGE, __VA_ARGS__)
#define OVERHEAD(text, type, ...) CASE(text, type, .flags = CASE_OVERHEAD, __VA_ARGS__)

/* Families: one shape at several types or sizes. */
#define EACH_3(family, a, b, c) family(a), family(b), family(c)
#define EACH_4(family, a, b, c, d) EACH_3(family, a, b, c), family(d)
#define TYPE(type)                                                                      \
    CASE("type/" #type "/crop", type, IN(4, 5, 9), FROM(1, 2, 3), CROP(2, 3, 5)),       \
        CASE("type/" #type "/mixed", type, IN(4, 5, 9), FROM(1, 0, 1), WINDOW(2, 5, 8), \
             BY(1, -2, 3), OUT(2, 3, 3))
#define INNER(n, type) \
    CASE("inner/" #n "/" #type, type, IN(6, 5, (n) + 1), FROM(1, 1, 1), CROP(4, 3, n))
#define INNER_ALL(n) INNER(n, UINT8), INNER(n, FLOAT16), INNER(n, INT32), INNER(n, FLOAT64)
#define INNER_FLIP(n, type) \
    CASE("inner/" #n "/" #type "/flip", type, TAKE_ALL(5, 7, n), BY(1, 1, -1))
#define ROWS(n) CASE("rows/" #n, UINT8, IN(5, (n) + 5), FROM(1, 3), CROP(3, n))
#define ROWS_BOTH(n) \
    ROWS(n), CASE("rows/" #n "/flip", INT8, IN(5, (n) + 5), FROM(1, 3), TAKE(3, n), BY(1, -1))
#define BLOCK(n) CASE("block/" #n, UINT8, IN((n) + 9), FROM(5), CROP(n))
#define BLOCK_BOTH(n) \
    BLOCK(n), CASE("block/" #n "/flip", UINT16, IN((n) + 9), FROM(5), TAKE(n), BY(-1))
#define PIXELS(type, channels, taken, row, step)                                          \
    CASE("pixels/" #taken "-of-" #channels "/" #row "/" #step, type, IN(4, 22, channels), \
         FROM(1, 2, (channels) - (taken)), TAKE(3, 19, taken), BY(1, row, step))
#define TRANSPOSE(n, m, type, row, line, gap)                                                     \
    CASE("transpose/" #n "x" #m "/" #row "/" #line "/" #gap, type, TAKE_ALL(n, m), BY(row, line), \
         OUT_STRIDES(1, (n) + (gap)))

const struct slice_case slice_cases[] = {
    /* What the documentation shows. */
    CASE("doc/positive", FLOAT32, IN(1, 1, 4, 4), FROM(0, 0, 0, 1), WINDOW(1, 1, 4, 3),
         BY(1, 1, 2, 2), OUT(1, 1, 2, 2)),
    CASE("doc/negative", FLOAT32, IN(1, 1, 4, 4), FROM(0, 0, 0, 1), WINDOW(1, 1, 4, 3),
         BY(1, 1, -2, 2), OUT(1, 1, 2, 2)),
    CASE("doc/slice", FLOAT32, IN(1, 1, 4, 4), FROM(0, 0, 1, 2), CROP(1, 1, 3, 2)),
    CASE("doc/sample", FLOAT32, IN(1, 1, 5, 5), FROM(0, 0, 1, 1), WINDOW(1, 1, 3, 3),
         BY(1, 1, 1, 2), OUT(1, 1, 3, 2)),

    EACH_4(TYPE, FLOAT32, FLOAT16, UINT32, UINT16),
    EACH_4(TYPE, UINT8, INT32, INT16, INT8),
    EACH_3(TYPE, FLOAT64, UINT64, INT64),

    /* Every rank: something from the middle, and everything backwards. */
    CASE("rank/1/crop", INT32, IN(11), FROM(3), CROP(7)),
    CASE("rank/2/crop", INT32, IN(5, 11), FROM(1, 3), CROP(3, 7)),
    CASE("rank/3/crop", INT32, IN(3, 5, 7), FROM(1, 1, 2), CROP(2, 3, 4)),
    CASE("rank/4/crop", INT32, IN(3, 4, 5, 6), FROM(1, 1, 1, 1), CROP(2, 2, 3, 4)),
    CASE("rank/5/crop", INT16, IN(3, 3, 4, 4, 5), FROM(1, 0, 1, 2, 1), CROP(2, 3, 2, 2, 3)),
    CASE("rank/6/crop", INT16, IN(2, 3, 3, 3, 4, 4), FROM(0, 1, 1, 0, 1, 1),
         CROP(2, 2, 2, 3, 2, 3)),
    CASE("rank/7/crop", INT8, IN(2, 3, 2, 3, 2, 3, 4), FROM(1, 1, 0, 1, 0, 1, 1),
         CROP(1, 2, 2, 2, 2, 2, 2)),
    CASE("rank/8/crop", INT8, IN(3, 3, 3, 3, 3, 3, 3, 3), FROM(1, 0, 1, 0, 1, 0, 1, 0),
         CROP(2, 2, 2, 2, 2, 2, 2, 2)),
    CASE("rank/1/flip", UINT32, FLIP(13)),
    CASE("rank/2/flip", UINT32, FLIP(5, 7)),
    CASE("rank/3/flip", UINT32, FLIP(3, 5, 7)),
    CASE("rank/4/flip", UINT16, FLIP(2, 3, 4, 5)),
    CASE("rank/5/flip", UINT16, FLIP(2, 3, 2, 4, 3)),
    CASE("rank/6/flip", UINT8, FLIP(2, 3, 2, 3, 2, 5)),
    CASE("rank/7/flip", UINT8, FLIP(2, 2, 2, 2, 3, 2, 3)),
    CASE("rank/8/flip", FLOAT64, FLIP(2, 3, 2, 2, 3, 2, 2, 3)),
    CASE("rank/8/stride-2", FLOAT16, WHOLE(3, 3, 3, 3, 3, 3, 3, 3), BY(2, 2, 2, 2, 2, 2, 2, 2),
         OUT(2, 2, 2, 2, 2, 2, 2, 2)),
    CASE("rank/8/every-other-axis", INT64, TAKE_ALL(2, 3, 2, 3, 2, 3, 2, 3),
         BY(1, -1, 1, -1, 1, -1, 1, -1)),
    CASE("rank/8/ones-around", FLOAT32, IN(1, 1, 6, 1, 7, 1, 1, 1), FROM(0, 0, 1, 0, 2, 0, 0, 0),
         WINDOW(1, 1, 4, 1, 5, 1, 1, 1), BY(1, 1, -1, 1, 2, 1, 1, 1), OUT(1, 1, 4, 1, 3, 1, 1, 1)),
    CASE("rank/1/one-element", UINT8, COPY(1)),
    CASE("rank/8/one-element", FLOAT64, TAKE_ALL(1, 1, 1, 1, 1, 1, 1, 1),
         BY(-1, 1, -1, 1, -1, 1, -1, 1)),

    /* Windows without a step: blocks, rows, corners. */
    CASE("window/whole", FLOAT32, COPY(7, 9, 11)),
    CASE("window/whole-bytes", UINT8, COPY(7, 9, 11)),
    CASE("window/outer-rows", FLOAT32, IN(9, 16), FROM(3, 0), CROP(4, 16)),
    CASE("window/one-row", FLOAT16, IN(9, 33), FROM(8, 0), CROP(1, 33)),
    CASE("window/one-column", FLOAT16, IN(33, 9), FROM(0, 8), CROP(33, 1)),
    CASE("window/last-element", INT64, IN(7, 9), FROM(6, 8), CROP(1, 1)),
    CASE("window/odd-offset-u8", UINT8, IN(17, 131), FROM(3, 5), CROP(11, 101)),
    CASE("window/odd-offset-u16", UINT16, IN(17, 131), FROM(3, 5), CROP(11, 101)),
    CASE("window/odd-offset-f64", FLOAT64, IN(17, 131), FROM(3, 5), CROP(11, 101)),
    CASE("window/aligned-floats", FLOAT32, IN(8, 64), FROM(2, 16), CROP(5, 32)),
    CASE("window/aligned-bytes", UINT8, IN(8, 64), FROM(2, 16), CROP(5, 32)),
    CASE("window/even-bytes", UINT8, IN(8, 62), FROM(2, 6), CROP(5, 34)),
    CASE("window/spatial-crop", FLOAT32, IN(2, 3, 30, 40), FROM(0, 0, 7, 5), CROP(2, 3, 16, 24)),
    CASE("window/split-of-three", FLOAT16, IN(4, 96), FROM(0, 32), CROP(4, 32)),
    CASE("window/primes", UINT8, IN(31, 37, 41), FROM(5, 7, 11), CROP(23, 19, 29)),
    CASE("window/primes-flip", INT16, IN(31, 37, 41), FROM(5, 7, 11), TAKE(23, 19, 29),
         BY(-1, 1, -1)),

    /* Steps: what they reach, and which end of the window they start from. */
    CASE("step/2", FLOAT32, WHOLE(6, 64), BY(1, 2), OUT(6, 32)),
    CASE("step/2-bytes", UINT8, WHOLE(6, 64), BY(1, 2), OUT(6, 32)),
    CASE("step/2-from-1", FLOAT16, IN(6, 65), FROM(0, 1), WINDOW(6, 64), BY(1, 2), OUT(6, 32)),
    CASE("step/-2", FLOAT32, WHOLE(6, 64), BY(1, -2), OUT(6, 32)),
    CASE("step/-2-bytes", INT8, WHOLE(6, 63), BY(1, -2), OUT(6, 32)),
    CASE("step/3-bytes", UINT8, WHOLE(99), BY(3), OUT(33)),
    CASE("step/4-bytes", UINT8, WHOLE(160), BY(4), OUT(40)),
    CASE("step/5", UINT16, WHOLE(3, 101), BY(1, 5), OUT(3, 21)),
    CASE("step/-7", FLOAT64, WHOLE(3, 101), BY(1, -7), OUT(3, 15)),
    CASE("step/16-bytes", INT8, WHOLE(3, 257), BY(1, 16), OUT(3, 17)),
    CASE("step/outer-2", FLOAT32, WHOLE(9, 20), BY(2, 1), OUT(5, 20)),
    CASE("step/outer--1", UINT8, TAKE_ALL(9, 20), BY(-1, 1)),
    CASE("step/outer--3", UINT16, WHOLE(10, 7, 5), BY(-3, 1, 1), OUT(4, 7, 5)),
    CASE("step/both-2", FLOAT16, WHOLE(1, 2, 14, 18), BY(1, 1, 2, 2), OUT(1, 2, 7, 9)),
    CASE("step/middle--1", INT32, TAKE_ALL(4, 5, 6), BY(1, -1, 1)),
    CASE("step/remainder", INT32, IN(13), FROM(1), WINDOW(12), BY(5), OUT(3)),
    CASE("step/-remainder", INT32, IN(13), FROM(1), WINDOW(12), BY(-5), OUT(3)),
    CASE("step/remainders", INT16, IN(12, 13, 14), FROM(1, 2, 1), WINDOW(10, 11, 12), BY(-4, 4, -5),
         OUT(3, 3, 3)),
    CASE("step/above-window", UINT32, IN(9, 9), FROM(2, 3), WINDOW(4, 5), BY(7, 1000), OUT(1, 1)),
    CASE("step/-above-window", UINT32, IN(9, 9), FROM(2, 3), WINDOW(4, 5), BY(-7, -1000),
         OUT(1, 1)),
    CASE("step/INT_MAX", FLOAT32, IN(9, 9), FROM(2, 3), WINDOW(4, 5), BY(1, INT32_MAX), OUT(4, 1)),
    CASE("step/-INT_MAX", FLOAT32, IN(9, 9), FROM(2, 3), WINDOW(4, 5), BY(1, -INT32_MAX),
         OUT(4, 1)),
    CASE("step/INT_MIN", FLOAT32, IN(9, 9), FROM(2, 3), WINDOW(4, 5), BY(1, INT32_MIN), OUT(4, 1)),
    CASE("step/INT_MIN-outer", UINT8, IN(9, 9), FROM(2, 3), WINDOW(4, 5), BY(INT32_MIN, -1),
         OUT(1, 5)),
    CASE("step/INT_MIN-window-1", INT64, IN(9), FROM(4), TAKE(1), BY(INT32_MIN)),
    CASE("step/sign-alone-first", UINT16, IN(5, 8), FROM(1, 2), WINDOW(3, 4), BY(2, 3), OUT(1, 1)),
    CASE("step/sign-alone-last", UINT16, IN(5, 8), FROM(1, 2), WINDOW(3, 4), BY(-2, -3), OUT(1, 1)),

    /* Fewer elements than the window offers: the first of the walk. */
    CASE("partial/prefix", FLOAT32, IN(20), FROM(3), WINDOW(15), BY(1), OUT(6)),
    CASE("partial/from-the-end", FLOAT32, IN(20), FROM(3), WINDOW(15), BY(-1), OUT(6)),
    CASE("partial/step-3", INT16, IN(4, 40), FROM(1, 2), WINDOW(3, 37), BY(1, 3), OUT(2, 5)),
    CASE("partial/step--3", INT16, IN(4, 40), FROM(1, 2), WINDOW(3, 37), BY(-1, -3), OUT(2, 5)),
    CASE("partial/one-below", UINT8, WHOLE(3, 70), BY(1, 1), OUT(3, 69)),
    CASE("partial/one-below-flip", UINT8, WHOLE(3, 70), BY(1, -1), OUT(3, 69)),
    CASE("partial/outer", FLOAT64, WHOLE(6, 5), BY(-1, 1), OUT(2, 5)),
    CASE("partial/one-of-each", UINT64, WHOLE(4, 5, 6), BY(-1, 1, -1), OUT(1, 1, 1)),
    CASE("partial/channels", UINT8, WHOLE(6, 7, 4), BY(1, 1, 1), OUT(6, 7, 3)),

    /* Inner runs too short to be worth a loop. */
    EACH_4(INNER_ALL, 1, 2, 3, 4),
    EACH_3(INNER_ALL, 5, 6, 7),
    INNER_FLIP(2, UINT8),
    INNER_FLIP(4, UINT8),
    INNER_FLIP(3, UINT16),
    INNER_FLIP(3, FLOAT32),
    INNER_FLIP(5, FLOAT64),
    CASE("channels/rgb-to-bgr", UINT8, TAKE_ALL(13, 17, 3), BY(1, 1, -1)),
    CASE("channels/rgba-to-abgr", UINT8, TAKE_ALL(13, 17, 4), BY(1, 1, -1)),
    CASE("channels/drop-alpha", UINT8, IN(13, 17, 4), CROP(13, 17, 3)),
    CASE("channels/bgra-to-rgb", UINT8, IN(13, 17, 4), TAKE(13, 17, 3), BY(1, 1, -1)),
    CASE("channels/green", UINT8, IN(13, 17, 3), FROM(0, 0, 1), CROP(13, 17, 1)),
    CASE("channels/green-of-16-bits", UINT16, IN(13, 17, 3), FROM(0, 0, 1), CROP(13, 17, 1)),
    CASE("channels/red-and-blue", FLOAT32, WHOLE(13, 17, 3), BY(1, 1, 2), OUT(13, 17, 2)),
    CASE("channels/mirror-rgb", UINT8, TAKE_ALL(13, 17, 3), BY(1, -1, 1)),
    CASE("channels/mirror-rgba", UINT8, TAKE_ALL(13, 17, 4), BY(1, -1, 1)),
    CASE("channels/rotate-180", UINT8, TAKE_ALL(13, 17, 3), BY(-1, -1, 1)),
    CASE("channels/crop-bgr", UINT8, IN(20, 30, 3), FROM(3, 5, 0), TAKE(11, 19, 3), BY(1, 1, -1)),

    /* Every pattern of some channels of a pixel, either way, in rows that go either way. */
    PIXELS(UINT8, 2, 1, 1, 1),
    PIXELS(FLOAT64, 2, 1, -1, 1),
    PIXELS(FLOAT16, 2, 2, 1, -1),
    PIXELS(INT32, 2, 2, -1, 1),
    PIXELS(INT64, 3, 1, 1, 1),
    PIXELS(FLOAT16, 3, 1, -1, 1),
    PIXELS(INT32, 3, 2, 1, 1),
    PIXELS(UINT8, 3, 2, 1, -1),
    PIXELS(FLOAT16, 3, 2, -1, 1),
    PIXELS(INT8, 3, 2, -1, -1),
    PIXELS(INT32, 3, 3, 1, -1),
    PIXELS(UINT16, 3, 3, -1, 1),
    PIXELS(FLOAT32, 4, 1, 1, 1),
    PIXELS(UINT8, 4, 1, -1, 1),
    PIXELS(INT16, 4, 2, 1, 1),
    PIXELS(FLOAT32, 4, 2, 1, -1),
    PIXELS(UINT8, 4, 2, -1, 1),
    PIXELS(FLOAT16, 4, 2, -1, -1),
    PIXELS(UINT32, 4, 3, 1, 1),
    PIXELS(INT16, 4, 3, 1, -1),
    PIXELS(UINT8, 4, 3, -1, 1),
    PIXELS(FLOAT32, 4, 3, -1, -1),
    PIXELS(UINT16, 4, 4, 1, -1),
    PIXELS(INT8, 4, 4, -1, 1),

    /* Outputs that are not packed: only addressed elements may be written. */
    CASE("output/packed-strides", FLOAT32, IN(5, 9), FROM(1, 2), CROP(4, 6), OUT_STRIDES(6, 1)),
    CASE("output/transposed", FLOAT32, COPY(19, 23), OUT_STRIDES(1, 19)),
    CASE("output/transposed-bytes", UINT8, COPY(35, 67), OUT_STRIDES(1, 35)),
    CASE("output/transposed-flip", INT16, FLIP(35, 67), OUT_STRIDES(1, 35)),
    CASE("output/transposed-batch", FLOAT64, COPY(3, 9, 33), OUT_STRIDES(297, 1, 9)),
    CASE("output/channels-first", UINT8, COPY(11, 13, 3), OUT_STRIDES(13, 1, 143)),
    CASE("output/channels-last", UINT8, COPY(3, 11, 13), OUT_STRIDES(1, 39, 3)),
    CASE("output/padded-rows", FLOAT32, IN(7, 20), FROM(1, 1), CROP(5, 17), OUT_STRIDES(24, 1)),
    CASE("output/padded-byte-rows", UINT8, IN(7, 40), FROM(1, 1), CROP(5, 33), OUT_STRIDES(35, 1)),
    CASE("output/gaps", UINT8, COPY(40), OUT_STRIDES(2)),
    CASE("output/gaps-of-16-bits", INT16, TAKE_ALL(3, 21), BY(1, -1), OUT_STRIDES(70, 3)),
    CASE("output/wide-gaps", FLOAT32, COPY(5, 3), OUT_STRIDES(100003, 7)),
    CASE("output/interleaved", INT32, COPY(2, 3), OUT_STRIDES(3, 2)),
    CASE("output/interleaved-bytes", UINT8, TAKE_ALL(2, 3), BY(-1, 1), OUT_STRIDES(3, 2)),
    CASE("output/doubled-strides", UINT32, IN(4, 6), FROM(1, 1), CROP(3, 4), IN_STRIDES(12, 2),
         OUT_STRIDES(8, 2), IN_TOTAL(192), OUT_TOTAL(96)),
    CASE("output/doubled-strides-flip", UINT32, WHOLE(4, 6), BY(-1, -2), OUT(4, 3),
         IN_STRIDES(12, 2), OUT_STRIDES(6, 2), IN_TOTAL(192), OUT_TOTAL(96)),
    CASE("output/nonzero", UINT32, IN(3, 37), CROP(3, 11), OUT_STRIDES(2, 22)),
    CASE("output/stride-0-at-size-1", FLOAT32, IN(1, 1, 6, 8), FROM(0, 0, 1, 2), CROP(1, 1, 4, 5),
         IN_STRIDES(0, 0, 8, 1), OUT_STRIDES(0, 0, 5, 1)),
    CASE("output/any-stride-at-size-1", FLOAT16, IN(6, 1, 8), FROM(1, 0, 2), TAKE(4, 1, 5),
         BY(1, -1, 1), OUT_STRIDES(5, 4000000000, 1)),
    CASE("output/inner-size-1", UINT8, IN(6, 8), FROM(0, 3), CROP(6, 1), OUT_STRIDES(3, 0)),
    CASE("output/joins-only-in-part", INT8, COPY(4, 5, 6), OUT_STRIDES(40, 6, 1)),

    /* Columns that become rows, around the edges of tiles; gaps behind the rows. */
    TRANSPOSE(8, 8, UINT8, 1, 1, 0),
    TRANSPOSE(8, 33, UINT16, 1, -1, 0),
    TRANSPOSE(9, 64, FLOAT64, -1, 1, 0),
    TRANSPOSE(15, 17, FLOAT32, -1, -1, 0),
    TRANSPOSE(16, 16, FLOAT16, 1, -1, 16),
    TRANSPOSE(31, 8, UINT8, 1, -1, 1),
    TRANSPOSE(32, 32, FLOAT32, 1, 1, 0),
    TRANSPOSE(33, 31, INT64, 1, 1, 7),
    TRANSPOSE(63, 65, UINT8, -1, 1, 0),
    TRANSPOSE(64, 33, FLOAT32, 1, -1, 8),
    TRANSPOSE(65, 63, INT16, 1, 1, 3),
    TRANSPOSE(127, 9, INT32, 1, 1, 0),
    TRANSPOSE(128, 64, UINT8, 1, 1, 0),
    TRANSPOSE(129, 65, UINT8, -1, -1, 2),
    CASE("transpose/pixels", UINT8, TAKE_ALL(19, 11, 4), BY(1, -1, 1), OUT_STRIDES(4, 76, 1)),
    CASE("transpose/16-byte-pixels", FLOAT32, COPY(19, 11, 4), OUT_STRIDES(4, 76, 1)),
    CASE("transpose/four-dimensions", INT16, TAKE_ALL(2, 3, 11, 9), BY(-1, 1, 1, 1),
         OUT_STRIDES(400, 120, 1, 12)),

    /* Inputs that are not packed. */
    CASE("input/padded-rows", FLOAT32, IN(7, 20), FROM(1, 1), CROP(5, 17), IN_STRIDES(24, 1)),
    CASE("input/dropped-tail", FLOAT32, WHOLE(6, 5), BY(1, 2), OUT(6, 3), IN_STRIDES(8, 1)),
    CASE("input/padded-byte-rows", UINT8, IN(7, 30), FROM(1, 1), TAKE(5, 27), BY(-1, -1),
         IN_STRIDES(37, 1)),
    CASE("input/transposed", FLOAT32, COPY(23, 19), IN_STRIDES(1, 23)),
    CASE("input/transposed-bytes", UINT8, TAKE_ALL(67, 35), BY(1, -1), IN_STRIDES(1, 67)),
    CASE("input/both-transposed", INT16, COPY(13, 29), IN_STRIDES(1, 13), OUT_STRIDES(1, 13)),
    CASE("input/broadcast-outer", FLOAT32, COPY(5, 16), IN_STRIDES(0, 1)),
    CASE("input/broadcast-inner", UINT8, COPY(16, 21), IN_STRIDES(1, 0)),
    CASE("input/broadcast-middle", INT16, COPY(3, 4, 5), IN_STRIDES(5, 0, 1)),
    CASE("input/broadcast-all", FLOAT64, COPY(7, 9), IN_STRIDES(0, 0)),
    CASE("input/broadcast-reversed", UINT8, FLIP(7, 9), IN_STRIDES(0, 1)),
    CASE("input/broadcast-inner-reversed", FLOAT16, WHOLE(7, 9), BY(-1, -2), OUT(7, 5),
         IN_STRIDES(1, 0)),
    CASE("input/broadcast-to-transposed", INT32, COPY(6, 10), IN_STRIDES(0, 1), OUT_STRIDES(1, 6)),
    CASE("input/sliding-window", FLOAT32, COPY(20, 5), IN_STRIDES(1, 1)),
    CASE("input/sliding-window-reversed", UINT8, WHOLE(20, 5), BY(2, -1), OUT(10, 5),
         IN_STRIDES(2, 1)),
    CASE("input/sliding-bytes", UINT8, IN(40, 33), FROM(3, 1), CROP(30, 32), IN_STRIDES(3, 1)),
    CASE("input/diagonal", INT64, COPY(9), IN_STRIDES(10)),
    CASE("input/element-limit-one-element", UINT8, IN(65535, 65537), FROM(65000, 65530),
         WINDOW(500, 7), BY(-3, 2), OUT(167, 4), IN_STRIDES(0, 0)),
    CASE("input/element-limit-one-row", UINT16, IN(65535, 65537), FROM(65000, 65530),
         WINDOW(500, 7), BY(-3, 2), OUT(167, 4), IN_STRIDES(0, 1)),
    CASE("input/last-of-2^32-1", FLOAT32, IN(4294967295), FROM(4294967290), TAKE(5), BY(-1),
         IN_STRIDES(0)),
    CASE("input/INT_MAX-twice", UINT32, WHOLE(4294967295, 3), BY(INT32_MAX, 1), OUT(3, 3),
         IN_STRIDES(0, 1)),
    CASE("input/INT_MIN-twice", UINT32, WHOLE(4294967295, 3), BY(INT32_MIN, -1), OUT(2, 3),
         IN_STRIDES(0, 1)),

    /* TotalTensorSizeInBytes above the minimum: the rest is padding. */
    CASE("total/input", FLOAT32, IN(5, 5), FROM(1, 1), CROP(3, 3), IN_TOTAL(256)),
    CASE("total/output", UINT8, IN(5, 5), FROM(1, 1), CROP(3, 3), OUT_TOTAL(64)),
    CASE("total/both", INT16, TAKE_ALL(3, 7), BY(-1, 1), IN_TOTAL(4096), OUT_TOTAL(1024)),
    CASE("total/next-dword", UINT8, COPY(5), IN_TOTAL(12), OUT_TOTAL(12)),

    /* Rows around the widths of vectors. */
    EACH_4(ROWS, 9, 12, 23, 32),
    EACH_4(ROWS, 47, 48, 49, 128),
    EACH_4(ROWS_BOTH, 8, 15, 16, 17),
    EACH_4(ROWS_BOTH, 31, 33, 63, 64),
    EACH_4(ROWS_BOTH, 65, 70, 127, 129),

    /* Blocks around the bounds of words, cache lines and pages. */
    EACH_3(BLOCK, 2, 63, 65),
    EACH_3(BLOCK, 255, 256, 4096),
    EACH_4(BLOCK_BOTH, 15, 16, 17, 64),
    EACH_3(BLOCK_BOTH, 257, 4095, 4097),

    /* Several work-groups, and rows longer than one of them takes. */
    CASE("big/crop", FLOAT32, IN(700, 900), FROM(13, 7), CROP(601, 803)),
    CASE("big/long-rows", UINT8, IN(5, 300007), FROM(1, 3), CROP(3, 300001)),
    CASE("big/block", UINT16, IN(1000003), FROM(1), CROP(1000001)),
    CASE("big/flip-bytes", UINT8, FLIP(1500007)),
    CASE("big/flip-all", INT16, FLIP(5, 401, 503)),
    CASE("big/stride-2", FLOAT64, WHOLE(300, 999), BY(1, 2), OUT(300, 500)),
    CASE("big/byte-stride-2", UINT8, WHOLE(3, 500009), BY(1, 2), OUT(3, 250005)),
    CASE("big/transpose", FLOAT32, COPY(517, 771), OUT_STRIDES(1, 517)),
    CASE("big/rgb-to-bgr", UINT8, TAKE_ALL(640, 719, 3), BY(1, 1, -1)),
    CASE("big/gaps", FLOAT16, COPY(301, 703), OUT_STRIDES(1409, 2)),

    /*
     * Tensors of about 64 MiB, as programs slice them, and behind each its twin: the same work
     * within some percent, but its extents are primes and nothing is aligned.
     */
    LARGE("copy_all", FLOAT32, COPY(4096, 4096)),
    LARGE("copy_all/awkward", FLOAT32, COPY(4099, 4093)),
    LARGE("crop_aligned", FLOAT32, IN(4096, 4096), FROM(0, 16), CROP(4096, 4064)),
    LARGE("crop_aligned/awkward", FLOAT32, IN(4099, 4093), FROM(0, 17), CROP(4099, 4057)),
    LARGE("crop_odd", FLOAT32, IN(4096, 4096), FROM(0, 1), CROP(4096, 4093)),
    LARGE("crop_odd/awkward", FLOAT32, IN(4099, 4099), FROM(0, 3), CROP(4099, 4093)),
    LARGE("crop_odd_u8", UINT8, IN(4096, 16384), FROM(0, 1), CROP(4096, 16381)),
    LARGE("crop_odd_u8/awkward", UINT8, IN(4099, 16411), FROM(0, 5), CROP(4099, 16381)),
    LARGE("qkv_split", FLOAT16, IN(2048, 3, 32, 170), FROM(0, 1, 0, 0), CROP(2048, 1, 32, 170)),
    LARGE("qkv_split/awkward", FLOAT16, IN(2053, 3, 31, 173), FROM(0, 1, 0, 0),
          CROP(2053, 1, 31, 173)),
    LARGE("kv_cache_head", FLOAT16, IN(32, 8192, 128), CROP(32, 5000, 128)),
    LARGE("kv_cache_head/awkward", FLOAT16, IN(31, 8209, 131), FROM(0, 3, 0), CROP(31, 5003, 131)),
    LARGE("rope_even", FLOAT16, WHOLE(8192, 32, 128), BY(1, 1, 2), OUT(8192, 32, 64)),
    LARGE("rope_even/awkward", FLOAT16, IN(8081, 31, 137), FROM(0, 0, 2), WINDOW(8081, 31, 133),
          BY(1, 1, 2), OUT(8081, 31, 67)),
    LARGE("rope_odd", FLOAT16, IN(8192, 32, 128), FROM(0, 0, 1), WINDOW(8192, 32, 127), BY(1, 1, 2),
          OUT(8192, 32, 64)),
    LARGE("rope_odd/awkward", FLOAT16, IN(8081, 31, 137), FROM(0, 0, 3), WINDOW(8081, 31, 133),
          BY(1, 1, 2), OUT(8081, 31, 67)),
    LARGE("focus", FLOAT32, IN(14, 3, 640, 640), FROM(0, 0, 0, 1), WINDOW(14, 3, 640, 639),
          BY(1, 1, 2, 2), OUT(14, 3, 320, 320)),
    LARGE("focus/awkward", FLOAT32, IN(13, 3, 661, 677), FROM(0, 0, 0, 1), WINDOW(13, 3, 661, 673),
          BY(1, 1, 2, 2), OUT(13, 3, 331, 337)),
    LARGE("stride2_f32", FLOAT32, WHOLE(4096, 4096), BY(1, 2), OUT(4096, 2048)),
    LARGE("stride2_f32/awkward", FLOAT32, IN(4099, 4093), FROM(0, 3), WINDOW(4099, 4077), BY(1, 2),
          OUT(4099, 2039)),
    LARGE("stride2_u8", UINT8, WHOLE(4096, 16384), BY(1, 2), OUT(4096, 8192)),
    LARGE("stride2_u8/awkward", UINT8, IN(4099, 16411), FROM(0, 3), WINDOW(4099, 16381), BY(1, 2),
          OUT(4099, 8191)),
    LARGE("stride3_i16", INT16, WHOLE(4096, 8192), BY(1, 3), OUT(4096, 2731)),
    LARGE("stride3_i16/awkward", INT16, IN(4099, 8209), FROM(0, 5), WINDOW(4099, 8185), BY(1, 3),
          OUT(4099, 2729)),
    LARGE("rows_outer2", FLOAT32, WHOLE(4096, 4096), BY(2, 1), OUT(2048, 4096)),
    LARGE("rows_outer2/awkward", FLOAT32, IN(4099, 4093), FROM(1, 0), WINDOW(4077, 4093), BY(2, 1),
          OUT(2039, 4093)),
    LARGE("flip_f32", FLOAT32, TAKE_ALL(4096, 4096), BY(1, -1)),
    LARGE("flip_f32/awkward", FLOAT32, TAKE_ALL(4099, 4093), BY(1, -1)),
    LARGE("flip_f16", FLOAT16, TAKE_ALL(4096, 8192), BY(1, -1)),
    LARGE("flip_f16/awkward", FLOAT16, TAKE_ALL(4099, 8191), BY(1, -1)),
    LARGE("flip_u8", UINT8, TAKE_ALL(4096, 16384), BY(1, -1)),
    LARGE("flip_u8/awkward", UINT8, TAKE_ALL(4099, 16381), BY(1, -1)),
    LARGE("flip_rows", FLOAT32, TAKE_ALL(4096, 4096), BY(-1, 1)),
    LARGE("flip_rows/awkward", FLOAT32, TAKE_ALL(4099, 4093), BY(-1, 1)),
    LARGE("rgb_to_bgr", UINT8, TAKE_ALL(4096, 5461, 3), BY(1, 1, -1)),
    LARGE("rgb_to_bgr/awkward", UINT8, TAKE_ALL(4099, 5449, 3), BY(1, 1, -1)),
    LARGE("rgba_to_rgb", UINT8, IN(4096, 4096, 4), CROP(4096, 4096, 3)),
    LARGE("rgba_to_rgb/awkward", UINT8, IN(4099, 4093, 4), CROP(4099, 4093, 3)),
    LARGE("one_channel", UINT8, IN(4096, 5461, 3), FROM(0, 0, 1), CROP(4096, 5461, 1)),
    LARGE("one_channel/awkward", UINT8, IN(4099, 5449, 3), FROM(0, 0, 1), CROP(4099, 5449, 1)),
    LARGE("column", FLOAT64, IN(131072, 64), FROM(0, 7), CROP(131072, 1)),
    LARGE("column/awkward", FLOAT64, IN(131071, 61), FROM(0, 7), CROP(131071, 1)),
    LARGE("rank8_stride2", FLOAT32, WHOLE(4, 8, 8, 8, 8, 8, 8, 16), BY(1, 2, 1, 2, 1, 2, 1, 2),
          OUT(4, 4, 8, 4, 8, 4, 8, 8)),
    LARGE("rank8_stride2/awkward", FLOAT32, IN(5, 7, 7, 7, 7, 7, 3, 67),
          FROM(0, 0, 0, 1, 0, 0, 0, 3), WINDOW(5, 7, 7, 6, 7, 7, 3, 57), BY(1, 2, 1, 2, 1, 2, 1, 2),
          OUT(5, 4, 7, 3, 7, 4, 3, 29)),
    LARGE("rank8_flip", INT32, FLIP(8, 8, 8, 8, 8, 8, 8, 8)),
    LARGE("rank8_flip/awkward", INT32, FLIP(7, 7, 7, 7, 7, 7, 11, 13)),
    LARGE("transpose_out", FLOAT32, COPY(4096, 4096), OUT_STRIDES(1, 4096)),
    LARGE("transpose_out/awkward", FLOAT32, COPY(4099, 4093), OUT_STRIDES(1, 4099)),
    LARGE("broadcast_in", FLOAT32, COPY(4096, 4096), IN_STRIDES(0, 1)),
    LARGE("broadcast_in/awkward", FLOAT32, COPY(4099, 4093), IN_STRIDES(0, 1)),

    OVERHEAD("tiny_3d", FLOAT32, IN(2, 3, 20), FROM(0, 1, 0), WINDOW(2, 2, 20), BY(1, 1, 2),
             OUT(2, 2, 10)),
    OVERHEAD("tiny_64", FLOAT32, IN(64, 64), FROM(1, 1), CROP(62, 62)),
    OVERHEAD("small_1m", FLOAT32, IN(512, 512), FROM(1, 1), CROP(510, 510)),
};

const size_t slice_case_count = sizeof slice_cases / sizeof slice_cases[0];
