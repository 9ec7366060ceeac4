/* SPDX-License-Identifier: MIT */
#include "cli/args/key.h"

#include <inttypes.h>
#include <string.h>

#include "cli/args/scan.h"
#include "conformance/problem.h"

/* An integer, or a slice; a part that the text leaves out has no value. */
struct item {
    bool is_slice;
    bool has_start, has_stop, has_step;
    int64_t start, stop, step; /* start is the integer */
    const char *written;       /* borrowed from KEY; the integer as it stands there, */
    int length;                /* which may be beyond int64 */
};

struct items {
    struct item item[ARRAY_MAX_RANK]; /* the first ones, without "..." */
    uint32_t count;                   /* may be above ARRAY_MAX_RANK */
    uint32_t before; /* how many stand before "..."; all of them if there is none */
    bool ellipsis;
};

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
    {",", "stands where an index is wanted"},
};

/* Refuses what comes next, which begins no item. */
static bool refuse_foreign(const struct scan *scan)
{
    char c = *scan->at;

    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
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

static bool take_item(struct scan *scan, struct item *item)
{
    const char *step_at;

    *item = (struct item){.step = 1, .written = scan_next(scan)};
    if (!take_part(scan, &item->has_start, &item->start))
        return false;
    item->length = (int)(scan->at - item->written);
    item->is_slice = scan_take(scan, ":");
    if (!item->is_slice)
        return item->has_start || refuse_foreign(scan);
    if (!take_part(scan, &item->has_stop, &item->stop))
        return false;
    if (!scan_take(scan, ":"))
        return true;
    step_at = scan_next(scan);
    if (!take_part(scan, &item->has_step, &item->step))
        return false;
    return item->step != 0 ||
           scan_refuse(scan, step_at, "is a step of zero; use a positive or negative step");
}

/* One item or "...", up to its comma or the end. */
static bool take_entry(struct scan *scan, struct items *items)
{
    struct item item;
    const char *start = scan_next(scan);

    if (scan_take(scan, "...")) {
        if (items->ellipsis)
            return scan_refuse(scan, start, "is the second ...; KEY can have only one");
        items->ellipsis = true;
        items->before = items->count;
    } else {
        if (!take_item(scan, &item))
            return false;
        if (items->count < ARRAY_MAX_RANK)
            items->item[items->count] = item;
        items->count++;
    }
    if (*scan_next(scan) != ',' && *scan->at != '\0')
        return scan_refuse(scan, scan->at, "stands where a comma or the end of KEY is wanted");
    return true;
}

static bool take_all(struct scan *scan, struct items *items)
{
    *items = (struct items){0};
    while (*scan_next(scan) != '\0') {
        if (!take_entry(scan, items))
            return false;
        scan_take(scan, ",");
    }
    if (!items->ellipsis)
        items->before = items->count;
    return true;
}

/* `value` from the end if negative, then no lower than low and no higher than high. */
static int64_t clip(int64_t value, int64_t size, int64_t low, int64_t high)
{
    if (value < 0)
        value += size;
    if (value < low)
        return low;
    return value > high ? high : value;
}

/* Python's slice.indices. */
static void apply_slice(struct key *key, uint32_t axis, const struct item *item, int64_t size)
{
    bool down = item->step < 0;
    /* Unsigned, since -INT64_MIN does not fit. */
    uint64_t step = down ? -(uint64_t)item->step : (uint64_t)item->step;
    int64_t low = down ? -1 : 0;
    int64_t high = down ? size - 1 : size;
    int64_t start = item->has_start ? clip(item->start, size, low, high) : down ? high : low;
    int64_t stop = item->has_stop ? clip(item->stop, size, low, high) : down ? low : high;
    int64_t span = down ? start - stop : stop - start;

    key->axis[axis].first = start;
    key->axis[axis].step = item->step;
    key->axis[axis].count = span > 0 ? ((uint64_t)span - 1) / step + 1 : 0;
    key->axis[axis].drop = false;
}

static bool apply_integer(struct key *key, uint32_t axis, const struct item *item, int64_t size,
                          struct problem *problem)
{
    int64_t index = item->start;

    if (index < -size || index >= size)
        return problem_set(problem,
                           "KEY index %.*s is out of range for axis %" PRIu32 " of size %" PRId64,
                           item->length, item->written, axis, size);
    key->axis[axis].first = index < 0 ? index + size : index;
    key->axis[axis].step = 1;
    key->axis[axis].count = 1;
    key->axis[axis].drop = true;
    return true;
}

static bool refuse_count(const struct items *items, uint32_t rank, struct problem *problem)
{
    return problem_set(
        problem, "KEY has %" PRIu32 " %s, the array has %" PRIu32 " %s; leave out the rest",
        items->count, items->count == 1 ? "index" : "indices", rank, rank == 1 ? "axis" : "axes");
}

/* What the text says of an axis; items->count <= rank. */
static const struct item *item_of(const struct items *items, uint32_t axis, uint32_t rank)
{
    static const struct item full = {.is_slice = true, .step = 1};
    uint32_t skipped = rank - items->count;

    if (axis < items->before)
        return &items->item[axis];
    return axis < items->before + skipped ? &full : &items->item[axis - skipped];
}

enum key_status key_parse(struct key *key, const char *text, uint32_t rank, const uint64_t *size,
                          struct problem *problem)
{
    struct scan scan = {.name = "KEY", .text = text, .at = text, .problem = problem};
    struct items items;

    *key = (struct key){.rank = rank};
    if (!take_all(&scan, &items))
        return KEY_SYNTAX;
    if (items.count > rank) {
        refuse_count(&items, rank, problem);
        return KEY_RANGE;
    }
    for (uint32_t i = 0; i < rank; i++) {
        const struct item *item = item_of(&items, i, rank);

        if (item->is_slice)
            apply_slice(key, i, item, (int64_t)size[i]);
        else if (!apply_integer(key, i, item, (int64_t)size[i], problem))
            return KEY_RANGE;
    }
    return KEY_OK;
}

bool key_is_empty(const struct key *key)
{
    for (uint32_t i = 0; i < key->rank; i++)
        if (key->axis[i].count == 0)
            return true;
    return false;
}

uint32_t key_shape(const struct key *key, uint64_t size[ARRAY_MAX_RANK])
{
    uint32_t rank = 0;

    for (uint32_t i = 0; i < key->rank; i++)
        if (!key->axis[i].drop)
            size[rank++] = key->axis[i].count;
    return rank;
}

bool key_to_window(const struct key *key, uint32_t offsets[ARRAY_MAX_RANK],
                   uint32_t sizes[ARRAY_MAX_RANK], int32_t strides[ARRAY_MAX_RANK],
                   uint32_t output_sizes[ARRAY_MAX_RANK], struct problem *problem)
{
    offsets[0] = 0;
    sizes[0] = 1;
    strides[0] = 1;
    output_sizes[0] = 1;
    for (uint32_t i = 0; i < key->rank; i++) {
        uint64_t count = key->axis[i].count;
        int64_t step = key->axis[i].step;
        int64_t span;

        /* The step to a second element that is not there has no meaning, only a sign. */
        if (count == 1 && (step > INT32_MAX || step < INT32_MIN))
            step = step > 0 ? INT32_MAX : -INT32_MAX;
        if (step > INT32_MAX || step < INT32_MIN)
            return problem_set(
                problem,
                "KEY step %" PRId64 " on axis %" PRIu32
                " does not fit a stride of SLICE1, -2147483648 to 2147483647; use two integers",
                step, i);
        span = (int64_t)(count - 1) * step;
        sizes[i] = (uint32_t)((span < 0 ? -span : span) + 1);
        offsets[i] = (uint32_t)(key->axis[i].first + (span < 0 ? span : 0));
        strides[i] = (int32_t)step;
        output_sizes[i] = (uint32_t)count;
    }
    return true;
}
