/* SPDX-License-Identifier: MIT */
/* Lists of integers, as --offsets and --sizes take them. */
#ifndef CLSLICE_CLI_ARGS_LIST_H
#define CLSLICE_CLI_ARGS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/formats/array.h"

struct problem;

/*
 * Reads 1 to 8 integers from `low` to `high` between commas, "4, 3" or "-2,+2", with white space
 * anywhere between them and no comma at the end; `values` are in two's complement. `option`,
 * "--offsets", is for the problem's text. A failure is PROBLEM_MISUSED.
 */
bool list_parse(const char *option, const char *text, int64_t low, int64_t high,
                uint32_t values[ARRAY_MAX_RANK], uint32_t *count, struct problem *problem);

#endif
