/* SPDX-License-Identifier: MIT */
/* The tokens of a text: numbers, signs and punctuation, with white space between them. */
#ifndef CLSLICE_CLI_ARGS_SCAN_H
#define CLSLICE_CLI_ARGS_SCAN_H

#include <stdbool.h>
#include <stdint.h>

struct problem;

/* A text that is read token by token. */
struct scan {
    const char *name; /* borrowed; "KEY", "--offsets": what the texts of problems begin with */
    const char *text; /* borrowed */
    const char *at;   /* in text: what comes next */
    struct problem *problem;
};

enum scan_result { SCAN_NONE, SCAN_FOUND, SCAN_BAD };

/* Skips white space and returns where the next token begins; '\0' is there at the end of the text.
 */
const char *scan_next(struct scan *scan);

/* Skips white space and takes the word if it comes next. */
bool scan_take(struct scan *scan, const char *word);

/*
 * Takes [+-]digits, white space allowed after the sign. Numbers beyond int64 become its extremes.
 * SCAN_NONE, and nothing taken, if neither sign nor digit comes next; SCAN_BAD, with the problem
 * set, if no integer begins there.
 */
enum scan_result scan_integer(struct scan *scan, int64_t *value);

/*
 * Sets the problem, PROBLEM_MISUSED: name, 1-based character position of `at`, the text there up to
 * a separator, and what is wrong with it. Returns false.
 */
bool scan_refuse(const struct scan *scan, const char *at, const char *reason);

#endif
