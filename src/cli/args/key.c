/* SPDX-License-Identifier: MIT */
#include "cli/args/key.h"

#include "cli/args/scan.h"

#include <string.h>

/* What people write instead of an index, and what to say of it; the first that fits. */
static const struct {
    const char *start;
    const char *reason;
} foreign[] = {
    {"None", "would add an axis, which KEY cannot; reshape the result instead"},
    {"newaxis", "would add an axis, which KEY cannot; reshape the result instead"},
    {"np.newaxis", "would add an axis, which KEY cannot; reshape the result instead"},
    {"numpy.newaxis", "would add an axis, which KEY cannot; reshape the result instead"},
    {"True", "is a mask, which KEY cannot take; use start:stop:step"},
    {"False", "is a mask, which KEY cannot take; use start:stop:step"},
    {"Ellipsis", "is not understood; write ..."},
    {"[", "begins a list, which KEY cannot take; use start:stop:step, without brackets around KEY"},
    {"(", "begins a tuple, which KEY cannot take; write the indices without brackets"},
    {"slice(", "is not understood; write start:stop:step"},
    {".", "is not an index; use an integer, start:stop:step or ..."},
    {",", "is found where an index is expected"},
};

/* Refuses what comes next, which begins no index. */
static bool refuse_foreign(const struct scan *scan)
{
    char c = *scan->at;

    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; ++i)
        if (strncmp(scan->at, foreign[i].start, strlen(foreign[i].start)) == 0)
            return scan_refuse(scan, scan->at, foreign[i].reason);
    if (c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
        return scan_refuse(
            scan, scan->at,
            "is a name: masks and index arrays cannot be in KEY; use start:stop:step");
    return scan_refuse(scan, scan->at, "is not an index; use an integer, start:stop:step or ...");
}

static bool take_part(struct scan *scan, bool *has, int64_t *value)
{
    enum scan_result result = scan_integer(scan, value);

    *has = result == SCAN_FOUND;
    return result != SCAN_BAD;
}

static bool take_index(struct scan *scan, struct key_index *index)
{
    const char *step_at;

    *index = (struct key_index){.step = 1, .written = scan_next(scan)};
    if (!take_part(scan, &index->has_start, &index->start))
        return false;
    index->length = (int)(scan->at - index->written);
    index->is_slice = scan_take(scan, ":");
    if (!index->is_slice)
        return index->has_start || refuse_foreign(scan);
    if (!take_part(scan, &index->has_stop, &index->stop))
        return false;
    if (!scan_take(scan, ":"))
        return true;
    step_at = scan_next(scan);
    if (!take_part(scan, &index->has_step, &index->step))
        return false;
    return index->step != 0 ||
           scan_refuse(scan, step_at, "is a step of zero; use a positive or negative step");
}

/* One index or "...", up to its comma or the end. */
static bool take_entry(struct scan *scan, struct key *key)
{
    struct key_index index;
    const char *start = scan_next(scan);

    if (scan_take(scan, "...")) {
        if (key->ellipsis)
            return scan_refuse(scan, start, "is the second ...; KEY can have only one");
        key->ellipsis = true;
        key->before = key->count;
    } else {
        if (!take_index(scan, &index))
            return false;
        if (key->count < ARRAY_MAX_RANK)
            key->index[key->count] = index;
        ++key->count;
    }
    if (*scan_next(scan) != ',' && *scan->at != '\0')
        return scan_refuse(scan, scan->at, "is found where a comma or the end of KEY is expected");
    return true;
}

bool key_parse(struct key *key, const char *text, struct problem *problem)
{
    struct scan scan = {.name = "KEY", .text = text, .at = text, .problem = problem};

    *key = (struct key){0};
    while (*scan_next(&scan) != '\0') {
        if (!take_entry(&scan, key))
            return false;
        scan_take(&scan, ",");
    }
    if (!key->ellipsis)
        key->before = key->count;
    return true;
}
