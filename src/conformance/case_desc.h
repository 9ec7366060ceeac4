/* SPDX-License-Identifier: MIT */
/* DirectML's description of a case, and what follows from it: strides, spans, bytes. */
#ifndef CLSLICE_CONFORMANCE_CASE_DESC_H
#define CLSLICE_CONFORMANCE_CASE_DESC_H

#include <stdbool.h>
#include <stdint.h>

#include <clslice/directml.h>

#include "conformance/cases.h"

/* Bytes of one element; 0 for a type that SLICE1 does not take. */
uint32_t case_type_bytes(uint32_t data_type);

/* Stores the low `bytes` bytes (1, 2, 4 or 8) of the number in native byte order, at any
 * address. */
void case_store(void *at, uint64_t number, uint32_t bytes);

/* Strides in elements, those of a packed tensor where the case has none. The packed strides must
 * fit, as they do where case_span succeeds. */
void case_in_strides(const struct slice_case *c, uint64_t strides[CASE_MAX_RANK]);
void case_out_strides(const struct slice_case *c, uint64_t strides[CASE_MAX_RANK]);

/* Elements from the first to the last addressable one, both included; `strides` NULL: packed. False
 * where they do not fit 64 bits or a size is 0. */
bool case_span(uint32_t rank, const uint32_t *sizes, const uint32_t *strides, uint64_t *elements);

/* The least bytes that a binding of the tensor needs: the span's, not rounded. False as
 * case_span. */
bool case_in_bytes(const struct slice_case *c, uint64_t *bytes);
bool case_out_bytes(const struct slice_case *c, uint64_t *bytes);

/* The product of the output's sizes. False where it does not fit 64 bits. */
bool case_out_elements(const struct slice_case *c, uint64_t *elements);

/* Steps a coordinate through the sizes in row-major order; false, with all zeros, after the
 * last. */
bool case_next(uint32_t rank, const uint32_t *sizes, uint32_t coordinate[CASE_MAX_RANK]);

/* A case as DirectML's structures, which point into this one and into the case: neither may
 * move. */
struct case_desc {
    DML_OPERATOR_DESC op; /* what clslice_operator_create takes */
    union {
        DML_SLICE1_OPERATOR_DESC slice1;
        DML_SLICE_OPERATOR_DESC slice;
        DML_SLICE_GRAD_OPERATOR_DESC gradient;
    };
    DML_TENSOR_DESC in_tensor;
    DML_TENSOR_DESC out_tensor;
    DML_BUFFER_TENSOR_DESC in_buffer;
    DML_BUFFER_TENSOR_DESC out_buffer;
};

/* Makes a slice its gradient: the tensors change places. Its output may break a rule, as inputs may
 * have strides that outputs may not. */
void case_turn(struct slice_case *c);

/* A slice's gradient; where two of its output's elements would share an address, without the
 * output's strides. */
struct slice_case case_gradient(const struct slice_case *c);

/* Judges nothing: a total size that is 0 becomes the minimum, or 0 where that does not fit. */
void case_desc_init(struct case_desc *desc, const struct slice_case *c);

#endif
