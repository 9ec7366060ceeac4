/* SPDX-License-Identifier: MIT */
#include "core/planner.h"

#include "base/checked.h"
#include "core/dimensions.h"
#include "core/floor.h"
#include "core/launch.h"
#include "core/tile.h"
#include "core/variants/cpu_columns.h"
#include "core/variants/cpu_rows.h"
#include "core/variants/cpu_variant.h"
#include "core/variants/gpu_variant.h"
#include "core/variants/pattern.h"

#include <string.h>

enum {
    INDEX_32_MOST = INT32_MAX - 1024, /* leaves room for a block that begins behind a row's end, and
                                         for windows of words around their inputs */
    LAUNCH_BYTES_LEAST = 16 << 20,    /* that a launch writes: its start takes a few microseconds */
    LAUNCH_PIECE_LEAST = 512, /* bytes: two of its 16 sectors may be another launch's, too, which
                                 costs less than indices of 64 bits do */
    /* Of gradients: measured, see tests/bench/gpu.md. Elements of a short row, */
    GPU_GRADIENT_SHORT = 3,
    GPU_GRADIENT_SHORT_NARROW = 11, /* of 1 or 2 bytes; */
    GPU_GRADIENT_FEW = 2,           /* or inputs of a row, on average. */
    GPU_GRADIENT_LONG = 64,         /* Elements of a long row. */
    GPU_GRADIENT_NEAR_BYTES = 8,    /* Between inputs of which a line of memory has many. */
    GPU_LOCAL_SIZE = 128,           /* larger groups are slower to make room for the next one */
    GPU_LOCAL_SIZE_LARGE = 256,     /* where little is read, or gaps have work-items: starting
                                         groups would be the limit; of batches of rows, and of
                                         gradients of inputs far apart or of long easy rows */
    CPU_ITEM_BYTES_MIN = 16 << 10,  /* a work-item of a CPU: enough to pay for its start, */
    CPU_ITEM_BYTES_MAX = 32 << 10,  /* few enough to stay in its first-level cache */
    CPU_ITEMS_PER_UNIT = 4,         /* for an even load */
    CPU_TRANSPOSE_BYTES_MAX = 1 << 20,
    CPU_STRIDED_BYTES_MAX = 512 << 10,      /* a table of where elements lie is worth its making; */
    CPU_STRIDED_ITEM_BYTES_MAX = 128 << 10, /* the same of batches, which may have few items; */
    CPU_STRIDED_BYTES_WANTED = 64 << 10,    /* one table is enough for a unit that writes less */
    /* Of less that lies side by side in the output, too many lines are written in part. */
    CPU_RUN_PAST_CACHES = 640,
    CPU_INTEL_COLUMN_PAST_CACHES = 192, /* of a transpose, as CPU_INTEL_RUN_PAST_CACHES of others */
    CPU_INTEL_OUT_AHEAD = 4 << 10,      /* measured, see tests/bench/cpu.md */
    CPU_ITEM_RUN_PAST_CACHES = 4 << 10, /* of a batch's item, which nobody asks for */
};

static bool take_forced(struct plan *plan, const struct plan_limits *limits,
                        enum plan_variant variant)
{
    plan->variant = variant;
    if (plan->is_gradient != (plan_variant_kind(variant) == PLAN_GRADIENTS))
        return false;
    switch (plan_variant_kind(variant)) {
    case PLAN_ROWS:
        return pattern_take_groups(plan) || pattern_take_rows(plan);
    case PLAN_TRANSPOSES:
        return (plan_variant_is_cpu(variant) || gpu_variant_block_bytes(limits) > 0) &&
               pattern_take_transpose(plan, 1, 1,
                                      plan_variant_is_cpu(variant) ? CPU_APART_MOST : INT64_MAX);
    case PLAN_STRIDED:
        return variant != PLAN_STRIDED_CPU || plan->dim[plan->row].out_stride == 1;
    default:
        return true;
    }
}

static void choose_variant(struct plan *plan, const struct plan_limits *limits,
                           enum plan_alignment alignment)
{
    if (plan->is_gradient)
        plan->variant = limits->cpu ? PLAN_GRADIENT_CPU : PLAN_GRADIENT_GPU;
    else if (limits->cpu)
        cpu_variant_choose(plan, limits);
    else
        gpu_variant_choose(plan, limits, alignment);
}

/* Whether a dimension is cut into pieces of so few bytes of the output that launches share many of
 * its memory lines. */
static bool pieces_are_short(const struct plan *plan, const uint64_t *tile)
{
    bool are_short = false;
    for (uint32_t i = 0; i < plan->rank; ++i)
        are_short = are_short || (tile[i] < plan->dim[i].size &&
                                  tile[i] * (uint64_t)plan->dim[i].out_stride * plan->element_size <
                                      LAUNCH_PIECE_LEAST);
    return are_short;
}

/* Kernels for many threads are up to half as fast again with indices of 32 bits. They count up to
 * `beyond` elements behind what a launch addresses. An output without gaps goes faster if each
 * launch's has none, too. */
static void cut_into_launches(struct plan *plan, uint64_t beyond, enum plan_alignment *alignment)
{
    uint64_t tile[TENSOR_RANK_MAX], bytes = plan_elements(plan) * plan->element_size;
    bool may_make_words = plan->variant == PLAN_STRIDED_GPU || plan->variant == PLAN_GRADIENT_GPU;
    bool needs_packed = may_make_words && !plan_has_gaps(plan), are_aligned;
    if (beyond > INDEX_32_MOST / 8) /* launches would be small */
        return;
    plan->launch_bytes = (INDEX_32_MOST - beyond) * plan->element_size;
    uint64_t launches = tile_launches(plan, tile, &are_aligned);
    const struct plan_box first = tile_box(plan, tile, 0);
    if (launches > bytes / LAUNCH_BYTES_LEAST || pieces_are_short(plan, tile) ||
        (needs_packed && !plan_is_packed(plan, &first))) {
        plan->launch_bytes = 0;
        return;
    }
    plan->index_bits = 32;
    if (!are_aligned) {
        plan_forget_alignment(plan);
        *alignment = PLAN_ALIGNED_ELEMENT;
    }
}

/* transpose_gpu moves a row of more elements than a word in parts, of which one can begin up to a
 * word behind the row's last, and adds up to a word's steps before it takes them off again; its
 * lines begin up to a block before. rows_cpu would gain nothing by small ones. */
static void choose_indices(struct plan *plan, enum plan_alignment *alignment)
{
    const struct plan_box whole = plan_whole(plan);
    struct plan_range range = plan_range(plan, &whole);
    uint64_t word = gpu_block_word(plan->element_size), row = 1;
    uint64_t in = plan->variant == PLAN_TRANSPOSE_GPU ? GPU_BLOCK_BYTES_MOST : 0, out = 0;
    for (uint32_t i = plan->rank;
         i-- > 0 && i + GPU_BLOCK_RUN_RANK >= plan->rank && plan->variant == PLAN_TRANSPOSE_GPU;) {
        const struct slice_dim *dim = &plan->dim[i];
        row *= dim->size;
        in += row > word ? 2 * word * magnitude(dim->in_stride) : 0;
    }
    if (plan->numbers_gaps) { /* their places are computed, but hold nothing */
        const struct slice_dim *inner = &plan->dim[plan->row];
        uint64_t gap = (uint64_t)inner[-1].out_stride - inner->size;
        in += gap * magnitude(inner->in_stride);
        out += gap;
    }
    uint64_t beyond = in > out ? in : out;
    bool small =
        range.in.high - range.in.low + in <= INDEX_32_MOST && range.out.high + out <= INDEX_32_MOST;
    plan->index_bits = small && plan->variant != PLAN_ROWS_CPU ? 32 : 64;
    if (!small && !plan_variant_is_cpu(plan->variant) && !plan->is_item)
        cut_into_launches(plan, beyond, alignment);
}

/* Whether a group of gradient_gpu has room for its words, and for where its rows' inputs lie. */
static bool has_strip(const struct plan *plan, const struct plan_limits *limits)
{
    uint64_t bytes = (uint64_t)PLAN_GRADIENT_WORDS * GPU_ITEM_BYTES +
                     (uint64_t)PLAN_GRADIENT_ROWS * plan->index_bits / 8;
    return limits->local_bytes == 0 || bytes <= limits->local_bytes;
}

/* Whether finding the rows of a gradient takes longer than finding its inputs. */
static bool has_short_rows(const struct plan *plan)
{
    uint64_t row = plan->dim[plan->row].size, rows = plan_elements(plan) / row, inputs = 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        inputs *= plan->scatter[i].count;
    uint64_t most = plan->element_size < 4 ? GPU_GRADIENT_SHORT_NARROW : GPU_GRADIENT_SHORT;
    return row <= most || inputs <= GPU_GRADIENT_FEW * rows;
}

/* Whether words are read as they lie. Those that come again are made once, so that reading them
 * faster would gain nothing. */
static bool has_neighbours(const struct plan *plan)
{
    uint64_t launches;
    if (plan->word_bytes <= plan->element_size)
        return false;
    if (plan->is_gradient)
        return !plan->has_short_rows && plan->element_size < 4 &&
               plan->scatter[plan->row].step == 1 && magnitude(plan->dim[plan->row].in_stride) == 1;
    return gpu_variant_has_neighbours(plan) && launch_first(plan, &launches).walk.repeat == 0;
}

/* Of a gradient. A group makes as many words however large it is: of a large one, fewer wait for
 * memory at once, which leaves them more of the first-level cache for inputs that lie apart. Small
 * ones have fewer instructions, which are the limit but for rows whose words are a load or two. */
static bool takes_large_groups(const struct plan *plan)
{
    const struct slice_dim *row = &plan->dim[plan->row];
    bool is_far = magnitude(row->in_stride) > GPU_GRADIENT_NEAR_BYTES / plan->element_size;
    bool is_easy = plan->element_size >= 8 || has_neighbours(plan);
    return is_far ||
           (is_easy && plan->scatter[plan->row].step == 1 && row->size >= GPU_GRADIENT_LONG);
}

/* Measured: see tests/bench/cpu.md. */
static uint32_t run_past_caches(const struct plan *plan, const struct plan_limits *limits,
                                uint64_t traffic)
{
    if (plan->is_item)
        return CPU_ITEM_RUN_PAST_CACHES;
    if (!limits->intel || traffic / CPU_INTEL_CACHES_PASSED < limits->cache_bytes)
        return CPU_RUN_PAST_CACHES;
    return plan->variant == PLAN_TRANSPOSE_CPU ? CPU_INTEL_COLUMN_PAST_CACHES
                                               : CPU_INTEL_RUN_PAST_CACHES;
}

/* `traffic`: bytes of all memory lines that are touched. */
static void choose_groups(struct plan *plan, const struct plan_limits *limits,
                          enum plan_alignment alignment, uint64_t traffic)
{
    uint64_t elements = plan_elements(plan), bytes = elements * plan->element_size;
    const struct plan_box whole = plan_whole(plan);
    struct plan_range range = plan_range(plan, &whole);
    if (plan_variant_is_cpu(plan->variant)) {
        uint64_t each = bytes / limits->compute_units, even = each / CPU_ITEMS_PER_UNIT;
        if (plan->variant == PLAN_STRIDED_CPU && !plan->is_item)
            even = clamp(CPU_STRIDED_BYTES_WANTED, even, each);
        plan->item_bytes =
            clamp(even, CPU_ITEM_BYTES_MIN,
                  plan->variant == PLAN_TRANSPOSE_CPU ? CPU_TRANSPOSE_BYTES_MAX
                  : plan_variant_kind(plan->variant) == PLAN_STRIDED
                      ? (plan->is_item ? CPU_STRIDED_ITEM_BYTES_MAX : CPU_STRIDED_BYTES_MAX)
                      : CPU_ITEM_BYTES_MAX);
        plan->item_bytes = clamp(bytes / PLAN_CPU_GRID, plan->item_bytes, UINT64_MAX);
        plan->local_size = 1;
        plan->for_intel = limits->intel && plan->variant == PLAN_ROWS_CPU;
        plan->is_large = plan->is_item || traffic >= limits->cache_bytes;
        plan->run_past_caches = run_past_caches(plan, limits, traffic);
        if (limits->intel && plan->variant == PLAN_GAPPED_CPU && plan->is_large && !plan->is_item)
            plan->out_ahead = CPU_INTEL_OUT_AHEAD;
        return;
    }
    if (plan->variant == PLAN_STRIDED_GPU)
        plan->word_bytes = gpu_variant_word_bytes(plan);
    if (plan->variant == PLAN_GRADIENT_GPU) {
        plan->word_bytes = !plan_has_gaps(plan) && has_strip(plan, limits) ? GPU_ITEM_BYTES : 0;
        plan->has_short_rows = plan->word_bytes > 0 && has_short_rows(plan);
    }
    if (plan->variant == PLAN_TRANSPOSE_GPU && plan->block.bytes == 0)
        gpu_variant_choose_block(plan, limits, alignment);
    uint64_t reads = (range.in.high - range.in.low) * (plan->is_item ? PLAN_ITEMS : 1);
    bool is_large = plan->is_gradient ? takes_large_groups(plan)
                                      : reads < elements / 4 || plan->numbers_gaps ||
                                            (plan->is_item && plan->variant == PLAN_ROWS_GPU);
    uint64_t wanted = plan->variant == PLAN_TRANSPOSE_GPU ? GPU_BLOCK_GROUP
                      : is_large                          ? GPU_LOCAL_SIZE_LARGE
                                                          : GPU_LOCAL_SIZE;
    plan->local_size = (uint32_t)clamp(wanted, 1, limits->max_work_group_size);
    plan->has_neighbours = has_neighbours(plan);
}

/* Whether rows_gpu makes several rows, which in an aligned output all begin at words. */
static bool rows_are_aligned(const struct plan *plan, enum plan_alignment alignment)
{
    uint64_t rows = plan->is_item ? PLAN_ITEMS : 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        if (i != plan->row && i != plan->column)
            rows *= plan->dim[i].size;
    return plan->variant == PLAN_ROWS_GPU && rows > 1 &&
           gpu_variant_rows_begin_at_words(plan, alignment);
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
    plan->numbers_gaps = gpu_variant_numbers_gaps(plan);
    choose_indices(plan, &alignment);
    choose_groups(plan, limits, alignment,
                  floor_bytes(slice, limits->line_bytes) * (slice->is_item ? PLAN_ITEMS : 1));
    return true;
}
