/* SPDX-License-Identifier: MIT */
/* A device for one command, and the errors of the library. */
#ifndef CLSLICE_CLI_SESSION_H
#define CLSLICE_CLI_SESSION_H

#include <stdbool.h>

#include <clslice/clslice.h>

#include "conformance/problem.h"

struct cli;

/* An error of the library with room for a long text. */
union session_error {
    clslice_error error;
    char bytes[PROBLEM_TEXT_SIZE];
};

/* What such an error is before a call. */
#define SESSION_ERROR                                   \
    {                                                   \
        .error = {.size = sizeof(union session_error) } \
    }

/* Makes a problem of an error that a call has filled. Returns false. */
bool session_fail(const union session_error *error, struct problem *problem);

/* Creates the device that --device or CLSLICE_DEVICE picks, which the caller owns. The driver may
 * have taken over signals. */
bool session_open(const struct cli *cli, clslice_device **device, struct problem *problem);

/* The slice and its plan in words; the caller frees the text. NULL on failure. */
char *session_describe(const clslice_operator *op, const clslice_compile_options *options,
                       struct problem *problem);

/* Opens those of standard input, output and error that are closed, so that no file of ours becomes
 * one of them. Reading and writing them fails as before. */
void session_open_descriptors(void);

/* Lets a write beyond the limit of file sizes fail, where a signal would end the process. */
void session_ignore_limits(void);

#endif
