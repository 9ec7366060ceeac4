/* SPDX-License-Identifier: MIT */
#include "core/planner.h"

#include "base/checked.h"
#include "core/dimensions.h"
#include "core/floor.h"
#include "core/gpu_choice.h"
#include "core/runs.h"

#include <string.h>

enum {
    INDEX_32_MOST = INT32_MAX - 1024, /* leaves room for a block that begins behind a row's end */
    GPU_LOCAL_SIZE = 128,             /* larger groups are slower to make room for the next one */
    GPU_LOCAL_SIZE_WRITES = 256,      /* where little is read: starting groups would be the limit;
                                         and of gradients, which list a group's rows once */
    GPU_ITEM_BYTES = 16,              /* of a work-item of rows_gpu and gradient_gpu, at most */
    GPU_BYTES_APART_SHORT = 16,       /* between single bytes of a column, where rows are short, */
    GPU_BYTES_APART_MOST = 32,        /* and else */
    /* Elements of an output that most GPUs move at once, 8 compute units of 1024 work-items: one
     * after the other is what an item's loads take, and strided_gpu has the fewest that wait for
     * each other. */
    GPU_WAVE = 8 << 10,
    GPU_ACROSS = 64,            /* elements of a row across the input's: see word_bytes() */
    GPU_SHORT = 7,              /* single bytes of a row: the same */
    GPU_NEAR = 11,              /* between single bytes that share lines: the same */
    GPU_CACHE_BYTES = 32 << 20, /* what lies in the caches between its first use and its second */
    GPU_BLOCKS_PER_UNIT = 2,    /* of transpose_gpu, at least, if the slice has so much */
    GPU_SHORT_ROW_MOST = 128,   /* elements of rows that transpose_gpu may be faster for */
    GPU_ROW_APART_MOST = 96,    /* bytes: the same, where the input has other rows between two */
    GPU_ITEM_ROW_BYTES = 512,   /* of a batch, for rows_gpu: a work-item makes several blocks */
    GPU_NARROW_ROW_LEAST = 7,  /* bytes of a row of single ones, for rows_gpu, between gaps of at */
    GPU_NARROW_GAPS = 4,       /* most a quarter of that */
    GPU_GAPPED_ROW_LONG = 256, /* bytes of a row between gaps: see rows_need_no_blocks() */
    GPU_ROW_LEAST = 2, /* elements of transpose_gpu's rows, for it to be faster than strided_gpu */
    GROUP_STRIDE_MAX = 4, /* of the patterns that rows have */
    GROUP_SIZE_MAX = 4,
    CPU_GAPPED_ROW_LEAST = 4,    /* elements of a row between gaps that rows_cpu is faster for, */
    CPU_GAPPED_BYTES_LEAST = 16, /* and bytes of it, where it is contiguous or reversed; */
    CPU_GAPPED_PATTERN_BYTES_LEAST = 64, /* of others: it writes only whole lines fast */
    CPU_STEPPED_ROW_LEAST = 18,          /* elements of a row with steps and without gaps, */
    CPU_LONE_ROW_LEAST = 48,  /* and bytes, where the next one lies so many bytes behind its end: */
    CPU_LONE_ROW_APART = 384, /* rows_cpu reads lines behind it for nothing */
    CPU_PICKED_LEAST = 1 << 20, /* bytes of a compute unit, for a table to be worth its making */
    CPU_LINE_BYTES = 64,        /* of kernels/line.cl */
    CPU_ROW_MOST = 256,         /* elements of rows that strided_cpu may be faster for */
    CPU_APART_MOST = 4,         /* between elements of transpose_cpu's columns */
    CPU_APART_LEAST = 64, /* elements of the output between a column's, for it to be worth it */
    CPU_PLANE_ROW_BYTES = 3 << 10, /* of a pixel's plane, for strided_cpu to be worth starting */
    CPU_ITEM_BYTES_MIN = 16 << 10, /* a work-item of a CPU: enough to pay for its start, */
    CPU_ITEM_BYTES_MAX = 32 << 10, /* few enough to stay in its first-level cache */
    CPU_ITEMS_PER_UNIT = 4,        /* for an even load */
    CPU_TRANSPOSE_BYTES_MAX = 1 << 20,
    CPU_STRIDED_BYTES_MAX = 512 << 10,      /* a table of where elements lie is worth its making; */
    CPU_STRIDED_ITEM_BYTES_MAX = 128 << 10, /* the same of batches, which may have few items */
};

/* ---- Which variant ---- */

static bool is_within(int64_t value, int64_t most)
{
    return value >= -most && value <= most;
}

/* Rows of small groups, as pixels are: the innermost dimension is inside the pattern. */
static bool take_groups(struct plan *plan)
{
    if (plan->rank < 2 || plan->element_size > 4)
        return false;
    const struct slice_dim *group = &plan->dim[plan->rank - 1], *row = group - 1;
    if (group->size > GROUP_SIZE_MAX || !is_within(group->in_stride, 1) || group->out_stride != 1 ||
        row->out_stride != (int64_t)group->size || !is_within(row->in_stride, GROUP_STRIDE_MAX) ||
        group->in_stride == 0 || is_within(row->in_stride, (int64_t)group->size - 1))
        return false;
    plan->pattern = (struct plan_pattern){(int32_t)row->in_stride, (uint32_t)group->size,
                                          (int32_t)group->in_stride};
    plan->row = plan->rank - 2;
    plan->column = plan->rank - 1;
    return true;
}

static bool take_rows(struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    if (row->out_stride != 1 || !is_within(row->in_stride, GROUP_STRIDE_MAX) ||
        plan->element_size > 8 || (row->in_stride == 0 && !plan_variant_is_cpu(plan->variant)))
        return false;
    plan->pattern = (struct plan_pattern){(int32_t)row->in_stride, 1, 0};
    return true;
}

/* The output's rows lie across those of the input, whose elements are at most `most` apart. */
static bool take_transpose(struct plan *plan, uint64_t row_least, uint64_t column_least,
                           int64_t most)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    if (row->out_stride != 1 || row->size < row_least)
        return false;
    for (uint32_t i = plan->rank - 1; i-- > 0;)
        if (is_within(plan->dim[i].in_stride, most) && plan->dim[i].in_stride != 0 &&
            plan->dim[i].size >= column_least) {
            plan->column = i;
            most = (int64_t)magnitude(plan->dim[i].in_stride) - 1;
        }
    return plan->column < plan->rank;
}

/* Bytes that transpose_gpu may take for its lines, 0 where there is no room. */
static uint32_t block_bytes(const struct plan_limits *limits)
{
    uint64_t local = limits->local_bytes > 0 ? limits->local_bytes : UINT64_MAX;
    if (limits->max_work_group_size < GPU_BLOCK_GROUP ||
        local < GPU_BLOCK_BYTES_LEAST + GPU_BLOCK_TABLE_BYTES)
        return 0;
    uint64_t bytes = clamp(local - GPU_BLOCK_TABLE_BYTES, 0, GPU_BLOCK_BYTES_MOST);
    return (uint32_t)(bytes / GPU_BLOCK_UNIT * GPU_BLOCK_UNIT);
}

static bool take_forced(struct plan *plan, const struct plan_limits *limits,
                        enum plan_variant variant)
{
    plan->variant = variant;
    if (plan->is_gradient != (plan_variant_kind(variant) == PLAN_GRADIENTS))
        return false;
    switch (plan_variant_kind(variant)) {
    case PLAN_ROWS:
        return take_groups(plan) || take_rows(plan);
    case PLAN_TRANSPOSES:
        return (plan_variant_is_cpu(variant) || block_bytes(limits) > 0) &&
               take_transpose(plan, 1, 1,
                              plan_variant_is_cpu(variant) ? CPU_APART_MOST : INT64_MAX);
    case PLAN_STRIDED:
        return variant != PLAN_STRIDED_CPU || plan->dim[plan->row].out_stride == 1;
    default:
        return true;
    }
}

/* Of a launch. */
static uint64_t element_count(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    return plan_box_elements(plan, &whole) * (plan->is_item ? PLAN_ITEMS : 1);
}

static bool is_packed(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    return plan_is_packed(plan, &whole);
}

/* Elements are of 2 to that power bytes. */
static uint32_t width_of(const struct plan *plan)
{
    uint32_t width = 0;
    while (plan->element_size >> width > 1)
        ++width;
    return width;
}

/* Whether the input has lines of memory between a row and the next, which are not read. */
static bool rows_are_lone(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->row], *next = row - (plan->row > 0);
    uint64_t span = (row->size - 1) * magnitude(row->in_stride), apart = magnitude(next->in_stride);
    return apart > span && (apart - span) * plan->element_size >= CPU_LONE_ROW_APART;
}

/* Whether strided_cpu or, between gaps, gapped_cpu is faster than rows_cpu, for which the plan is
 * made: for rows of a few bytes, more of them between gaps; for those that the input repeats, and
 * where few follow each other; for rows that repeat one element, up to some bytes, as rows_cpu
 * writes a line at once. */
static bool rows_are_few(const struct plan *plan, const struct plan_limits *limits)
{
    /* Elements of 2^i bytes that follow each other, for rows to be worth starting. */
    static const uint64_t stretch_least[] = {1024, 2048, 512, 1024, 1024};
    /* And of a row, where strided_cpu does not pick it together with its neighbours, where it does,
     * and of a reversed one then, which rows_cpu turns. Pairs of 8 bytes are faster one by one. */
    static const uint64_t row_least[3][5] = {{4, 2, 1, 1, 1}, {11, 4, 1, 1, 1}, {20, 10, 6, 3, 1}};
    /* Bytes of a row that repeats one element. */
    static const uint64_t repeat_least[] = {28, 24, 24, 16, 16};
    const struct slice_dim *row = &plan->dim[plan->row], *next = row - (plan->row > 0);
    uint64_t elements = row->size * plan->pattern.group_size;
    uint64_t bytes = elements * plan->element_size;
    uint64_t apart = magnitude(plan->pattern.group_stride);
    bool picks =
        limits->picks && !plan->is_item &&
        element_count(plan) * plan->element_size / limits->compute_units >= CPU_PICKED_LEAST;
    bool is_turned = plan->pattern.group_size == 1 && plan->pattern.group_stride == -1;
    if (plan->row == 0)
        return false;
    bool is_gapped = next->out_stride != (int64_t)elements;
    bool is_plain = plan->pattern.group_size == 1 && apart == 1;
    if (is_gapped && bytes < (is_plain ? CPU_GAPPED_BYTES_LEAST : CPU_GAPPED_PATTERN_BYTES_LEAST))
        return true;
    if (apart == 0)
        return !is_gapped && bytes < repeat_least[width_of(plan)];
    if (!is_gapped && plan->pattern.group_size == 1 && apart > 1 &&
        (elements < CPU_STEPPED_ROW_LEAST || (bytes < CPU_LONE_ROW_LEAST && rows_are_lone(plan))))
        return true;
    return elements < (is_gapped ? CPU_GAPPED_ROW_LEAST
                                 : row_least[picks ? 1 + is_turned : 0][width_of(plan)]) ||
           (elements < CPU_ROW_MOST &&
            (next->in_stride == 0 || elements * next->size < stretch_least[width_of(plan)]));
}

/* What rows_gpu is worth its programs for, by elements of 2^i bytes; measured: see
 * tests/bench/README.md. It writes a row's ends element by element; strided_gpu writes an output
 * without gaps in words alone, and is as fast where few elements make a word. */
struct gpu_least {
    uint64_t row_bytes;    /* at least */
    uint64_t run_bytes;    /* the same, of an output with gaps, where they follow each other, */
    uint64_t gapped_bytes; /* where each is between gaps, */
    uint64_t uneven_bytes; /* and where not all of its rows begin at words */
    int64_t apart;         /* elements, at most */
    uint32_t group_size;   /* at most */
};

static const struct gpu_least gpu_least[] = {
    {256, 7, 64, 64, 4, 4},
    {256, 64, 256, 256, 4, 1},
    {UINT64_MAX, 36, 0, 128, 1, 1},
    {UINT64_MAX, 120, 64, 768, 1, 1},
};

/* Whether all rows of an aligned output begin at words of rows_gpu. */
static bool rows_begin_at_words(const struct plan *plan, enum plan_alignment alignment)
{
    uint64_t odd = 0;
    for (uint32_t i = 0; i < plan->rank; ++i)
        if (i != plan->row && i != plan->column)
            odd |= (uint64_t)plan->dim[i].out_stride;
    return alignment == PLAN_ALIGNED_16 && odd * plan->element_size % GPU_ITEM_BYTES == 0;
}

/* Whether the next row of the output begins where one ends. */
static bool rows_follow(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    uint64_t elements = row->size * clamp(plan->pattern.group_size, 1, GROUP_SIZE_MAX);
    return plan->row > 0 && row[-1].out_stride == (int64_t)elements;
}

/* Of single bytes, rows_gpu is worth it for shorter rows if there is little between them. */
static bool gaps_are_narrow(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->row], *next = row - (plan->row > 0);
    return plan->element_size == 1 && plan->pattern.group_size == 1 &&
           row->size >= GPU_NARROW_ROW_LEAST &&
           (uint64_t)next->out_stride - row->size <= row->size / GPU_NARROW_GAPS;
}

/* Of a row of pixels, or of single elements. */
static uint64_t row_bytes(const struct plan *plan)
{
    return plan->dim[plan->row].size * plan->pattern.group_size * plan->element_size;
}

/* Whether rows_gpu, for which the plan is made, is faster than strided_gpu. It is not where pixels
 * may never begin at a word, as it then writes element by element, or where rows of less than a
 * word may be of two. */
static bool rows_are_worth_it(const struct plan *plan, enum plan_alignment alignment)
{
    const struct plan_pattern *pattern = &plan->pattern;
    const struct gpu_least *least = &gpu_least[width_of(plan)];
    uint64_t bytes = row_bytes(plan);
    bool may_begin_anywhere = alignment == PLAN_ALIGNED_ELEMENT;
    bool is_single = pattern->group_size == 1;
    if (pattern->group_size > least->group_size ||
        (is_single && !is_within(pattern->group_stride, least->apart)))
        return false;
    if (plan->is_item && is_single && pattern->group_stride == 1 && bytes >= GPU_ITEM_ROW_BYTES)
        return true;
    if (is_packed(plan))
        return bytes >= least->row_bytes && !(may_begin_anywhere && pattern->group_size % 2 == 0);
    uint64_t gapped = rows_begin_at_words(plan, alignment) ? least->gapped_bytes
                      : rows_follow(plan)                  ? least->run_bytes
                                                           : least->uneven_bytes;
    return (bytes >= gapped || gaps_are_narrow(plan)) &&
           !(may_begin_anywhere && bytes < GPU_ITEM_BYTES);
}

/* Whether a column's neighbours lie so far apart in the output that no block of strided_cpu holds a
 * line of memory of them. */
static bool columns_are_apart(const struct plan *plan)
{
    uint64_t elements = 1;
    for (uint32_t i = plan->column + 1; i < plan->rank; ++i)
        elements *= plan->dim[i].size;
    return elements > CPU_APART_LEAST;
}

/* Whether strided_cpu is faster than transpose_cpu, for which the plan is made: it reads the pixels
 * once for each of their planes. That pays where a pixel has few elements, and a compute unit's
 * caches hold all pixels until the next plane. Measured: see tests/bench/README.md. */
static bool pixels_stay_in_caches(const struct plan *plan, const struct plan_limits *limits)
{
    static const uint64_t apart_most[] = {6, 0, 8, 8, 0}; /* elements of 2^i bytes of a pixel */
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t elements = 0;
    for (uint32_t i = plan->column + 1; i < plan->rank; ++i)
        elements += (plan->dim[i].size - 1) * magnitude(plan->dim[i].in_stride);
    return row->in_stride != 0 && magnitude(row->in_stride) <= apart_most[width_of(plan)] &&
           row->size * plan->element_size >= CPU_PLANE_ROW_BYTES &&
           elements <= limits->cache_bytes / limits->compute_units / plan->element_size;
}

/* Whether gapped_cpu is faster than strided_cpu, which writes memory lines as a whole: so little
 * lies side by side in the output. Of single bytes, strided_cpu moves many at once. */
static bool runs_are_short(const struct plan *plan)
{
    /* Bytes of a run of elements of 2^i bytes, where the output has gaps. */
    static const uint64_t run_least[] = {64, 256, 384, 640, 640};
    const struct plan_box whole = plan_whole(plan);
    return runs_of(plan, &whole).bytes <
           (is_packed(plan) ? CPU_LINE_BYTES : run_least[width_of(plan)]);
}

static bool take_cpu(struct plan *plan, const struct plan_limits *limits)
{
    plan->variant = PLAN_ROWS_CPU;
    if (take_groups(plan) || take_rows(plan))
        return !rows_are_few(plan, limits);
    plan->variant = PLAN_TRANSPOSE_CPU;
    return take_transpose(plan, 1, 2, CPU_APART_MOST) && columns_are_apart(plan) &&
           !pixels_stay_in_caches(plan, limits);
}

/* Whether the elements that a row leaves out are read when the cache has lost their lines. */
static bool others_come_late(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t apart = magnitude(row->in_stride), bytes = plan->element_size * (apart + 1);
    for (uint32_t i = 0; i + 1 < plan->rank; ++i)
        if (plan->dim[i].in_stride != 0 && magnitude(plan->dim[i].in_stride) < apart &&
            (uint64_t)plan->dim[i].out_stride > GPU_CACHE_BYTES / bytes)
            return true;
    return false;
}

/* The block for transpose_gpu. Returns what it costs. */
static uint64_t choose_gpu_block(struct plan *plan, const struct plan_limits *limits,
                                 enum plan_alignment alignment)
{
    uint64_t bytes = element_count(plan) * plan->element_size;
    uint64_t even = bytes / limits->compute_units / GPU_BLOCKS_PER_UNIT;
    struct gpu_block_first first = {plan->first, 0};
    plan->block.bytes = block_bytes(limits);
    plan->block.is_aligned = alignment == PLAN_ALIGNED_16;
    return gpu_block_choose(&plan->block,
                            (uint32_t)clamp(even, GPU_BLOCK_WANTED_LEAST, plan->block.bytes),
                            plan->element_size, first, plan->rank, plan->dim);
}

/* Whether one of the first dimensions reads what lies between elements so far apart. */
static bool has_nearer(const struct plan *plan, uint32_t dimensions, uint64_t apart)
{
    bool has = false;
    for (uint32_t i = 0; i < dimensions; ++i)
        has = has || (plan->dim[i].in_stride != 0 && magnitude(plan->dim[i].in_stride) < apart);
    return has;
}

/* Whether another dimension reads what the row's steps leave out. */
static bool has_channels(const struct plan *plan)
{
    uint32_t row = plan->rank - 1;
    return has_nearer(plan, row, magnitude(plan->dim[row].in_stride));
}

/* Whether the input has rows between one and the output's next: words read few bytes of a line, and
 * the others later. */
static bool rows_are_apart(const struct plan *plan)
{
    if (plan->rank < 2)
        return false;
    uint32_t next = plan->rank - 2;
    return has_nearer(plan, next, magnitude(plan->dim[next].in_stride));
}

/* What a block of transpose_gpu may cost to be faster than strided_gpu where the output has gaps,
 * and so is written element by element; measured, as gpu_least is. That takes longer the farther
 * apart in the input what is side by side in the output lies. */
static uint64_t gapped_cost_most(const struct plan *plan)
{
    enum { NEAR, NEAR_IN_RUNS, FAR, ROWS_APART };
    static const uint64_t most[][4] = {[NEAR] = {140000, 120000, 150000, 280000},
                                       [NEAR_IN_RUNS] = {180000, 170000, 190000, 300000},
                                       [FAR] = {150000, 220000, 260000, 460000},
                                       [ROWS_APART] = {300000, 420000, 400000, 700000}};
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint32_t width = width_of(plan);
    if (width > 3)
        return 0;
    if (!is_within(row->in_stride, GROUP_STRIDE_MAX))
        return most[row->size >= GPU_ACROSS || rows_are_apart(plan) ? ROWS_APART : FAR][width];
    return most[rows_follow(plan) ? NEAR_IN_RUNS : NEAR][width];
}

/* The same of a packed output, for rows that rows_gpu and strided_gpu can do. */
static uint64_t packed_cost_most(const struct plan *plan, bool has_groups)
{
    static const uint64_t of_channels[] = {44000, 80000, 148000, 290000};
    static const uint64_t of_repeats[] = {30000, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    enum { OF_FEW_BYTES = 54500, OF_PAIRS = 77000, OF_BYTE_OF_ROWS_APART = 75000 };
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t apart = magnitude(row->in_stride);
    uint32_t width = width_of(plan);
    if (width > 3 || apart > GROUP_STRIDE_MAX)
        return 0;
    if (row->size * plan->element_size <= GPU_ROW_APART_MOST && rows_are_apart(plan))
        return (uint64_t)OF_BYTE_OF_ROWS_APART * plan->element_size;
    if (apart > 1 && has_channels(plan))
        return of_channels[width];
    if (row->size > GPU_SHORT_ROW_MOST || apart > 1)
        return 0;
    if (apart == 0)
        return of_repeats[width];
    if (plan->element_size == 1 && row->size < GPU_BLOCK_UNIT && !has_groups)
        return OF_FEW_BYTES;
    return plan->element_size == 2 ? OF_PAIRS : 0;
}

/* Whether transpose_gpu is faster than the others, for whatever rows these can do. */
static bool take_blocks(struct plan *plan, const struct plan_limits *limits,
                        enum plan_alignment alignment, bool has_groups)
{
    uint64_t most = is_packed(plan) ? packed_cost_most(plan, has_groups) : gapped_cost_most(plan);
    struct plan taken = *plan;
    taken.variant = PLAN_TRANSPOSE_GPU;
    if (most == 0 || block_bytes(limits) == 0 || !take_transpose(&taken, 1, 1, INT64_MAX) ||
        choose_gpu_block(&taken, limits, alignment) > most)
        return false;
    *plan = taken;
    return true;
}

/* Elements between the neighbours of a column, for transpose_gpu to be faster than strided_gpu: it
 * reads what lies between them, which the memory delivers anyway up to a line's end. Of single
 * bytes, strided_gpu has neighbouring rows in one line. Measured: see tests/bench/README.md. */
static int64_t column_apart_most(const struct plan *plan)
{
    if (plan->element_size > 1)
        return GPU_BLOCK_LINE / plan->element_size;
    return plan->dim[plan->row].size < GPU_ACROSS ? GPU_BYTES_APART_SHORT : GPU_BYTES_APART_MOST;
}

/* Whether no block of transpose_gpu is faster than rows_gpu, for which the plan is made, where that
 * is worth it and the output has gaps. */
static bool rows_need_no_blocks(const struct plan *plan)
{
    return row_bytes(plan) >= GPU_GAPPED_ROW_LONG || (plan->element_size > 1 && rows_follow(plan));
}

static bool take_gpu(struct plan *plan, const struct plan_limits *limits,
                     enum plan_alignment alignment)
{
    if (element_count(plan) <= GPU_WAVE)
        return false;
    struct plan rows = *plan;
    rows.variant = PLAN_ROWS_GPU;
    bool has_groups = take_groups(&rows);
    bool has_rows = has_groups || (!others_come_late(plan) && take_rows(&rows));
    bool are_worth_it = has_rows && rows_are_worth_it(&rows, alignment);
    bool are_best = has_groups || (!is_packed(plan) && rows_need_no_blocks(&rows));
    if (!(are_worth_it && are_best) && take_blocks(plan, limits, alignment, has_groups))
        return true;
    if (are_worth_it)
        *plan = rows;
    if (has_rows || !is_packed(plan))
        return are_worth_it;
    plan->variant = PLAN_TRANSPOSE_GPU;
    int64_t row_apart = (int64_t)magnitude(plan->dim[plan->row].in_stride);
    int64_t most = column_apart_most(plan);
    return block_bytes(limits) > 0 &&
           take_transpose(plan, GPU_ROW_LEAST, 2, row_apart <= most ? row_apart - 1 : most);
}

static void choose_variant(struct plan *plan, const struct plan_limits *limits,
                           enum plan_alignment alignment)
{
    struct plan chosen = *plan;
    if (plan->is_gradient)
        plan->variant = limits->cpu ? PLAN_GRADIENT_CPU : PLAN_GRADIENT_GPU;
    else if (limits->cpu ? take_cpu(&chosen, limits) : take_gpu(&chosen, limits, alignment))
        *plan = chosen;
    else
        plan->variant = !limits->cpu           ? PLAN_STRIDED_GPU
                        : runs_are_short(plan) ? PLAN_GAPPED_CPU
                                               : PLAN_STRIDED_CPU;
}

/* transpose_gpu moves a row of more elements than a word in parts, of which one can begin up to a
 * word behind the row's last, and adds up to a word's steps before it takes them off again; its
 * lines begin up to a block before. gradient_gpu's words begin up to a word before a row's inputs
 * and end up to one behind. rows_cpu would gain nothing by small ones. */
static void choose_indices(struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    struct plan_range range = plan_range(plan, &whole);
    uint64_t in = range.in.high - range.in.low, out = range.out.high, row = 1;
    uint64_t word = gpu_block_word(plan->element_size);
    in += plan->variant == PLAN_TRANSPOSE_GPU ? GPU_BLOCK_BYTES_MOST : 0;
    if (plan->variant == PLAN_GRADIENT_GPU)
        in += 2 * word * clamp(magnitude(plan->dim[plan->row].in_stride), 0, INDEX_32_MOST);
    for (uint32_t i = plan->rank;
         i-- > 0 && i + GPU_BLOCK_RUN_RANK >= plan->rank && plan->variant == PLAN_TRANSPOSE_GPU;) {
        const struct slice_dim *dim = &plan->dim[i];
        row *= dim->size;
        in += row > word ? 2 * word * magnitude(dim->in_stride) : 0;
    }
    bool small = plan->variant != PLAN_ROWS_CPU && in <= INDEX_32_MOST && out <= INDEX_32_MOST;
    plan->index_bits = small ? 32 : 64;
}

/* Elements of the input from one of the output to the next, on average: 1 where rows are so short
 * that what they cost is finding the next one. */
static uint64_t elements_apart(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    if (row->size > GPU_SHORT || plan->element_size > 1)
        return magnitude(row->in_stride);
    bool is_long = plan->rank > 1 && row[-1].size >= GPU_ACROSS;
    return is_long ? magnitude(row[-1].in_stride) / row->size : 1;
}

/* What a work-item of strided_gpu stores at once: an element where the output has gaps. Else the
 * less, the fewer lines the input's neighbours share, at least 4 bytes; but where a short row runs
 * across the input's, its next row lies beside it. */
static uint32_t word_bytes(const struct plan *plan)
{
    uint64_t apart = elements_apart(plan), row = plan->dim[plan->rank - 1].size;
    bool is_across = false;
    for (uint32_t i = 0; i + 1 < plan->rank; ++i)
        is_across = is_across || (is_within(plan->dim[i].in_stride, 1) && row <= GPU_ACROSS);
    if (element_count(plan) <= GPU_WAVE || !is_packed(plan))
        return plan->element_size;
    if (is_across || apart <= (plan->element_size == 1 ? 1 : GROUP_STRIDE_MAX))
        return 16;
    if (plan->element_size == 1 && apart <= GPU_NEAR)
        return plan->index_bits == 32 ? 8 : 16;
    return (uint32_t)clamp(plan->element_size, 4, 16);
}

/* Whether a group of gradient_gpu has room for where its rows' inputs lie. */
static bool has_row_table(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t bytes = (uint64_t)PLAN_GRADIENT_ROWS * plan->index_bits / 8;
    return limits->local_bytes == 0 || bytes <= limits->local_bytes;
}

/* `traffic`: bytes of all memory lines that are touched. */
static void choose_groups(struct plan *plan, const struct plan_limits *limits,
                          enum plan_alignment alignment, uint64_t traffic)
{
    uint64_t elements = element_count(plan), bytes = elements * plan->element_size;
    const struct plan_box whole = plan_whole(plan);
    struct plan_range range = plan_range(plan, &whole);
    if (plan_variant_is_cpu(plan->variant)) {
        uint64_t even = bytes / limits->compute_units / CPU_ITEMS_PER_UNIT;
        plan->item_bytes =
            clamp(even, CPU_ITEM_BYTES_MIN,
                  plan->variant == PLAN_TRANSPOSE_CPU ? CPU_TRANSPOSE_BYTES_MAX
                  : plan_variant_kind(plan->variant) == PLAN_STRIDED
                      ? (plan->is_item ? CPU_STRIDED_ITEM_BYTES_MAX : CPU_STRIDED_BYTES_MAX)
                      : CPU_ITEM_BYTES_MAX);
        plan->item_bytes = clamp(bytes / PLAN_CPU_GRID, plan->item_bytes, UINT64_MAX);
        plan->local_size = 1;
        plan->is_large = plan->is_item || traffic >= limits->cache_bytes;
        return;
    }
    if (plan->variant == PLAN_STRIDED_GPU)
        plan->word_bytes = word_bytes(plan);
    if (plan->variant == PLAN_GRADIENT_GPU)
        plan->word_bytes =
            is_packed(plan) && has_row_table(plan, limits) ? GPU_ITEM_BYTES : plan->element_size;
    if (plan->variant == PLAN_TRANSPOSE_GPU && plan->block.bytes == 0)
        choose_gpu_block(plan, limits, alignment);
    uint64_t reads = (range.in.high - range.in.low) * (plan->is_item ? PLAN_ITEMS : 1);
    bool mostly_writes =
        plan->is_gradient ? plan->dim[plan->row].size >= GPU_SHORT : reads < elements / 4;
    uint64_t wanted = plan->variant == PLAN_TRANSPOSE_GPU ? GPU_BLOCK_GROUP
                      : mostly_writes                     ? GPU_LOCAL_SIZE_WRITES
                                                          : GPU_LOCAL_SIZE;
    plan->local_size = (uint32_t)clamp(wanted, 1, limits->max_work_group_size);
}

/* Whether rows_gpu makes several rows, which in an aligned output all begin at words. */
static bool rows_are_aligned(const struct plan *plan, enum plan_alignment alignment)
{
    uint64_t rows = plan->is_item ? PLAN_ITEMS : 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        if (i != plan->row && i != plan->column)
            rows *= plan->dim[i].size;
    return plan->variant == PLAN_ROWS_GPU && rows > 1 && rows_begin_at_words(plan, alignment);
}

/* False where the forced variant cannot move elements of this width. */
static bool settle_variant(struct plan *plan, const struct plan_limits *limits,
                           enum plan_alignment alignment, enum plan_variant forced)
{
    memset(plan->dim + plan->rank, 0, (TENSOR_RANK_MAX - plan->rank) * sizeof plan->dim[0]);
    memset(plan->scatter + plan->rank, 0, (TENSOR_RANK_MAX - plan->rank) * sizeof plan->scatter[0]);
    if (plan->rank == 0) {
        plan->scatter[0] = (struct slice_scatter){0, plan->is_gradient, plan->is_gradient};
        plan->dim[plan->rank++] = (struct slice_dim){1, 1, 1};
    }
    plan->row = plan->rank - 1;
    plan->column = plan->rank;
    if (forced != PLAN_VARIANT_COUNT)
        return take_forced(plan, limits, forced);
    choose_variant(plan, limits, alignment);
    return true;
}

bool plan_from(const struct slice *slice, const struct plan_limits *limits,
               enum plan_alignment alignment, enum plan_variant forced, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->element_size = slice->input.element_size;
    plan->first = slice->first;
    plan->is_item = slice->is_item;
    plan->is_gradient = slice->is_gradient && slice_reads(slice) < slice->elements;
    dimensions_take(slice, plan);
    struct plan wide = *plan;
    if (alignment == PLAN_ALIGNED_16)
        dimensions_widen(&wide);
    if (settle_variant(&wide, limits, alignment, forced))
        *plan = wide;
    else if (!settle_variant(plan, limits, alignment, forced))
        return false;
    plan->rows_are_aligned = rows_are_aligned(plan, alignment);
    choose_indices(plan);
    choose_groups(plan, limits, alignment,
                  floor_bytes(slice, limits->line_bytes) * (slice->is_item ? PLAN_ITEMS : 1));
    return true;
}
