/* SPDX-License-Identifier: MIT */
/*
 * How CPU kernels write rows that they have put together in a private array: by whole lines of
 * memory, which go past the caches where the walk says so. The line in which one piece of a row
 * ends and the next begins is kept until it is complete, because a CPU that has stored parts of a
 * line and then streams it waits for memory both times.
 */
#ifndef STRIP_CL
#define STRIP_CL

index magnitude(index step)
{
    return max(step, -step);
}

/* Appends copies of a list's n offsets for the second and later of `size` steps, leaving out steps
 * whose next is less than `gap` behind the last one, but for the end if a quarter of that is behind
 * the last one. Returns how many offsets there are then. */
NOINLINE index list_steps(index *list, index n, index size, index step, index gap)
{
    index all = n;
    for (index i = 1, last = 0; i < size; ++i) {
        index apart = magnitude((i - last) * step);
        bool is_end = i == size - 1 && apart >= gap / 4;
        if (apart < gap - magnitude(step) && !is_end)
            continue;
        for (index e = 0; e < n; ++e)
            list[all++] = list[e] + i * step;
        last = i;
    }
    return all;
}

/* Where the elements of a block's row lie in the input, from its first: all of them, or about one
 * in each line of `gap` elements. Returns how many. */
NOINLINE index list_row(index *list, const struct walk *restrict w, index gap)
{
    index n = 1, elements = 1;
    list[0] = 0;
    for (uint d = w->rank; d < 8 && w->dim[d].size > 0; ++d) {
        n = list_steps(list, n, (index)w->dim[d].size, (index)w->dim[d].in_stride, gap);
        elements *= (index)w->dim[d].size;
    }
    return list_steps(list, n, (index)w->width / elements, (index)w->in_step, gap);
}

/* Compilers that gather vectors of such loads take longer than the loads. */
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable) unroll_count(8)")

/* Elements from the start of the line of memory that `to` lies in. */
index line_phase(global element *to)
{
    return (index)((ulong)to % LINE_BYTES / ELEMENT_SIZE);
}

/* Where `past_caches` is set, whole lines go past the caches. What lies before and behind them is
 * copied by one loop, because compilers make much code of each. */
void copy_elements(const element *from, global element *to, index n, bool past_caches)
{
    index head = past_caches ? min(n, (LINE - line_phase(to)) % LINE) : n, k = 0;
    for (index end = head, lines = head + (n - head) / LINE * LINE; k < n; end = n) {
        for (; k < end; ++k)
            to[k] = from[k];
        for (; k < lines; k += LINE)
            line_stream(*(const loose_line *)(from + k), to + k);
    }
}

/* Writes the n elements of a piece and the `kept` ones that the piece before has left in front of
 * them; leaves those of the last line to the next piece unless the row ends here. Returns
 * how many. There is room for a line before and behind `from`. */
NOINLINE index strip_write(element *restrict from, global element *restrict to, index n, index kept,
                           bool ends, bool past_caches)
{
    index left = ends ? 0 : min(line_phase(to + n), n + kept), high = n - left;
    copy_elements(from - kept, to - kept, high + kept, past_caches);
    if (!ends) {
        const line last = *(loose_line *)(from + n - LINE); /* may overlap where it goes */
        *(loose_line *)(from - LINE) = last;
    }
    return left;
}

#endif
