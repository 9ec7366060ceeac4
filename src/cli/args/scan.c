/* SPDX-License-Identifier: MIT */
#include "cli/args/scan.h"

#include "conformance/problem.h"

#include <string.h>

static const char blanks[] = " \t\n\r\f\v";

enum { SHOWN = 32 }; /* bytes of the offending text */

const char *scan_next(struct scan *scan)
{
    scan->at += strspn(scan->at, blanks);
    return scan->at;
}

bool scan_take(struct scan *scan, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(scan_next(scan), word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a character would belong to the number before it: 1.5, 1e3, 0x10, 1_000. */
static bool continues_number(const char *at)
{
    unsigned char c = (unsigned char)*at;

    return c == '.' || c == '_' || c >= 0x80 || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Digits as a number of that sign, no further than int64. */
static int64_t take_digits(struct scan *scan, bool negative)
{
    int64_t value = 0;

    for (; is_digit(*scan->at); ++scan->at) {
        int64_t digit = *scan->at - '0';

        if (negative)
            value = value < (INT64_MIN + digit) / 10 ? INT64_MIN : value * 10 - digit;
        else
            value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    return value;
}

enum scan_result scan_integer(struct scan *scan, int64_t *value)
{
    const char *start = scan_next(scan);
    char sign = *start;

    if (sign == '-' || sign == '+')
        ++scan->at;
    else if (!is_digit(sign))
        return SCAN_NONE;
    if (is_digit(*scan_next(scan))) {
        *value = take_digits(scan, sign == '-');
        if (!continues_number(scan->at))
            return SCAN_FOUND;
    }
    scan_refuse(scan, start, "is not an integer; write decimal digits, as in 10 or -1");
    return SCAN_BAD;
}

/* Characters, not bytes, up to `at`; the first is 1. */
static size_t position(const struct scan *scan, const char *at)
{
    size_t characters = 1;

    for (const char *c = scan->text; c < at; ++c)
        characters += ((unsigned char)*c & 0xC0) != 0x80;
    return characters;
}

bool scan_refuse(const struct scan *scan, const char *at, const char *reason)
{
    size_t shown = strcspn(at, ",: \t\n\r\f\v");

    if (*at == '\0')
        return problem_misused(scan->problem, "%s position %zu: the end %s", scan->name,
                               position(scan, at), reason);
    if (shown == 0)
        shown = 1;
    if (shown > SHOWN)
        shown = SHOWN;
    while (shown > 1 && ((unsigned char)at[shown] & 0xC0) == 0x80)
        --shown;
    return problem_misused(scan->problem, "%s position %zu: '%.*s' %s", scan->name,
                           position(scan, at), (int)shown, at, reason);
}
