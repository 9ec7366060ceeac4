/* SPDX-License-Identifier: MIT */
/* DML_OPERATOR_DESC -> struct slice: the whole description validated once. After this, nothing
 * computed from a struct slice can overflow and nothing is checked again. */
#ifndef CLSLICE_CORE_SLICE_H
#define CLSLICE_CORE_SLICE_H

#include "base/text.h"
#include "core/tensor.h"

/*
 * Output element o (a coordinate of rank numbers) is input element
 * first + sum(o[i] * dim[i].in_stride), and lies at sum(o[i] * dim[i].out_stride).
 *
 * Of a gradient, it is input element first + sum(k[i] * dim[i].in_stride) where every o[i] is
 * scatter[i].start + k[i] * scatter[i].step for a k[i] below scatter[i].count, and 0 elsewhere.
 */
struct slice {
    uint32_t rank;
    struct slice_dim {
        uint64_t size;      /* of the output, at least 1 */
        int64_t in_stride;  /* elements; 0 where size is 1 */
        int64_t out_stride; /* at least 0 */
    } dim[TENSOR_RANK_MAX];
    struct slice_scatter {
        uint64_t start;         /* an output coordinate, of the first of */
        uint64_t step;          /* at least 1 */
        uint64_t count;         /* at least 1, the last of them below the output's size */
    } scatter[TENSOR_RANK_MAX]; /* all 0 in a slice */
    bool is_gradient;
    uint64_t first;    /* input element of output coordinate 0, or of all starts */
    uint64_t elements; /* of the output */
    struct tensor input, output;
    struct slice_window {
        uint64_t offset, size; /* of the input */
    } window[TENSOR_RANK_MAX];
    bool is_item; /* of a batch: one of many, whose first elements are added to this one's */
};

/* Validates everything; E_INVALIDARG names the rule and the field, DXGI_ERROR_UNSUPPORTED another
 * operator. `desc` NULL is a broken rule, not a crash. */
int32_t slice_from(const DML_OPERATOR_DESC *desc, struct slice *slice, clslice_error *error);

/* An item of a batch of such slices: `first` is 0, as it is added to wherever the item begins. */
struct slice slice_item(const struct slice *slice);

/* Elements of the input that go to the output, each as often as it does. */
uint64_t slice_reads(const struct slice *slice);

/* Where the output is one run of input elements in the output's own order, returns true and its
 * first input element. */
bool slice_is_alias(const struct slice *slice, uint64_t *first);

void slice_describe(const struct slice *slice, struct text *text);

#endif
