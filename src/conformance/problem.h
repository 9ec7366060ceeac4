/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CONFORMANCE_PROBLEM_H
#define CLSLICE_CONFORMANCE_PROBLEM_H

#include <stdbool.h>

/* Why something failed, in one line for a person: what is wrong, with its values, and what to do.
 */
struct problem {
    char text[1024];
};

/*
 * Writes the text, printf's way. Control characters become '?', so that it stays one line whatever
 * a path or a file holds; a text too long is cut between UTF-8 characters. A NULL problem is left
 * alone. Returns false, so that a failing function can return its call.
 */
__attribute__((format(printf, 2, 3))) bool problem_set(struct problem *problem, const char *format,
                                                       ...);

#endif
