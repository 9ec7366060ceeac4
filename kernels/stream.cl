/* SPDX-License-Identifier: MIT */
/*
 * How CPU kernels write rows whose output is contiguous. Where the walk says so, whole lines of memory
 * go past the caches; the line in which one row ends and the next begins is then put together in
 * private memory first, because a CPU that has stored parts of a line and then streams it waits for
 * memory both times.
 *
 * A variant says what is written: `gather` makes one line of a row, `gather_few` and `copy_few` less
 * than that. Element e of a row is the one that its output has at e; a row has COUNT of them for each
 * of the walk's elements.
 */
#ifndef STREAM_CL
#define STREAM_CL

#ifndef PITCH
#define PITCH 1
#define COUNT 1
#define STEP 0
#endif

line gather(global const element *from, count e);
void gather_few(global const element *from, count e, count n, element *to);
void copy_few(global const element *from, count e, count n, global element *to);

/* Which of a row's lines is the i-th: input that lies downwards is read upwards all the same, for the
 * sake of the CPU's prefetcher. */
count line_order(count i, count lines)
{
    return (PITCH < 0 ? lines - 1 - i : i) * LINE;
}

/* ---- Into the caches ---- */

/* The last line overlaps the one before it. */
void copy_row(global const element *from, global element *to, count n)
{
    if (n < LINE) {
        copy_few(from, 0, n, to);
        return;
    }
    for (count i = 0; i < n / LINE; ++i) {
        count at = line_order(i, n / LINE);
        *(global loose_line *)(to + at) = gather(from, at);
    }
    if (n % LINE > 0)
        *(global loose_line *)(to + n - LINE) = gather(from, n - LINE);
}

/* ---- Past the caches ---- */

/* The line that is being put together. */
struct stream {
    element before[LINE], at[LINE], after[LINE]; /* loose lines may hang out of `at` */
    global element *to;                          /* where at[0] goes, a multiple of LINE_BYTES */
    count first, end;                            /* at[first] to at[end - 1] are there */
} __attribute__((aligned(LINE_BYTES)));

void stream_begin(struct stream *s, global element *to)
{
    s->first = s->end = (count)((ulong)to % LINE_BYTES / ELEMENT_SIZE);
    s->to = to - s->first;
}

/* Writes what is there of a line. */
void stream_end(struct stream *s)
{
    if (s->end - s->first == LINE)
        line_stream(*(line *)s->at, s->to);
    else
        for (count k = s->first; k < s->end; ++k)
            s->to[k] = s->at[k];
    s->to += s->end;
    s->first = s->end = 0;
}

/* A row that is shorter than a line. */
void stream_few(struct stream *s, global const element *from, count n)
{
    count k = min(n, LINE - s->end);
    gather_few(from, 0, k, s->at + s->end);
    s->end += k;
    if (s->end < LINE)
        return;
    stream_end(s);
    gather_few(from, k, n - k, s->at);
    s->end = n - k;
}

void stream_row(struct stream *s, global const element *from, count n)
{
    if (n < LINE) {
        stream_few(s, from, n);
        return;
    }
    count k = 0;
    if (s->end > 0) {
        *(loose_line *)(s->at + s->end) = gather(from, 0);
        k = LINE - s->end;
        s->end = LINE;
        stream_end(s);
    }
    count lines = (n - k) / LINE;
    for (count i = 0; i < lines; ++i) {
        count at = line_order(i, lines);
        line_stream(gather(from, k + at), s->to + at);
    }
    s->to += lines * LINE;
    s->end = (n - k) % LINE;
    if (s->end > 0)
        *(loose_line *)(s->at + s->end - LINE) = gather(from, n - LINE);
}

/* ---- Either ---- */

/* The units of this work-item. Two loops, because compilers join two stores to one place and forget that
 * one of them is to go past the caches. */
void move_units(global const element *in, global element *out, const struct walk *w)
{
    count unit = (count)get_global_id(0) * w->batch;
    count end = min((count)w->units, unit + w->batch);
    struct cursor c;
    cursor_set(&c, w, unit);
    if (!w->past_caches) {
        for (; unit < end; ++unit) {
            copy_row(in + c.in, out + c.out, run_length(w, c.at[0]) * COUNT);
            cursor_step(&c, w);
        }
        return;
    }
    struct stream s;
    stream_begin(&s, out + c.out);
    for (; unit < end; ++unit) {
        if (s.to + s.end != out + c.out) {
            stream_end(&s);
            stream_begin(&s, out + c.out);
        }
        stream_row(&s, in + c.in, run_length(w, c.at[0]) * COUNT);
        cursor_step(&c, w);
    }
    stream_end(&s);
}

#endif
