/* SPDX-License-Identifier: MIT */
/* Why something failed, and the exit status that it amounts to. */
#ifndef CLSLICE_CONFORMANCE_PROBLEM_H
#define CLSLICE_CONFORMANCE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PROBLEM_FAILED = 1, /* what was asked for could not be done */
    PROBLEM_MISUSED = 2 /* what was asked for could not be understood */
};

enum { PROBLEM_TEXT_SIZE = 8192 }; /* bytes: room for a list of many devices */

/* Why something failed. All zeros: nothing has. */
struct problem {
    int status;                   /* the exit status of the command: PROBLEM_*, or a signal's */
    char text[PROBLEM_TEXT_SIZE]; /* one line: what is wrong, with its values, and what to do;
                                   * empty where the output says it */
};

/*
 * Fills the problem: the status and the text, printf's way. Control characters become '?', so that
 * it stays one line whatever a path or a file holds; a text too long is cut between UTF-8
 * characters. A NULL problem is left alone. Returns false, so that a failing function can return
 * its call.
 */
__attribute__((format(printf, 3, 4))) bool problem_fill(struct problem *problem, int status,
                                                        const char *format, ...);
#define problem_set(problem, ...) problem_fill(problem, PROBLEM_FAILED, __VA_ARGS__)
#define problem_misused(problem, ...) problem_fill(problem, PROBLEM_MISUSED, __VA_ARGS__)

/* False, and a problem that names the call, for every code of OpenCL's but CL_SUCCESS. */
bool problem_opencl(const char *call, int32_t code, struct problem *problem);

#endif
