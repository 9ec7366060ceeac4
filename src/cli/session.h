/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_SESSION_H
#define CLSLICE_CLI_SESSION_H

#include <clslice/clslice.h>

struct cli;

enum { SESSION_ERROR_SIZE = 8192 };

/* An error of the library with room for a list of many devices. */
union session_error {
    clslice_error error;
    char bytes[SESSION_ERROR_SIZE];
};

/* What to pass as the error of a call. */
clslice_error *session_error_init(union session_error *error);

/* Prints the text of an error that a call has filled. Returns CLI_FAILED. */
int session_fail(const union session_error *error);

/*
 * Creates the device that --device or CLSLICE_DEVICE picks. Returns the exit status, the error
 * printed; *device is NULL after a failure. The driver may have taken over signals.
 */
int session_open(const struct cli *cli, clslice_device **device);

/* NULL is fine. */
void session_close(clslice_device *device);

/* Lets a write beyond the limit of file sizes fail, where a signal would end the process. */
void session_ignore_limits(void);

#endif
