/* SPDX-License-Identifier: MIT */
#include "cli/formats/json_read.h"

#include "conformance/problem.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The end of the string that begins at `at`, behind its closing quote. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; ++at)
        if (*at == '\\')
            ++at;
    return at < end ? at + 1 : end;
}

/* Whether the number that begins at `at` is no integer or fits 64 bits. What is behind it ends
 * it. */
static bool fits_64_bits(const char *at, size_t length)
{
    if (memchr(at, '.', length) || memchr(at, 'e', length) || memchr(at, 'E', length))
        return true;
    errno = 0;
    if (*at == '-')
        strtoll(at, NULL, 10);
    else
        strtoull(at, NULL, 10);
    return errno == 0;
}

/* json-c's versions refuse integers that do not fit, or turn them into the nearest that do: they
 * are found in the text, which ends in NUL and need not be JSON. */
static bool check_integers(const char *text, size_t length, struct problem *problem)
{
    const char *end = text + length;
    const char *at = text;

    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
        } else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            size_t number = strspn(at, "+-.0123456789eE");

            if (!fits_64_bits(at, number))
                return problem_set(problem, "%.*s does not fit in 64 bits", (int)number, at);
            at += number;
        } else {
            ++at;
        }
    }
    return true;
}

bool json_read_object(const char *text, size_t length, struct json_object **object,
                      struct problem *problem)
{
    struct json_tokener *tokener;
    struct json_object *parsed;
    bool is_object;

    if (length >= INT_MAX || memchr(text, '\0', length))
        return problem_set(problem, "not JSON: a NUL byte, or more than %d bytes", INT_MAX);
    if (!check_integers(text, length, problem))
        return false;
    tokener = json_tokener_new();
    if (!tokener)
        return problem_set(problem, "out of memory");
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    parsed = json_tokener_parse_ex(tokener, text, (int)length + 1);
    is_object = json_object_is_type(parsed, json_type_object);
    if (json_tokener_get_error(tokener) != json_tokener_success)
        problem_set(problem, "not JSON: %s at byte %zu",
                    json_tokener_error_desc(json_tokener_get_error(tokener)),
                    json_tokener_get_parse_end(tokener));
    else if (!is_object)
        problem_set(problem, "not a JSON object");
    json_tokener_free(tokener);
    if (is_object)
        *object = parsed;
    else
        json_object_put(parsed);
    return is_object;
}

bool json_read_member(const struct json_object *object, const char *name,
                      struct json_object **member, struct problem *problem)
{
    if (!json_object_object_get_ex(object, name, member))
        return problem_set(problem, "%s is missing", name);
    return true;
}

bool json_read_string(const struct json_object *object, const char *name, const char *fallback,
                      const char **string, struct problem *problem)
{
    struct json_object *member;

    *string = fallback;
    if (!json_object_object_get_ex(object, name, &member) || !member)
        return true;
    if (!json_object_is_type(member, json_type_string))
        return problem_set(problem, "%s is not a string", name);
    *string = json_object_get_string(member);
    return true;
}

bool json_read_number(const struct json_object *value, int64_t least, uint64_t most,
                      uint64_t *number)
{
    enum json_type type = json_object_get_type(value);
    int64_t negative = 0;
    uint64_t positive = 0;

    if (type == json_type_double) {
        double real = json_object_get_double(value);

        if (!(fabs(real) <= 0x1p53) || real != trunc(real))
            return false;
        negative = real < 0 ? (int64_t)real : 0;
        positive = real > 0 ? (uint64_t)real : 0;
    } else if (type == json_type_int) {
        negative = json_object_get_int64(value);
        positive = json_object_get_uint64(value);
    } else if (type == json_type_boolean) {
        positive = json_object_get_boolean(value) ? 1 : 0;
    } else {
        return false;
    }
    *number = negative < 0 ? (uint64_t)negative : positive;
    return negative < 0 ? negative >= least : positive <= most;
}

bool json_read_integer(const struct json_object *object, const char *name, int64_t least,
                       uint64_t most, uint64_t *number, struct problem *problem)
{
    struct json_object *member;

    if (!json_read_member(object, name, &member, problem))
        return false;
    if (!json_read_number(member, least, most, number))
        return problem_set(problem, "%s is %s, not an integer from %" PRId64 " to %" PRIu64, name,
                           json_object_to_json_string(member), least, most);
    return true;
}

bool json_read_array(const struct json_object *value, const char *name, int64_t least,
                     uint64_t most, uint32_t *numbers, struct problem *problem)
{
    size_t length = json_object_array_length(value);

    for (size_t i = 0; i < length; ++i) {
        struct json_object *entry = json_object_array_get_idx(value, i);
        uint64_t number;

        if (!json_read_number(entry, least, most, &number))
            return problem_set(problem,
                               "%s[%zu] is %s, not an integer from %" PRId64 " to %" PRIu64, name,
                               i, json_object_to_json_string(entry), least, most);
        numbers[i] = (uint32_t)number;
    }
    return true;
}
