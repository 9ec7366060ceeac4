/* SPDX-License-Identifier: MIT */
/* Adds members to JSON objects. */
#ifndef CLSLICE_CLI_FORMATS_JSON_WRITE_H
#define CLSLICE_CLI_FORMATS_JSON_WRITE_H

#include <stdint.h>

struct json_object;

void json_add_text(struct json_object *object, const char *name, const char *value);
void json_add_integer(struct json_object *object, const char *name, uint64_t value);

/* With 6 digits, which are more than a measurement has. */
void json_add_number(struct json_object *object, const char *name, double value);

#endif
