/* SPDX-License-Identifier: MIT */
/* Files of cases for `clslice verify`: one JSON object per line. */
#ifndef CLSLICE_CLI_VERIFY_CASE_FILE_H
#define CLSLICE_CLI_VERIFY_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "conformance/cases.h"

struct literal_desc;
struct problem;

/* What a description to judge must meet. */
enum case_expect { CASE_EXPECT_INVALID, CASE_EXPECT_VALID, CASE_EXPECT_EITHER };

/* One line of a case file: a case to run, or a description to judge. */
struct case_line {
    char *name; /* owned */

    struct slice_case run; /* to run, where desc is NULL; its name is borrowed from `name` */
    unsigned char *in;     /* owned; the input tensor's whole span */
    unsigned char *out;    /* owned; the expected output, row-major without gaps */

    struct literal_desc *desc; /* owned; to judge */
    char *rule;                /* owned; the rule that it breaks or keeps, or "" */
    enum case_expect expect;
};

/* Reads one line, behind which a NUL follows; *line is NULL after a failure. Judges no case: its
 * window may lie anywhere. */
bool case_line_create(const char *text, size_t length, struct case_line **line,
                      struct problem *problem);
void case_line_release(struct case_line *line);

struct case_file {
    FILE *stream; /* owned */
    char *text;   /* owned; the current line */
    size_t room;  /* bytes of `text` */
    unsigned long number;
    bool is_broken; /* reading failed, and that was said */
};

/* After a failure there is nothing to release. */
bool case_file_open(const char *path, struct case_file *file, struct problem *problem);
void case_file_release(struct case_file *file);

/* Goes to the next line that is not blank, of which *number is the number from 1; false at the end
 * of the file. *line is NULL where the line cannot be read, for the reason in `problem`; after that
 * one the next can be. The caller owns *line. */
bool case_file_next(struct case_file *file, unsigned long *number, struct case_line **line,
                    struct problem *problem);

#endif
