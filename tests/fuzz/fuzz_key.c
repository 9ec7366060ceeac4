/* SPDX-License-Identifier: MIT */
/*
 * KEY against the shape of any array. The first byte is the number of axes, modulo 9; a byte for each picks its
 * size; the rest is KEY.
 */
#include "fuzz.h"

#include "cli/args/key.h"
#include "conformance/problem.h"

#include <string.h>

enum { TEXT_MAX = 1024 };

static const uint64_t sizes[] = {0,          1,          2,          3,
                                 4,          5,          7,          10,
                                 255,        65536,      INT32_MAX,  (uint64_t)INT32_MAX + 1,
                                 UINT32_MAX, 1000000000, 4294967294, INT64_MAX};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Every element of every axis is one of the shape's. */
static void check_axes(const struct key *key, const uint64_t *size)
{
    for (uint32_t i = 0; i < key->rank; ++i) {
        int64_t first = key->axis[i].first, step = key->axis[i].step;
        uint64_t count = key->axis[i].count;
        uint64_t distance = step < 0 ? -(uint64_t)step : (uint64_t)step;
        EXPECT(step != 0);
        EXPECT(!key->axis[i].drop || (count == 1 && step == 1));
        if (count == 0)
            continue;
        EXPECT(first >= 0 && (uint64_t)first < size[i]);
        uint64_t left = step < 0 ? (uint64_t)first : size[i] - 1 - (uint64_t)first;
        EXPECT(count - 1 <= left / distance);
    }
}

/* The window takes the same elements. */
static void check_window(const struct key *key, const uint64_t *size)
{
    uint32_t offsets[ARRAY_MAX_RANK], windows[ARRAY_MAX_RANK], counts[ARRAY_MAX_RANK];
    int32_t strides[ARRAY_MAX_RANK];
    struct problem problem = {0};
    if (!key_to_window(key, offsets, windows, strides, counts, &problem)) {
        EXPECT(fuzz_is_message(problem.text, sizeof problem.text));
        return;
    }
    for (uint32_t i = 0; i < key->rank; ++i) {
        uint64_t distance = (uint64_t)llabs(strides[i]);
        uint64_t first = strides[i] < 0 ? (uint64_t)offsets[i] + windows[i] - 1 : offsets[i];
        EXPECT(counts[i] == key->axis[i].count && first == (uint64_t)key->axis[i].first);
        EXPECT(counts[i] == 1 || strides[i] == key->axis[i].step);
        EXPECT((counts[i] - 1) * distance + 1 <= windows[i]);
        EXPECT((uint64_t)offsets[i] + windows[i] <= size[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t shape[ARRAY_MAX_RANK], result[ARRAY_MAX_RANK];
    struct problem problem = {0};
    struct key key;
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
    if (key_parse(&key, text, rank, shape, &problem) != KEY_OK) {
        EXPECT(fuzz_is_message(problem.text, sizeof problem.text));
        return 0;
    }
    EXPECT(key.rank == rank && key_shape(&key, result) <= rank);
    check_axes(&key, shape);
    if (is_small && !key_is_empty(&key))
        check_window(&key, shape);
    return 0;
}
