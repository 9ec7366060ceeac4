/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <clslice/directml.h>

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
#define WHOLE(...) IN(__VA_ARGS__), WINDOW(__VA_ARGS__)
#define BY(...) .window_strides = {__VA_ARGS__}
#define OUT(...) .out_sizes = {__VA_ARGS__}
#define OUT_STRIDES(...) .out_strided = true, .out_strides = {__VA_ARGS__}
#define IN_TOTAL(bytes) .in_total_bytes = (bytes)
#define OUT_TOTAL(bytes) .out_total_bytes = (bytes)

/* Families: one shape at several types or sizes. */
#define TYPE_CROP(type)                                                                         \
    CASE("type/" #type "/crop", type, IN(4, 5, 9), FROM(1, 2, 3), WINDOW(2, 3, 5), BY(1, 1, 1), \
         OUT(2, 3, 5))
#define TYPE_MIXED(type)                                                                          \
    CASE("type/" #type "/mixed", type, IN(4, 5, 9), FROM(1, 0, 1), WINDOW(2, 5, 8), BY(1, -2, 3), \
         OUT(2, 3, 3))
#define INNER(n, type)                                                                   \
    CASE("inner/" #n "/" #type, type, IN(6, 5, (n) + 1), FROM(1, 1, 1), WINDOW(4, 3, n), \
         BY(1, 1, 1), OUT(4, 3, n))
#define INNER_ALL(n) INNER(n, UINT8), INNER(n, FLOAT16), INNER(n, INT32), INNER(n, FLOAT64)
#define INNER_FLIP(n, type) \
    CASE("inner/" #n "/" #type "/flip", type, WHOLE(5, 7, n), BY(1, 1, -1), OUT(5, 7, n))
#define ROWS(n) \
    CASE("rows/" #n, UINT8, IN(5, (n) + 5), FROM(1, 3), WINDOW(3, n), BY(1, 1), OUT(3, n))
#define ROWS_FLIP(n) \
    CASE("rows/" #n "/flip", INT8, IN(5, (n) + 5), FROM(1, 3), WINDOW(3, n), BY(1, -1), OUT(3, n))
#define BLOCK(n) CASE("block/" #n, UINT8, IN((n) + 9), FROM(5), WINDOW(n), BY(1), OUT(n))
#define BLOCK_FLIP(n) \
    CASE("block/" #n "/flip", UINT16, IN((n) + 9), FROM(5), WINDOW(n), BY(-1), OUT(n))

const struct slice_case slice_cases[] = {
    /* What the documentation shows. */
    CASE("doc/positive", FLOAT32, IN(1, 1, 4, 4), FROM(0, 0, 0, 1), WINDOW(1, 1, 4, 3),
         BY(1, 1, 2, 2), OUT(1, 1, 2, 2)),
    CASE("doc/negative", FLOAT32, IN(1, 1, 4, 4), FROM(0, 0, 0, 1), WINDOW(1, 1, 4, 3),
         BY(1, 1, -2, 2), OUT(1, 1, 2, 2)),
    CASE("doc/slice", FLOAT32, IN(1, 1, 4, 4), FROM(0, 0, 1, 2), WINDOW(1, 1, 3, 2), BY(1, 1, 1, 1),
         OUT(1, 1, 3, 2)),
    CASE("doc/sample", FLOAT32, IN(1, 1, 5, 5), FROM(0, 0, 1, 1), WINDOW(1, 1, 3, 3),
         BY(1, 1, 1, 2), OUT(1, 1, 3, 2)),

    TYPE_CROP(FLOAT32),
    TYPE_CROP(FLOAT16),
    TYPE_CROP(UINT32),
    TYPE_CROP(UINT16),
    TYPE_CROP(UINT8),
    TYPE_CROP(INT32),
    TYPE_CROP(INT16),
    TYPE_CROP(INT8),
    TYPE_CROP(FLOAT64),
    TYPE_CROP(UINT64),
    TYPE_CROP(INT64),
    TYPE_MIXED(FLOAT32),
    TYPE_MIXED(FLOAT16),
    TYPE_MIXED(UINT32),
    TYPE_MIXED(UINT16),
    TYPE_MIXED(UINT8),
    TYPE_MIXED(INT32),
    TYPE_MIXED(INT16),
    TYPE_MIXED(INT8),
    TYPE_MIXED(FLOAT64),
    TYPE_MIXED(UINT64),
    TYPE_MIXED(INT64),

    /* Every rank: something from the middle, and everything backwards. */
    CASE("rank/1/crop", INT32, IN(11), FROM(3), WINDOW(7), BY(1), OUT(7)),
    CASE("rank/2/crop", INT32, IN(5, 11), FROM(1, 3), WINDOW(3, 7), BY(1, 1), OUT(3, 7)),
    CASE("rank/3/crop", INT32, IN(3, 5, 7), FROM(1, 1, 2), WINDOW(2, 3, 4), BY(1, 1, 1),
         OUT(2, 3, 4)),
    CASE("rank/4/crop", INT32, IN(3, 4, 5, 6), FROM(1, 1, 1, 1), WINDOW(2, 2, 3, 4), BY(1, 1, 1, 1),
         OUT(2, 2, 3, 4)),
    CASE("rank/5/crop", INT16, IN(3, 3, 4, 4, 5), FROM(1, 0, 1, 2, 1), WINDOW(2, 3, 2, 2, 3),
         BY(1, 1, 1, 1, 1), OUT(2, 3, 2, 2, 3)),
    CASE("rank/6/crop", INT16, IN(2, 3, 3, 3, 4, 4), FROM(0, 1, 1, 0, 1, 1),
         WINDOW(2, 2, 2, 3, 2, 3), BY(1, 1, 1, 1, 1, 1), OUT(2, 2, 2, 3, 2, 3)),
    CASE("rank/7/crop", INT8, IN(2, 3, 2, 3, 2, 3, 4), FROM(1, 1, 0, 1, 0, 1, 1),
         WINDOW(1, 2, 2, 2, 2, 2, 2), BY(1, 1, 1, 1, 1, 1, 1), OUT(1, 2, 2, 2, 2, 2, 2)),
    CASE("rank/8/crop", INT8, IN(3, 3, 3, 3, 3, 3, 3, 3), FROM(1, 0, 1, 0, 1, 0, 1, 0),
         WINDOW(2, 2, 2, 2, 2, 2, 2, 2), BY(1, 1, 1, 1, 1, 1, 1, 1), OUT(2, 2, 2, 2, 2, 2, 2, 2)),
    CASE("rank/1/flip", UINT32, WHOLE(13), BY(-1), OUT(13)),
    CASE("rank/2/flip", UINT32, WHOLE(5, 7), BY(-1, -1), OUT(5, 7)),
    CASE("rank/3/flip", UINT32, WHOLE(3, 5, 7), BY(-1, -1, -1), OUT(3, 5, 7)),
    CASE("rank/4/flip", UINT16, WHOLE(2, 3, 4, 5), BY(-1, -1, -1, -1), OUT(2, 3, 4, 5)),
    CASE("rank/5/flip", UINT16, WHOLE(2, 3, 2, 4, 3), BY(-1, -1, -1, -1, -1), OUT(2, 3, 2, 4, 3)),
    CASE("rank/6/flip", UINT8, WHOLE(2, 3, 2, 3, 2, 5), BY(-1, -1, -1, -1, -1, -1),
         OUT(2, 3, 2, 3, 2, 5)),
    CASE("rank/7/flip", UINT8, WHOLE(2, 2, 2, 2, 3, 2, 3), BY(-1, -1, -1, -1, -1, -1, -1),
         OUT(2, 2, 2, 2, 3, 2, 3)),
    CASE("rank/8/flip", FLOAT64, WHOLE(2, 3, 2, 2, 3, 2, 2, 3), BY(-1, -1, -1, -1, -1, -1, -1, -1),
         OUT(2, 3, 2, 2, 3, 2, 2, 3)),
    CASE("rank/8/stride-2", FLOAT16, WHOLE(3, 3, 3, 3, 3, 3, 3, 3), BY(2, 2, 2, 2, 2, 2, 2, 2),
         OUT(2, 2, 2, 2, 2, 2, 2, 2)),
    CASE("rank/8/every-other-axis", INT64, WHOLE(2, 3, 2, 3, 2, 3, 2, 3),
         BY(1, -1, 1, -1, 1, -1, 1, -1), OUT(2, 3, 2, 3, 2, 3, 2, 3)),
    CASE("rank/8/ones-around", FLOAT32, IN(1, 1, 6, 1, 7, 1, 1, 1), FROM(0, 0, 1, 0, 2, 0, 0, 0),
         WINDOW(1, 1, 4, 1, 5, 1, 1, 1), BY(1, 1, -1, 1, 2, 1, 1, 1), OUT(1, 1, 4, 1, 3, 1, 1, 1)),
    CASE("rank/1/one-element", UINT8, WHOLE(1), BY(1), OUT(1)),
    CASE("rank/8/one-element", FLOAT64, WHOLE(1, 1, 1, 1, 1, 1, 1, 1),
         BY(-1, 1, -1, 1, -1, 1, -1, 1), OUT(1, 1, 1, 1, 1, 1, 1, 1)),

    /* Windows without a step: blocks, rows, corners. */
    CASE("window/whole", FLOAT32, WHOLE(7, 9, 11), BY(1, 1, 1), OUT(7, 9, 11)),
    CASE("window/whole-bytes", UINT8, WHOLE(7, 9, 11), BY(1, 1, 1), OUT(7, 9, 11)),
    CASE("window/outer-rows", FLOAT32, IN(9, 16), FROM(3, 0), WINDOW(4, 16), BY(1, 1), OUT(4, 16)),
    CASE("window/one-row", FLOAT16, IN(9, 33), FROM(8, 0), WINDOW(1, 33), BY(1, 1), OUT(1, 33)),
    CASE("window/one-column", FLOAT16, IN(33, 9), FROM(0, 8), WINDOW(33, 1), BY(1, 1), OUT(33, 1)),
    CASE("window/last-element", INT64, IN(7, 9), FROM(6, 8), WINDOW(1, 1), BY(1, 1), OUT(1, 1)),
    CASE("window/odd-offset-u8", UINT8, IN(17, 131), FROM(3, 5), WINDOW(11, 101), BY(1, 1),
         OUT(11, 101)),
    CASE("window/odd-offset-u16", UINT16, IN(17, 131), FROM(3, 5), WINDOW(11, 101), BY(1, 1),
         OUT(11, 101)),
    CASE("window/odd-offset-f64", FLOAT64, IN(17, 131), FROM(3, 5), WINDOW(11, 101), BY(1, 1),
         OUT(11, 101)),
    CASE("window/widens-to-16-bytes", FLOAT32, IN(8, 64), FROM(2, 16), WINDOW(5, 32), BY(1, 1),
         OUT(5, 32)),
    CASE("window/widens-bytes-to-16", UINT8, IN(8, 64), FROM(2, 16), WINDOW(5, 32), BY(1, 1),
         OUT(5, 32)),
    CASE("window/widens-bytes-to-2", UINT8, IN(8, 62), FROM(2, 6), WINDOW(5, 34), BY(1, 1),
         OUT(5, 34)),
    CASE("window/spatial-crop", FLOAT32, IN(2, 3, 30, 40), FROM(0, 0, 7, 5), WINDOW(2, 3, 16, 24),
         BY(1, 1, 1, 1), OUT(2, 3, 16, 24)),
    CASE("window/split-of-three", FLOAT16, IN(4, 96), FROM(0, 32), WINDOW(4, 32), BY(1, 1),
         OUT(4, 32)),
    CASE("window/primes", UINT8, IN(31, 37, 41), FROM(5, 7, 11), WINDOW(23, 19, 29), BY(1, 1, 1),
         OUT(23, 19, 29)),
    CASE("window/primes-flip", INT16, IN(31, 37, 41), FROM(5, 7, 11), WINDOW(23, 19, 29),
         BY(-1, 1, -1), OUT(23, 19, 29)),

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
    CASE("step/outer--1", UINT8, WHOLE(9, 20), BY(-1, 1), OUT(9, 20)),
    CASE("step/outer--3", UINT16, WHOLE(10, 7, 5), BY(-3, 1, 1), OUT(4, 7, 5)),
    CASE("step/both-2", FLOAT16, WHOLE(1, 2, 14, 18), BY(1, 1, 2, 2), OUT(1, 2, 7, 9)),
    CASE("step/middle--1", INT32, WHOLE(4, 5, 6), BY(1, -1, 1), OUT(4, 5, 6)),
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
    CASE("step/INT_MIN-window-1", INT64, IN(9), FROM(4), WINDOW(1), BY(INT32_MIN), OUT(1)),
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
    INNER_ALL(1),
    INNER_ALL(2),
    INNER_ALL(3),
    INNER_ALL(4),
    INNER_ALL(5),
    INNER_ALL(6),
    INNER_ALL(7),
    INNER_FLIP(2, UINT8),
    INNER_FLIP(4, UINT8),
    INNER_FLIP(3, UINT16),
    INNER_FLIP(3, FLOAT32),
    INNER_FLIP(5, FLOAT64),
    CASE("channels/rgb-to-bgr", UINT8, WHOLE(13, 17, 3), BY(1, 1, -1), OUT(13, 17, 3)),
    CASE("channels/rgba-to-abgr", UINT8, WHOLE(13, 17, 4), BY(1, 1, -1), OUT(13, 17, 4)),
    CASE("channels/drop-alpha", UINT8, IN(13, 17, 4), WINDOW(13, 17, 3), BY(1, 1, 1),
         OUT(13, 17, 3)),
    CASE("channels/bgra-to-rgb", UINT8, IN(13, 17, 4), WINDOW(13, 17, 3), BY(1, 1, -1),
         OUT(13, 17, 3)),
    CASE("channels/green", UINT8, IN(13, 17, 3), FROM(0, 0, 1), WINDOW(13, 17, 1), BY(1, 1, 1),
         OUT(13, 17, 1)),
    CASE("channels/green-of-16-bits", UINT16, IN(13, 17, 3), FROM(0, 0, 1), WINDOW(13, 17, 1),
         BY(1, 1, 1), OUT(13, 17, 1)),
    CASE("channels/red-and-blue", FLOAT32, WHOLE(13, 17, 3), BY(1, 1, 2), OUT(13, 17, 2)),
    CASE("channels/mirror-rgb", UINT8, WHOLE(13, 17, 3), BY(1, -1, 1), OUT(13, 17, 3)),
    CASE("channels/rotate-180", UINT8, WHOLE(13, 17, 3), BY(-1, -1, 1), OUT(13, 17, 3)),
    CASE("channels/crop-bgr", UINT8, IN(20, 30, 3), FROM(3, 5, 0), WINDOW(11, 19, 3), BY(1, 1, -1),
         OUT(11, 19, 3)),

    /* Outputs that are not packed: only addressed elements may be written. */
    CASE("output/packed-strides", FLOAT32, IN(5, 9), FROM(1, 2), WINDOW(4, 6), BY(1, 1), OUT(4, 6),
         OUT_STRIDES(6, 1)),
    CASE("output/transposed", FLOAT32, WHOLE(19, 23), BY(1, 1), OUT(19, 23), OUT_STRIDES(1, 19)),
    CASE("output/transposed-bytes", UINT8, WHOLE(35, 67), BY(1, 1), OUT(35, 67),
         OUT_STRIDES(1, 35)),
    CASE("output/transposed-flip", INT16, WHOLE(35, 67), BY(-1, -1), OUT(35, 67),
         OUT_STRIDES(1, 35)),
    CASE("output/transposed-batch", FLOAT64, WHOLE(3, 9, 33), BY(1, 1, 1), OUT(3, 9, 33),
         OUT_STRIDES(297, 1, 9)),
    CASE("output/channels-first", UINT8, WHOLE(11, 13, 3), BY(1, 1, 1), OUT(11, 13, 3),
         OUT_STRIDES(13, 1, 143)),
    CASE("output/channels-last", UINT8, WHOLE(3, 11, 13), BY(1, 1, 1), OUT(3, 11, 13),
         OUT_STRIDES(1, 39, 3)),
    CASE("output/padded-rows", FLOAT32, IN(7, 20), FROM(1, 1), WINDOW(5, 17), BY(1, 1), OUT(5, 17),
         OUT_STRIDES(24, 1)),
    CASE("output/padded-byte-rows", UINT8, IN(7, 40), FROM(1, 1), WINDOW(5, 33), BY(1, 1),
         OUT(5, 33), OUT_STRIDES(35, 1)),
    CASE("output/gaps", UINT8, WHOLE(40), BY(1), OUT(40), OUT_STRIDES(2)),
    CASE("output/gaps-of-16-bits", INT16, WHOLE(3, 21), BY(1, -1), OUT(3, 21), OUT_STRIDES(70, 3)),
    CASE("output/wide-gaps", FLOAT32, WHOLE(5, 3), BY(1, 1), OUT(5, 3), OUT_STRIDES(100003, 7)),
    CASE("output/interleaved", INT32, WHOLE(2, 3), BY(1, 1), OUT(2, 3), OUT_STRIDES(3, 2)),
    CASE("output/interleaved-bytes", UINT8, WHOLE(2, 3), BY(-1, 1), OUT(2, 3), OUT_STRIDES(3, 2)),
    CASE("output/doubled-strides", UINT32, IN(4, 6), FROM(1, 1), WINDOW(3, 4), BY(1, 1), OUT(3, 4),
         IN_STRIDES(12, 2), OUT_STRIDES(8, 2), IN_TOTAL(192), OUT_TOTAL(96)),
    CASE("output/doubled-strides-flip", UINT32, WHOLE(4, 6), BY(-1, -2), OUT(4, 3),
         IN_STRIDES(12, 2), OUT_STRIDES(6, 2), IN_TOTAL(192), OUT_TOTAL(96)),
    CASE("output/nonzero", UINT32, IN(3, 37), WINDOW(3, 11), BY(1, 1), OUT(3, 11),
         OUT_STRIDES(2, 22)),
    CASE("output/stride-0-at-size-1", FLOAT32, IN(1, 1, 6, 8), FROM(0, 0, 1, 2), WINDOW(1, 1, 4, 5),
         BY(1, 1, 1, 1), OUT(1, 1, 4, 5), IN_STRIDES(0, 0, 8, 1), OUT_STRIDES(0, 0, 5, 1)),
    CASE("output/any-stride-at-size-1", FLOAT16, IN(6, 1, 8), FROM(1, 0, 2), WINDOW(4, 1, 5),
         BY(1, -1, 1), OUT(4, 1, 5), OUT_STRIDES(5, 4000000000, 1)),
    CASE("output/inner-size-1", UINT8, IN(6, 8), FROM(0, 3), WINDOW(6, 1), BY(1, 1), OUT(6, 1),
         OUT_STRIDES(3, 0)),
    CASE("output/joins-only-in-part", INT8, WHOLE(4, 5, 6), BY(1, 1, 1), OUT(4, 5, 6),
         OUT_STRIDES(40, 6, 1)),

    /* Inputs that are not packed. */
    CASE("input/padded-rows", FLOAT32, IN(7, 20), FROM(1, 1), WINDOW(5, 17), BY(1, 1), OUT(5, 17),
         IN_STRIDES(24, 1)),
    CASE("input/dropped-tail", FLOAT32, WHOLE(6, 5), BY(1, 2), OUT(6, 3), IN_STRIDES(8, 1)),
    CASE("input/padded-byte-rows", UINT8, IN(7, 30), FROM(1, 1), WINDOW(5, 27), BY(-1, -1),
         OUT(5, 27), IN_STRIDES(37, 1)),
    CASE("input/transposed", FLOAT32, WHOLE(23, 19), BY(1, 1), OUT(23, 19), IN_STRIDES(1, 23)),
    CASE("input/transposed-bytes", UINT8, WHOLE(67, 35), BY(1, -1), OUT(67, 35), IN_STRIDES(1, 67)),
    CASE("input/both-transposed", INT16, WHOLE(13, 29), BY(1, 1), OUT(13, 29), IN_STRIDES(1, 13),
         OUT_STRIDES(1, 13)),
    CASE("input/broadcast-outer", FLOAT32, WHOLE(5, 16), BY(1, 1), OUT(5, 16), IN_STRIDES(0, 1)),
    CASE("input/broadcast-inner", UINT8, WHOLE(16, 21), BY(1, 1), OUT(16, 21), IN_STRIDES(1, 0)),
    CASE("input/broadcast-middle", INT16, WHOLE(3, 4, 5), BY(1, 1, 1), OUT(3, 4, 5),
         IN_STRIDES(5, 0, 1)),
    CASE("input/broadcast-all", FLOAT64, WHOLE(7, 9), BY(1, 1), OUT(7, 9), IN_STRIDES(0, 0)),
    CASE("input/broadcast-reversed", UINT8, WHOLE(7, 9), BY(-1, -1), OUT(7, 9), IN_STRIDES(0, 1)),
    CASE("input/broadcast-inner-reversed", FLOAT16, WHOLE(7, 9), BY(-1, -2), OUT(7, 5),
         IN_STRIDES(1, 0)),
    CASE("input/broadcast-to-transposed", INT32, WHOLE(6, 10), BY(1, 1), OUT(6, 10),
         IN_STRIDES(0, 1), OUT_STRIDES(1, 6)),
    CASE("input/sliding-window", FLOAT32, WHOLE(20, 5), BY(1, 1), OUT(20, 5), IN_STRIDES(1, 1)),
    CASE("input/sliding-window-reversed", UINT8, WHOLE(20, 5), BY(2, -1), OUT(10, 5),
         IN_STRIDES(2, 1)),
    CASE("input/sliding-bytes", UINT8, IN(40, 33), FROM(3, 1), WINDOW(30, 32), BY(1, 1),
         OUT(30, 32), IN_STRIDES(3, 1)),
    CASE("input/diagonal", INT64, WHOLE(9), BY(1), OUT(9), IN_STRIDES(10)),
    CASE("input/element-limit-one-element", UINT8, IN(65535, 65537), FROM(65000, 65530),
         WINDOW(500, 7), BY(-3, 2), OUT(167, 4), IN_STRIDES(0, 0)),
    CASE("input/element-limit-one-row", UINT16, IN(65535, 65537), FROM(65000, 65530),
         WINDOW(500, 7), BY(-3, 2), OUT(167, 4), IN_STRIDES(0, 1)),
    CASE("input/last-of-2^32-1", FLOAT32, IN(4294967295), FROM(4294967290), WINDOW(5), BY(-1),
         OUT(5), IN_STRIDES(0)),
    CASE("input/INT_MAX-twice", UINT32, WHOLE(4294967295, 3), BY(INT32_MAX, 1), OUT(3, 3),
         IN_STRIDES(0, 1)),
    CASE("input/INT_MIN-twice", UINT32, WHOLE(4294967295, 3), BY(INT32_MIN, -1), OUT(2, 3),
         IN_STRIDES(0, 1)),

    /* TotalTensorSizeInBytes above the minimum: the rest is padding. */
    CASE("total/input", FLOAT32, IN(5, 5), FROM(1, 1), WINDOW(3, 3), BY(1, 1), OUT(3, 3),
         IN_TOTAL(256)),
    CASE("total/output", UINT8, IN(5, 5), FROM(1, 1), WINDOW(3, 3), BY(1, 1), OUT(3, 3),
         OUT_TOTAL(64)),
    CASE("total/both", INT16, WHOLE(3, 7), BY(-1, 1), OUT(3, 7), IN_TOTAL(4096), OUT_TOTAL(1024)),
    CASE("total/next-dword", UINT8, WHOLE(5), BY(1), OUT(5), IN_TOTAL(12), OUT_TOTAL(12)),

    /* Rows around the widths of vectors. */
    ROWS(8),
    ROWS(9),
    ROWS(12),
    ROWS(15),
    ROWS(16),
    ROWS(17),
    ROWS(23),
    ROWS(31),
    ROWS(32),
    ROWS(33),
    ROWS(47),
    ROWS(48),
    ROWS(49),
    ROWS(63),
    ROWS(64),
    ROWS(65),
    ROWS(70),
    ROWS_FLIP(8),
    ROWS_FLIP(15),
    ROWS_FLIP(16),
    ROWS_FLIP(17),
    ROWS_FLIP(31),
    ROWS_FLIP(33),
    ROWS_FLIP(64),
    ROWS_FLIP(70),

    /* Blocks around the bounds of words, cache lines and pages. */
    BLOCK(2),
    BLOCK(15),
    BLOCK(16),
    BLOCK(17),
    BLOCK(63),
    BLOCK(64),
    BLOCK(65),
    BLOCK(255),
    BLOCK(256),
    BLOCK(257),
    BLOCK(4095),
    BLOCK(4096),
    BLOCK(4097),
    BLOCK_FLIP(15),
    BLOCK_FLIP(16),
    BLOCK_FLIP(17),
    BLOCK_FLIP(64),
    BLOCK_FLIP(257),
    BLOCK_FLIP(4095),
    BLOCK_FLIP(4097),

    /* Several work-groups, and rows longer than one of them takes. */
    CASE("big/crop", FLOAT32, IN(700, 900), FROM(13, 7), WINDOW(601, 803), BY(1, 1), OUT(601, 803)),
    CASE("big/long-rows", UINT8, IN(5, 300007), FROM(1, 3), WINDOW(3, 300001), BY(1, 1),
         OUT(3, 300001)),
    CASE("big/block", UINT16, IN(1000003), FROM(1), WINDOW(1000001), BY(1), OUT(1000001)),
    CASE("big/flip-bytes", UINT8, WHOLE(1500007), BY(-1), OUT(1500007)),
    CASE("big/flip-all", INT16, WHOLE(5, 401, 503), BY(-1, -1, -1), OUT(5, 401, 503)),
    CASE("big/stride-2", FLOAT64, WHOLE(300, 999), BY(1, 2), OUT(300, 500)),
    CASE("big/byte-stride-2", UINT8, WHOLE(3, 500009), BY(1, 2), OUT(3, 250005)),
    CASE("big/transpose", FLOAT32, WHOLE(517, 771), BY(1, 1), OUT(517, 771), OUT_STRIDES(1, 517)),
    CASE("big/rgb-to-bgr", UINT8, WHOLE(640, 719, 3), BY(1, 1, -1), OUT(640, 719, 3)),
    CASE("big/gaps", FLOAT16, WHOLE(301, 703), BY(1, 1), OUT(301, 703), OUT_STRIDES(1409, 2)),
};

const size_t slice_case_count = sizeof slice_cases / sizeof slice_cases[0];
