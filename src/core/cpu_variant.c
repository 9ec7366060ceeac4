/* SPDX-License-Identifier: MIT */
#include "core/cpu_variant.h"

#include "base/checked.h"
#include "core/blocks/cpu_square.h"
#include "core/pattern.h"
#include "core/runs.h"

enum {
    CPU_GAPPED_ROW_LEAST = 4,    /* elements of a row between gaps that rows_cpu is faster for, */
    CPU_GAPPED_BYTES_LEAST = 16, /* and bytes of it, where it is contiguous or reversed; */
    CPU_GAPPED_PATTERN_BYTES_LEAST = 64, /* of others: it writes only whole lines fast */
    /* Where few of those follow each other, it is faster for reversed ones, for elements of so many
     * bytes, and for rows of so many. */
    CPU_GAPPED_WIDEST = 2,
    CPU_GAPPED_LONG = 256,
    /* Bytes from one contiguous row's end to the next row, less than which gapped_cpu is faster on
     * Intel's, if they are too short to bypass the caches. */
    CPU_INTEL_GAPPED_APART = 128,
    CPU_PIXELS_LEAST = 32,      /* of 16 bytes in a row between gaps, for rows_cpu to be faster; */
    CPU_STEPPED_ROW_LEAST = 18, /* elements of a row with steps and without gaps, */
    /* And bytes, where it lies alone: the next one lies so far behind its end that rows_cpu reads
     * lines between them for nothing. */
    CPU_LONE_ROW_LEAST = 48,
    CPU_LONE_ROW_APART = 384,
    /* Bytes of a row of which the processor guesses no next one. strided_cpu, which reads some rows
     * before it writes them, and no line that it does not need, is faster for those of much memory
     * that lie alone, the shorter ones sooner. */
    CPU_LONE_LARGE_LEAST = 8,
    CPU_LONE_LARGE_MOST = 2100,
    CPU_INTEL_LONE_MOST = 250,        /* on Intel's; */
    CPU_INTEL_LONE_PASSED_MOST = 640, /* where traffic is CPU_INTEL_CACHES_PASSED */
    CPU_LONE_SHORT = 128,
    CPU_LONE_SHORT_APART = 128,
    CPU_KEPT_LEAST = 16, /* times that the input repeats a row, for a table to be worth making */
    CPU_PICKED_LEAST = 1 << 20, /* bytes of a compute unit, for a table to be worth its making, */
    CPU_INTEL_PICKED_LEAST = 256 << 10, /* on Intel's */
    CPU_LINE_BYTES = 64,                /* of kernels/line.cl */
    CPU_ROW_MOST = 256,                 /* elements of rows that strided_cpu may be faster for, */
    CPU_INTEL_ROW_MOST = 1024,          /* and bytes on Intel's, where few follow each other; */
    CPU_INTEL_ROW_SHORT = 640,     /* less than which are few there, if caches do not hold all; */
    CPU_INTEL_STRETCH_LEAST = 256, /* elements that are not few there, in rows of so many bytes, */
    CPU_INTEL_STRETCH_ROW = 16,    /* while caches hold the output */
    CPU_APART_LEAST = 64, /* elements of the output between a column's, for it to be worth it, */
    CPU_SMALL_BYTES = 64 << 10, /* and in an output of so few bytes, which takes as long either */
    CPU_SMALL_APART_LEAST = 16, /* way, but transpose_cpu compiles sooner */
    CPU_INTEL_COLUMN_BYTES = 4 << 20, /* of an output whose columns gapped_cpu may be faster for: */
    CPU_INTEL_COLUMNS_FEW = 20,       /* up to so many, */
    CPU_INTEL_COLUMN_LINES = 24,      /* or lines of them in a set of a first-level cache; */
    CPU_TURNED_LEAST = 512 << 10,     /* bytes of an output, for strided_cpu to turn it faster */
    CPU_INTEL_COLUMN_LEAST = 128,     /* elements of a column, for longer rows of squares there; */
    CPU_INTEL_WHOLE_LEAST = 128,      /* elements of a row that is too long for squares there, if */
    CPU_INTEL_WHOLE_UNIT = 64,        /* they are a multiple of this */
    CPU_INTEL_SQUARE_WIDEST = 4,      /* and have so many bytes at most; */
    CPU_L2_BYTES = 1 << 20,    /* that Intel's second-level cache of 2 MiB holds beside others */
    CPU_CACHE_SETS = 64,       /* of a first-level cache, */
    CPU_CACHE_LINES_MOST = 56, /* and lines of a block's columns in one, for squares */
    CPU_PAGE_BYTES = 4096,     /* of memory whose address a TLB holds, */
    CPU_PAGE_SETS = 256,       /* sets of it, */
    CPU_PAGES_MOST = 10,       /* and pages of a block's columns in one */
};

/* Whether the next row begins at least so many bytes of the input's memory behind this one's end.
 * There is a dimension before the row's. */
static bool rows_are_lone(const struct plan *plan, uint64_t least)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    uint64_t span = (row->size - 1) * magnitude(row->in_stride),
             apart = magnitude(row[-1].in_stride);
    return apart > span && (apart - span) * plan->element_size >= least;
}

/* Bytes of memory lines that the rows read. */
static uint64_t rows_read(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    const struct plan_range range = plan_range(plan, &whole);
    const struct slice_dim *row = &plan->dim[plan->row];
    uint64_t lines =
        (row->size - 1) * magnitude(row->in_stride) * plan->element_size + CPU_LINE_BYTES;
    return clamp(plan_elements(plan) / row->size * lines, 0,
                 (range.in.high - range.in.low) * plan->element_size);
}

/* Whether strided_cpu is faster for rows of which the processor guesses no next one: if they read
 * more than the caches hold, and with what they write twice that. Of less, some is still there.
 * There is a dimension before the row's. */
static bool rows_are_unguessed(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t bytes = plan->dim[plan->row].size * plan->element_size;
    uint64_t apart = bytes < CPU_LONE_SHORT ? CPU_LONE_SHORT_APART : CPU_LONE_ROW_APART;
    uint64_t read = rows_read(plan), traffic = plan_elements(plan) * plan->element_size + read;
    uint64_t most = CPU_LONE_LARGE_MOST;
    if (limits->intel)
        most = traffic / CPU_INTEL_CACHES_PASSED < limits->cache_bytes ? CPU_INTEL_LONE_MOST
                                                                       : CPU_INTEL_LONE_PASSED_MOST;
    return bytes >= CPU_LONE_LARGE_LEAST && bytes <= most && !plan->is_item &&
           rows_are_lone(plan, apart) && read >= limits->cache_bytes &&
           traffic / 2 >= limits->cache_bytes;
}

/* Whether gapped_cpu is faster than rows_cpu: for contiguous rows between gaps, whose next ones
 * begin near their ends. */
static bool rows_lie_near(const struct plan *plan, const struct plan_limits *limits)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    uint64_t bytes = row->size * plan->element_size;
    return limits->intel && !plan->is_item && plan->row > 0 && row->in_stride == 1 &&
           row->out_stride == 1 && row[-1].out_stride != (int64_t)row->size &&
           bytes >= CPU_GAPPED_PATTERN_BYTES_LEAST && bytes < CPU_INTEL_RUN_PAST_CACHES &&
           !rows_are_lone(plan, CPU_INTEL_GAPPED_APART);
}

/* Whether too few rows follow each other for rows_cpu. `is_single`: rows of single elements without
 * gaps. */
static bool stretch_is_short(const struct plan *plan, const struct plan_limits *limits,
                             uint64_t elements, uint64_t rows, bool is_single)
{
    /* Elements of 2^i bytes that follow each other, for rows to be worth starting, */
    static const uint64_t stretch_least[] = {1024, 2048, 512, 1024, 1024};
    /* and more bytes than these of an output that caches hold, for fewer to be. */
    static const uint64_t kept_least[] = {0, 0, 64 << 10, 1 << 20, 1 << 20};
    uint64_t bytes = plan_elements(plan) * plan->element_size;
    uint64_t row = elements * plan->element_size;
    bool is_kept =
        !plan->is_item && bytes > kept_least[plan_width(plan)] && bytes < limits->cache_bytes;
    uint64_t least = stretch_least[plan_width(plan)];
    if (limits->intel && is_single && is_kept && row >= CPU_INTEL_STRETCH_ROW)
        least = CPU_INTEL_STRETCH_LEAST;
    bool is_short = elements < CPU_ROW_MOST && !(limits->intel && row >= CPU_INTEL_ROW_MOST);
    if (limits->intel && !plan->is_item && bytes >= limits->cache_bytes)
        is_short = is_short || row < CPU_INTEL_ROW_SHORT;
    return is_short && elements * rows < least;
}

/* Whether strided_cpu or, between gaps, gapped_cpu is faster than rows_cpu, for which the plan is
 * made: for rows of a few bytes, more of them between gaps; for pixels in short rows, which it
 * picks; for those that the input repeats, which strided_cpu keeps, and where few follow each
 * other, but not for longer ones between gaps; for rows that repeat one element, up to some bytes,
 * as rows_cpu writes a line at once. */
static bool rows_are_few(const struct plan *plan, const struct plan_limits *limits)
{
    /* Elements of 2^i bytes of a row, for it to be worth starting, where strided_cpu does not pick
     * it together with its neighbours, where it does, and of a reversed one then, which rows_cpu
     * turns. Pairs of 8 bytes are faster one by one. */
    static const uint64_t row_least[3][5] = {{4, 2, 1, 1, 1}, {11, 7, 1, 1, 1}, {20, 10, 6, 3, 1}};
    /* Bytes of a row that repeats one element. */
    static const uint64_t repeat_least[] = {20, 20, 24, 16, 16};
    const struct slice_dim *row = &plan->dim[plan->row], *next = row - (plan->row > 0);
    uint64_t elements = row->size * plan->pattern.group_size;
    uint64_t bytes = elements * plan->element_size;
    uint64_t apart = magnitude(plan->pattern.group_stride);
    uint64_t unit_bytes = plan_elements(plan) * plan->element_size / limits->compute_units;
    bool picks = limits->picks && !plan->is_item &&
                 unit_bytes >= (limits->intel ? CPU_INTEL_PICKED_LEAST : CPU_PICKED_LEAST);
    bool is_turned = plan->pattern.group_size == 1 && plan->pattern.group_stride == -1;
    if (plan->row == 0)
        return false;
    if (rows_lie_near(plan, limits))
        return true;
    bool is_gapped = next->out_stride != (int64_t)elements;
    bool is_plain = plan->pattern.group_size == 1 && apart == 1;
    if (is_gapped && bytes < (is_plain ? CPU_GAPPED_BYTES_LEAST : CPU_GAPPED_PATTERN_BYTES_LEAST))
        return true;
    if (is_gapped && bytes >= (plan->element_size <= CPU_GAPPED_WIDEST || is_turned
                                   ? CPU_GAPPED_PATTERN_BYTES_LEAST
                                   : CPU_GAPPED_LONG))
        return false;
    if (apart == 0)
        return !is_gapped && bytes < repeat_least[plan_width(plan)];
    bool is_single = !is_gapped && plan->pattern.group_size == 1;
    if (is_single && apart > 1 &&
        (elements < CPU_STEPPED_ROW_LEAST ||
         (bytes < CPU_LONE_ROW_LEAST && rows_are_lone(plan, CPU_LONE_ROW_APART))))
        return true;
    if (is_single && rows_are_unguessed(plan, limits))
        return true;
    bool are_pixels = !is_gapped && picks && plan->pattern.group_size > 1;
    bool is_kept =
        is_single && apart > 1 && bytes <= CPU_TABLE_BYTES && next->size >= CPU_KEPT_LEAST;
    return elements < (is_gapped ? CPU_GAPPED_ROW_LEAST
                                 : row_least[picks ? 1 + is_turned : 0][plan_width(plan)]) ||
           (next->in_stride == 0 && (elements < CPU_ROW_MOST || is_kept)) ||
           (are_pixels && elements < CPU_ROW_MOST) ||
           stretch_is_short(plan, limits, elements, next->size, is_single);
}

/* The dimensions from `first` on that step through the input, the nearest steps first. Returns how
 * many. */
static uint32_t columns_by_distance(const struct plan *plan, uint32_t first,
                                    struct slice_dim *columns)
{
    uint32_t rank = 0;
    for (uint32_t i = first; i < plan->rank; ++i) {
        uint64_t apart = magnitude(plan->dim[i].in_stride);
        uint32_t at = apart > 0 ? rank++ : 0;
        for (; apart > 0 && at > 0 && magnitude(columns[at - 1].in_stride) > apart; --at)
            columns[at] = columns[at - 1];
        if (apart > 0)
            columns[at] = plan->dim[i];
    }
    return rank;
}

/* Whether they lie in more than `most` units, of so many bytes of memory, that belong to one of the
 * sets which a cache keeps units in. Signs of steps do not matter. */
static bool columns_crowd(const struct plan *plan, uint32_t first, uint64_t unit, uint64_t sets,
                          uint64_t most)
{
    struct slice_dim columns[TENSOR_RANK_MAX];
    uint64_t units[CPU_PAGE_SETS] = {0}, at[TENSOR_RANK_MAX] = {0}, element = 0, seen = UINT64_MAX;
    const uint32_t rank = columns_by_distance(plan, first, columns);
    uint32_t i = 0;
    do {
        uint64_t number = element * plan->element_size / unit;
        if (number != seen && ++units[number % sets] > most)
            return true;
        seen = number;
        for (i = 0; i < rank && ++at[i] == columns[i].size; ++i) {
            element -= (columns[i].size - 1) * magnitude(columns[i].in_stride);
            at[i] = 0;
        }
        if (i < rank)
            element += magnitude(columns[i].in_stride);
    } while (i < rank);
    return false;
}

/* Elements of the output from one of a column to the next. */
static uint64_t columns_apart(const struct plan *plan)
{
    uint64_t elements = 1;
    for (uint32_t i = plan->column + 1; i < plan->rank; ++i)
        elements *= plan->dim[i].size;
    return elements;
}

/* Whether squares may be faster on Intel's processors, too: not for longer rows where a column has
 * few elements, nor where rows of narrow elements are whole lines, which transpose_cpu writes
 * faster. Measured: see tests/bench/README.md. */
static bool squares_suit_intel(const struct plan *plan, const struct plan_limits *limits,
                               uint32_t column)
{
    /* Elements of 2^i bytes of a row, at most, of an output that caches hold, and of others. */
    static const uint64_t row_most[2][5] = {{104, 120, 72, UINT64_MAX, UINT64_MAX},
                                            {UINT64_MAX, 160, 120, UINT64_MAX, UINT64_MAX}};
    uint64_t row = columns_apart(plan), bytes = plan_elements(plan) * plan->element_size;
    bool is_narrow = plan->element_size <= CPU_INTEL_SQUARE_WIDEST;
    if (is_narrow && row >= CPU_INTEL_WHOLE_LEAST && row % CPU_INTEL_WHOLE_UNIT == 0)
        return false;
    return plan->dim[column].size >= CPU_INTEL_COLUMN_LEAST ||
           row <= row_most[bytes >= limits->cache_bytes][plan_width(plan)];
}

/* Whether strided_cpu turns squares faster than transpose_cpu does. */
static bool squares_are_faster(const struct plan *plan, const struct plan_limits *limits)
{
    const struct plan_box whole = plan_whole(plan);
    uint32_t column = cpu_square_column(plan, &whole);
    return column < plan->rank && !plan->is_item &&
           (!limits->intel || squares_suit_intel(plan, limits, column)) &&
           plan_elements(plan) * plan->element_size >= CPU_TURNED_LEAST &&
           !columns_crowd(plan, column + 1, CPU_LINE_BYTES, CPU_CACHE_SETS, CPU_CACHE_LINES_MOST) &&
           !columns_crowd(plan, column + 1, CPU_PAGE_BYTES, CPU_PAGE_SETS, CPU_PAGES_MOST);
}

/* Whether strided_cpu, which reads elements one by one, is faster than transpose_cpu for columns
 * whose steps are `step` elements, from 2 to CPU_APART_MOST. Measured: see tests/bench/README.md.
 */
static bool steps_are_faster(const struct plan *plan, const struct plan_limits *limits,
                             uint64_t step)
{
    /* Elements of 2^i bytes of a row, by steps of 2, 3, 4, and of 5 and more; half as many, but at
     * least CPU_APART_LEAST, where the caches hold the output; */
    static const uint64_t row_most[][4] = {{64, 120, 200, 400},
                                           {110, 300, 450, 600},
                                           {250, 500, 1000, 1500},
                                           {200, 600, 1500, 1500},
                                           {200, 600, 1500, 1500}};
    /* and lines of its columns in one set of a first-level cache, or pages in one of a TLB. */
    static const uint64_t set_most[] = {22, 24, 36, 80, 80};
    uint64_t most = row_most[plan_width(plan)][clamp(step, 2, 5) - 2];
    uint64_t of_set = set_most[plan_width(plan)];
    if (plan_elements(plan) * plan->element_size < limits->cache_bytes)
        most = clamp(most / 2, CPU_APART_LEAST, most);
    return columns_apart(plan) <= most &&
           !columns_crowd(plan, plan->column + 1, CPU_LINE_BYTES, CPU_CACHE_SETS, of_set) &&
           !columns_crowd(plan, plan->column + 1, CPU_PAGE_BYTES, CPU_PAGE_SETS, of_set);
}

/* Whether strided_cpu is faster than transpose_cpu, for which the plan is made, as it reads pixels
 * once for each of their planes. That pays where a pixel has few elements, and caches that are read
 * at little cost hold all pixels until the next plane. Measured: see tests/bench/README.md. */
static bool pixels_stay_in_caches(const struct plan *plan, const struct plan_limits *limits)
{
    /* Most elements of 2^i bytes of a pixel, by limits->intel: an Intel processor's third-level
     * cache is slower, and transpose_cpu is faster there. */
    static const uint64_t apart_most[2][5] = {{6, 0, 8, 8, 0}, {0, 0, 6, 6, 0}};
    /* Fewest bytes of a plane's row. */
    static const uint64_t row_least[5] = {192, 0, 1 << 10, 3 << 10, 0};
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t elements = 0;
    uint64_t bytes = limits->intel ? CPU_L2_BYTES : limits->cache_bytes / limits->compute_units;
    for (uint32_t i = plan->column + 1; i < plan->rank; ++i)
        elements += (plan->dim[i].size - 1) * magnitude(plan->dim[i].in_stride);
    return row->in_stride != 0 &&
           magnitude(row->in_stride) <= apart_most[limits->intel][plan_width(plan)] &&
           row->size * plan->element_size >= row_least[plan_width(plan)] &&
           elements <= bytes / plan->element_size;
}

/* Whether gapped_cpu is faster than any other for columns, for which the plan is made: few, of
 * elements of 4 bytes and more, or of 8 and more, whose lines do not crowd in a cache; in a small
 * output. Measured on Intel's processors alone: see tests/bench/README.md. */
static bool columns_are_gapped(const struct plan *plan, const struct plan_limits *limits)
{
    if (!limits->intel || plan->is_item || plan->element_size < 4 ||
        plan_elements(plan) * plan->element_size > CPU_INTEL_COLUMN_BYTES)
        return false;
    return columns_apart(plan) <= CPU_INTEL_COLUMNS_FEW ||
           (plan->element_size >= 8 && !columns_crowd(plan, plan->column + 1, CPU_LINE_BYTES,
                                                      CPU_CACHE_SETS, CPU_INTEL_COLUMN_LINES));
}

/* Whether strided_cpu is faster than transpose_cpu, for which the plan is made. */
static bool columns_are_strided(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t step = magnitude(plan->dim[plan->column].in_stride);
    bool is_small = !plan->is_item && plan_elements(plan) * plan->element_size <= CPU_SMALL_BYTES;
    uint64_t least = is_small ? CPU_SMALL_APART_LEAST : CPU_APART_LEAST;
    bool is_faster = step > 1 ? steps_are_faster(plan, limits, step)
                              : columns_apart(plan) <= least || squares_are_faster(plan, limits);
    return is_faster || pixels_stay_in_caches(plan, limits);
}

/* Whether gapped_cpu is faster than strided_cpu, which writes memory lines as a whole: so little
 * lies side by side in the output. Of single bytes, strided_cpu moves many at once. */
static bool runs_are_short(const struct plan *plan)
{
    /* Bytes of a run of elements of 2^i bytes, where the output has gaps. */
    static const uint64_t run_least[] = {64, 256, 384, 640, 640};
    const struct plan_box whole = plan_whole(plan);
    return runs_of(plan, &whole).bytes <
           (!plan_has_gaps(plan) ? CPU_LINE_BYTES : run_least[plan_width(plan)]);
}

/* Whether gapped_cpu is faster than strided_cpu, whatever that was preferred for: its tables take
 * too long to make for so small an output. Measured on Intel's processors alone: see
 * tests/bench/README.md. */
static bool is_too_small(const struct plan *plan, const struct plan_limits *limits)
{
    /* Bytes of an output of elements of 2^i bytes. */
    static const uint64_t small_most[] = {0, 256 << 10, 512 << 10, 1 << 20, 8 << 20};
    return limits->intel && !plan->is_item &&
           plan_elements(plan) * plan->element_size <= small_most[plan_width(plan)];
}

/* Elements of 16 bytes in reverse are pixels of four elements to rows_cpu, which has none of 16
 * bytes. Measured on Intel's processors alone: see tests/bench/README.md. */
static bool take_pixels(struct plan *plan, const struct plan_limits *limits)
{
    enum { PARTS = 4 };
    const struct slice_dim *row = &plan->dim[plan->row];
    if (!limits->intel || plan->is_item || plan->element_size != 4 * PARTS ||
        plan->rank == TENSOR_RANK_MAX || row->in_stride != -1 || row->out_stride != 1 ||
        row->size < CPU_PIXELS_LEAST || is_too_small(plan, limits))
        return false;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        plan->dim[i].in_stride *= PARTS;
        plan->dim[i].out_stride *= PARTS;
    }
    plan->dim[plan->rank++] = (struct slice_dim){PARTS, 1, 1};
    plan->first *= PARTS;
    plan->element_size /= PARTS;
    return pattern_take_groups(plan);
}

static bool take_pattern(struct plan *plan, const struct plan_limits *limits)
{
    plan->variant = PLAN_ROWS_CPU;
    if (pattern_take_groups(plan) || pattern_take_rows(plan) || take_pixels(plan, limits))
        return !rows_are_few(plan, limits);
    plan->variant = PLAN_TRANSPOSE_CPU;
    return pattern_take_transpose(plan, 1, 2, CPU_APART_MOST) &&
           !columns_are_strided(plan, limits) && !columns_are_gapped(plan, limits);
}

void cpu_variant_choose(struct plan *plan, const struct plan_limits *limits)
{
    struct plan chosen = *plan;
    if (take_pattern(&chosen, limits))
        *plan = chosen;
    else if (rows_lie_near(plan, limits) || runs_are_short(plan) || is_too_small(plan, limits) ||
             (chosen.variant == PLAN_TRANSPOSE_CPU && chosen.column < chosen.rank &&
              columns_are_gapped(&chosen, limits)))
        plan->variant = PLAN_GAPPED_CPU;
    else
        plan->variant = PLAN_STRIDED_CPU;
}
