/* SPDX-License-Identifier: MIT */
#include "core/plan.h"

#include <inttypes.h>
#include <string.h>

_Static_assert(sizeof(struct walk) == 208, "kernels/walk.cl declares this layout");

enum {
    WIDTH_MAX = 16,                 /* bytes of the widest element: a uint4 */
    GPU_LOCAL_SIZE = 256,           /* one size for all: a new one costs PoCL a code generation */
    GPU_RUN_BYTES = 16,             /* of one work-item of rows_gpu */
    CPU_GROUP_BYTES_MIN = 4 << 10,  /* a work-item of a CPU: enough to pay for its start, */
    CPU_GROUP_BYTES_MAX = 32 << 10, /* few enough to stay in its first-level cache */
    CPU_GROUPS_PER_UNIT = 4,        /* for an even load */
    CPU_ITEMS_MAX = 32768           /* stays below PoCL's bound of a small grid, 2^16 - 1 */
};

static const struct {
    const char *name;
    bool cpu, rows;
} variants[PLAN_VARIANT_COUNT] = {
    [PLAN_ROWS_CPU] = {"rows_cpu", true, true},
    [PLAN_ROWS_GPU] = {"rows_gpu", false, true},
    [PLAN_STRIDED_CPU] = {"strided_cpu", true, false},
    [PLAN_STRIDED_GPU] = {"strided_gpu", false, false},
};

const char *plan_variant_name(enum plan_variant variant)
{
    return variants[variant].name;
}

enum plan_variant plan_variant_named(const char *name)
{
    enum plan_variant variant = 0;
    while (variant < PLAN_VARIANT_COUNT && strcmp(name, variants[variant].name) != 0)
        ++variant;
    return variant;
}

/* Dimensions of more than one element, the largest output stride first: the order of the output's
 * addresses, whatever order the caller's dimensions had. */
static void take_dimensions(const struct slice *slice, struct plan *plan)
{
    for (uint32_t i = 0; i < slice->rank; ++i) {
        const struct slice_dim *from = &slice->dim[i];
        if (from->size == 1)
            continue;
        uint32_t at = plan->rank++;
        for (; at > 0 && plan->dim[at - 1].out_stride < (int64_t)from->out_stride; --at)
            plan->dim[at] = plan->dim[at - 1];
        plan->dim[at] = (struct plan_dim){from->size, from->in_stride, (int64_t)from->out_stride};
    }
}

/* Joins neighbours where stepping the outer one is the same as running off the inner one's end. */
static void join_dimensions(struct plan *plan)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        struct plan_dim *outer = &plan->dim[kept - (kept > 0)];
        const struct plan_dim *inner = &plan->dim[i];
        if (kept > 0 && outer->out_stride == inner->out_stride * (int64_t)inner->size &&
            outer->in_stride == inner->in_stride * (int64_t)inner->size)
            *outer =
                (struct plan_dim){outer->size * inner->size, inner->in_stride, inner->out_stride};
        else
            plan->dim[kept++] = *inner;
    }
    plan->rank = kept;
}

static bool is_contiguous(const struct plan *plan)
{
    const struct plan_dim *inner = &plan->dim[plan->rank - 1];
    return inner->in_stride == 1 && inner->out_stride == 1;
}

static bool all_even(const struct plan *plan)
{
    const struct plan_dim *inner = &plan->dim[plan->rank - 1];
    uint64_t odd = plan->first | inner->size;
    for (uint32_t i = 0; i + 1 < plan->rank; ++i)
        odd |= (uint64_t)plan->dim[i].in_stride | (uint64_t)plan->dim[i].out_stride;
    return odd % 2 == 0;
}

/* Moves two elements as one, as often as everything is even. An innermost run that becomes one
 * element gives way to the next dimension, unless the run is to be kept. */
static void widen(struct plan *plan, uint32_t width_max, bool keep_run)
{
    while (plan->rank > 0 && plan->width < width_max && is_contiguous(plan) && all_even(plan) &&
           !(keep_run && plan->dim[plan->rank - 1].size == 2)) {
        plan->width *= 2;
        plan->first /= 2;
        plan->dim[plan->rank - 1].size /= 2;
        for (uint32_t i = 0; i + 1 < plan->rank; ++i) {
            plan->dim[i].in_stride /= 2;
            plan->dim[i].out_stride /= 2;
        }
        if (plan->dim[plan->rank - 1].size == 1)
            --plan->rank;
    }
}

/* A CPU's row kernel loads long vectors of whatever element, so only a dimension that goes away is worth
 * a second program; a GPU's work-item moves one element. */
static void widen_for(struct plan *plan, const struct plan_limits *limits, enum plan_variant forced)
{
    bool is_forced = forced != PLAN_VARIANT_COUNT;
    bool cpu = is_forced ? variants[forced].cpu : limits->cpu;
    struct plan wide = *plan;
    widen(&wide, WIDTH_MAX, is_forced && variants[forced].rows);
    if (!cpu || (wide.rank > 0 && wide.rank < plan->rank))
        *plan = wide;
}

static uint64_t element_count(const struct plan *plan)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        count *= plan->dim[i].size;
    return count;
}

static void range_of(const struct plan *plan, const struct plan_box *box, struct launch *launch)
{
    uint64_t in = plan->first, out = 0;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        in += box->at[i] * (uint64_t)plan->dim[i].in_stride; /* wraps back where negative */
        out += box->at[i] * (uint64_t)plan->dim[i].out_stride;
    }
    launch->in_first = launch->in_low = launch->in_high = in;
    launch->out_first = launch->out_low = launch->out_high = out;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        const struct plan_dim *dim = &plan->dim[i];
        uint64_t steps = box->size[i] - 1;
        if (dim->in_stride < 0)
            launch->in_low -= steps * (uint64_t)-dim->in_stride;
        else
            launch->in_high += steps * (uint64_t)dim->in_stride;
        launch->out_high += steps * (uint64_t)dim->out_stride;
    }
    ++launch->in_high;
    ++launch->out_high;
}

static void choose_indices(struct plan *plan)
{
    struct plan_box whole = plan_whole(plan);
    struct launch launch;
    range_of(plan, &whole, &launch);
    bool small = launch.in_high - launch.in_low <= INT32_MAX && launch.out_high <= INT32_MAX;
    plan->index_bits = small ? 32 : 64;
}

static uint64_t round_up_quotient(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

bool plan_from(const struct slice *slice, const struct plan_limits *limits,
               enum plan_alignment alignment, enum plan_variant forced, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->width = slice->input.element_size;
    plan->first = slice->first;
    take_dimensions(slice, plan);
    join_dimensions(plan);
    if (alignment == PLAN_ALIGNED_16)
        widen_for(plan, limits, forced);
    memset(plan->dim + plan->rank, 0, (TENSOR_RANK_MAX - plan->rank) * sizeof plan->dim[0]);
    if (plan->rank == 0)
        plan->dim[plan->rank++] = (struct plan_dim){1, 1, 1};

    bool rows = is_contiguous(plan);
    if (forced != PLAN_VARIANT_COUNT)
        plan->variant = forced;
    else if (limits->cpu)
        plan->variant = rows ? PLAN_ROWS_CPU : PLAN_STRIDED_CPU;
    else
        plan->variant = rows ? PLAN_ROWS_GPU : PLAN_STRIDED_GPU;
    if (variants[plan->variant].rows && !rows)
        return false;

    choose_indices(plan);
    if (variants[plan->variant].cpu) {
        uint64_t bytes = element_count(plan) * plan->width;
        uint64_t even = bytes / limits->compute_units / CPU_GROUPS_PER_UNIT;
        plan->group_bytes = clamp(even, CPU_GROUP_BYTES_MIN, CPU_GROUP_BYTES_MAX);
        plan->group_bytes = clamp(bytes / CPU_ITEMS_MAX, plan->group_bytes, UINT64_MAX);
        plan->local_size = 1;
    } else {
        plan->local_size = (uint32_t)clamp(GPU_LOCAL_SIZE, 1, limits->max_work_group_size);
    }
    return true;
}

bool plan_equal(const struct plan *a, const struct plan *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

struct plan_box plan_whole(const struct plan *plan)
{
    struct plan_box box = {{0}, {0}};
    for (uint32_t i = 0; i < plan->rank; ++i)
        box.size[i] = plan->dim[i].size;
    return box;
}

/* Elements of one unit, and units of one work-item. */
static void choose_grain(const struct plan *plan, uint64_t row, uint64_t rows, struct walk *walk)
{
    uint64_t run = 1, batch = 1;
    if (variants[plan->variant].cpu) {
        uint64_t wanted = plan->group_bytes / plan->width;
        run = clamp(wanted, 1, row);
        batch = clamp(wanted / run, 1, rows);
    } else if (variants[plan->variant].rows) {
        run = GPU_RUN_BYTES / plan->width;
    }
    walk->run = (uint32_t)run;
    walk->batch = (uint32_t)batch;
}

struct launch plan_launch(const struct plan *plan, const struct plan_box *box)
{
    struct launch launch = {0};
    struct walk *walk = &launch.walk;
    range_of(plan, box, &launch);

    uint32_t inner = plan->rank - 1;
    uint64_t rows = 1;
    for (uint32_t i = 0; i < inner; ++i)
        rows *= box->size[i];
    walk->row = box->size[inner];
    walk->in_step = plan->dim[inner].in_stride;
    walk->out_step = plan->dim[inner].out_stride;
    choose_grain(plan, walk->row, rows, walk);

    uint64_t runs = round_up_quotient(walk->row, walk->run);
    walk->units = rows * runs;
    walk->size[0] = (uint32_t)runs;
    walk->in_stride[0] = walk->in_step * (int64_t)walk->run;
    walk->out_stride[0] = walk->out_step * (int64_t)walk->run;
    walk->rank = 1;
    for (uint32_t i = inner; i-- > 0;) {
        walk->size[walk->rank] = (uint32_t)box->size[i];
        walk->in_stride[walk->rank] = plan->dim[i].in_stride;
        walk->out_stride[walk->rank++] = plan->dim[i].out_stride;
    }

    uint64_t items = round_up_quotient(walk->units, walk->batch);
    launch.global_size = round_up_quotient(items, plan->local_size) * plan->local_size;
    return launch;
}

/* Elements that a tile of this size spans, by the strides of one tensor. */
static uint64_t tile_span(const struct plan *plan, const uint64_t *tile, bool output)
{
    uint64_t span = 1;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        int64_t stride = output ? plan->dim[i].out_stride : plan->dim[i].in_stride;
        span += (tile[i] - 1) * (uint64_t)(stride < 0 ? -stride : stride);
    }
    return span;
}

/* Shrinks the tile along the dimension that spans most, to what fits if anything does. */
static void shrink_tile(const struct plan *plan, uint64_t *tile, bool output, uint64_t limit)
{
    uint32_t longest = 0;
    uint64_t reach = 0, stride = 1;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        int64_t step = output ? plan->dim[i].out_stride : plan->dim[i].in_stride;
        uint64_t distance = (uint64_t)(step < 0 ? -step : step);
        if ((tile[i] - 1) * distance > reach) {
            longest = i;
            reach = (tile[i] - 1) * distance;
            stride = distance;
        }
    }
    uint64_t others = tile_span(plan, tile, output) - reach;
    tile[longest] = others < limit ? (limit - others) / stride + 1 : (tile[longest] + 1) / 2;
}

uint64_t plan_tile(const struct plan *plan, uint64_t max_bytes, uint64_t tile[TENSOR_RANK_MAX])
{
    uint64_t limit = max_bytes / plan->width, count = 1;
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; ++i)
        tile[i] = i < plan->rank ? plan->dim[i].size : 1;
    for (int output = 0; output < 2; ++output)
        while (tile_span(plan, tile, output) > limit)
            shrink_tile(plan, tile, output, limit);
    for (uint32_t i = 0; i < plan->rank; ++i)
        count *= round_up_quotient(plan->dim[i].size, tile[i]);
    return count;
}

struct plan_box plan_tile_box(const struct plan *plan, const uint64_t tile[TENSOR_RANK_MAX],
                              uint64_t index)
{
    struct plan_box box = {{0}, {0}};
    for (uint32_t i = plan->rank; i-- > 0;) {
        uint64_t size = plan->dim[i].size, tiles = round_up_quotient(size, tile[i]);
        box.at[i] = index % tiles * tile[i];
        box.size[i] = clamp(size - box.at[i], 1, tile[i]);
        index /= tiles;
    }
    return box;
}

void plan_describe(const struct plan *plan, struct text *text)
{
    struct plan_box whole = plan_whole(plan);
    struct launch launch = plan_launch(plan, &whole);
    text_append(text, "plan:   %s, %" PRIu32 "-byte elements, %" PRIu32 "-bit indices\n",
                plan_variant_name(plan->variant), plan->width, plan->index_bits);
    text_append(text, "        from input element %" PRIu64 ", dimensions", plan->first);
    for (uint32_t i = 0; i < plan->rank; ++i)
        text_append(text, " %" PRIu64 " (in %" PRId64 ", out %" PRId64 ")", plan->dim[i].size,
                    plan->dim[i].in_stride, plan->dim[i].out_stride);
    text_append(text,
                "\n        %" PRIu64 " work-items in groups of %" PRIu32 ", each %" PRIu32
                " runs of %" PRIu32 " elements\n",
                launch.global_size, plan->local_size, launch.walk.batch, launch.walk.run);
}
