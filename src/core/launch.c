/* SPDX-License-Identifier: MIT */
#include "core/launch.h"

#include "base/checked.h"

#include <inttypes.h>

_Static_assert(sizeof(struct walk) == 368, "kernels/walk.cl declares this layout");

enum {
    GPU_RUN_BYTES = 16, /* of one work-item of rows_gpu */
    /* transpose_cpu waits for page walks: it takes this much of an input page at a time, */
    CPU_PAGE_PART = 1 << 10,
    CPU_TILE_LINES_LEAST = 16, /* in at most so many lines, which share a tile of its */
    CPU_TILE_LINES_MOST = 512,
    CPU_TILE_RUN_LEAST = 64,
    CPU_TILE_RUN_MOST = 1024, /* or half as much again: see even_run */
    CPU_LINE_BYTES = 64,      /* LINE_BYTES of kernels/line.cl */
};

/* Elements of a transpose's run of about `wanted`, so that all of a row are alike, as compute units are
 * shared out by their number, and so that all begin at lines of memory where the first does. */
static uint64_t even_run(uint64_t row, uint64_t wanted, uint64_t line)
{
    uint64_t runs = clamp((row + wanted / 2) / wanted, 1, row);
    return round_up_quotient(round_up_quotient(row, runs), line) * line;
}

/* Elements of one unit along the row and the column. */
static void choose_unit(const struct plan *plan, struct walk *walk)
{
    enum plan_kind kind = plan_variant_kind(plan->variant);
    uint64_t run = 1, lines = kind == PLAN_ROWS ? walk->column : 1;
    uint64_t wanted = plan->group_bytes / plan->width;
    if (plan->variant == PLAN_ROWS_GPU) {
        run = (lines > 2 ? 4 : GPU_RUN_BYTES / lines) / plan->width; /* PIXELS of rows_gpu */
    } else if (plan->variant == PLAN_TRANSPOSE_GPU) {
        run = plan_gpu_tile(plan->width).run;
        lines = plan_gpu_tile(plan->width).lines;
    } else if (plan->variant == PLAN_TRANSPOSE_CPU) {
        lines = clamp(wanted / CPU_TILE_RUN_LEAST, CPU_TILE_LINES_LEAST,
                      clamp(CPU_PAGE_PART / plan->width, 1, CPU_TILE_LINES_MOST));
        lines = clamp(lines, 1, walk->column);
        run = clamp(wanted / lines, CPU_TILE_RUN_LEAST, CPU_TILE_RUN_MOST);
        run = clamp(even_run(walk->row, run, CPU_LINE_BYTES / plan->width), 1, walk->row);
    } else if (plan_variant_is_cpu(plan->variant)) {
        run = clamp(wanted / lines, 1, walk->row);
    }
    walk->run = (uint32_t)run;
    walk->lines = (uint32_t)lines;
}

/* With s = ceil(log2(size)) and r = floor(2^32 * (2^s - size) / size) + 1, the quotient of any 32-bit
 * number n is (n * r / 2^32 + n) / 2^s (Granlund and Montgomery, Division by Invariant Integers using
 * Multiplication, 1994). A size of 1 has no such numbers. */
static void add_dimension(struct walk *walk, uint64_t size, int64_t in_stride, int64_t out_stride)
{
    uint32_t s = 0;
    while (UINT64_C(1) << s < size)
        ++s;
    walk->dim[walk->rank++] = (struct walk_dim){
        .in_stride = in_stride,
        .out_stride = out_stride,
        .size = (uint32_t)size,
        .reciprocal = (uint32_t)((((UINT64_C(1) << s) - size) << 32) / size + 1),
        .shift = s > 0 ? s - 1 : 0,
    };
    walk->units *= size;
}

/* Returns how many rows, or in a transpose columns of rows, there are. */
static uint64_t number_units(const struct plan *plan, const struct plan_box *box, struct walk *walk)
{
    uint64_t run = walk->run, lines = walk->lines, rows = 1;
    uint64_t early = plan->variant == PLAN_ROWS_GPU        ? run - 1
                     : plan->variant == PLAN_TRANSPOSE_GPU ? plan_gpu_tile(plan->width).early
                                                           : 0;
    walk->units = 1;
    if (walk->transposes)
        add_dimension(walk, round_up_quotient(walk->column, lines), walk->in_line * (int64_t)lines,
                      walk->out_line * (int64_t)lines);
    add_dimension(walk, round_up_quotient(walk->row + early, run), walk->in_step * (int64_t)run,
                  walk->out_step * (int64_t)run);
    for (uint32_t i = plan->rank; i-- > 0;)
        if (i != plan->row && i != plan->column) {
            add_dimension(walk, box->size[i], plan->dim[i].in_stride, plan->dim[i].out_stride);
            rows *= box->size[i];
        }
    return rows;
}

struct launch launch_from(const struct plan *plan, const struct plan_box *box)
{
    struct launch launch = {0};
    struct walk *walk = &launch.walk;
    const struct plan_dim *row = &plan->dim[plan->row], *column = &plan->dim[plan->column];
    launch.range = plan_range(plan, box);
    walk->in_first = launch.range.in_first;
    walk->out_first = launch.range.out_low;
    walk->in_low = (int64_t)(launch.range.in_low - walk->in_first);
    walk->in_high = (int64_t)(launch.range.in_high - walk->in_first);
    walk->row = box->size[plan->row];
    walk->in_step = row->in_stride;
    walk->out_step = row->out_stride;
    walk->column = 1;
    walk->past_caches = plan->past_caches;
    walk->transposes = plan_variant_kind(plan->variant) == PLAN_TRANSPOSES;
    if (plan->column < plan->rank) {
        walk->column = box->size[plan->column];
        walk->in_line = column->in_stride;
        walk->out_line = column->out_stride;
    }
    choose_unit(plan, walk);
    uint64_t rows = number_units(plan, box, walk);
    uint64_t wanted = plan->group_bytes / plan->width / walk->run / walk->lines;
    walk->batch = plan_variant_is_cpu(plan->variant) ? (uint32_t)clamp(wanted, 1, rows) : 1;

    uint64_t items = round_up_quotient(walk->units, walk->batch);
    if (plan->variant == PLAN_TRANSPOSE_GPU)
        launch.global_size = walk->units * plan->local_size;
    else
        launch.global_size = round_up_quotient(items, plan->local_size) * plan->local_size;
    return launch;
}

void launch_describe(const struct plan *plan, struct text *text)
{
    struct plan_box whole = plan_whole(plan);
    struct launch launch = launch_from(plan, &whole);
    text_append(text,
                "        %" PRIu64 " work-items in groups of %" PRIu32 ", each %" PRIu32
                " units of %" PRIu32,
                launch.global_size, plan->local_size, launch.walk.batch, launch.walk.run);
    if (launch.walk.lines > 1)
        text_append(text, " x %" PRIu32, launch.walk.lines);
    text_append(text, " elements\n");
}
