/* SPDX-License-Identifier: MIT */
/* Where the elements of a block lie, as lists of offsets that several kernels for CPUs keep. */
#ifndef OFFSETS_CL
#define OFFSETS_CL

static index magnitude(index step)
{
    return max(step, -step);
}

/* Appends copies of a list's n offsets for the second and later of `size` steps. Leaves out a step
 * if the one behind it is less than `gap` from the one listed last, but for the end, if that is at
 * least `end` from it. Returns how many offsets there are then. */
NOINLINE static index list_steps(index *list, index n, index size, index step, index gap, index end)
{
    index all = n;
    for (index i = 1, last = 0; i < size; ++i) {
        index apart = magnitude((i - last) * step);
        bool is_end = i == size - 1 && apart >= end;
        if (apart < gap - magnitude(step) && !is_end)
            continue;
        ROLLED
        for (index e = 0; e < n; ++e)
            list[all++] = list[e] + i * step;
        last = i;
    }
    return all;
}

/* Where the elements of so many steps of a block's row lie in the input, from its first: all of
 * them if `gap` is 0, or about one in each line of `gap` elements, and the last of those that lie
 * side by side where the next ones are a line or more behind them. Of these, so many are `read` at
 * least. Returns how many offsets there are. */
NOINLINE static index list_row(index *list, const struct walk *restrict w, index steps, index gap,
                               index read)
{
    index n = 1;
    list[0] = 0;
    for (uint d = w->rank; d < 8 && w->dim[d].size > 0; ++d) {
        const bool has_next = d < 7 && w->dim[d + 1].size > 0;
        const index next = (index)(has_next ? w->dim[d + 1].in_stride : w->in_step);
        const index step = (index)w->dim[d].in_stride, size = (index)w->dim[d].size;
        const bool is_run = d == w->rank && gap > 0 && size > 1 && magnitude(step) == 1;
        const bool is_lone = is_run && magnitude(next) >= size + gap;
        n = list_steps(list, n, is_run ? max(size, read) : size, step, gap, is_lone ? 1 : gap / 4);
    }
    return list_steps(list, n, steps, (index)w->in_step, gap, gap / 4);
}

/* Elements of a step of a row, which the inner dimensions number. */
static index step_elements(const struct walk *w)
{
    index elements = 1;
    for (uint d = w->rank; d < 8 && w->dim[d].size > 0; ++d)
        elements *= (index)w->dim[d].size;
    return elements;
}

#endif
