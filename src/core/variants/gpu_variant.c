/* SPDX-License-Identifier: MIT */
#include "core/variants/gpu_variant.h"

#include "base/checked.h"
#include "core/blocks/gpu_choice.h"
#include "core/variants/pattern.h"

enum {
    GPU_BYTES_APART_SHORT = 16, /* between single bytes of a column, where rows are short, */
    GPU_BYTES_APART_MOST = 32,  /* and where they are long */
    /* Elements of an output that most GPUs move at once, 8 compute units of 1024 work-items: one
     * after the other is what an item's loads take, and strided_gpu has the fewest that wait for
     * each other. */
    GPU_WAVE = 8 << 10,
    GPU_LONG = 64,     /* elements of a long row */
    GPU_NEAR = 11,     /* between single bytes that share lines: see gpu_variant_word_bytes(), */
    GPU_NEAR_ROWS = 2, /* and in short rows that are read as they lie, for words of 16 bytes */
    GPU_CACHE_BYTES = 32 << 20, /* what lies in the caches between its first use and its second */
    GPU_BLOCKS_PER_UNIT = 2,    /* of transpose_gpu, at least, if the slice has so much */
    GPU_SHORT_ROW_MOST = 128,   /* times that a row repeats a narrow element, at most */
    GPU_ROW_APART_MOST = 96,    /* bytes of a row, where the input has other rows between two */
    GPU_SPARSE_WORDS_MOST = 11, /* 4-byte elements of such a row, of which a work-item moves two */
    GPU_SPARSE_ROW_MOST = 6,    /* single bytes of one, where many such rows follow */
    GPU_NEIGHBOURS_MOST = 1 << 10, /* bytes of packed rows that strided_gpu reads as they lie */
    GPU_ITEM_ROW_BYTES = 512,      /* of a batch, for rows_gpu: a work-item makes several blocks */
    GPU_GAPPED_ROW_LONG = 256,     /* bytes of a row between gaps: see rows_need_no_blocks() */
    GPU_NUMBERED_LEAST = 4,        /* bytes of an element: see should_number_gaps(); */
    GPU_NUMBERED_ROW_MOST = 400,   /* elements of a row, */
    GPU_NUMBERED_GAP_MOST = 128,   /* and of a gap */
    GPU_UNEVEN_PIXELS = 96, /* bytes of a row of pixels, for rows_gpu, unless all begin at words */
    GPU_ROW_LEAST = 2, /* elements of transpose_gpu's rows, for it to be faster than strided_gpu */
};

uint32_t gpu_variant_block_bytes(const struct plan_limits *limits)
{
    uint64_t local = limits->local_bytes > 0 ? limits->local_bytes : UINT64_MAX;
    if (limits->max_work_group_size < GPU_BLOCK_GROUP ||
        local < GPU_BLOCK_BYTES_LEAST + GPU_BLOCK_TABLE_BYTES)
        return 0;
    uint64_t bytes = clamp(local - GPU_BLOCK_TABLE_BYTES, 0, GPU_BLOCK_BYTES_MOST);
    return (uint32_t)(bytes / GPU_BLOCK_UNIT * GPU_BLOCK_UNIT);
}

/* What rows_gpu is worth its programs for, by elements of 2^i bytes; measured: see
 * tests/bench/gpu.md. It writes a row's ends element by element; strided_gpu writes narrow
 * elements without gaps in words alone, and is as fast where few elements make a word. */
struct gpu_least {
    uint64_t row_bytes;    /* at least */
    uint64_t gapped_bytes; /* the same of an output with gaps, whose rows all begin at words, */
    uint64_t uneven_bytes; /* or do not, of single elements, */
    uint64_t run_bytes;    /* or follow each other, wherever they begin */
    int64_t apart;         /* elements, at most */
    uint32_t group_size;   /* at most; wider ones go element by element inside a pixel */
};

static const struct gpu_least gpu_least[] = {
    {256, 64, 256, 12, 4, 4},
    {256, 180, 448, 64, 4, 1},
    {UINT64_MAX, 0, 400, 36, 1, 1},
    {UINT64_MAX, 64, 768, 120, 1, 1},
};

bool gpu_variant_rows_begin_at_words(const struct plan *plan, enum plan_alignment alignment)
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
    uint64_t elements = row->size * clamp(plan->pattern.group_size, 1, PATTERN_SIZE_MOST);
    return plan->row > 0 && row[-1].out_stride == (int64_t)elements;
}

/* Of the output, at most 1.5 rows and so many elements each, and whole sectors between planes, so
 * that what is numbered with them, by 31 bits, lies in memory as work-items do in groups. */
static bool gaps_are_even(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    if (plan->row == 0 || row->out_stride != 1)
        return false;
    uint64_t pitch = (uint64_t)row[-1].out_stride, odd = 0;
    uint64_t gap_most = clamp(row->size + row->size / 2, 0, GPU_NUMBERED_GAP_MOST);
    for (uint32_t i = plan->row - 1; i > 0; --i)
        odd |= (uint64_t)plan->dim[i - 1].out_stride -
               plan->dim[i].size * (uint64_t)plan->dim[i].out_stride;
    return pitch > row->size && pitch <= row->size + gap_most &&
           pitch <= INT32_MAX / (plan_elements(plan) / row->size) &&
           odd * plan->element_size % GPU_BLOCK_SECTOR == 0;
}

/* Groups that each write a part of a sector take longer than work-items that do nothing do, but of
 * narrow elements, instructions are the limit. */
static bool should_number_gaps(const struct plan *plan)
{
    return plan->element_size >= GPU_NUMBERED_LEAST && !plan->is_item &&
           plan->dim[plan->row].size <= GPU_NUMBERED_ROW_MOST && gaps_are_even(plan);
}

bool gpu_variant_numbers_gaps(const struct plan *plan)
{
    return plan->variant == PLAN_STRIDED_GPU && should_number_gaps(plan);
}

/* Of a row of pixels, or of single elements. */
static uint64_t row_bytes(const struct plan *plan)
{
    return plan->dim[plan->row].size * plan->pattern.group_size * plan->element_size;
}

bool gpu_variant_has_neighbours(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    return plan->element_size < 4 && magnitude(row->in_stride) == 1 &&
           row->size >= PLAN_NEIGHBOURS_LEAST;
}

/* Whether rows_gpu, for which the plan is made, is faster than strided_gpu. It is not where rows of
 * less than a word may be of two. */
static bool rows_are_worth_it(const struct plan *plan, enum plan_alignment alignment)
{
    const struct plan_pattern *pattern = &plan->pattern;
    const struct gpu_least *least = &gpu_least[plan_width(plan)];
    uint64_t bytes = row_bytes(plan);
    bool may_begin_anywhere = alignment == PLAN_ALIGNED_ELEMENT;
    bool is_single = pattern->group_size == 1;
    bool is_plain = is_single && pattern->group_stride == 1;
    if (pattern->group_size > least->group_size ||
        (is_single && !is_within(pattern->group_stride, least->apart)))
        return false;
    if (plan->is_item && is_plain && bytes >= GPU_ITEM_ROW_BYTES)
        return true;
    bool may_be_words = gpu_variant_has_neighbours(plan);
    uint64_t packed = clamp(least->row_bytes, may_be_words ? GPU_NEIGHBOURS_MOST : 0, UINT64_MAX);
    bool begin_at_words = gpu_variant_rows_begin_at_words(plan, alignment);
    if (!plan_has_gaps(plan))
        return bytes >= packed;
    if (should_number_gaps(plan))
        return false;
    uint64_t gapped = begin_at_words ? least->gapped_bytes
                      : is_single    ? least->uneven_bytes
                                     : GPU_UNEVEN_PIXELS;
    if (rows_follow(plan))
        gapped = clamp(least->run_bytes, 0, gapped);
    return bytes >= gapped && !(may_begin_anywhere && bytes < GPU_ITEM_BYTES);
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

uint64_t gpu_variant_choose_block(struct plan *plan, const struct plan_limits *limits,
                                  enum plan_alignment alignment)
{
    uint64_t bytes = plan_elements(plan) * plan->element_size;
    uint64_t even = bytes / limits->compute_units / GPU_BLOCKS_PER_UNIT;
    struct gpu_block_first first = {plan->first, 0};
    plan->block.bytes = gpu_variant_block_bytes(limits);
    plan->block.is_aligned = alignment == PLAN_ALIGNED_16;
    return gpu_block_choose(&plan->block,
                            (uint32_t)clamp(even, GPU_BLOCK_WANTED_LEAST, plan->block.bytes),
                            plan->element_size, first, plan->rank, plan->dim);
}

/* Of the first dimensions, the one whose steps in the input are the shortest, if they are shorter
 * than `apart`, and so read what lies between elements so far apart; else NULL. */
static const struct slice_dim *nearest(const struct plan *plan, uint32_t dimensions, uint64_t apart)
{
    const struct slice_dim *found = NULL;
    for (const struct slice_dim *dim = plan->dim; dim < plan->dim + dimensions; ++dim)
        if (dim->in_stride != 0 && magnitude(dim->in_stride) < apart) {
            apart = magnitude(dim->in_stride);
            found = dim;
        }
    return found;
}

/* Whether another dimension reads what the row's steps leave out. */
static bool has_channels(const struct plan *plan)
{
    uint32_t row = plan->rank - 1;
    return nearest(plan, row, magnitude(plan->dim[row].in_stride)) != NULL;
}

/* Where the input has rows between one and the output's next, the dimension of the nearest; else
 * NULL. Words read few bytes of a line, and these others later. */
static const struct slice_dim *rows_between(const struct plan *plan)
{
    if (plan->rank < 2)
        return NULL;
    uint32_t next = plan->rank - 2;
    return nearest(plan, next, magnitude(plan->dim[next].in_stride));
}

/* The same, where the rows are so short that words read the less. */
static const struct slice_dim *short_rows_between(const struct plan *plan)
{
    uint64_t bytes = plan->dim[plan->rank - 1].size * plan->element_size;
    return bytes <= GPU_ROW_APART_MOST ? rows_between(plan) : NULL;
}

/* What a block of short rows may cost where such others are `between`. Words of strided_gpu take
 * longer where they are of several rows, but those of wide elements are as fast where the others
 * come before the cache has lost their lines. */
static uint64_t rows_apart_cost_most(const struct plan *plan, const struct slice_dim *between)
{
    static const uint64_t most[] = {75000, 150000, 300000, 496000};
    static const uint64_t of_few[] = {100000, 200000, 300000, 496000};
    enum { FEW = 20, SOON_BYTES = 4 << 10, MOST_SOON = 248000 };
    uint64_t later = (uint64_t)between->out_stride * plan->element_size;
    if (plan->element_size == 4 && later <= SOON_BYTES)
        return MOST_SOON;
    return (plan->dim[plan->rank - 1].size <= FEW ? of_few : most)[plan_width(plan)];
}

/* Whether the plan's block is worth it: one of wide elements in short rows must have several of the
 * rows between, as it else reads what strided_gpu does, or cost very little. */
static bool block_is_worth_it(const struct plan *plan, uint64_t cost)
{
    enum { OF_BYTE_ALONE = 36000 };
    const struct slice_dim *between = short_rows_between(plan);
    return plan_has_gaps(plan) || plan->element_size <= 2 || between == NULL ||
           plan->block.extent[between - plan->dim] > 1 ||
           cost <= (uint64_t)OF_BYTE_ALONE * plan->element_size;
}

/* What a block of transpose_gpu may cost to be faster than strided_gpu where the output has gaps,
 * and so is written element by element; measured, as gpu_least is. That takes longer the farther
 * apart in the input what is side by side in the output lies; narrow elements wait for the
 * instructions of each dimension beyond the second. */
static uint64_t gapped_cost_most(const struct plan *plan)
{
    enum { NEAR, NEAR_IN_RUNS, FAR, ROWS_APART, OF_PIXELS = 75000 };
    static const uint64_t further[] = {11500, 12000, 0, 0, 0};
    static const uint64_t most[][5] = {[NEAR] = {55600, 75000, 150000, 280000, 0},
                                       [NEAR_IN_RUNS] = {60000, 88000, 190000, 300000, 0},
                                       [FAR] = {150000, 220000, 260000, 460000, 0},
                                       [ROWS_APART] = {300000, 420000, 400000, 700000, 1100000}};
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint32_t width = plan_width(plan);
    if (!is_within(row->in_stride, PATTERN_STRIDE_MOST))
        return most[row->size >= GPU_LONG || rows_between(plan) ? ROWS_APART : FAR][width];
    if (plan->element_size == 1 && row->size <= PATTERN_SIZE_MOST) /* columns of strided_gpu */
        return OF_PIXELS;
    return most[rows_follow(plan) ? NEAR_IN_RUNS : NEAR][width] +
           (clamp(plan->rank, 2, TENSOR_RANK_MAX) - 2) * further[width];
}

/* The same of a packed output, for rows that rows_gpu and strided_gpu can do. `has_pixels`:
 * they are pixels that rows_gpu is faster for than strided_gpu. */
static uint64_t packed_cost_most(const struct plan *plan, bool has_pixels)
{
    static const uint64_t of_channels[] = {44000, 80000, 148000, 290000};
    static const uint64_t of_repeats[] = {30000, UINT64_MAX, 0, 0};
    enum { OF_FEW_BYTES = 54500, OF_FEWER_BYTES = 65500, OF_PAIRS = 91000 };
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t apart = magnitude(row->in_stride);
    uint32_t width = plan_width(plan);
    if (width > 3 || apart > PATTERN_STRIDE_MOST)
        return 0;
    const struct slice_dim *between = short_rows_between(plan);
    if (between != NULL)
        return rows_apart_cost_most(plan, between);
    if (apart > 1 && has_channels(plan))
        return of_channels[width];
    if (apart == 0)
        return row->size <= GPU_SHORT_ROW_MOST ? of_repeats[width] : 0;
    if (apart > 1 || width > 1 || gpu_variant_has_neighbours(plan))
        return 0;
    bool is_sparse = row->size <= GPU_SPARSE_ROW_MOST && plan->rank > 1 && row[-1].size >= GPU_LONG;
    if (plan->element_size == 1)
        return has_pixels ? 0 : is_sparse ? OF_FEWER_BYTES : OF_FEW_BYTES;
    return OF_PAIRS;
}

/* Whether transpose_gpu is faster than the others, for whatever rows these can do. */
static bool take_blocks(struct plan *plan, const struct plan_limits *limits,
                        enum plan_alignment alignment, bool has_pixels)
{
    uint64_t most =
        plan_has_gaps(plan) ? gapped_cost_most(plan) : packed_cost_most(plan, has_pixels);
    struct plan taken = *plan;
    taken.variant = PLAN_TRANSPOSE_GPU;
    if (most == 0 || gpu_variant_block_bytes(limits) == 0 ||
        !pattern_take_transpose(&taken, 1, 1, INT64_MAX))
        return false;
    uint64_t cost = gpu_variant_choose_block(&taken, limits, alignment);
    bool is_found = cost < UINT64_MAX;
    if (!is_found || cost > most || !block_is_worth_it(&taken, cost))
        return false;
    *plan = taken;
    return true;
}

/* Elements between the neighbours of a column, for transpose_gpu to be faster than strided_gpu: it
 * reads what lies between them, which the memory delivers with them. Of single bytes, strided_gpu
 * has neighbouring rows in one line. Measured: see tests/bench/gpu.md. */
static int64_t column_apart_most(const struct plan *plan)
{
    if (plan->element_size > 1)
        return GPU_BLOCK_BURST / plan->element_size;
    return plan->dim[plan->row].size < GPU_LONG ? GPU_BYTES_APART_SHORT : GPU_BYTES_APART_MOST;
}

/* Whether no block of transpose_gpu is faster than rows_gpu, for which the plan is made, where that
 * is worth it and the output has gaps. */
static bool rows_need_no_blocks(const struct plan *plan, enum plan_alignment alignment)
{
    return row_bytes(plan) >= GPU_GAPPED_ROW_LONG ||
           (plan->element_size > 1 && rows_follow(plan)) ||
           (plan->element_size > 2 && gpu_variant_rows_begin_at_words(plan, alignment));
}

static bool take_pattern(struct plan *plan, const struct plan_limits *limits,
                         enum plan_alignment alignment)
{
    if (plan_elements(plan) <= GPU_WAVE)
        return false;
    struct plan rows = *plan;
    rows.variant = PLAN_ROWS_GPU;
    bool has_groups = pattern_take_groups(&rows);
    bool has_rows = has_groups || (!others_come_late(plan) && pattern_take_rows(&rows));
    bool are_worth_it = has_rows && rows_are_worth_it(&rows, alignment);
    bool are_best = has_groups || (plan_has_gaps(plan) && rows_need_no_blocks(&rows, alignment));
    bool numbers_gaps = is_within(plan->dim[plan->row].in_stride, 1) && should_number_gaps(plan);
    if (!(are_worth_it && are_best) && !numbers_gaps &&
        take_blocks(plan, limits, alignment, has_groups && are_worth_it))
        return true;
    if (are_worth_it)
        *plan = rows;
    if (has_rows || plan_has_gaps(plan))
        return are_worth_it;
    plan->variant = PLAN_TRANSPOSE_GPU;
    int64_t row_apart = (int64_t)magnitude(plan->dim[plan->row].in_stride);
    int64_t most = column_apart_most(plan);
    return gpu_variant_block_bytes(limits) > 0 &&
           pattern_take_transpose(plan, GPU_ROW_LEAST, 2, row_apart <= most ? row_apart - 1 : most);
}

void gpu_variant_choose(struct plan *plan, const struct plan_limits *limits,
                        enum plan_alignment alignment)
{
    struct plan chosen = *plan;
    if (take_pattern(&chosen, limits, alignment))
        *plan = chosen;
    else
        plan->variant = PLAN_STRIDED_GPU;
}

/* Elements of the input from one of the output to the next, on average: 1 where rows are so short
 * that what they cost is finding the next one. */
static uint64_t elements_apart(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t apart = magnitude(row->in_stride);
    bool is_long = plan->rank > 1 && row[-1].size >= GPU_LONG;
    bool is_short = row->size <= GPU_SHORT ||
                    (is_long && apart == 1 && row->size < GPU_ITEM_BYTES); /* than a word */
    if (!is_short || plan->element_size > 1)
        return apart;
    return is_long ? magnitude(row[-1].in_stride) / row->size : 1;
}

/* An element where the output has gaps. Else the less, the fewer lines neighbours in the input
 * share, at least 4 bytes; but where a short row runs across the input's, its next row lies beside
 * it. */
uint32_t gpu_variant_word_bytes(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->rank - 1];
    uint64_t apart = elements_apart(plan);
    uint64_t near = gpu_variant_has_neighbours(plan) ? GPU_NEAR_ROWS : 1;
    bool is_across = false;
    for (uint32_t i = 0; i + 1 < plan->rank; ++i)
        is_across = is_across || (is_within(plan->dim[i].in_stride, 1) && row->size <= GPU_LONG);
    bool is_sparse = plan->element_size == 4 && row->size <= GPU_SPARSE_WORDS_MOST &&
                     !plan->is_item && !is_across && rows_between(plan) != NULL;
    if (plan_elements(plan) <= GPU_WAVE || plan_has_gaps(plan) || is_sparse)
        return plan->element_size;
    if (is_across || apart <= (plan->element_size == 1 ? near : PATTERN_STRIDE_MOST))
        return 16;
    if (plan->element_size == 1 && apart <= GPU_NEAR)
        return 8;
    return (uint32_t)clamp(plan->element_size, 4, 16);
}
