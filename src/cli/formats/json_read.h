/* SPDX-License-Identifier: MIT */
/* Reads JSON objects member by member, with errors that name the member. */
#ifndef CLSLICE_CLI_FORMATS_JSON_READ_H
#define CLSLICE_CLI_FORMATS_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct problem;

/* Parses a text that is one JSON object; NaN and Infinity count as numbers, integers that fit
 * neither int64_t nor uint64_t are refused. A NUL follows the text. The caller owns *object:
 * json_object_put. */
bool json_read_object(const char *text, size_t length, struct json_object **object,
                      struct problem *problem);

/* The member of that name, borrowed; NULL where it is null. It must be there. */
bool json_read_member(const struct json_object *object, const char *name,
                      struct json_object **member, struct problem *problem);

/* A string member, borrowed; `fallback` where it is null or not there. */
bool json_read_string(const struct json_object *object, const char *name, const char *fallback,
                      const char **string, struct problem *problem);

/*
 * The exact value of an integer, a number like 2.0 or a boolean, in two's complement. False without
 * a text where it is something else or not in [least, most], of which least is at most 0.
 */
bool json_read_number(const struct json_object *value, int64_t least, uint64_t most,
                      uint64_t *number);

/* A member that is an integer in [least, most]. */
bool json_read_integer(const struct json_object *object, const char *name, int64_t least,
                       uint64_t most, uint64_t *number, struct problem *problem);

/* Elements of a member that is an array, each an integer in [least, most] of which the low 32 bits
 * are kept. `value` is the member itself, `name` is for texts, `numbers` holds
 * json_object_array_length. */
bool json_read_array(const struct json_object *value, const char *name, int64_t least,
                     uint64_t most, uint32_t *numbers, struct problem *problem);

#endif
