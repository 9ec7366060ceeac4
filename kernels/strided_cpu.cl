/* SPDX-License-Identifier: MIT */
/*
 * strided_cpu: rows of any dimensions with any steps, reversed and broadcast ones among them, for
 * devices with few threads. The elements of a row lie side by side in the output; gaps may lie
 * between rows. Fast where runs are long: see runs_are_short() in core/variants/cpu_variant.c.
 *
 * Grid: one dimension, groups of one. Work-item i copies `blocks_each` blocks from i times that on,
 * as far as there are any.
 * The plan guarantees: out_step is 1; width is at most TABLE, and a multiple of the inner
 * dimensions' sizes. It may be more where in_step is 1 or -1 and a step has at most half of TABLE:
 * then it is a square's rows, of a step each, and a row has at least so many.
 */
#ifndef WALK_CL
#include "walk.cl"

#include "line.cl"
#include "offsets.cl"
#include "origins.cl"
#include "square.cl"
#include "strip.cl"
#endif

#define TABLE (4096 / ELEMENT_SIZE)
/* A square's rows, of the longest step that a table has room for twice. */
#define STRIP (TABLE * (ELEMENT_SIZE == 1 ? 8 : ELEMENT_SIZE == 2 ? 4 : 2))
#ifdef LINE_IS_VECTOR
#define RUN_READ QUAD /* elements of a run that are read at once */
#else
#define RUN_READ 1
#endif
#define RUN_LEAST 3     /* elements, for vectors to be faster than single ones */
#define FEW_OF_SQUARE 4 /* turning is faster where a square is filled to a quarter */
/* Of a quad, at most. Where it has four elements, more than two pieces take longer than moving
 * these singly. */
#define PIECES (ELEMENT_SIZE == 4 ? 2 : 8)
/* Of a table, and a line more, so that a quad's pieces are not a power of two apart. */
#define QUADS (TABLE / QUAD + 4)
/* Elements of a row are at most so far from each other that none of its lines is left out, and the
 * row is spread over at least so much: the processor guesses which line comes next. It does so
 * later where lines follow each other downwards, and elements are so far apart that few of each are
 * read. */
#define NEAR_BYTES 64
#define FAR_BYTES 4096
#define FAR_DOWN_BYTES (32 << 10)
#define SPARSE_BYTES 16
#define FOLLOWS_BYTES 384 /* at most, from a row to the next that follows it */
#define AHEAD_BYTES 4096  /* from what is read of a row to what is asked for */
#define BLOCKS_LEAST 16   /* of a work-item, for pieces to be worth finding */

/* About how many instructions it takes to put a quad together, */
#define PICKING(pieces) (2 + 3 * (pieces))
#define RUNNING(n) (int)((6 + 2 * (((n) + QUAD - 1) / QUAD)) * QUAD / (n))     /* of runs of n, */
#define SINGLY (3 * QUAD)                                                      /* of elements */
#define TURNING(step) (5 * SQUARE * (((step) + SQUARE - 1) / SQUARE) / (step)) /* of squares */

/* What every block of a work-item has alike. */
struct table {
    index at[TABLE];    /* where its elements lie in the input, from its first */
    index touch[TABLE]; /* and of these about one in each line of memory */
    index touches, touches_per_line;
    index step;       /* elements of a step of the row, which the inner dimensions number */
    index run, way;   /* so many of them are neighbours, upwards or downwards, or one; 0: too few */
    index n;          /* elements of a whole block, */
    index low, high;  /* and where they lie, at most */
    bool is_lone;     /* runs, of which the next one begins a line or more behind one's end */
    bool is_strip;    /* a block has more elements than `at`, which has those of a step */
    index turns;      /* 1 or -1: the steps are neighbours, up- or downwards, and fill enough of a
                         square; else 0 */
    bool is_straight; /* of one dimension, and read without a table */
#ifdef PICKED
    index pieces; /* that a quad's elements are picked of, at most; 0: too many */
    quad lanes[PIECES * QUADS];
    index piece_at[PIECES * QUADS]; /* piece k of quad q: k * QUADS + q */
#endif
};

#ifdef PICKED

/* How far a piece of quad q at `low`, where one of the quad's elements lies, would read behind what
 * is asked for of that element's run: the run, or a quad in its direction, if that is more. */
index behind_run(const struct table *t, index q, const index *left, index low)
{
    index l = 0;
    while (left[l] != low)
        ++l;
    const index of_run = (q * QUAD + l) % t->run, at = t->way > 0 ? of_run : t->run - 1 - of_run;
    const index behind = at - (t->run - QUAD);
    return max(t->way > 0 ? min(behind, at) : behind, (index)0);
}

/* Finds the pieces of quad q, and returns how many. A piece is a quad of the input, from the first
 * element that no piece before has, but inside what a whole block spans. Those that are not needed
 * lie where the last one does, and so move on with it. */
index pieces_of(struct table *t, index q)
{
    const index none = (index)(((count)1 << (INDEX_BITS - 1)) - 1);
    index left[QUAD], p = 0, at = t->low;
    for (index l = 0; l < QUAD; ++l)
        left[l] = q * QUAD + l < t->n ? t->at[q * QUAD + l] : none;
    for (index k = 0; k < PIECES; ++k) {
        index low = none;
        element lanes[QUAD];
        for (index l = 0; l < QUAD; ++l)
            low = min(low, left[l]);
        p += low != none;
        if (low != none && t->is_lone)
            low = max(low - behind_run(t, q, left, low), t->low);
        low = low != none ? min(low, t->high - (QUAD - 1)) : none;
        for (index l = 0; l < QUAD; ++l) {
            count lane = (count)left[l] - (count)low;
            bool is_here = lane < QUAD && left[l] != none;
            lanes[l] = is_here ? PICK(lane) : PICK_NONE;
            left[l] = is_here ? none : left[l];
        }
        t->lanes[k * QUADS + q] = *(const loose_quad *)lanes;
        t->piece_at[k * QUADS + q] = at = low != none ? low : at;
    }
    for (index l = 0; l < QUAD; ++l)
        p = left[l] != none ? PIECES + 1 : p;
    return p;
}

/* The pieces of quad q, as those of the one `before` quads before it, whose elements lie `shift`
 * before its own; false where one would hang out. */
bool pieces_repeat(struct table *t, index q, index before, index shift)
{
    bool fit = true;
    for (index k = q; k < PIECES * QUADS; k += QUADS) {
        t->lanes[k] = t->lanes[k - before];
        t->piece_at[k] = (index)((count)t->piece_at[k - before] + (count)shift);
        fit = fit && t->piece_at[k] >= t->low && t->piece_at[k] <= t->high - (QUAD - 1);
    }
    return fit;
}

/* Steps are `apart` in the input. The quads of as many as fill some are alike. */
NOINLINE void pieces_set(struct table *t, index apart)
{
    const index steps = QUAD / min(t->step & -t->step, (index)QUAD), alike = steps * t->step / QUAD;
    const index shift = (index)((count)steps * (count)apart);
    const index quads = (t->n + LINE - 1) / LINE * (LINE / QUAD);
    const bool turns = t->turns != 0 && t->n / t->step >= SQUARE;
    const int cost = turns ? TURNING((int)t->step) : t->run > 0 ? RUNNING(t->run) : SINGLY;
    index most = PIECES;
    while (most > 0 && PICKING(most) > cost)
        --most;
    for (index q = 0; q < quads && t->pieces <= most && most > 0; ++q)
        if (q < alike || !pieces_repeat(t, q, alike, shift))
            t->pieces = max(t->pieces, pieces_of(t, q));
    t->pieces = t->pieces <= most ? t->pieces : 0;
}

#endif

/* Whether the processor guesses which lines a row takes; rows_are_straight() in core/launch.c asks
 * the same. */
bool is_guessed(const struct walk *w)
{
    index apart = magnitude((index)w->in_step);
    bool is_late = w->in_step < 0 && apart >= SPARSE_BYTES / ELEMENT_SIZE;
    ulong far = (is_late ? FAR_DOWN_BYTES : FAR_BYTES) / ELEMENT_SIZE;
    return apart > 0 && apart <= NEAR_BYTES / ELEMENT_SIZE && (ulong)apart * w->row >= far;
}

/* Whether the next row begins about where one ends, upwards. Then the processor goes on guessing,
 * which picking keeps it from, as reads and writes take turns. */
bool rows_follow(const struct table *t, const struct walk *w)
{
    const struct walk_dim *next = &w->dim[w->dim[0].size == 1 && w->rank > 1];
    const ulong most = FOLLOWS_BYTES / ELEMENT_SIZE;
    ulong apart = (ulong)next->in_stride - (ulong)t->n * (ulong)w->in_step; /* may be negative */
    return w->in_step > 0 && apart + most <= 2 * most;
}

NOINLINE void table_set(struct table *t, const struct walk *restrict w)
{
    const index inner = w->rank < 8 ? (index)w->dim[w->rank].size : 0;
    t->n = (index)w->width;
    t->is_strip = t->n > TABLE;
    t->step = step_elements(w);
    const index steps = t->is_strip ? 1 : t->n / t->step, n = list_row(t->at, w, steps, 0, 1);
    t->touches = list_row(t->touch, w, steps, LINE, RUN_READ);
    t->touches_per_line = (t->touches * LINE + n - 1) / n;
    t->turns = magnitude((index)w->in_step) == 1 && t->step > 1 && t->step * FEW_OF_SQUARE >= SQUARE
                   ? (index)w->in_step
                   : 0;
    t->way = inner > 0 ? (index)w->dim[w->rank].in_stride : 0;
    const index next =
        (index)(w->rank < 7 && w->dim[w->rank + 1].size > 0 ? w->dim[w->rank + 1].in_stride
                                                            : w->in_step);
    t->run = t->way >= -1 && t->way <= 1 && inner >= RUN_LEAST ? inner : 0;
    t->is_lone = t->run > 0 && t->way != 0 && magnitude(next) >= t->run + LINE;
    t->low = t->high = 0;
    ROLLED
    for (index e = 0; e < n; ++e) {
        t->low = min(t->low, t->at[e]);
        t->high = max(t->high, t->at[e]);
    }
    if (t->is_strip)
        *(t->turns < 0 ? &t->low : &t->high) += (t->n / t->step - 1) * t->turns;
    t->is_straight = t->step == 1 && is_guessed(w);
#ifdef PICKED
    const bool picks = !t->is_strip && !(t->is_straight && rows_follow(t, w));
    t->pieces = 0;
    if (picks && w->blocks_each >= BLOCKS_LEAST && t->high - t->low >= QUAD - 1)
        pieces_set(t, (index)w->in_step);
    t->is_straight = t->is_straight && t->pieces == 0;
#endif
}

/* Asks for the next n touches, and returns how many there were then. */
index ask_for(const struct table *t, global const element *next, index touched, index n)
{
    for (n = min(touched + n, t->touches); touched < n; ++touched)
        PREFETCH(next + t->touch[touched]);
    return touched;
}

#ifdef LINE_IS_VECTOR

/* By whole quads, of which the last may read and write more. */
void run_copy(element *to, global const element *from, index n, index way)
{
    if (way > 0)
        for (index k = 0; k < n; k += QUAD)
            *(loose_quad *)(to + k) = *(global const loose_quad *)(from + k);
    else if (way == 0)
        for (index k = 0; k < n; k += QUAD)
            *(loose_quad *)(to + k) = (quad)(*from);
    else
        for (index k = 0; k < n; k += QUAD)
            *(loose_quad *)(to + k) = TURNED(*(global const loose_quad *)(from - k - (QUAD - 1)));
}

/* The same of a lone run, but for the last quad, which ends where the run does, if it has so many
 * elements: nobody has asked for a line behind that. */
void lone_copy(element *to, global const element *from, index n, index way)
{
    const index last = max(n - QUAD, (index)0);
    if (way > 0) {
        for (index k = 0; k < last; k += QUAD)
            *(loose_quad *)(to + k) = *(global const loose_quad *)(from + k);
        *(loose_quad *)(to + last) = *(global const loose_quad *)(from + last);
    } else {
        from -= QUAD - 1;
        for (index k = 0; k < last; k += QUAD)
            *(loose_quad *)(to + k) = TURNED(*(global const loose_quad *)(from - k));
        *(loose_quad *)(to + last) = TURNED(*(global const loose_quad *)(from - last));
    }
}

/* The square at a column and a step. One that would hang out moves back inside. */
void turn_at(const struct table *t, global const element *from, const index *column, element *to,
             index c, index s, index steps)
{
    const index x = max(min(c, t->step - SQUARE), (index)0), y = min(s, steps - SQUARE);
    square_transpose(from + y * t->turns, column + x, t->turns, to + y * t->step + x, t->step);
}

/* Reads squares upwards: what a row of one has too much, the next one overwrites. Where steps fill
 * lines of the columns, all of a column comes before the next ones, as caches may not keep lines. A
 * strip asks for its last step: what lies in front of that in a line, the block before has read. */
void block_turn(const struct table *t, global const element *from, element *to, index steps,
                global const element *next)
{
    const bool down = t->is_strip || steps >= LINE;
    const index outer = down ? t->step : steps, inner = down ? steps : t->step;
    const index share = t->touches / max(outer / SQUARE, (index)1) + 1;
    index touched = 0, few[SQUARE];
    const index *column = square_columns(few, t->at, t->step);
    next += t->is_strip ? (steps - 1) * t->turns : 0;
    for (index i = 0; i < outer; i += SQUARE) {
        touched = ask_for(t, next, touched, share);
        for (index k = 0; k < inner; k += SQUARE)
            turn_at(t, from, column, to, down ? i : k, down ? k : i, steps);
    }
}

#endif

#ifdef PICKED

#define PIECE(k) PICKED(*(global const loose_quad *)(from + at[(k)*QUADS]), lanes[(k)*QUADS])

/* By whole lines. Inlined for a constant number of pieces, and without a loop over them, which a
 * compiler may leave there. */
static void block_pick_by(const struct table *t, global const element *from, element *to, index n,
                          global const element *next, index pieces)
{
    for (index k = 0, touched = 0; k < n; k += LINE) {
        touched = ask_for(t, next, touched, t->touches_per_line);
#pragma unroll
        for (index e = k; e < k + LINE; e += QUAD) {
            const index *at = t->piece_at + e / QUAD;
            const quad *lanes = t->lanes + e / QUAD;
            quad picked = PIECE(0);
            if (pieces > 1)
                picked |= PIECE(1);
            if (pieces > 2)
                picked |= PIECE(2);
            if (pieces > 3)
                picked |= PIECE(3);
            if (pieces > 4)
                picked |= PIECE(4) | PIECE(5);
            if (pieces > 6)
                picked |= PIECE(6) | PIECE(7);
            *(loose_quad *)(to + e) = picked;
        }
    }
}

NOINLINE void block_pick(const struct table *restrict t, global const element *from, element *to,
                         index n, global const element *next)
{
    if (PIECES > 2 && t->pieces == 1)
        block_pick_by(t, from, to, n, next, 1);
    else if (PIECES == 2 || t->pieces == 2)
        block_pick_by(t, from, to, n, next, 2);
    else if (t->pieces == 3)
        block_pick_by(t, from, to, n, next, 3);
    else if (t->pieces == 4)
        block_pick_by(t, from, to, n, next, 4);
    else if (t->pieces <= 6)
        block_pick_by(t, from, to, n, next, 6);
    else
        block_pick_by(t, from, to, n, next, PIECES);
}

#endif

/* Reads a block of n elements, and asks for the next one's memory: the processor cannot guess it,
 * and does not look ahead so far. Behind `to` is room for a line more. A strip's last rows turn
 * with those before them, for which there is room before `to`; what is kept there is the same. */
NOINLINE void block_read(const struct table *restrict t, global const element *from, element *to,
                         index n, global const element *next, bool may_overrun)
{
    index touched = 0, e = 0;
#ifdef LINE_IS_VECTOR
    const index rows = n / t->step, before = t->is_strip ? max(SQUARE - rows, (index)0) : 0;
    if (t->turns != 0 && rows + before >= SQUARE) {
        block_turn(t, from - before * t->turns, to - before * t->step, rows + before, next);
        return;
    }
#endif
    for (index s = 0; t->is_strip && e < n; ++s) {
        ROLLED
        for (index c = 0; c < t->step; ++c)
            to[e++] = from[t->at[c] + s * t->turns];
    }
    for (index k = e; k < n; k += LINE) {
        index end = min(k + LINE, n);
        touched = ask_for(t, next, touched, t->touches_per_line);
#ifdef LINE_IS_VECTOR
        if (t->run > 0 && may_overrun) {
            if (t->is_lone)
                for (; e < end; e += t->run)
                    lone_copy(to + e, from + t->at[e], t->run, t->way);
            else
                for (; e < end; e += t->run)
                    run_copy(to + e, from + t->at[e], t->run, t->way);
            continue;
        }
#endif
        ONE_BY_ONE
        for (; e < end; ++e)
            to[e] = from[t->at[e]];
    }
}

#ifdef LINE_IS_VECTOR

/* Elements a step apart. Compilers would gather them, which takes longer. */
#define STEP(n) *(volatile global const element *)(from + (n)*step)
#define STEPS_4(n) STEP(n), STEP(n + 1), STEP(n + 2), STEP(n + 3)
#define STEPS_8(n) STEPS_4(n), STEPS_4(n + 4)
#if PART == 16
#define STEPS STEPS_8(0), STEPS_8(8)
#else
#define STEPS STEPS_8(0)
#endif
part step_part(global const element *from, index step)
{
    return (part)(STEPS);
}
#define PART_OF_STEPS(from, step, at, number) step_part(from + (at + number * PART) * step, step)

/* Asks for the input of the line AHEAD_BYTES of input further along a block, upwards. */
static void ask_ahead(global const element *from, index step, index k, index n)
{
    const index at = k * step + AHEAD_BYTES / ELEMENT_SIZE;
    ROLLED
    for (index l = 0; l < step && at + step * LINE < n * step; ++l)
        PREFETCH(from + (at + l * LINE));
}

/* Elements of a straight row go without a stop, by whole lines. Returns how many are kept, as
 * strip_write() does. */
NOINLINE index copy_straight(global const element *from, index step, element *held,
                             global element *to, index n, index kept, bool ends, bool past_caches)
{
    index own = min((LINE - line_phase(to)) % LINE, n), k = own;
    ROLLED
    for (index e = 0; e < own; ++e)
        held[e] = from[e * step];
    if (own > 0)
        kept = strip_write(held, to, own, kept, ends && own == n, past_caches);
    if (past_caches) /* in loops of their own, as compilers would make one plain store of both */
        for (; k + LINE <= n; k += LINE) {
            ask_ahead(from, step, k, n);
            line_stream(LINE_OF(PART_OF_STEPS, from, step, k), to + k);
        }
    for (; k + LINE <= n; k += LINE)
        *(global line *)(to + k) = LINE_OF(PART_OF_STEPS, from, step, k);
    ROLLED
    for (index e = k; e < n; ++e)
        held[e - k] = from[e * step];
    return k < n ? strip_write(held, to + k, n - k, kept, ends, past_caches) : kept;
}

#endif

/* `behind`: the input of the blocks behind these. */
NOINLINE static void copy_blocks(const struct table *restrict t, const struct walk *restrict w,
                                 global const element *in, global element *out, count block,
                                 count end, global const element *behind)
{
    element strip[2 * STRIP + 2 * LINE] __attribute__((aligned(LINE_BYTES)));
    element *held = strip + STRIP + LINE;
    index n, run = 0, kept = 0;
    struct cursor c;
    cursor_set(&c, w, block);
    /* A whole block at such a place leaves a line on either side. No sum here exceeds the span. */
    index overruns_from = (index)w->in_low + LINE - t->low;
    index overruns_to = (index)w->in_high - LINE - t->high;
    bool is_held = false;
    for (; block < end; ++block) {
        struct cursor next = c;
        global element *to = out + c.out;
        n = (index)block_width(w, c.at[w->row_dim]);
        cursor_step(&next, w);
        bool ends = block + 1 == end || next.out != c.out + n;
        run += n;
        if (ends && w->past_caches)
            ask_for_ends(out + next.out, run);
        run = ends ? 0 : run;
        global const element *from = in + c.in, *then = (block + 1 < end ? in : behind) + next.in;
#ifdef LINE_IS_VECTOR
        if (t->is_straight && !is_held && next.in != c.in) {
            kept = copy_straight(from, (index)w->in_step, held, to, n, kept, ends, w->past_caches);
            c = next;
            continue;
        }
#endif
#ifdef PICKED
        bool is_inside =
            n == t->n || (c.in >= (index)w->in_low - t->low && c.in < (index)w->in_high - t->high);
        if (!is_held && t->pieces > 0 && is_inside)
            block_pick(t, from, held, n, then);
        else
#endif
            if (!is_held)
            block_read(t, from, held, n, then, c.in >= overruns_from && c.in < overruns_to);
        kept = strip_write(held, to, n, kept, ends, w->past_caches);
        is_held = next.in == c.in && (index)block_width(w, next.at[w->row_dim]) <= n;
        c = next;
    }
}

#define COPY(in, out, first, end, behind) copy_blocks(&t, &w, in, out, first, end, behind)

kernel HAS_VECTORS void strided_cpu(global const element *in, global element *out,
                                    constant struct walk *walk ITEMS)
{
    struct walk w = *walk;
    struct table t;
    table_set(&t, &w);
    EACH_ITEM(COPY)
}
