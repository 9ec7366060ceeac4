/* SPDX-License-Identifier: MIT */
/* What the command line takes of an array. */
#ifndef CLSLICE_CLI_ARGS_REQUEST_H
#define CLSLICE_CLI_ARGS_REQUEST_H

#include <stdbool.h>

#include "cli/args/each.h"
#include "cli/args/key.h"
#include "cli/args/selection.h"
#include "cli/cli.h"
#include "cli/formats/array.h"
#include "conformance/case_desc.h"

/* The options of a command that takes a request: what stands in place of KEY. */
enum {
    REQUEST_OFFSETS = CLI_OWN_OPTIONS,
    REQUEST_SIZES,
    REQUEST_STRIDES,
    REQUEST_OUTPUT_SIZES,
    REQUEST_EACH,
    REQUEST_OWN_OPTIONS /* the command's own */
};
#define REQUEST_OPTIONS                                                                         \
    CLI_TEXT("offsets", "N,N...", REQUEST_OFFSETS, "where the window begins"),                  \
        CLI_TEXT("sizes", "N,N...", REQUEST_SIZES, "the size of the window"),                   \
        CLI_TEXT("strides", "N,N...", REQUEST_STRIDES,                                          \
                 "the steps through the window, negative to go from its end (default 1,1...)"), \
        CLI_TEXT("output-sizes", "N,N...", REQUEST_OUTPUT_SIZES,                                \
                 "take fewer elements than the window yields"),                                 \
        CLI_TEXT("each", "FILE.npy", REQUEST_EACH,                                              \
                 "instead of --offsets, where many windows begin: integers, a row for each")

/* A KEY, or a window as SLICE1 describes it. */
struct request {
    bool has_key;
    struct key key; /* where has_key; borrows from the command line */
    /* Where not, the window; request_apply makes that of the key, and adds the tensors. */
    struct slice_case slice;
    struct each each; /* instead of the window's offsets, where it has a path */

    /* What request_apply fills. */
    bool is_empty;       /* nothing is taken */
    struct array result; /* type, shape and bytes, without data */
    /* Of a window, or a KEY that takes something; points into the request, which must stay where it
     * is. */
    struct case_desc desc;
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

/* What the two have made, but for the result. */
void request_release(struct request *request);

#endif
