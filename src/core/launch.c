/* SPDX-License-Identifier: MIT */
#include "core/launch.h"

#include "base/checked.h"
#include "core/blocks/cpu_block.h"
#include "core/blocks/cpu_near.h"
#include "core/blocks/cpu_square.h"
#include "core/blocks/gpu_walk.h"
#include "core/gradient_order.h"
#include "core/runs.h"
#include "core/tile.h"

#include <inttypes.h>

enum {
    /* What a work-item waits for where it makes no words, if so many items are left. */
    GPU_APART_BYTES = 8,
    GPU_APART_BYTES_AND_GAPS = 16,
    GPU_APART_ELEMENTS = 4,     /* the same, at most, */
    GPU_APART_ELEMENTS_FAR = 2, /* and of those that lie further apart in the output */
    GPU_APART_NEAR_BYTES = 4,   /* than so many bytes: measured, see tests/bench/gpu.md */
    GPU_ITEMS = 32 << 10,
    GPU_LINE = 128,            /* bytes of memory where groups of strided_gpu begin */
    GPU_PIXEL_MOST = 4,        /* bytes that a work-item of strided_gpu writes as one column */
    GPU_REPEATS_MOST = 8,      /* blocks that a work-item of strided_gpu writes, where there are */
    GPU_ITEMS_LEAST = 1 << 14, /* enough others to keep a GPU busy */
    GPU_JOINED_MOST = 2,       /* bytes of an element, as kernels/strided_gpu.cl has it */
    CPU_NEAR_BYTES = 64,       /* NEAR_BYTES of kernels/strided_cpu.cl */
    CPU_FAR_BYTES = 4096,      /* FAR_BYTES of kernels/strided_cpu.cl, */
    CPU_FAR_DOWN_BYTES = 32 << 10, /* FAR_DOWN_BYTES, */
    CPU_SPARSE_BYTES = 16,         /* and SPARSE_BYTES */
    CPU_WIDTH_UNIT = 64,           /* of a block of a row, which begins at a line if the row does */
    CPU_STRAIGHT_LEAST = 128, /* elements of a row that strided_cpu is faster for alone than with
                                  its neighbours, */
    CPU_STRAIGHT_WIDEST = 4,  /* of so many bytes at most */
    /* What gapped_cpu asks for ahead has so many parts, OUT_PARTS of kernels/gapped_cpu.cl, and so
     * many times as much of the output's memory must be dense. */
    CPU_OUT_PARTS = 4,
    CPU_OUT_REACHES = 16,
    LAUNCH_ITEMS_MAX = 1 << 20,
    /* A work-item of rows_gpu asks once where its item of a batch lies, for so many blocks, where
     * there are enough other work-items: for more where the item has few. */
    GPU_BATCH_BLOCKS = 4,
    GPU_BATCH_BLOCKS_OF_FEW = 8,
    GPU_BATCH_FEW = 512,
    GPU_BATCH_ITEMS = 1 << 18,
    GPU_GRADIENT_ROW_BEFORE_END = 1 << 10, /* elements fewer than 2^32, of gradient_gpu's rows */
    GPU_GRADIENT_ITEMS = 1 << 17,          /* its work-items, before they make several words each */
};

/* What a work-item of rows_gpu writes: PIXELS of kernels/rows_gpu.cl, 16 bytes or 12. */
static uint32_t gpu_pixels(uint32_t group_size, uint32_t element_size)
{
    return (group_size > 2 ? 4 : 16 / group_size) / element_size;
}

/* strided_cpu and gapped_cpu: a block is part of a row, and as large as their tables. */
static bool has_table(const struct plan *plan)
{
    return plan_variant_is_cpu(plan->variant) && plan_variant_kind(plan->variant) == PLAN_STRIDED;
}

/* Whether the output's elements lie close enough together for gapped_cpu to ask for all memory
 * between them: some length of it, half of which at least they or gaps of up to a line take. */
static bool is_dense(const struct plan *plan, const struct plan_box *box)
{
    uint64_t line = PLAN_LINE_BYTES / plan->element_size, reach = 1, used = 1;
    for (uint32_t i = plan->rank; i-- > 0;) {
        uint64_t apart = (uint64_t)plan->dim[i].out_stride, more = box->size[i] - 1;
        uint64_t gap = apart > reach ? apart - reach : 0;
        if (more > 0 && gap > line && apart > 2 * used)
            break;
        used += more * (used + (gap > line ? 0 : gap));
        reach += more * apart;
    }
    return reach * plan->element_size >= (uint64_t)CPU_OUT_REACHES * plan->out_ahead;
}

/* Elements of a block that has a table, at most: so many that its memory of the output is a part of
 * what is asked for ahead. */
static uint64_t table_elements(const struct plan *plan, const struct walk *walk)
{
    uint64_t most = CPU_TABLE_BYTES / plan->element_size;
    if (walk->out_ahead == 0)
        return most;
    return clamp(walk->out_ahead / CPU_OUT_PARTS / (uint64_t)walk->out_step, 1, most);
}

/* A block: elements along the row, `step` of which are alike, by elements along the column. */
static void choose_block(const struct plan *plan, const struct plan_box *box, uint64_t step,
                         struct walk *walk)
{
    enum plan_kind kind = plan_variant_kind(plan->variant);
    uint64_t width = 1, height = kind == PLAN_ROWS ? walk->column : 1;
    uint64_t wanted = plan->item_bytes / plan->element_size;
    if (plan->variant == PLAN_ROWS_GPU) {
        width = gpu_pixels(plan->pattern.group_size, plan->element_size);
    } else if (walk->makes_words) {
        width = plan->word_bytes / plan->element_size;
    } else if (plan->variant == PLAN_STRIDED_GPU) {
        uint64_t bytes = plan->numbers_gaps ? GPU_APART_BYTES_AND_GAPS : GPU_APART_BYTES;
        bool is_far = walk->out_step > GPU_APART_NEAR_BYTES / (int64_t)plan->element_size;
        uint64_t most = clamp(bytes / plan->element_size, 1,
                              is_far ? GPU_APART_ELEMENTS_FAR : GPU_APART_ELEMENTS);
        width = plan->is_item ? 1 : clamp(plan_box_elements(plan, box) / GPU_ITEMS, 1, most);
    } else if (has_table(plan)) {
        uint64_t steps = walk->row / step, most = table_elements(plan, walk) / step;
        if (plan->variant == PLAN_STRIDED_CPU && cpu_square_column(plan, box) < plan->rank)
            most = cpu_square_rows(plan, step);
        width = step * div_ceil(steps, div_ceil(steps, most));
    } else if (plan_variant_is_cpu(plan->variant)) {
        uint64_t even =
            div_ceil(walk->row, div_ceil(walk->row, clamp(wanted / height, 1, walk->row)));
        width = clamp(div_ceil(even, CPU_WIDTH_UNIT) * CPU_WIDTH_UNIT, 1, walk->row);
    }
    walk->width = (uint32_t)width;
    walk->height = (uint32_t)height;
}

/* Dimensions that are not part of a row, which begins at plan dimension `row`, or a column, whose
 * dimensions are bits; and behind them, those of a row's step. strided_gpu divides by each that
 * another follows, and so has none of size 1. */
static void add_others(const struct plan *plan, const struct plan_box *box, uint32_t row,
                       uint32_t column, struct walk *walk)
{
    for (uint32_t i = row; i-- > 0;)
        if (!(column >> i & 1) && !(plan->variant == PLAN_STRIDED_GPU && box->size[i] == 1))
            walk_add_dimension(plan, walk, box->size[i], plan->dim[i].in_stride,
                               plan->dim[i].out_stride);
    for (uint32_t i = plan->row; i > row; --i)
        walk->dim[walk->rank + plan->row - i] =
            walk_dim_of(plan, box->size[i], plan->dim[i].in_stride, plan->dim[i].out_stride);
}

/* Whether work-items of strided_gpu make words of the elements of a packed output. Wide elements
 * they store one by one, a group's size apart, but for a batch, where a group's work-items may have
 * different items. */
static bool joins_elements(const struct plan *plan)
{
    return plan->element_size <= GPU_JOINED_MOST || plan->is_item;
}

/* Where the outermost dimension is a broadcast one, a work-item of strided_gpu writes several
 * blocks that are alike. */
static void repeat_blocks(struct walk *walk)
{
    const struct walk_dim *outer = &walk->dim[walk->rank - 1];
    uint64_t inner = walk->row / outer->size, alike = inner; /* elements, blocks */
    for (uint64_t width = walk->width; width > 1 && alike % 2 == 0; width /= 2)
        alike /= 2;
    uint64_t items = walk->blocks / clamp(walk->blocks / GPU_ITEMS_LEAST, 1, GPU_REPEATS_MOST);
    uint64_t repeat = div_ceil(items, alike) * alike;
    bool is_whole_once = (repeat + 1) * walk->width <= walk->row; /* at any alignment */
    if (outer->in_stride == 0 && is_whole_once)
        walk->repeat = (uint32_t)repeat;
}

/* Rows of steps of `step` elements go on through dimensions as the output does, but for those that
 * are `taken`, while `most` elements have room for a second step of the next one. Returns the
 * elements of a step then. */
static uint64_t lengthen_row(const struct plan *plan, const struct plan_box *box, uint64_t step,
                             uint64_t most, uint32_t taken, struct walk *walk, uint32_t *row)
{
    while (*row > 0 && !(taken >> (*row - 1) & 1) && walk->row <= most / 2 &&
           plan->dim[*row - 1].out_stride == walk->out_step * (int64_t)walk->row) {
        step = walk->row;
        walk->row *= box->size[--*row];
    }
    walk->in_step = plan->dim[*row].in_stride;
    return step;
}

/* Whether strided_cpu reads a row of the output faster alone than together with its neighbours, for
 * which it needs a table. */
static bool rows_are_straight(const struct plan *plan, const struct plan_box *box,
                              const struct walk *walk)
{
    if (cpu_square_column(plan, box) < plan->rank)
        return false;
    uint64_t apart = magnitude(walk->in_step) * plan->element_size;
    bool is_late = walk->in_step < 0 && apart >= CPU_SPARSE_BYTES;
    return plan->variant == PLAN_STRIDED_CPU && plan->element_size <= CPU_STRAIGHT_WIDEST &&
           apart > 0 && apart <= CPU_NEAR_BYTES && walk->row >= CPU_STRAIGHT_LEAST &&
           walk->row >= div_ceil(is_late ? CPU_FAR_DOWN_BYTES : CPU_FAR_BYTES, apart);
}

/* Whether what lies side by side in the output, between gaps, is a pixel of single bytes. */
static bool has_pixels(const struct plan *plan, const struct plan_box *box, const struct walk *walk)
{
    return plan->element_size == 1 && walk->row > 1 && walk->row <= GPU_PIXEL_MOST &&
           walk->out_step == 1 && !plan_is_packed(plan, box);
}

/* Groups of work-items of strided_gpu begin at lines of memory, where elements of the output follow
 * each other at one distance in rows and from row to row; an item's, which may be small, at words.
 * Returns how many elements may come before the first. */
static uint64_t begin_at_line(const struct plan *plan, struct walk *walk)
{
    const struct walk_dim *dim = walk->dim;
    uint64_t apart = walk->makes_words ? 1 : clamp((uint64_t)dim[0].out_stride, 1, UINT32_MAX);
    bool is_even = walk->rank == 1 || dim[1].out_stride == dim[0].out_stride * dim[0].size;
    bool is_short = walk->row <= UINT32_MAX - GPU_LINE;
    walk->units = (plan->is_item ? plan->word_bytes : GPU_LINE) / plan->element_size;
    walk->by_units =
        walk->makes_words || (is_even && is_short) ? (1 << 16) / (uint32_t)apart + 1 : 0;
    return (walk->units - 1) * (uint64_t)walk->by_units >> 16;
}

/* strided_gpu finds elements, or steps of `step` of them, or pixels. */
static void number_elements(const struct plan *plan, const struct plan_box *box, uint32_t row,
                            uint64_t step, struct walk *walk)
{
    uint64_t row_size = box->size[plan->row], numbered = walk->row / step;
    bool numbers_gaps = plan->numbers_gaps && row_size == plan->dim[plan->row].size;
    if (has_pixels(plan, box, walk)) {
        walk->height = (uint32_t)walk->row;
        walk->column = walk->row;
        walk->in_pitch = walk->in_step;
        walk->out_pitch = walk->out_step;
        uint64_t columns = plan_box_elements(plan, box) / walk->column;
        walk->width = (uint32_t)clamp(columns / GPU_ITEMS, 1, walk->width);
    } else {
        if (numbers_gaps)
            numbered = (uint64_t)plan->dim[plan->row - 1].out_stride;
        if (numbered > 1 || plan_box_elements(plan, box) == walk->row)
            walk_add_dimension(plan, walk, numbered, walk->in_step, walk->out_step * (int64_t)step);
    }
    add_others(plan, box, row, 0, walk);
    walk->row = walk->blocks * step;
    walk->full = walk->makes_words ? (uint32_t)step
                 : numbers_gaps    ? (uint32_t)row_size
                                   : walk->dim[0].size;
    walk->by_full = walk_divisor_of(plan, step).reciprocal; /* for quotient_by() */
    walk->blocks = div_ceil(walk->row + begin_at_line(plan, walk), walk->width);
    if (walk->makes_words && !plan->has_neighbours && joins_elements(plan))
        repeat_blocks(walk);
}

/* The rows, columns and blocks of transpose_cpu. Returns the elements of a row's step. */
static uint64_t set_cpu_block(const struct plan *plan, const struct plan_box *box, uint32_t *row,
                              uint32_t *taken, struct walk *walk)
{
    uint64_t few = CPU_BLOCK_SHORT_BYTES / plan->element_size;
    uint64_t more = CPU_BLOCK_LONG_BYTES / plan->element_size;
    uint64_t step = lengthen_row(plan, box, 1, few, *taken, walk, row);
    step = lengthen_row(plan, box, step, more, cpu_block_needs(plan, box, *row), walk, row);
    struct cpu_block block = cpu_block_of(plan, box, *row, step);
    step = lengthen_row(plan, box, step, CPU_BLOCK_STEP_MOST, block.taken, walk, row);
    *taken = block.taken;
    walk->width = cpu_block_width(plan, &block, walk->row, step);
    walk->height = block.height;
    walk->column = 1;
    for (uint32_t n = 0; n < block.rank; ++n) {
        const struct slice_dim *dim = &plan->dim[block.column[n]];
        uint64_t size = box->size[block.column[n]];
        if (n + 1 < block.rank)
            walk->block[n] = (struct walk_extent){
                .in_step = dim->in_stride, .out_step = dim->out_stride, .extent = (int32_t)size};
        walk->full = (uint32_t)walk->column;
        walk->column *= size;
        walk->in_pitch = dim->in_stride;
        walk->out_pitch = dim->out_stride;
    }
    return step;
}

static void number_blocks(const struct plan *plan, const struct plan_box *box, uint32_t row,
                          uint64_t step, uint32_t column, struct walk *walk)
{
    uint32_t near = cpu_near_dimension(plan, box, row, walk->row / step);
    if (near < plan->rank) {
        walk_add_dimension(plan, walk, box->size[near], plan->dim[near].in_stride,
                           plan->dim[near].out_stride);
        walk->row_dim = 1;
        column |= 1u << near;
    }
    uint64_t width = walk->width, height = walk->height;
    /* The first block of a row, which may also begin inside a pixel if that is even. */
    bool may_be_early = plan->variant == PLAN_ROWS_GPU && !plan->rows_are_aligned;
    uint64_t early = may_be_early ? width - (plan->pattern.group_size % 2) : 0;
    if (walk->transposes)
        walk_add_dimension(plan, walk, div_ceil(walk->column, height),
                           walk->in_pitch * (int64_t)(height / walk->full),
                           walk->out_pitch * (int64_t)(height / walk->full));
    walk_add_dimension(plan, walk, div_ceil(walk->row + early, width),
                       walk->in_step * (int64_t)(width / step), walk->out_step * (int64_t)width);
    add_others(plan, box, row, column, walk);
}

/* Words of a work-item of gradient_gpu. Of longer rows than short ones, a group lists those of its
 * words: none where it cannot, or a row is too long for put_inputs(). */
static uint64_t words_most(const struct plan *plan, uint64_t row)
{
    uint64_t word = plan->word_bytes / plan->element_size;
    uint64_t most = PLAN_GRADIENT_WORDS / plan->local_size;
    if (plan->has_short_rows)
        return most;
    if (row > UINT32_MAX - GPU_GRADIENT_ROW_BEFORE_END)
        return 0;
    return clamp((PLAN_GRADIENT_ROWS - 1) * row / plan->local_size / word, 0, most);
}

/* All elements of a gradient are one row, which its dimensions number. */
static void number_gradient(const struct plan *plan, const struct plan_box *box, struct walk *walk)
{
    uint32_t order[TENSOR_RANK_MAX];
    walk->full = (uint32_t)gradient_order(plan, walk->row, order);
    for (uint32_t k = 0; k < plan->rank; ++k) {
        uint32_t i = order[k];
        uint64_t low;
        const struct slice_scatter s = plan_scatter(plan, box, i, &low);
        const struct divisor by_step = walk_divisor_of(plan, s.step);
        const struct divisor by_count = walk_divisor_of(plan, clamp(s.count, 1, UINT32_MAX));
        walk->scatter[walk->rank] = (struct walk_scatter){.start = (uint32_t)s.start,
                                                          .step = (uint32_t)s.step,
                                                          .count = (uint32_t)s.count,
                                                          .by_step = by_step.reciprocal,
                                                          .step_shift = (uint16_t)by_step.shift,
                                                          .count_shift = (uint16_t)by_count.shift};
        walk_add_dimension(plan, walk, box->size[i], plan->dim[i].in_stride,
                           plan->dim[i].out_stride);
        walk->dim[walk->rank - 1].by_count = by_count.reciprocal;
    }
    uint64_t wanted = walk->makes_words ? plan->word_bytes / plan->element_size : 1;
    uint64_t early = wanted - 1; /* a word's elements before the output's first */
    walk->row = walk->blocks;
    if (plan_variant_is_cpu(plan->variant))
        wanted = clamp(plan->item_bytes / plan->element_size, 1, walk->row);
    walk->width = (uint32_t)wanted;
    walk->height = 1;
    walk->blocks = div_ceil(walk->row + early, wanted);
}

/* What an item of a batch is divided into. */
static void divide_item(const struct plan *plan, struct walk *walk, uint64_t count)
{
    struct divisor of_item = walk_divisor_of(plan, count);
    walk->of_item = (uint32_t)count;
    walk->by_item = of_item.reciprocal;
    walk->item_shift = of_item.shift;
}

/* See walk.h. A box may have too short rows of neighbours. */
static bool makes_words(const struct plan *plan, const struct plan_box *box)
{
    uint64_t row = box->size[plan->row];
    if (!plan_is_packed(plan, box))
        return false;
    if (plan->is_gradient)
        return plan->word_bytes > 0 && words_most(plan, row) > 0;
    return plan->word_bytes > plan->element_size &&
           (!plan->has_neighbours || row >= PLAN_NEIGHBOURS_LEAST);
}

struct launch launch_from(const struct plan *plan, const struct plan_box *box)
{
    struct launch launch = {0};
    struct walk *walk = &launch.walk;
    const struct slice_dim *inner = &plan->dim[plan->row], *column = &plan->dim[plan->column];
    uint32_t row = plan->row;
    uint32_t taken = 1u << plan->column; /* by a column */
    uint64_t step = 1;
    launch.range = plan_range(plan, box);
    walk->in_first = launch.range.in.first;
    walk->out_first = launch.range.out.first;
    walk->in_low = (int64_t)(launch.range.in.low - walk->in_first);
    walk->in_high = (int64_t)(launch.range.in.high - walk->in_first);
    walk->row = box->size[plan->row];
    walk->in_step = inner->in_stride;
    walk->out_step = inner->out_stride;
    walk->column = 1;
    walk->is_large = plan->is_large;
    walk->past_caches = plan->is_large && runs_of(plan, box).bytes >= plan->run_past_caches;
    walk->transposes = plan->variant == PLAN_TRANSPOSE_CPU;
    walk->row_dim = walk->transposes;
    if (plan->out_ahead > 0 && is_dense(plan, box))
        walk->out_ahead = (uint16_t)(plan->out_ahead / plan->element_size);
    if (plan->column < plan->rank) {
        walk->column = box->size[plan->column];
        walk->in_pitch = column->in_stride;
        walk->out_pitch = column->out_stride;
    }
    walk->makes_words = makes_words(plan, box);
    walk->blocks = 1;
    if (has_table(plan) && !rows_are_straight(plan, box, walk))
        step = lengthen_row(plan, box, 1, table_elements(plan, walk), taken, walk, &row);
    bool may_be_short = !plan->is_gradient && !plan->has_neighbours && joins_elements(plan);
    if (walk->makes_words && may_be_short) /* shorter than a word */
        step = lengthen_row(plan, box, 1, 2 * plan->word_bytes / plan->element_size - 1, taken,
                            walk, &row);
    if (plan->variant == PLAN_TRANSPOSE_CPU)
        step = set_cpu_block(plan, box, &row, &taken, walk);
    if (plan->is_gradient) {
        number_gradient(plan, box, walk);
    } else {
        if (plan->variant != PLAN_TRANSPOSE_CPU)
            choose_block(plan, box, step, walk);
        if (plan->variant == PLAN_TRANSPOSE_GPU)
            gpu_walk_set(plan, box, walk);
        else if (plan->variant == PLAN_STRIDED_GPU)
            number_elements(plan, box, row, step, walk);
        else
            number_blocks(plan, box, row, step, taken, walk);
    }
    uint64_t wanted = plan->item_bytes / plan->element_size / walk->width / walk->height;
    uint64_t most = plan->is_item ? UINT32_MAX : walk->blocks;
    if (plan->variant == PLAN_GRADIENT_GPU)
        wanted = walk->makes_words ? clamp(walk->blocks / GPU_GRADIENT_ITEMS, 1,
                                           words_most(plan, box->size[plan->row]))
                                   : 1;
    else if (!plan_variant_is_cpu(plan->variant))
        wanted = 1;
    /* at least 1, whatever `most` is: it is divided by */
    walk->blocks_each = (uint32_t)clamp(wanted < most ? wanted : most, 1, UINT32_MAX);
    divide_item(plan, walk, walk->repeat > 0 ? walk->repeat : walk->blocks);
    return launch_items(plan, &launch, 1);
}

struct launch launch_first(const struct plan *plan, uint64_t *launches)
{
    uint64_t tile[TENSOR_RANK_MAX];
    *launches = tile_launches(plan, tile, NULL);
    struct plan_box box = tile_box(plan, tile, 0);
    return launch_from(plan, &box);
}

/* Work-items or, of transpose_gpu, groups. */
static uint64_t unit_count(const struct walk *walk, uint64_t items)
{
    return div_ceil(walk->of_item * items, walk->blocks_each);
}

uint64_t launch_items_most(const struct plan *plan, const struct launch *one)
{
    uint64_t each = one->walk.of_item;
    each *= plan->variant == PLAN_TRANSPOSE_GPU ? plan->local_size : 1;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): an item has a block */
    return clamp((INT32_MAX - plan->local_size) / each, 1, LAUNCH_ITEMS_MAX);
}

struct launch launch_items(const struct plan *plan, const struct launch *one, uint64_t items)
{
    struct launch launch = *one;
    struct walk *walk = &launch.walk;
    if (plan_variant_is_cpu(plan->variant))
        walk->blocks_each = (uint32_t)clamp(div_ceil(walk->of_item * items, PLAN_CPU_GRID),
                                            walk->blocks_each, UINT32_MAX);
    if (plan->is_item && plan->variant == PLAN_ROWS_GPU) {
        uint64_t most = walk->blocks <= GPU_BATCH_FEW ? GPU_BATCH_BLOCKS_OF_FEW : GPU_BATCH_BLOCKS;
        uint64_t each = clamp(walk->blocks * items / GPU_BATCH_ITEMS, 1, most);
        divide_item(plan, walk, div_ceil(walk->blocks, each));
    }
    uint64_t units = clamp(unit_count(walk, items), 1, UINT64_MAX);
    walk->items = (uint32_t)items;
    launch.global_size = plan->variant == PLAN_TRANSPOSE_GPU
                             ? units * plan->local_size
                             : div_ceil(units, plan->local_size) * plan->local_size;
    return launch;
}

static void describe_gpu_blocks(const struct plan *plan, const struct launch *launch,
                                struct text *text)
{
    const struct gpu_block_choice *block = &plan->block;
    text_append(text, "%" PRIu64 " groups of %" PRIu32 " work-items, for blocks of ",
                launch->global_size / plan->local_size, plan->local_size);
    for (uint32_t i = 0; i < plan->rank; ++i) {
        uint64_t chunk = i + 1 == plan->rank && block->chunk > 0 ? block->chunk : 1;
        text_append(text, "%s%" PRIu64, i > 0 ? " x " : "",
                    clamp(block->extent[i] * chunk, 1, plan->dim[i].size));
    }
    text_append(text, " elements, %" PRIu32 " lines of %" PRIu32 " bytes of the input\n",
                launch->walk.lines, launch->walk.units * GPU_BLOCK_UNIT);
}

void launch_describe(const struct plan *plan, struct text *text)
{
    uint64_t launches;
    struct launch launch = launch_first(plan, &launches);
    const struct walk *walk = &launch.walk;
    text_append(text, "        ");
    if (launches > 1)
        text_append(text, "%" PRIu64 " launches of at most ", launches);
    if (plan->variant == PLAN_TRANSPOSE_GPU) {
        describe_gpu_blocks(plan, &launch, text);
        return;
    }
    text_append(
        text,
        "%" PRIu64 " work-items in groups of %" PRIu32 ", each %" PRIu64 " blocks of %" PRIu32,
        launch.global_size, plan->local_size,
        walk->repeat > 0 ? div_ceil(walk->blocks, walk->repeat) : walk->blocks_each, walk->width);
    if (walk->height > 1)
        text_append(text, " x %" PRIu32, walk->height);
    text_append(text, " elements\n");
}
