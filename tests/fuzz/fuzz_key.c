/* SPDX-License-Identifier: MIT */
/*
 * KEY against the shape of any array. The first byte is the number of axes, modulo 9; a byte for
 * each picks its size; the rest is KEY.
 */
#include "cli/args/key.h"
#include "cli/args/selection.h"
#include "conformance/cases.h"
#include "conformance/problem.h"
#include "fuzz.h"

#include <string.h>

enum { TEXT_MAX = 1024 };

static const uint64_t sizes[] = {0,          1,          2,          3,
                                 4,          5,          7,          10,
                                 255,        65536,      INT32_MAX,  (uint64_t)INT32_MAX + 1,
                                 UINT32_MAX, 1000000000, 4294967294, INT64_MAX};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Every element of every axis is one of the shape's. */
static void check_axes(const struct selection *selection, const uint64_t *size)
{
    for (uint32_t i = 0; i < selection->rank; ++i) {
        int64_t first = selection->axis[i].first, step = selection->axis[i].step;
        uint64_t count = selection->axis[i].count;
        uint64_t distance = step < 0 ? -(uint64_t)step : (uint64_t)step;
        EXPECT(step != 0);
        EXPECT(!selection->axis[i].drop || (count == 1 && step == 1));
        if (count == 0)
            continue;
        EXPECT(first >= 0 && (uint64_t)first < size[i]);
        uint64_t left = step < 0 ? (uint64_t)first : size[i] - 1 - (uint64_t)first;
        EXPECT(count - 1 <= left / distance);
    }
}

/* The window takes the same elements. */
static void check_window(const struct selection *selection, const uint64_t *size)
{
    struct problem problem = {0};
    struct slice_case w;
    if (!selection_to_window(selection, &w, &problem)) {
        EXPECT(fuzz_is_message(problem.text, sizeof problem.text));
        return;
    }
    for (uint32_t i = 0; i < selection->rank; ++i) {
        uint64_t distance = (uint64_t)llabs(w.window_strides[i]);
        uint64_t first = w.window_strides[i] < 0
                             ? (uint64_t)w.window_offsets[i] + w.window_sizes[i] - 1
                             : w.window_offsets[i];
        EXPECT(w.out_sizes[i] == selection->axis[i].count);
        EXPECT(first == (uint64_t)selection->axis[i].first);
        EXPECT(w.out_sizes[i] == 1 || w.window_strides[i] == selection->axis[i].step);
        EXPECT((w.out_sizes[i] - 1) * distance + 1 <= w.window_sizes[i]);
        EXPECT((uint64_t)w.window_offsets[i] + w.window_sizes[i] <= size[i]);
    }
}

static void check(const char *text, uint32_t rank, const uint64_t *shape, bool is_small)
{
    uint64_t result[ARRAY_MAX_RANK];
    struct problem problem = {0};
    struct selection selection;
    struct key key;
    if (!key_parse(&key, text, &problem) ||
        !selection_from(&selection, &key, rank, shape, &problem)) {
        EXPECT(fuzz_is_message(problem.text, sizeof problem.text));
        return;
    }
    EXPECT(selection.rank == rank && selection_shape(&selection, result) <= rank);
    check_axes(&selection, shape);
    if (is_small && !selection_is_empty(&selection))
        check_window(&selection, shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t shape[ARRAY_MAX_RANK];
    char text[TEXT_MAX + 1];
    bool is_small = true;
    uint32_t rank = size > 0 ? data[0] % (ARRAY_MAX_RANK + 1) : 0;
    if (size < 1 + rank || size - 1 - rank > TEXT_MAX)
        return 0;
    for (uint32_t i = 0; i < rank; ++i) {
        shape[i] = sizes[data[1 + i] % SIZES];
        is_small = is_small && shape[i] <= UINT32_MAX;
    }
    memcpy(text, data + 1 + rank, size - 1 - rank);
    text[size - 1 - rank] = '\0';
    check(text, rank, shape, is_small);
    return 0;
}
