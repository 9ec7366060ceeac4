/* SPDX-License-Identifier: MIT */
/* Whether the library's verdict on a description is the one that a case file expects. */
#ifndef CLSLICE_CLI_VERIFY_JUDGE_H
#define CLSLICE_CLI_VERIFY_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include <clslice/clslice.h>

struct case_line;
struct problem;

/* Whether an error's text names the fields that the rule is about, and a dimension where it has
 * one. Any text will do for a rule that is not known. */
bool judge_text(const char *rule, const char *text);

/* Whether what operator creation answered, its status and its text, is what a line to judge
 * expects; if not, `problem` tells. */
bool judge_answer(const struct case_line *line, int32_t status, const char *text,
                  struct problem *problem);

/* Creates and releases the operator of a line to judge. `problem` tells why it does not pass, or,
 * where either answer passes, which it was. */
bool judge_run(clslice_device *device, const struct case_line *line, struct problem *problem);

#endif
