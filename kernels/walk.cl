/* SPDX-License-Identifier: MIT */
/*
 * What every kernel starts from: the element, the index and the walk. Functions here, and in other
 * files that several kernels share, are static, so that compilers leave out what a kernel does not
 * call. Compiled in front of each variant with two definitions:
 *
 *     ELEMENT_SIZE   1, 2, 4, 8 or 16: bytes of one move. Elements are opaque bits, never numbers,
 *                    so NaN payloads, negative zeros and denormals arrive as they were.
 *     INDEX_BITS     32 or 64: every index of the launch, relative to its first element, fits in a
 *                    signed integer of so many bits.
 *
 * Only kernels call get_local_size() and the like: with -cl-opt-disable, PoCL 7.1 has none of them
 * in other functions.
 *
 * Arguments of every variant, in this order:
 *
 *     in, out  the two buffers; no element that is written is read
 *     w, walk  the walk: itself for many threads, in constant memory for few, as PoCL makes a
 *              costly copy of every argument at every launch
 *     windows, indices, skipped, b
 *              where BATCH is defined: the tables of its items, of which `indices` may have their
 *              origins, and their count of skipped ones, any buffers where there are none; and
 *              how the tables are read
 *     few      where FEW_WORDS is defined, in place of those: the items' origins
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

/* A dimension that blocks are numbered by. */
struct walk_dim {
    long in_stride; /* from block to block */
    long out_stride;
    uint size;
    uint reciprocal, shift; /* for quotient() */
    uint by_count;          /* of a gradient, of inputs along it, for quotient_by() */
};

/* A dimension of transpose_gpu's blocks. Of transpose_cpu, one of a column's step: its steps and
 * its extent. */
struct walk_extent {
    long in_step; /* from element to element */
    long out_step;
    int extent;         /* of a block, */
    int previous, last; /* of the last but one, and of the last, which may have none */
    int early;          /* coordinates before a block's first that lines hold, too */
    uint reciprocal;    /* of what local memory holds of it: see divided() in transpose_gpu.cl */
    int pitch;          /* in local memory */
};

#ifdef GRADIENT
/* A dimension of a gradient's input: input coordinate k goes to the launch's output coordinate
 * start + k * step. */
struct walk_scatter {
    uint start, step; /* the step is at least 1 */
    uint count;       /* of input coordinates; may be 0 */
    uint by_step;     /* of a step above 1, for quotient_by() */
    ushort step_shift, count_shift;
};
#endif

/*
 * A block of the output is `width` elements along a row by `height` along a column, as far as there
 * are any:
 *
 *            |<- width ->|
 *          - o  o  o  o  | o  o  o  o  | o  o   a row
 *     height o  o  o  o  | o  o  o  o  | o  o
 *          - o  o  o  o  | o  o  o  o  | o  o
 *          --------------+-------------+-----
 *            o  o  o  o  | o  o  o  o  | o  o
 *            a column
 *
 * A row is the dimension of neighbours in the output. A column lies across it: in a transpose,
 * along neighbours in the input; where rows are made of groups, along the elements of a group; else
 * it is a single element. In the memory of either tensor, a step leads to the next element of a
 * row, a pitch to the next of a column. Blocks are numbered by dimensions, the fastest first: of a
 * transpose, those of a column, or of strided_cpu perhaps one of the others; those of a row; then
 * the slice's others. To strided_gpu the launch is one row of all its elements, or columns, and
 * these are numbered by dimensions. A row of a strided kernel, gapped_cpu or transpose_cpu may hold
 * several dimensions: those behind the others, as far as any has a size, number the elements of a
 * step, the fastest first.
 */
struct walk {
    ulong in_first; /* elements from the buffers' starts to the launch's first */
    ulong out_first;
    ulong blocks; /* in all */
    ulong row;    /* elements of that dimension */
    long in_low;  /* the launch, or each item of a batch, reads [in_low, in_high), from its first */
    long in_high;
    uint rank;        /* 1 to 8 */
    uint width;       /* the last block of a row may be narrower, or empty */
    uint height;      /* the last of a column may be lower */
    uint blocks_each; /* of a work-item: consecutive, but of gradient_gpu */
    struct walk_dim dim[8];
    ulong column; /* elements of that dimension, 1 where there is none */
    long in_step; /* along the row */
    long out_step;
    long in_pitch; /* along the column */
    long out_pitch;
    ushort is_large;    /* more is moved than the caches hold, */
    ushort past_caches; /* and in long runs */
    uchar transposes;   /* of transpose_cpu: dim[0] counts along the column, dim[1] along the row */
    uchar row_dim;      /* of kernels for CPUs: which dimension numbers a row's blocks, 0 or 1 */
    ushort out_ahead;   /* of gapped_cpu: elements of the output's memory from what is written to
                           what is asked for; 0: none is */
    uint makes_words;   /* of strided_gpu and gradient_gpu: see there */
    uint repeat;        /* of strided_gpu: blocks, behind which the same come again; or 0 */
    /* Of transpose_gpu, whose blocks are others: see there. Elements, where nothing is said. Of
     * transpose_cpu, block[] numbers the rows of a step along the column, as far as any has an
     * extent: a pitch leads from step to step. */
#ifdef GRADIENT
    struct walk_scatter scatter[8]; /* instead; dim[d] numbers elements, along scatter[d] */
#else
    struct walk_extent block[4]; /* dim[d] numbers the blocks along block[d] */
#endif
    uint run_rank;                   /* dimensions that a row goes through */
    uint full;                       /* elements of these, but for the last one; of strided_gpu: of
                                        a step, or of dim[0] what is no gap; of gradient_cpu: of a
                                        row's part */
    int end, previous_end, last_end; /* elements of a row, as extents of its last dimension */
    int last_pitch;                  /* of the row's last dimension */
    uint is_part;                    /* the row's last dimension has several blocks */
    uint is_straight;                /* a whole word's elements lie along one dimension */
    uint line_dims;                  /* bit d: elements of block[d] lie in lines of their own */
    int back;                        /* a line begins so far before its block's first coordinate */
    int before;                      /* of local memory, before that coordinate's unit */
    uint lines, units;               /* units: of a line, at most; of strided_gpu: elements of
                                        what groups begin at, a power of two */
    uint rows, words;                /* words: of a row, at most */
    uint strip;                      /* words of a row that neighbours write, */
    uint rows_at_once;               /* then of this row's neighbours, */
    uint strips_at_once;             /* then so many strips of them: */
    uint words_at_once;              /* of a row */
    uint steps;                      /* of a row, in a table, or 0 */
    uint has_ends;                   /* some rows have parts of words */
    uint by_full, by_units, by_strip, by_rows_at_once; /* reciprocals, for divided(); in strided_gpu
                                                          by_full for quotient_by(), and by_units of
                                                          2^16, or 0 */
    uint items;                                        /* of a batch, */
    uint of_item; /* and what each is divided into: work-items, groups of transpose_gpu, blocks of
                     a CPU's kernels */
    uint by_item, item_shift;      /* for quotient_by() */
    uchar order_shift, order_step; /* of transpose_gpu: work-item i reads a word's elements in the
                                      (i >> shift) * step-th order */
    /* Of transpose_gpu: blocks are numbered band by band. A band has up to `band_near` coordinates
     * of dimension `near`, which is numbered first, and all of the others: `band` blocks in all.
     * The last band may have numbers without a block: those whose coordinate is not below
     * `near_size`, which is dim[near].size. */
    uchar near, near_shift;
    uint near_size, band_near, by_band_near, band, by_band, band_shift;
};

/* Where a block begins, in elements from the launch's first. */
struct place {
    index in, out;
    uint at[2]; /* its coordinates of dimensions 0 and 1 */
};

#if INDEX_BITS == 32
#define SMALL_NUMBERS /* of elements, blocks and work-items: below 2^31 */
#endif

/* n / d, without a division, for d > 1: core/walk.c says how. */
static uint quotient_by(uint n, uint reciprocal, uint shift)
{
    uint high = mul_hi(n, reciprocal);
#ifndef SMALL_NUMBERS
    high += (n - high) >> 1;
#endif
    return high >> shift;
}

#ifdef BATCH
struct batch_axis {
    ulong stride, most;
};

/* core/batch.h has this layout and says what it is. */
struct batch {
    ulong in_first;
    long in_step;
    ulong out_pitch;
    ulong index_most;
    ulong first;
    ulong window_at, index_at, skipped_at;
    uint row_words, axis_count;
    uint index_words, index_bytes;
    uint shift;
    uint counts;
    struct batch_axis axis[8];
};

/* Where an item begins, elements from where in_first and out_first lead. */
struct origin {
    ulong in, out;
};
#define SKIPPED (~(ulong)0) /* `in` of an item that is not moved */

#ifdef FEW_WORDS
/* core/few_items.h has this layout and says what it is. */
struct few_items {
    ulong in_first, in_step;
    ulong out_first, out_pitch;
    uint in_words, out_words;
    uint word[FEW_WORDS];
};

/* A kernel's last parameter. */
#define ITEMS , struct few_items few
#define ORIGIN(o, i, counts) origin_of(o, &few, i)

/* Of the launch's item i, which the host has checked; false where it is skipped. */
static bool origin_of(struct origin *o, const struct few_items *few, uint i)
{
    uint word = few->word[i];
    o->in = few->in_words > 0 ? word : few->in_first + i * few->in_step;
    o->out =
        few->out_words > 0 ? few->word[few->in_words + i] : few->out_first + i * few->out_pitch;
    return word != ~(uint)0;
}
#else
/* A kernel's last parameters. */
#define ITEMS                                                                                \
    , global const uint *windows, global const uint *indices, volatile global uint *skipped, \
        struct batch b
#define ORIGIN(o, i, counts) origin_of(o, &b, windows, indices, skipped, i, counts)

/* An offset and the largest that fits have 32 bits. */
#define AXIS(a, FURTHER)                                \
    if (a < b->axis_count) {                            \
        uint offset = row[a];                           \
        fits = fits && offset <= (uint)b->axis[a].most; \
        in += (ulong)offset * b->axis[a].stride;        \
        FURTHER                                         \
    }
#define AXES_FROM_4 AXIS(4, AXIS(5, AXIS(6, AXIS(7, ))))

/* Of the launch's item i, from what its tables hold: used as it was checked here. False where it
 * breaks a rule, and must not be moved; who `counts` such items does so once for each. A table of
 * origins was made by the host, of items that it had checked. */
static bool origin_of(struct origin *o, const struct batch *b, global const uint *windows,
                      global const uint *indices, volatile global uint *skipped, uint i,
                      bool counts)
{
    if (b->index_bytes == sizeof *o) {
        *o = ((global const struct origin *)indices)[i];
        return o->in != SKIPPED;
    }
    global const uint *row = windows + b->window_at + (ulong)i * b->row_words;
    global const uint *at = indices + b->index_at + (ulong)i * b->index_words;
    ulong index = b->first + i, in = b->in_first;
    if (b->axis_count == 0)
        in += index * (ulong)b->in_step;
    if (b->index_bytes > 0)
        index = at[0];
    if (b->index_bytes == 8)
        index |= (ulong)at[1] << 32;
    bool fits = index <= b->index_most;
    AXIS(0, AXIS(1, AXIS(2, AXIS(3, AXES_FROM_4))))
    o->in = in >> b->shift;
    o->out = index * b->out_pitch >> b->shift;
    if (!fits && counts && b->counts)
        atomic_inc(skipped + b->skipped_at);
    return fits;
}
#endif

/* Where the item begins that a work-item's number belongs to. The number becomes that inside the
 * item, or one beyond all. */
#define FIND_ITEM(o, number)                                                     \
    {                                                                            \
        uint n = (uint)(number);                                                 \
        uint item = w.of_item > 1 ? quotient_by(n, w.by_item, w.item_shift) : n; \
        uint inside = n - item * w.of_item;                                      \
        number = ~(uint)0;                                                       \
        if (item < w.items && ORIGIN(&o, item, inside == 0))                     \
            number = inside;                                                     \
    }

/* Moves a kernel's tensors there. */
#define ENTER_ITEM(number)        \
    {                             \
        struct origin o = {0, 0}; \
        FIND_ITEM(o, number)      \
        in += o.in;               \
        out += o.out;             \
    }

/* The same, where a group has one number: all of it must read the same, whatever happens to the
 * tables. Declares variables of the kernel. */
#define GROUP_ENTERS_ITEM(number)        \
    local struct origin origin_of_group; \
    local uint number_of_group;          \
    if (get_local_id(0) == 0) {          \
        struct origin o = {0, 0};        \
        FIND_ITEM(o, number)             \
        origin_of_group = o;             \
        number_of_group = (uint)number;  \
    }                                    \
    barrier(CLK_LOCAL_MEM_FENCE);        \
    in += origin_of_group.in;            \
    out += origin_of_group.out;          \
    number = number_of_group
#else
#define ITEMS
#define ENTER_ITEM(number)
#define GROUP_ENTERS_ITEM(number)
#endif

/* A batch with small numbers divides by the last dimension as by any other, and by 1, too: twice
 * the number, with one bit more of a shift. Comparisons for each dimension take registers, of which
 * a work-item that makes several blocks has too few. Other launches are slower that way. */
#if defined BATCH && defined SMALL_NUMBERS
#define DIVIDES_BY_1
#endif

/* n / w->dim[d].size, where the size is above 1. A slice has fewer than 2^32 elements, and fewer
 * blocks. */
static uint quotient_above_1(const struct walk *w, uint d, uint n)
{
#ifdef DIVIDES_BY_1
    n *= 2;
#endif
    return quotient_by(n, w->dim[d].reciprocal, w->dim[d].shift);
}

static uint quotient(const struct walk *w, uint d, uint n)
{
#ifdef DIVIDES_BY_1
    return quotient_above_1(w, d, n);
#else
    return w->dim[d].size == 1 ? n : quotient_above_1(w, d, n);
#endif
}

#ifdef DIVIDES_BY_1
#define NEXT_DIMENSION(d) quotient(w, d, block)
#else
#define NEXT_DIMENSION(d) (w->rank == d + 1 ? 0 : quotient(w, d, block))
#endif

/* Every step stands by itself: for a loop, compilers for GPUs copy the walk's arrays to slow memory
 * in order to index them. The last dimension's next is 0. */
#define PLACE_STEP(d)                                         \
    {                                                         \
        uint next = NEXT_DIMENSION(d);                        \
        uint at = block - next * w->dim[d].size;              \
        place.in += (index)at * (index)w->dim[d].in_stride;   \
        place.out += (index)at * (index)w->dim[d].out_stride; \
        if (d < 2)                                            \
            place.at[d] = at;                                 \
        if (w->rank == d + 1)                                 \
            return place;                                     \
        block = next;                                         \
    }

static struct place place_of(const struct walk *w, uint block)
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

/* Width of the at-th block of a row. */
static count block_width(const struct walk *w, uint at)
{
    count before = (count)at * w->width;
    return before < (count)w->row ? min((count)w->row - before, (count)w->width) : 0;
}

/* Height of the at-th block of a column. */
static count block_height(const struct walk *w, uint at)
{
    return min((count)w->column - (count)at * w->height, (count)w->height);
}

/* A place that steps to the next block without dividing, for work-items that take many. */
struct cursor {
    index in, out;
    uint at[8];
};

static void cursor_set(struct cursor *c, const struct walk *w, count block)
{
    c->in = c->out = 0;
    for (uint d = 0; d < w->rank; ++d) {
        c->at[d] =
            block > 0 ? (uint)(block % w->dim[d].size) : 0; /* an item's first costs no division */
        block = block > 0 ? block / w->dim[d].size : 0;
        c->in += (index)c->at[d] * (index)w->dim[d].in_stride;
        c->out += (index)c->at[d] * (index)w->dim[d].out_stride;
    }
}

/* n blocks further along dimension d, at most up to its end. */
static void cursor_advance(struct cursor *c, const struct walk *w, uint d, uint n)
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

static void cursor_step(struct cursor *c, const struct walk *w)
{
    cursor_advance(c, w, 0, 1);
}

/* Alike blocks from a cursor on, each a step behind the one before: loops over them keep to
 * registers. */
struct stretch {
    uint blocks;
    uint dim;    /* 0: blocks of a row; 1: whole rows */
    count width; /* of each */
    index in_step, out_step;
};

static struct stretch stretch_from(const struct cursor *c, const struct walk *w, count most)
{
    struct stretch s;
    s.dim = w->dim[0].size == 1 && w->rank > 1;
    uint left = w->dim[s.dim].size - c->at[s.dim];
    if (s.dim == 0 && left > 1)
        --left; /* a row's last block may be narrower */
    s.blocks = (uint)min((count)left, most);
    s.width = block_width(w, c->at[0]);
    s.in_step = (index)w->dim[s.dim].in_stride;
    s.out_step = (index)w->dim[s.dim].out_stride;
    return s;
}

#endif
