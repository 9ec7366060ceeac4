/* SPDX-License-Identifier: MIT */
/* What the command line takes of an array. */
#ifndef CLSLICE_CLI_ARGS_REQUEST_H
#define CLSLICE_CLI_ARGS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <clslice/directml.h>

#include "cli/args/key.h"
#include "cli/args/selection.h"
#include "cli/cli.h"
#include "cli/formats/array.h"

/* The options of a command that takes a request: what stands in place of KEY. */
extern const struct cli_option request_options[];

/* A KEY, or a window as SLICE1 describes it. */
struct request {
    bool has_key;
    struct key key;       /* where has_key; borrows from the command line */
    struct window window; /* where not; request_apply makes it of the key */

    /* What request_apply fills. */
    bool is_empty;       /* nothing is taken, and there is no description */
    struct array result; /* type, shape and bytes, without data */
    uint32_t in_sizes[ARRAY_MAX_RANK];
    uint32_t in_strides[ARRAY_MAX_RANK];
    DML_BUFFER_TENSOR_DESC in_buffer;
    DML_BUFFER_TENSOR_DESC out_buffer;
    DML_TENSOR_DESC in;
    DML_TENSOR_DESC out;
    DML_SLICE1_OPERATOR_DESC slice1;
    DML_OPERATOR_DESC desc; /* points into the request, which must stay where it is */
};

/* Reads the KEY, which is operand `at`, or the options in its place; operands before it must be
 * there, too. Touches no file. A failure is PROBLEM_MISUSED. */
bool request_read(struct request *request, const struct cli *cli, size_t at,
                  struct problem *problem);

/* Applies it to an array and validates the slice, without OpenCL. Once per request. The result
 * borrows the array's dtype. `path` is the
 * array's, for the problem's text. */
bool request_apply(struct request *request, const struct array *array, const char *path,
                   struct problem *problem);

#endif
