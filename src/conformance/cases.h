/* SPDX-License-Identifier: MIT */
/* The table of named cases that the tests, `clslice verify` and `clslice bench` share. */
#ifndef CLSLICE_CONFORMANCE_CASES_H
#define CLSLICE_CONFORMANCE_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clslice/directml.h>

enum { CASE_MAX_RANK = DML_TENSOR_DIMENSION_COUNT_MAX1 };

enum {
    /* Sized for measuring the memory's speed: too large to be run by every test. */
    CASE_LARGE = 0x1,
    /* So small that what is measured is the cost of a dispatch. */
    CASE_OVERHEAD = 0x2
};

/* What a case is described as. */
enum case_operator {
    CASE_SLICE1,
    CASE_SLICE,     /* a slice without a partial output, whose steps are positive */
    CASE_SLICE_GRAD /* its window lies in the output */
};

/* One valid operator in DirectML's terms, by the names of SLICE1's fields. Entries of the arrays
 * from `rank` on mean nothing. */
struct slice_case {
    const char *name;   /* borrowed; static in the table */
    uint32_t data_type; /* DML_TENSOR_DATA_TYPE of both tensors */
    uint32_t rank;      /* 1 to CASE_MAX_RANK */
    uint32_t flags;     /* CASE_* */
    enum case_operator op;
    bool in_strided; /* false: Strides is NULL, the tensor is packed */
    bool out_strided;
    uint32_t in_sizes[CASE_MAX_RANK];   /* elements, as all sizes and strides here */
    uint32_t in_strides[CASE_MAX_RANK]; /* where in_strided */
    uint32_t window_offsets[CASE_MAX_RANK];
    uint32_t window_sizes[CASE_MAX_RANK];
    int32_t window_strides[CASE_MAX_RANK];
    uint32_t out_sizes[CASE_MAX_RANK];
    uint32_t out_strides[CASE_MAX_RANK]; /* where out_strided */
    uint64_t in_total_bytes;             /* TotalTensorSizeInBytes; 0: the minimum */
    uint64_t out_total_bytes;
};

/* The cases that unit tests, device tests, fuzzers, `clslice verify` and `clslice bench` share.
 * Names are unique. NAME/awkward is the twin of the large case NAME. */
extern const struct slice_case slice_cases[];
extern const size_t slice_case_count;

#endif
