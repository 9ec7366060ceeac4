/* SPDX-License-Identifier: MIT */
/* A DirectML description written out in JSON, valid or not. */
#ifndef CLSLICE_CLI_VERIFY_LITERAL_DESC_H
#define CLSLICE_CLI_VERIFY_LITERAL_DESC_H

#include <stdbool.h>
#include <stdint.h>

#include <clslice/directml.h>

struct json_object;
struct problem;

struct literal_tensor {
    DML_TENSOR_DESC tensor;
    DML_BUFFER_TENSOR_DESC buffer;
    uint32_t *sizes;   /* owned; NULL where null */
    uint32_t *strides; /* owned; NULL where null */
};

/*
 * A SLICE1 description whose every field is what the file says, legal or not. An array is an
 * allocation of exactly its entries, so that a memory checker sees a read beyond them; where it has
 * fewer than a legal DimensionCount beside it promises, zeros follow up to 8 entries, because to
 * read those is no fault of the reader's.
 */
struct literal_desc {
    DML_OPERATOR_DESC op; /* what clslice_operator_create takes */
    DML_SLICE1_OPERATOR_DESC slice1;
    struct literal_tensor in;
    struct literal_tensor out;
    uint32_t *offsets; /* owned; NULL where null */
    uint32_t *sizes;   /* owned; NULL where null */
    uint32_t *strides; /* owned; NULL where null; two's complement */
};

/* Reads the `desc` of a line; null is SLICE1 without a Desc. The caller owns *desc, also after a
 * failure. */
bool literal_desc_create(const struct json_object *line, struct literal_desc **desc,
                         struct problem *problem);
void literal_desc_release(struct literal_desc *desc);

/* Whether a tensor's type is UINT4 or INT4. */
bool literal_desc_has_4_bits(const struct literal_desc *desc);

#endif
