/* SPDX-License-Identifier: MIT */
/*
 * How CPU kernels go through the items of a batch. Where a table leads, no processor guesses: the
 * origins of some items are found before they are moved, and the memory of small ones is asked for
 * then. Of larger ones, rows_cpu and strided_cpu ask for the next while they move one. Transposes
 * have lines along their columns, of which a small item has too many.
 */
#ifndef ORIGINS_CL
#define ORIGINS_CL

#ifdef BATCH

#define ITEM_LINES 32 /* that an item takes of the input, at most, for all of it to be asked for */
#define LINES_AT_ONCE 64 /* that have been asked for and are not read yet, about */
#define ITEMS_AHEAD 15   /* at most */

/* A work-item's blocks from `block` on. */
struct items {
    ulong block, end;
    uint item, first; /* `block` is that item's first-th */
    uint found, last; /* the item whose origin is found next; the last one with blocks here, */
    uint beyond;      /* and the first behind the item that comes then */
    bool counts;      /* whether that next one is counted here if it is skipped: it begins here */
    uint ahead;       /* items that are found before they are moved */
    struct origin origin[ITEMS_AHEAD + 1];
    uint lines;             /* of each item, to be asked for, */
    index line[ITEM_LINES]; /* and an element of each, from the item's first */
};

/* Adds the second and later of so many steps to an item's lines, but for those that lie in lines
 * listed. Returns false where there are too many. */
static bool items_add(struct items *s, uint size, index step)
{
    if (step == 0 || size == 1) /* where it is 1, the step means nothing */
        return true;
    const uint every = (uint)(LINE / clamp(max(step, -step), (index)1, (index)LINE));
    const uint n = s->lines;
    if ((size - 2) / every + 1 >= ITEM_LINES / n)
        return false;
    ROLLED
    for (uint i = every; i - every < size - 1; i += every)
        for (uint k = 0; k < n; ++k)
            s->line[s->lines++] = s->line[k] + (index)min(i, size - 1) * step;
    return true;
}

/* For the work-item of that number, which has blocks. Lists lines along the row's dimensions, then
 * along the others; dimension 0, the blocks of a row, is part of the row. Pixels count as their
 * first elements. */
NOINLINE static void items_set(struct items *s, const struct walk *restrict w, ulong number)
{
    ulong steps = w->row;
    bool fit = PREFETCHES && !w->transposes;
    s->block = number * w->blocks_each;
    s->end = min((ulong)w->items * w->of_item, s->block + w->blocks_each);
    s->item = s->found = (uint)(s->block / w->of_item);
    s->first = (uint)(s->block % w->of_item);
    s->last = (uint)((s->end - 1) / w->of_item);
    s->beyond = min(w->items, s->last + 2);
    s->counts = s->first == 0;
    s->line[0] = 0;
    s->lines = 1;
    for (uint d = w->rank; fit && d < 8 && w->dim[d].size > 0; ++d) {
        fit = items_add(s, w->dim[d].size, (index)w->dim[d].in_stride);
        steps /= w->dim[d].size;
    }
    fit = fit && items_add(s, (uint)steps, (index)w->in_step);
    for (uint d = 1; fit && d < w->rank; ++d)
        fit = items_add(s, w->dim[d].size, (index)w->dim[d].in_stride);
    s->lines = fit ? s->lines : 0;
    s->ahead = fit ? clamp(LINES_AT_ONCE / s->lines, 1u, (uint)ITEMS_AHEAD) : 1;
}

/* Keeps an origin, SKIPPED for an item that is not moved, and asks for the item's memory. The next
 * item is found next. */
NOINLINE static void items_keep(struct items *s, ulong at, ulong out, bool fits,
                                global const element *in)
{
    struct origin *kept = &s->origin[s->found++ % (ITEMS_AHEAD + 1)];
    kept->in = fits ? at : SKIPPED;
    kept->out = out;
    s->counts = s->found <= s->last;
    for (uint i = 0; fits && i < s->lines; ++i)
        PREFETCH(in + at + s->line[i]);
}

/* Calls f with the tensors at an item, and with the blocks [first, end) of it, for each that a
 * CPU's work-item has to do with; and with the input of what comes behind those blocks. */
#define EACH_ITEM(f)                                                                       \
    {                                                                                      \
        struct items s;                                                                    \
        if ((ulong)get_global_id(0) * w.blocks_each >= (ulong)w.items * w.of_item)         \
            return;                                                                        \
        items_set(&s, &w, get_global_id(0));                                               \
        in += w.in_first;                                                                  \
        out += w.out_first;                                                                \
        for (uint end; s.block < s.end; s.block += end - s.first, s.first = 0, ++s.item) { \
            while (s.found < s.beyond && s.found - s.item <= s.ahead) {                    \
                struct origin o;                                                           \
                bool fits = ORIGIN(&o, s.found, s.counts);                                 \
                items_keep(&s, o.in, o.out, fits, in);                                     \
            }                                                                              \
            const struct origin o = s.origin[s.item % (ITEMS_AHEAD + 1)];                  \
            struct origin behind = o;                                                      \
            end = (uint)min(s.first + (s.end - s.block), (ulong)w.of_item);                \
            if (end == w.of_item && s.item + 1 < w.items)                                  \
                behind = s.origin[(s.item + 1) % (ITEMS_AHEAD + 1)];                       \
            if (behind.in == SKIPPED)                                                      \
                behind = o;                                                                \
            if (o.in != SKIPPED)                                                           \
                f(in + o.in, out + o.out, (count)s.first, (count)end, in + behind.in);     \
        }                                                                                  \
    }
#else
#define EACH_ITEM(f)                                                                      \
    {                                                                                     \
        count block = (count)get_global_id(0) * w.blocks_each;                            \
        in += w.in_first;                                                                 \
        f(in, out + w.out_first, block, min((count)w.blocks, block + w.blocks_each), in); \
    }
#endif

#endif
