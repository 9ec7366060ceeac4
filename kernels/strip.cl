/* SPDX-License-Identifier: MIT */
/*
 * How CPU kernels write rows that they have put together in a private array: by whole lines of
 * memory, which go past the caches where the walk says so. The line in which one piece of a row
 * ends and the next begins is kept until it is complete, if one is written after the other, because
 * a CPU that has stored parts of a line and then streams it waits for memory both times.
 */
#ifndef STRIP_CL
#define STRIP_CL

/* Elements from the start of the line of memory that `to` lies in. */
static index line_phase(global element *to)
{
    return (index)((ulong)to % LINE_BYTES / ELEMENT_SIZE);
}

/* Asks for the lines that n elements at `to` will write in part. A store that waits for its line
 * keeps the whole lines behind it waiting, too. */
static void ask_for_ends(global element *to, index n)
{
    if (line_phase(to) > 0)
        PREFETCH_TO(to);
    if (line_phase(to + n) > 0)
        PREFETCH_TO(to + n);
}

/* Where `past_caches` is set, whole lines go past the caches. What lies before and behind them is
 * copied by one loop, because compilers make much code of each. */
static void copy_elements(const element *from, global element *to, index n, bool past_caches)
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
NOINLINE static index strip_write(element *restrict from, global element *restrict to, index n,
                                  index kept, bool ends, bool past_caches)
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
