/* SPDX-License-Identifier: MIT */
/* The words in which struct slice_case of cases.h is written: in its table, and in tests. */
#ifndef CLSLICE_CONFORMANCE_CASE_WORDS_H
#define CLSLICE_CONFORMANCE_CASE_WORDS_H

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
#define AS(operator) .op = CASE_##operator
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

#endif
