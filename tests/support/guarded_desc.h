/* SPDX-License-Identifier: MIT */
/* A SLICE1 description of which every array and structure ends where readable memory ends: whoever
 * reads past one of them crashes. */
#ifndef CLSLICE_TESTS_SUPPORT_GUARDED_DESC_H
#define CLSLICE_TESTS_SUPPORT_GUARDED_DESC_H

#include "conformance/cases.h"
#include "core/slice.h"

enum { GUARDED_PLACES = 13 };

/* Index 0 is the input, 1 the output. Everything may be changed in place. */
struct guarded_desc {
    DML_OPERATOR_DESC *op;
    DML_SLICE1_OPERATOR_DESC *slice1;
    DML_TENSOR_DESC *tensor[2];
    DML_BUFFER_TENSOR_DESC *buffer[2];
    uint32_t *sizes[2], *strides[2]; /* strides are there even where the case has none */
    uint32_t *offsets, *windows;
    int32_t *steps;
    const void *never; /* reading it crashes */
    unsigned char *end[GUARDED_PLACES];
};

/* Maps the memory; once per process is enough. */
void guarded_desc_init(struct guarded_desc *desc);

/* Describes a case. Where it has no strides, Strides is NULL and the array holds packed ones. */
void guarded_desc_fill(struct guarded_desc *desc, const struct slice_case *c);

/* How a description is refused: what clslice_error has to say. */
struct broken {
    int32_t status; /* 0: E_INVALIDARG */
    uint32_t rule, tensor;
    uint32_t dimension; /* index + 1; 0: none */
    uint64_t value[3];
};

/* Expects a refusal, with an error and without; `error` holds it afterwards. */
void guarded_desc_expect(const struct guarded_desc *desc, const struct broken *broken,
                         clslice_error *error);

/* Expects a slice, and that no error is written. */
void guarded_desc_accept(const struct guarded_desc *desc, struct slice *slice);

#endif
