/* SPDX-License-Identifier: MIT */
/*
 * How CPU kernels write rows whose output is contiguous: by whole lines of memory, which go past
 * the caches where the walk says so. The line in which one row ends and the next begins is put
 * together first, because a CPU that has stored parts of a line and then streams it waits for
 * memory both times.
 *
 * A variant says what is written: `gather` makes one line of a row, `gather_few` and `copy_few`
 * less than that. Element e of a row is the one that its output has at e; a row has GROUP_SIZE of
 * them for each of the walk's elements.
 */
#ifndef STREAM_CL
#define STREAM_CL

#ifndef GROUP_STRIDE
#define GROUP_STRIDE 1
#define GROUP_SIZE 1
#define ELEMENT_STRIDE 0
#endif

/* What gather reads at most from a pixel of its first element. */
#define PIXELS_OF_LINE ((LINE + GROUP_SIZE - 2) / GROUP_SIZE * GROUP_STRIDE)
#define SIDE ((GROUP_SIZE - 1) * ELEMENT_STRIDE)
#define GATHER_LOW ((GROUP_STRIDE < 0 ? PIXELS_OF_LINE : 0) + (ELEMENT_STRIDE < 0 ? SIDE : 0))
#define GATHER_HIGH ((GROUP_STRIDE < 0 ? 0 : PIXELS_OF_LINE) + (ELEMENT_STRIDE < 0 ? 0 : SIDE))

line gather(global const element *from, count e);
void gather_few(global const element *from, count e, count n, element *to);
void copy_few(global const element *from, count e, count n, global element *to);

/* Which of a row's lines is the i-th: input that lies downwards is read upwards all the same,
 * for the sake of the CPU's prefetcher. */
count line_order(count i, count lines)
{
    return (GROUP_STRIDE < 0 ? lines - 1 - i : i) * LINE;
}

/* Elements between rows, up to which whole lines are gathered for short ones: farther apart that is
 * mostly memory that nothing else needs, and without vectors it saves nothing. */
#ifdef LINE_IS_VECTOR
#define CLOSE (8 * LINE)
#else
#define CLOSE 0
#endif

bool rows_follow(const struct stretch *t)
{
    return t->out_step == (index)(t->width * GROUP_SIZE);
}

/* Whether these are rows shorter than a line that follow each other, and are read from close by. */
bool rows_are_close(const struct stretch *t)
{
    return t->width * GROUP_SIZE < LINE && rows_follow(t) && t->in_step >= -CLOSE &&
           t->in_step <= CLOSE;
}

/* Whether the launch reads all that gather does for a row's first line. */
bool may_gather(const struct walk *w, index row)
{
    return row + GATHER_LOW >= (index)w->in_low && row + GATHER_HIGH < (index)w->in_high;
}

/* ---- Rows that follow each other, or go past the caches ---- */

/* The line that is being put together. */
struct stream {
    element *at;        /* between two others, as loose lines may hang out of it */
    global element *to; /* where at[0] goes, a multiple of LINE_BYTES */
    count first, end;   /* at[first] to at[end - 1] are there */
    bool past_caches;
};

/* Volatile, because compilers join two stores to one place and forget that one of them is to go
 * past the caches. */
void stream_line(const struct stream *s, line value, global element *to)
{
#ifdef LINE_IS_VECTOR
    if (!s->past_caches) {
        *(global volatile line *)to = value;
        return;
    }
#endif
    line_stream(value, to);
}

/* Whole lines from element `first` of a row on. Two loops: a branch at each line costs as much as a
 * shuffle. */
void stream_lines(const struct stream *s, global const element *from, count first, count lines)
{
    if (s->past_caches)
        for (count i = 0; i < lines; ++i) {
            count at = line_order(i, lines);
            line_stream(gather(from, first + at), s->to + at);
        }
    else
        for (count i = 0; i < lines; ++i) {
            count at = line_order(i, lines);
            stream_line(s, gather(from, first + at), s->to + at);
        }
}

void stream_begin(struct stream *s, global element *to)
{
    s->first = s->end = (count)((ulong)to % LINE_BYTES / ELEMENT_SIZE);
    s->to = to - s->first;
}

/* Writes what is there of a line. */
void stream_end(struct stream *s)
{
    if (s->end - s->first == LINE)
        stream_line(s, *(line *)s->at, s->to);
    else
        for (count k = s->first; k < s->end; ++k)
            s->to[k] = s->at[k];
    s->to += s->end;
    s->first = s->end = 0;
}

/* The first n elements of a line, not all. */
void stream_part(struct stream *s, line row, count n)
{
    count before = s->end;
    *(loose_line *)(s->at + before) = row;
    s->end += n;
    if (s->end < LINE)
        return;
    s->end = LINE;
    stream_end(s);
    *(loose_line *)(s->at + before - LINE) = row;
    s->end = before + n - LINE;
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
    stream_lines(s, from, k, lines);
    s->to += lines * LINE;
    s->end = (n - k) % LINE;
    if (s->end > 0)
        *(loose_line *)(s->at + s->end - LINE) = gather(from, n - LINE);
}

/* Close rows from the k-th on, as long as lines may be gathered. Returns which is the next. */
uint stream_close(struct stream *stream, const struct stretch *t, uint k, const struct walk *w,
                  global const element *in, index first)
{
    struct stream s = *stream; /* in registers */
    for (; k < t->blocks && may_gather(w, first + (index)k * t->in_step); ++k)
        stream_part(&s, gather(in + (first + (index)k * t->in_step), 0), t->width * GROUP_SIZE);
    *stream = s;
    return k;
}

#ifdef LINE_IS_VECTOR
/* The same of longer rows: the line that a row shares with the one before is joined of both.
 * `past_caches`: the stream's, a constant for the compiler. */
__attribute__((always_inline)) uint stream_joined(struct stream *stream, const struct stretch *t,
                                                  uint k, const struct walk *w,
                                                  global const element *in, index first,
                                                  bool past_caches)
{
    struct stream s = *stream; /* in registers */
    count n = t->width * GROUP_SIZE;
    s.past_caches = past_caches;
    for (; k < t->blocks; ++k) {
        index from = first + (index)k * t->in_step, before = from - t->in_step;
        count shared = s.end, own = shared > 0 ? LINE - shared : 0;
        index back = (index)((shared + GROUP_SIZE - 1) / GROUP_SIZE);
        if (!may_gather(w, before + (index)((n - shared) / GROUP_SIZE) * GROUP_STRIDE) ||
            !may_gather(w, from - back * GROUP_STRIDE))
            break;
        if (shared > 0) {
            line head =
                gather(in + (from - back * GROUP_STRIDE), (count)back * GROUP_SIZE - shared);
            stream_line(&s, line_join(gather(in + before, n - shared), shared, head), s.to);
            s.to += LINE;
        }
        count lines = (n - own) / LINE;
        stream_lines(&s, in + from, own, lines);
        s.to += lines * LINE;
        s.end = (n - own) % LINE;
    }
    if (s.end > 0)
        *(loose_line *)(s.at + s.end - LINE) =
            gather(in + (first + (index)(k - 1) * t->in_step), n - LINE);
    *stream = s;
    return k;
}
#endif

/* Longer rows behind the k-th, as far as lines may be gathered. Returns which is the next. */
uint stream_long(struct stream *s, const struct stretch *t, uint k, const struct walk *w,
                 global const element *in, index first)
{
#ifdef LINE_IS_VECTOR
    if (k > 0 && t->width * GROUP_SIZE >= LINE && rows_follow(t))
        return s->past_caches ? stream_joined(s, t, k, w, in, first, true)
                              : stream_joined(s, t, k, w, in, first, false);
#endif
    return k;
}

void stream_stretch(struct stream *s, const struct stretch *t, const struct walk *w,
                    global const element *in, index from, global element *out)
{
    bool close = rows_are_close(t);
    for (uint k = 0; k < t->blocks;) {
        global element *to = out + (index)k * t->out_step;
        if (s->to + s->end != to) {
            stream_end(s);
            stream_begin(s, to);
        }
        uint next = close ? stream_close(s, t, k, w, in, from) : stream_long(s, t, k, w, in, from);
        if (next == k)
            stream_row(s, in + (from + (index)k++ * t->in_step), t->width * GROUP_SIZE);
        else
            k = next;
    }
}

/* ---- Rows apart from each other ---- */

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

/* ---- Either ---- */

/* The blocks of this work-item. */
void move_blocks(global const element *in, global element *out, const struct walk *w)
{
    element lines[3 * LINE] __attribute__((aligned(LINE_BYTES)));
    count block = (count)get_global_id(0) * w->batch;
    count end = min((count)w->blocks, block + w->batch);
    struct stretch t;
    struct cursor c;
    struct stream s;
    cursor_set(&c, w, block);
    s.at = lines + LINE;
    s.past_caches = w->past_caches;
    stream_begin(&s, out + c.out);
    for (; block < end; block += t.blocks) {
        t = stretch_from(&c, w, end - block);
        if (w->past_caches || rows_follow(&t))
            stream_stretch(&s, &t, w, in, c.in, out + c.out);
        else
            for (uint k = 0; k < t.blocks; ++k)
                copy_row(in + (c.in + (index)k * t.in_step), out + (c.out + (index)k * t.out_step),
                         t.width * GROUP_SIZE);
        cursor_advance(&c, w, t.dim, t.blocks);
    }
    stream_end(&s);
}

#endif
