/* SPDX-License-Identifier: MIT */
#include "cli/formats/json_write.h"

#include <json-c/json.h>
#include <stdio.h>

void json_add_text(struct json_object *object, const char *name, const char *value)
{
    json_object_object_add(object, name, json_object_new_string(value));
}

void json_add_number(struct json_object *object, const char *name, double value)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%.6g", value);
    json_object_object_add(object, name, json_object_new_double_s(value, digits));
}

void json_add_integer(struct json_object *object, const char *name, uint64_t value)
{
    json_object_object_add(object, name, json_object_new_uint64(value));
}
