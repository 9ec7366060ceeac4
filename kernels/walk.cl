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
 *     in, out  the two buffers; they do not overlap
 *     w, walk  the walk: itself for many threads, in constant memory for few, as PoCL makes a costly copy of
 *              every argument at every launch
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

/* A dimension that units are numbered by. */
struct walk_dim {
    long in_stride; /* from unit to unit */
    long out_stride;
    uint size;
    uint reciprocal, shift; /* for quotient() */
    uint reserved;
};

/* A unit is a block of the output, `run` elements along the row by `lines` along the column; units are
 * numbered by dimensions, the fastest first: of a transpose, the blocks of lines; the runs of a row; then
 * the slice's others. */
struct walk {
    ulong in_first; /* elements from the buffers' starts to the launch's first */
    ulong out_first;
    ulong units;
    ulong row;   /* elements of that dimension */
    long in_low; /* the launch reads [in_low, in_high), from its first element */
    long in_high;
    uint rank;  /* 1 to 8 */
    uint run;   /* the last of a row may be shorter, or empty */
    uint lines; /* the last of a column may have fewer */
    uint batch; /* consecutive units of one work-item */
    struct walk_dim dim[8];
    ulong column; /* elements of that dimension, 1 where there is none */
    long in_step; /* along the row */
    long out_step;
    long in_line; /* along the column */
    long out_line;
    uint past_caches; /* the output is larger than what caches hold */
    uint transposes;  /* dim[0] counts blocks of lines and dim[1] runs, else dim[0] runs */
};

/* Where a unit begins, in elements from the launch's first. */
struct place {
    index in, out;
    uint at[2]; /* its coordinates of dimensions 0 and 1 */
};

/* unit / w->dim[d].size, without a division where 32 bits do: core/plan.c says how. */
count quotient(const struct walk *w, uint d, count unit)
{
#if INDEX_BITS == 32
    uint high = mul_hi(unit, w->dim[d].reciprocal);
    return w->dim[d].size == 1 ? unit : (high + ((unit - high) >> 1)) >> w->dim[d].shift;
#else
    return unit / w->dim[d].size;
#endif
}

/* Every step stands by itself: for a loop, compilers for GPUs copy the walk's arrays to slow memory
 * in order to index them. The last dimension needs no division. */
#define PLACE_STEP(d)                                                       \
    {                                                                       \
        bool last = w->rank == d + 1;                                       \
        count next = last ? 0 : quotient(w, d, unit);                       \
        uint at = last ? (uint)unit : (uint)(unit - next * w->dim[d].size); \
        place.in += (index)at * (index)w->dim[d].in_stride;                 \
        place.out += (index)at * (index)w->dim[d].out_stride;               \
        if (d < 2)                                                          \
            place.at[d] = at;                                               \
        if (last)                                                           \
            return place;                                                   \
        unit = next;                                                        \
    }

struct place place_of(const struct walk *w, count unit)
{
    struct place place = {0, 0, {0, 0}};
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

/* Elements of a unit along the row, by which run of it that is. */
count run_length(const struct walk *w, uint run_at)
{
    count before = (count)run_at * w->run;
    return before < (count)w->row ? min((count)w->row - before, (count)w->run) : 0;
}

/* Lines of a unit, by which block of them it is. */
count line_count(const struct walk *w, uint block_at)
{
    return min((count)w->column - (count)block_at * w->lines, (count)w->lines);
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
        c->at[d] = (uint)(unit % w->dim[d].size);
        unit /= w->dim[d].size;
        c->in += (index)c->at[d] * (index)w->dim[d].in_stride;
        c->out += (index)c->at[d] * (index)w->dim[d].out_stride;
    }
}

/* n units further along dimension d, at most up to its end. */
void cursor_advance(struct cursor *c, const struct walk *w, uint d, uint n)
{
    for (; d < w->rank; ++d, n = 1) {
        if (n < w->dim[d].size - c->at[d]) {
            c->at[d] += n;
            c->in += (index)w->dim[d].in_stride * (index)n;
            c->out += (index)w->dim[d].out_stride * (index)n;
            return;
        }
        c->in -= (index)w->dim[d].in_stride * (index)c->at[d];
        c->out -= (index)w->dim[d].out_stride * (index)c->at[d];
        c->at[d] = 0;
    }
}

void cursor_step(struct cursor *c, const struct walk *w)
{
    cursor_advance(c, w, 0, 1);
}

/* Alike units from a cursor on, each a step behind the one before: loops over them keep to registers. */
struct stretch {
    uint units;
    uint dim;  /* 0: runs of a row; 1: whole rows */
    count run; /* elements of each */
    index in_step, out_step;
};

struct stretch stretch_from(const struct cursor *c, const struct walk *w, count most)
{
    struct stretch s;
    s.dim = w->dim[0].size == 1 && w->rank > 1;
    uint left = w->dim[s.dim].size - c->at[s.dim];
    if (s.dim == 0 && left > 1)
        --left; /* a row's last run may be shorter */
    s.units = (uint)min((count)left, most);
    s.run = run_length(w, c->at[0]);
    s.in_step = (index)w->dim[s.dim].in_stride;
    s.out_step = (index)w->dim[s.dim].out_stride;
    return s;
}

#endif
