/* SPDX-License-Identifier: MIT */
#include "cli/args/list.h"

#include "cli/args/scan.h"

#include <inttypes.h>
#include <stdio.h>

/* One value at its comma or the end. */
static bool take_value(struct scan *scan, int64_t low, int64_t high, int64_t *value)
{
    const char *start = scan_next(scan);
    enum scan_result result = scan_integer(scan, value);
    char reason[80];

    if (result == SCAN_NONE)
        return scan_refuse(scan, start, "is found where an integer is expected");
    if (result == SCAN_BAD)
        return false;
    if (*value >= low && *value <= high)
        return true;
    snprintf(reason, sizeof reason, "is out of range, %" PRId64 " to %" PRId64, low, high);
    return scan_refuse(scan, start, reason);
}

bool list_parse(const char *option, const char *text, int64_t low, int64_t high,
                uint32_t values[ARRAY_MAX_RANK], uint32_t *count, struct problem *problem)
{
    struct scan scan = {.name = option, .text = text, .at = text, .problem = problem};
    int64_t value;

    *count = 0;
    do {
        if (*count == ARRAY_MAX_RANK)
            return scan_refuse(&scan, scan_next(&scan),
                               "is one too many: there can be at most 8 dimensions");
        if (!take_value(&scan, low, high, &value))
            return false;
        values[(*count)++] = (uint32_t)value;
    } while (scan_take(&scan, ","));
    return *scan_next(&scan) == '\0' ||
           scan_refuse(&scan, scan.at, "is found where a comma or the end is expected");
}
