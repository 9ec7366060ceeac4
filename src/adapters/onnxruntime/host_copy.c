/* SPDX-License-Identifier: MIT */
#include "host_copy.h"

#include <string.h>

/* Steps are in elements. Inlined, its memcpy is of a constant size: one load and one store, of any
 * alignment. */
static inline __attribute__((always_inline)) void pick(char *to, const char *from, int64_t count,
                                                       int64_t step, uint32_t element_bytes)
{
    for (int64_t i = 0; i < count; ++i)
        memcpy(to + i * element_bytes, from + i * step * element_bytes, element_bytes);
}

static void copy_row(char *to, const char *from, int64_t count, int64_t step,
                     uint32_t element_bytes)
{
    if (step == 1)
        memcpy(to, from, (size_t)count * element_bytes);
    else if (element_bytes == 1)
        pick(to, from, count, step, 1);
    else if (element_bytes == 2)
        pick(to, from, count, step, 2);
    else if (element_bytes == 4)
        pick(to, from, count, step, 4);
    else
        pick(to, from, count, step, 8);
}

/* Moves on to the next row as an odometer does. False: that was the last. */
static bool next_row(const struct window *window, int64_t *at)
{
    for (size_t d = window->rank - 1; d-- > 0;) {
        if (++at[d] < window->count[d])
            return true;
        at[d] = 0;
    }
    return false;
}

static int64_t first_of_row(const struct window *window, const int64_t *at)
{
    int64_t index = 0;
    for (size_t d = 0; d < window->rank; ++d)
        index = index * window->sizes[d] + window->first[d] + at[d] * window->step[d];
    return index;
}

/* Rows of 2, 4 or 8 bytes, at multiples of that, are elements of the dimension before: copied one
 * by one, they would take ten times as long. */
static struct window rows_as_elements(const struct window *window, uint32_t *element_bytes)
{
    struct window wide = *window;
    const size_t last = wide.rank - 1;
    const int64_t row = wide.count[last], bytes = row <= 8 ? row * *element_bytes : 0;
    const bool is_element = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (last == 0 || wide.step[last] != 1 || !is_element || wide.sizes[last] % row != 0 ||
        wide.first[last] % row != 0)
        return wide;
    const int64_t pitch = wide.sizes[last] / row;
    wide.first[last - 1] = wide.first[last - 1] * pitch + wide.first[last] / row;
    wide.step[last - 1] *= pitch;
    wide.sizes[last - 1] *= pitch;
    wide.rank = last;
    *element_bytes = (uint32_t)bytes;
    return wide;
}

void host_copy(const struct window *window, uint32_t element_bytes, const void *from, void *to)
{
    const struct window whole = window_join(window);
    const struct window joined = rows_as_elements(&whole, &element_bytes);
    const size_t last = joined.rank - 1;
    const int64_t row_bytes = joined.count[last] * element_bytes;
    int64_t at[MAX_RANK] = {0};
    const char *input = from;
    char *output = to;
    do {
        copy_row(output, input + first_of_row(&joined, at) * element_bytes, joined.count[last],
                 joined.step[last], element_bytes);
        output += row_bytes;
    } while (next_row(&joined, at));
}
