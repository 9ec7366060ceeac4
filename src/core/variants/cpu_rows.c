/* SPDX-License-Identifier: MIT */
#include "core/variants/cpu_rows.h"

#include "base/checked.h"
#include "core/blocks/cpu_near.h"
#include "core/blocks/cpu_square.h"

/* A row is lone where the next one lies so far behind its end that the processor guesses no line of
 * it, and rows_cpu reads lines between them for nothing. All numbers were measured: see
 * tests/bench/cpu.md. */
enum {
    /* Rows between gaps: from here on rows_cpu is faster, */
    GAPPED_ROW_LEAST = 4,      /* elements */
    GAPPED_BYTES_LEAST = 16,   /* bytes, contiguous or reversed */
    GAPPED_PATTERN_LEAST = 64, /* bytes, others: it writes only whole lines fast */
    /* even where few of them follow each other. */
    GAPPED_EASY_LEAST = 64, /* bytes, reversed or of narrow elements */
    GAPPED_EASY_WIDEST = 2, /* bytes of a narrow element */
    GAPPED_LONG = 256,      /* bytes, others */
    /* Contiguous ones, Intel's: between these gapped_cpu is faster. */
    INTEL_NEAR_ROW_LEAST = 64, /* bytes, up to CPU_INTEL_RUN_PAST_CACHES */
    INTEL_NEAR_APART = 128, /* bytes of the input from a row's end to the next, less than these */

    /* Rows with steps, without gaps: from here on rows_cpu is faster. */
    STEPPED_ROW_LEAST = 18,  /* elements */
    STEPPED_LONE_LEAST = 48, /* bytes of a lone row */
    LONE_APART = 384,        /* bytes from its end to the next */

    /* Lone rows that the caches do not hold: between these strided_cpu is faster. */
    LARGE_LONE_LEAST = 8, /* bytes */
    LARGE_LONE_MOST = 2100,
    INTEL_LARGE_LONE_MOST = 250,
    INTEL_LARGEST_LONE_MOST = 640, /* where traffic is CPU_INTEL_CACHES_PASSED */
    LARGE_LONE_SHORT = 128, /* bytes, less than which a row is lone with fewer to the next: */
    LARGE_LONE_SHORT_APART = 128,

    /* Rows that are interleaved with others of the output: strided_cpu is faster for these: */
    INTEL_INTERLEAVED_MOST = 32,       /* bytes of a row */
    INTEL_INTERLEAVED_LEAST = 4 << 20, /* bytes of an output */

    /* Tables of strided_cpu are worth making from here on. */
    KEPT_LEAST = 16,        /* times that the input repeats a row */
    PICKED_LEAST = 1 << 20, /* bytes of a compute unit */
    INTEL_PICKED_LEAST = 256 << 10,

    /* Rows that are repeated, are picked as pixels, or of which few follow each other: below these
     * strided_cpu is faster. */
    FEW_ROW_MOST = 256,          /* elements */
    INTEL_FEW_BYTES_MOST = 1024, /* bytes, too, where few follow each other; */
    INTEL_FEW_LARGE = 640,       /* bytes of all such rows, where caches do not hold the output */
    INTEL_STRETCH_ROW = 16,      /* bytes, from which rows are not few while caches hold it, */
    INTEL_STRETCH_LEAST = 256,   /* if so many elements follow each other; */
    /* The same of single bytes, while strided_cpu does not pick them: a row of so many, */
    INTEL_UNPICKED_ROW = 12,
    INTEL_UNPICKED_LEAST = 128 /* and so many that follow each other */
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
        (row->size - 1) * magnitude(row->in_stride) * plan->element_size + PLAN_LINE_BYTES;
    return clamp(plan_elements(plan) / row->size * lines, 0,
                 (range.in.high - range.in.low) * plan->element_size);
}

/* Whether strided_cpu is faster for rows of which the processor guesses no next one: if they read
 * more than the caches hold, and with what they write twice that. Of less, some is still there.
 * There is a dimension before the row's. */
static bool rows_are_unguessed(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t bytes = plan->dim[plan->row].size * plan->element_size;
    uint64_t apart = bytes < LARGE_LONE_SHORT ? LARGE_LONE_SHORT_APART : LONE_APART;
    uint64_t read = rows_read(plan), traffic = plan_elements(plan) * plan->element_size + read;
    uint64_t most = LARGE_LONE_MOST;
    if (limits->intel)
        most = traffic / CPU_INTEL_CACHES_PASSED < limits->cache_bytes ? INTEL_LARGE_LONE_MOST
                                                                       : INTEL_LARGEST_LONE_MOST;
    return bytes >= LARGE_LONE_LEAST && bytes <= most && !plan->is_item &&
           rows_are_lone(plan, apart) && read >= limits->cache_bytes &&
           traffic / 2 >= limits->cache_bytes;
}

bool cpu_rows_lie_near(const struct plan *plan, const struct plan_limits *limits)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    uint64_t bytes = row->size * plan->element_size;
    return limits->intel && !plan->is_item && plan->row > 0 && row->in_stride == 1 &&
           row->out_stride == 1 && row[-1].out_stride != (int64_t)row->size &&
           bytes >= INTEL_NEAR_ROW_LEAST && bytes < CPU_INTEL_RUN_PAST_CACHES &&
           !rows_are_lone(plan, INTEL_NEAR_APART);
}

/* Whether other rows of the output lie between one and the next in the input, and the blocks of
 * strided_cpu go first through these: see cpu_near_dimension(). Where these rows are so few that
 * launch_from() makes more dimensions a block's row, they may not. */
static bool rows_are_interleaved(const struct plan *plan, const struct plan_limits *limits)
{
    const struct plan_box whole = plan_whole(plan);
    struct plan strided = *plan;
    uint64_t rows = plan->dim[plan->row - 1].size;
    uint64_t row_bytes = plan->dim[plan->row].size * plan->element_size;
    strided.variant = PLAN_STRIDED_CPU;
    return limits->intel && row_bytes <= INTEL_INTERLEAVED_MOST &&
           row_bytes * rows > CPU_TABLE_BYTES / 2 &&
           plan_elements(plan) * plan->element_size >= INTEL_INTERLEAVED_LEAST &&
           cpu_near_dimension(&strided, &whole, plan->row - 1, rows) < plan->rank;
}

/* Whether strided_cpu picks bytes by vectors, and the output is large enough for its tables. */
static bool may_pick(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t unit_bytes = plan_elements(plan) * plan->element_size / limits->compute_units;
    return limits->picks && !plan->is_item &&
           unit_bytes >= (limits->intel ? INTEL_PICKED_LEAST : PICKED_LEAST);
}

/* Whether too few rows follow each other for rows_cpu. `is_packed`: rows of single elements without
 * gaps. */
static bool stretch_is_short(const struct plan *plan, const struct plan_limits *limits,
                             uint64_t elements, uint64_t rows, bool is_packed)
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
    if (limits->intel && is_packed && is_kept && row >= INTEL_STRETCH_ROW)
        least = INTEL_STRETCH_LEAST;
    if (limits->intel && is_packed && is_kept && plan->element_size == 1 &&
        row >= INTEL_UNPICKED_ROW && !may_pick(plan, limits))
        least = INTEL_UNPICKED_LEAST;
    bool is_short = elements < FEW_ROW_MOST && !(limits->intel && row >= INTEL_FEW_BYTES_MOST);
    if (limits->intel && !plan->is_item && bytes >= limits->cache_bytes)
        is_short = is_short || row < INTEL_FEW_LARGE;
    return is_short && elements * rows < least;
}

/* Of rows between gaps. */
static bool gapped_rows_are_slow(const struct plan *plan, const struct plan_limits *limits)
{
    const struct slice_dim *row = &plan->dim[plan->row], *next = row - 1;
    uint64_t elements = row->size * plan->pattern.group_size;
    uint64_t bytes = elements * plan->element_size;
    int32_t step = plan->pattern.group_stride;
    bool is_single = plan->pattern.group_size == 1;
    bool is_plain = is_single && is_within(step, 1) && step != 0;
    if (bytes < (is_plain ? GAPPED_BYTES_LEAST : GAPPED_PATTERN_LEAST))
        return true;
    bool is_easy = plan->element_size <= GAPPED_EASY_WIDEST || (is_single && step == -1);
    if (step == 0 || bytes >= (is_easy ? GAPPED_EASY_LEAST : GAPPED_LONG))
        return false;
    return elements < GAPPED_ROW_LEAST || (next->in_stride == 0 && elements < FEW_ROW_MOST) ||
           stretch_is_short(plan, limits, elements, next->size, false);
}

/* Of rows without gaps. */
static bool packed_rows_are_slow(const struct plan *plan, const struct plan_limits *limits)
{
    /* Elements of 2^i bytes of a row, for it to be worth starting, where strided_cpu does not pick
     * it together with its neighbours, where it does, and of a reversed one then, which rows_cpu
     * turns. Pairs of 8 bytes are faster one by one. */
    static const uint64_t row_least[3][5] = {{4, 2, 1, 1, 1}, {11, 7, 1, 1, 1}, {20, 10, 6, 3, 1}};
    /* Bytes of a row that repeats one element: rows_cpu writes a line at once. */
    static const uint64_t repeat_least[] = {20, 20, 24, 16, 16};
    const struct slice_dim *row = &plan->dim[plan->row], *next = row - 1;
    uint64_t elements = row->size * plan->pattern.group_size;
    uint64_t bytes = elements * plan->element_size;
    int32_t step = plan->pattern.group_stride;
    bool picks = may_pick(plan, limits);
    bool is_single = plan->pattern.group_size == 1, has_steps = is_single && !is_within(step, 1);
    bool is_turned = is_single && step == -1;
    if (step == 0)
        return bytes < repeat_least[plan_width(plan)];
    if (has_steps && (elements < STEPPED_ROW_LEAST ||
                      (bytes < STEPPED_LONE_LEAST && rows_are_lone(plan, LONE_APART))))
        return true;
    if (is_single && (rows_are_unguessed(plan, limits) || rows_are_interleaved(plan, limits)))
        return true;
    bool is_kept = has_steps && bytes <= CPU_TABLE_BYTES && next->size >= KEPT_LEAST;
    return elements < row_least[picks ? 1 + is_turned : 0][plan_width(plan)] ||
           (next->in_stride == 0 && (elements < FEW_ROW_MOST || is_kept)) ||
           (!is_single && picks && elements < FEW_ROW_MOST) ||
           stretch_is_short(plan, limits, elements, next->size, is_single);
}

bool cpu_rows_are_slow(const struct plan *plan, const struct plan_limits *limits)
{
    if (plan->row == 0)
        return false;
    const struct slice_dim *row = &plan->dim[plan->row];
    uint64_t elements = row->size * plan->pattern.group_size;
    if (row[-1].out_stride == (int64_t)elements)
        return packed_rows_are_slow(plan, limits);
    return cpu_rows_lie_near(plan, limits) || gapped_rows_are_slow(plan, limits);
}
