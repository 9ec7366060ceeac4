/* SPDX-License-Identifier: MIT */
/*
 * What every kernel starts from: the element, the index and the walk. Compiled in front of each
 * variant with two definitions:
 *
 *     ELEMENT_SIZE   1, 2, 4, 8 or 16: bytes of one move. Elements are opaque bits, never numbers,
 *                    so NaN payloads, negative zeros and denormals arrive as they were.
 *     INDEX_BITS     32 or 64: every index of the launch, relative to its first element, fits in a
 *                    signed integer of so many bits.
 *
 * Arguments of every variant, in this order:
 *
 *     in, out              the two buffers; they do not overlap
 *     in_first, out_first  elements from their starts to the launch's first coordinate
 *     w                    the walk
 */
#ifndef WALK_CL
#define WALK_CL

#ifndef ELEMENT_SIZE
#define ELEMENT_SIZE 4
#endif
#ifndef INDEX_BITS
#define INDEX_BITS 32
#endif

#if ELEMENT_SIZE == 1
typedef uchar element;
#elif ELEMENT_SIZE == 2
typedef ushort element;
#elif ELEMENT_SIZE == 4
typedef uint element;
#elif ELEMENT_SIZE == 8
typedef ulong element;
#elif ELEMENT_SIZE == 16
typedef uint4 element;
#endif

#if INDEX_BITS == 32
typedef int index;
typedef uint count;
#else
typedef long index;
typedef ulong count;
#endif

/* A unit is a run of elements along the innermost dimension; units are numbered in the output's
 * order. Dimension 0 counts the runs of a row, dimension 1 the rows, and so on outwards. */
struct walk {
    ulong units;
    ulong row;    /* elements of the innermost dimension */
    long in_step; /* along it */
    long out_step;
    long in_stride[8];
    long out_stride[8];
    uint size[8];
    uint rank;  /* 1 to 8 */
    uint run;   /* elements of a unit; the last of a row may be shorter */
    uint batch; /* consecutive units of one work-item */
    uint reserved;
};

/* Where a unit begins, in elements from the launch's first. */
struct place {
    index in, out;
    uint run_at; /* which run of its row it is */
};

/* Every step stands by itself: for a loop, compilers for GPUs copy the walk's arrays to slow memory
 * in order to index them. The last dimension needs no division. */
#define PLACE_STEP(d)                                         \
    if (w->rank > d) {                                        \
        count next = w->rank > d + 1 ? unit / w->size[d] : 0; \
        index at = (index)(unit - next * w->size[d]);         \
        place.in += at * (index)w->in_stride[d];              \
        place.out += at * (index)w->out_stride[d];            \
        if (d == 0)                                           \
            place.run_at = (uint)at;                          \
        unit = next;                                          \
    }

struct place place_of(const struct walk *w, count unit)
{
    struct place place = {0, 0, 0};
    PLACE_STEP(0)
    PLACE_STEP(1)
    PLACE_STEP(2)
    PLACE_STEP(3)
    PLACE_STEP(4)
    PLACE_STEP(5)
    PLACE_STEP(6)
    PLACE_STEP(7)
    return place;
}

/* Elements of a unit, by which run of its row it is. */
count run_length(const struct walk *w, uint run_at)
{
    return min((count)w->row - (count)run_at * w->run, (count)w->run);
}

/* A place that steps to the next unit without dividing, for work-items that take many. */
struct cursor {
    index in, out;
    uint at[8];
};

void cursor_set(struct cursor *c, const struct walk *w, count unit)
{
    c->in = c->out = 0;
    for (uint d = 0; d < w->rank; ++d) {
        c->at[d] = (uint)(unit % w->size[d]);
        unit /= w->size[d];
        c->in += (index)c->at[d] * (index)w->in_stride[d];
        c->out += (index)c->at[d] * (index)w->out_stride[d];
    }
}

void cursor_step(struct cursor *c, const struct walk *w)
{
    for (uint d = 0; d < w->rank; ++d) {
        if (++c->at[d] < w->size[d]) {
            c->in += (index)w->in_stride[d];
            c->out += (index)w->out_stride[d];
            return;
        }
        index back = (index)(w->size[d] - 1);
        c->in -= (index)w->in_stride[d] * back;
        c->out -= (index)w->out_stride[d] * back;
        c->at[d] = 0;
    }
}

#endif
