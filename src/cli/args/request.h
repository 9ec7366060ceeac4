/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_ARGS_REQUEST_H
#define CLSLICE_CLI_ARGS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <clslice/directml.h>

#include "cli/formats/array.h"

struct cli;

/* What the command line takes of an array: a KEY, or a window as SLICE1 describes it. */
struct request {
    const char *key; /* borrowed from the command line; NULL: the window below */
    uint32_t rank;   /* of the window */
    uint32_t offsets[ARRAY_MAX_RANK];
    uint32_t sizes[ARRAY_MAX_RANK];
    int32_t strides[ARRAY_MAX_RANK];
    uint32_t output_sizes[ARRAY_MAX_RANK];

    /* What request_apply fills. */
    bool is_empty;       /* nothing is taken, and there is no description */
    struct array result; /* type, descr, shape and bytes, without data */
    uint32_t in_sizes[ARRAY_MAX_RANK];
    uint32_t in_strides[ARRAY_MAX_RANK];
    DML_BUFFER_TENSOR_DESC in_buffer;
    DML_BUFFER_TENSOR_DESC out_buffer;
    DML_TENSOR_DESC in;
    DML_TENSOR_DESC out;
    DML_SLICE1_OPERATOR_DESC slice1;
    DML_OPERATOR_DESC desc; /* points into the request, which must stay where it is */
};

/*
 * Reads the KEY, which is operand `at`, or the options in its place; operands before it must be
 * there, too. Touches no file. Returns the exit status, the error printed.
 */
int request_read(struct request *request, const struct cli *cli, size_t at);

/* Applies it to an array and validates the slice, without OpenCL. Returns the exit status, the
 * error printed. */
int request_apply(struct request *request, const struct array *array, const char *path);

#endif
