/* SPDX-License-Identifier: MIT */
#include "core/variants/cpu_columns.h"

#include "base/checked.h"
#include "core/blocks/cpu_square.h"

/* All numbers were measured: see tests/bench/cpu.md. */
enum {
    APART_LEAST = 64,       /* elements of the output between a column's, for transpose_cpu, */
    SMALL_APART_LEAST = 16, /* and in an output of CPU_SMALLEST_BYTES */

    TURNED_LEAST = 512 << 10, /* bytes of an output, for strided_cpu to turn it faster; */
    INTEL_COLUMN_LEAST = 128, /* elements of a column, for squares of longer rows; */
    INTEL_WHOLE_LEAST = 128,  /* elements of a row that is too long for squares, if they are */
    INTEL_WHOLE_UNIT = 64,    /* a multiple of this */
    INTEL_SQUARE_WIDEST = 4,  /* and have so many bytes at most */

    INTEL_GAPPED_BYTES = 4 << 20,   /* at most, of an output that gapped_cpu may be faster for: */
    INTEL_GAPPED_NARROWEST = 4,     /* bytes of an element at least, */
    INTEL_GAPPED_FEW = 20,          /* and up to so many columns; also of a larger output; */
    INTEL_GAPPED_SHORT = 20,        /* or elements of a column, */
    INTEL_GAPPED_ROW = 300,         /* and of a row, at most, */
    INTEL_GAPPED_LEAST = 512 << 10, /* of an output of so many bytes; */
    INTEL_GAPPED_WIDE = 8,   /* or bytes of an element at least; of wide elements and short */
    INTEL_GAPPED_LINES = 24, /* columns, up to so many lines in a set of a first-level cache */

    L2_BYTES = 1 << 20,    /* that Intel's second-level cache of 2 MiB holds beside others */
    CACHE_SETS = 64,       /* of a first-level cache, */
    CACHE_LINES_MOST = 56, /* and lines of a block's columns in one, for squares */
    PAGE_BYTES = 4096,     /* of memory whose address a TLB holds, */
    PAGE_SETS = 256,       /* sets of it, */
    PAGES_MOST = 10        /* and pages of a block's columns in one, for squares */
};

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
    uint64_t units[PAGE_SETS] = {0}, at[TENSOR_RANK_MAX] = {0}, element = 0, seen = UINT64_MAX;
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
 * faster. */
static bool squares_suit_intel(const struct plan *plan, const struct plan_limits *limits,
                               uint32_t column)
{
    /* Elements of 2^i bytes of a row, at most, of an output that caches hold, and of others. */
    static const uint64_t row_most[2][5] = {{104, 120, 72, UINT64_MAX, UINT64_MAX},
                                            {UINT64_MAX, 160, 120, UINT64_MAX, UINT64_MAX}};
    uint64_t row = columns_apart(plan), bytes = plan_elements(plan) * plan->element_size;
    bool is_narrow = plan->element_size <= INTEL_SQUARE_WIDEST;
    if (is_narrow && row >= INTEL_WHOLE_LEAST && row % INTEL_WHOLE_UNIT == 0)
        return false;
    return plan->dim[column].size >= INTEL_COLUMN_LEAST ||
           row <= row_most[bytes >= limits->cache_bytes][plan_width(plan)];
}

/* Whether strided_cpu turns squares faster than transpose_cpu does. */
static bool squares_are_faster(const struct plan *plan, const struct plan_limits *limits)
{
    const struct plan_box whole = plan_whole(plan);
    uint32_t column = cpu_square_column(plan, &whole);
    return column < plan->rank && !plan->is_item &&
           (!limits->intel || squares_suit_intel(plan, limits, column)) &&
           plan_elements(plan) * plan->element_size >= TURNED_LEAST &&
           !columns_crowd(plan, column + 1, PLAN_LINE_BYTES, CACHE_SETS, CACHE_LINES_MOST) &&
           !columns_crowd(plan, column + 1, PAGE_BYTES, PAGE_SETS, PAGES_MOST);
}

/* Whether strided_cpu, which reads elements one by one, is faster than transpose_cpu for columns
 * whose steps are `step` elements, from 2 to CPU_APART_MOST. */
static bool steps_are_faster(const struct plan *plan, const struct plan_limits *limits,
                             uint64_t step)
{
    /* Elements of 2^i bytes of a row, by steps of 2, 3, 4, and of 5 and more; half as many, but at
     * least APART_LEAST, where the caches hold the output; */
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
        most = clamp(most / 2, APART_LEAST, most);
    return columns_apart(plan) <= most &&
           !columns_crowd(plan, plan->column + 1, PLAN_LINE_BYTES, CACHE_SETS, of_set) &&
           !columns_crowd(plan, plan->column + 1, PAGE_BYTES, PAGE_SETS, of_set);
}

/* Whether strided_cpu is faster than transpose_cpu, for which the plan is made, as it reads pixels
 * once for each of their planes. That pays where a pixel has few elements, and caches that are read
 * at little cost hold all pixels until the next plane. */
static bool pixels_stay_in_caches(const struct plan *plan, const struct plan_limits *limits)
{
    /* Most elements of 2^i bytes of a pixel, by limits->intel: an Intel processor's third-level
     * cache is slower, and transpose_cpu is faster there. */
    static const uint64_t apart_most[2][5] = {{6, 0, 8, 8, 0}, {0, 0, 6, 6, 0}};
    /* Fewest bytes of a plane's row. */
    static const uint64_t row_least[5] = {192, 0, 1 << 10, 3 << 10, 0};
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t elements = 0;
    uint64_t bytes = limits->intel ? L2_BYTES : limits->cache_bytes / limits->compute_units;
    for (uint32_t i = plan->column + 1; i < plan->rank; ++i)
        elements += (plan->dim[i].size - 1) * magnitude(plan->dim[i].in_stride);
    return row->in_stride != 0 &&
           magnitude(row->in_stride) <= apart_most[limits->intel][plan_width(plan)] &&
           row->size * plan->element_size >= row_least[plan_width(plan)] &&
           elements <= bytes / plan->element_size;
}

/* Whether every element between the input's first and last is read, once. */
static bool reads_all(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    const struct plan_range range = plan_range(plan, &whole);
    bool repeats = false;
    for (uint32_t i = 0; i < plan->rank; ++i)
        repeats = repeats || plan->dim[i].in_stride == 0;
    return !repeats && range.in.high - range.in.low == plan_elements(plan);
}

static bool has_squares(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    return cpu_square_column(plan, &whole) < plan->rank;
}

bool cpu_columns_are_gapped(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t bytes = plan_elements(plan) * plan->element_size;
    bool are_few = columns_apart(plan) <= INTEL_GAPPED_FEW;
    if (!limits->intel || plan->is_item || plan->element_size < INTEL_GAPPED_NARROWEST ||
        bytes <= CPU_SMALLEST_BYTES)
        return false;
    if (bytes > INTEL_GAPPED_BYTES)
        return are_few && plan->element_size <= INTEL_GAPPED_WIDE && reads_all(plan) &&
               !has_squares(plan);
    bool are_short = plan->dim[plan->column].size <= INTEL_GAPPED_SHORT &&
                     plan->dim[plan->rank - 1].size <= INTEL_GAPPED_ROW &&
                     bytes >= INTEL_GAPPED_LEAST;
    return are_few || ((are_short || plan->element_size >= INTEL_GAPPED_WIDE) &&
                       !columns_crowd(plan, plan->column + 1, PLAN_LINE_BYTES, CACHE_SETS,
                                      INTEL_GAPPED_LINES));
}

bool cpu_columns_are_strided(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t step = magnitude(plan->dim[plan->column].in_stride);
    bool is_smallest =
        !plan->is_item && plan_elements(plan) * plan->element_size <= CPU_SMALLEST_BYTES;
    uint64_t least = is_smallest ? SMALL_APART_LEAST : APART_LEAST;
    bool is_faster = step > 1 ? steps_are_faster(plan, limits, step)
                              : columns_apart(plan) <= least || squares_are_faster(plan, limits);
    return is_faster || pixels_stay_in_caches(plan, limits);
}
