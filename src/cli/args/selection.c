/* SPDX-License-Identifier: MIT */
#include "cli/args/selection.h"

#include "cli/args/key.h"
#include "conformance/cases.h"
#include "conformance/problem.h"

#include <inttypes.h>

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
static struct selected_axis apply_slice(const struct key_index *index, int64_t size)
{
    bool down = index->step < 0;
    /* Unsigned, since -INT64_MIN does not fit. */
    uint64_t step = down ? -(uint64_t)index->step : (uint64_t)index->step;
    int64_t low = down ? -1 : 0;
    int64_t high = down ? size - 1 : size;
    int64_t start = index->has_start ? clip(index->start, size, low, high) : down ? high : low;
    int64_t stop = index->has_stop ? clip(index->stop, size, low, high) : down ? low : high;
    int64_t span = down ? start - stop : stop - start;

    return (struct selected_axis){start, index->step,
                                  span > 0 ? ((uint64_t)span - 1) / step + 1 : 0, false};
}

static bool apply_integer(struct selection *selection, uint32_t axis, const struct key_index *index,
                          int64_t size, struct problem *problem)
{
    int64_t at = index->start;

    if (at < -size || at >= size)
        return problem_set(problem,
                           "KEY index %.*s is out of range for axis %" PRIu32 " of size %" PRId64,
                           index->length, index->written, axis, size);
    selection->axis[axis] = (struct selected_axis){at < 0 ? at + size : at, 1, 1, true};
    return true;
}

static bool refuse_count(const struct key *key, uint32_t rank, struct problem *problem)
{
    return problem_set(
        problem, "KEY has %" PRIu32 " %s, the array has %" PRIu32 " %s; leave out the rest",
        key->count, key->count == 1 ? "index" : "indices", rank, rank == 1 ? "axis" : "axes");
}

/* What the key says of an axis; it has at most `rank` indices. */
static const struct key_index *index_of(const struct key *key, uint32_t axis, uint32_t rank)
{
    static const struct key_index full = {.is_slice = true, .step = 1};
    uint32_t skipped = rank - key->count;

    if (axis < key->before)
        return &key->index[axis];
    return axis < key->before + skipped ? &full : &key->index[axis - skipped];
}

bool selection_from(struct selection *selection, const struct key *key, uint32_t rank,
                    const uint64_t *size, struct problem *problem)
{
    *selection = (struct selection){.rank = rank};
    if (key->count > rank)
        return refuse_count(key, rank, problem);
    for (uint32_t i = 0; i < rank; ++i) {
        const struct key_index *index = index_of(key, i, rank);

        if (index->is_slice)
            selection->axis[i] = apply_slice(index, (int64_t)size[i]);
        else if (!apply_integer(selection, i, index, (int64_t)size[i], problem))
            return false;
    }
    return true;
}

bool selection_is_empty(const struct selection *selection)
{
    for (uint32_t i = 0; i < selection->rank; ++i)
        if (selection->axis[i].count == 0)
            return true;
    return false;
}

uint32_t selection_shape(const struct selection *selection, uint64_t size[ARRAY_MAX_RANK])
{
    uint32_t rank = 0;

    for (uint32_t i = 0; i < selection->rank; ++i)
        if (!selection->axis[i].drop)
            size[rank++] = selection->axis[i].count;
    return rank;
}

bool selection_to_window(const struct selection *selection, struct slice_case *c,
                         struct problem *problem)
{
    *c = (struct slice_case){
        .rank = 1, .window_sizes = {1}, .window_strides = {1}, .out_sizes = {1}};
    if (selection->rank > 0)
        c->rank = selection->rank;
    for (uint32_t i = 0; i < selection->rank; ++i) {
        uint64_t count = selection->axis[i].count;
        int64_t step = selection->axis[i].step;
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
        c->window_sizes[i] = (uint32_t)((span < 0 ? -span : span) + 1);
        c->window_offsets[i] = (uint32_t)(selection->axis[i].first + (span < 0 ? span : 0));
        c->window_strides[i] = (int32_t)step;
        c->out_sizes[i] = (uint32_t)count;
    }
    return true;
}
