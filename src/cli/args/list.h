/* SPDX-License-Identifier: MIT */
/* Lists of integers, as --offsets and --sizes take them. */
#ifndef CLSLICE_CLI_ARGS_LIST_H
#define CLSLICE_CLI_ARGS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/formats/array.h"

struct problem;

/*
 * Read 1 to 8 integers between commas, "4, 3" or "-2,+2", with white space anywhere between them
 * and no comma at the end. `option`, "--offsets", is for the problem's text. A failure is
 * PROBLEM_MISUSED.
 */
bool list_parse_u32(const char *option, const char *text, uint32_t values[ARRAY_MAX_RANK],
                    uint32_t *count, struct problem *problem);
bool list_parse_i32(const char *option, const char *text, int32_t values[ARRAY_MAX_RANK],
                    uint32_t *count, struct problem *problem);

#endif
