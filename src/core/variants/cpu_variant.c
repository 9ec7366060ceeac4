/* SPDX-License-Identifier: MIT */
#include "core/variants/cpu_variant.h"

#include "base/checked.h"
#include "core/runs.h"
#include "core/variants/cpu_columns.h"
#include "core/variants/cpu_rows.h"
#include "core/variants/pattern.h"

enum { PIXELS_LEAST = 32 }; /* of 16 bytes in a row, for rows_cpu to be faster between gaps */

/* Whether gapped_cpu is faster than strided_cpu, which writes memory lines as a whole: so little
 * lies side by side in the output. Of single bytes, strided_cpu moves many at once. */
static bool runs_are_short(const struct plan *plan)
{
    /* Bytes of a run of elements of 2^i bytes, where the output has gaps. */
    static const uint64_t run_least[] = {64, 256, 384, 640, 640};
    const struct plan_box whole = plan_whole(plan);
    return runs_of(plan, &whole).bytes <
           (!plan_has_gaps(plan) ? PLAN_LINE_BYTES : run_least[plan_width(plan)]);
}

/* Whether the output is so small that gapped_cpu moves it sooner than strided_cpu makes tables for
 * it, whatever that was preferred for. Measured on Intel's processors alone: see
 * tests/bench/cpu.md. */
static bool tables_are_costly(const struct plan *plan, const struct plan_limits *limits)
{
    /* Bytes of an output of elements of 2^i bytes, and of one whose rows have short steps. */
    static const uint64_t bytes_most[2][5] = {{0, 0, 512 << 10, 1 << 20, 8 << 20},
                                              {0, 0, 2 << 20, 4 << 20, 8 << 20}};
    int64_t step = plan->dim[plan->row].in_stride;
    bool has_steps = is_within(step, PATTERN_STRIDE_MOST) && !is_within(step, 1);
    return limits->intel && !plan->is_item &&
           plan_elements(plan) * plan->element_size <= bytes_most[has_steps][plan_width(plan)];
}

/* Whether that is worth gapped_cpu, which compiles longest. */
static bool is_worth_gapped(const struct plan *plan, const struct plan_limits *limits)
{
    return tables_are_costly(plan, limits) &&
           plan_elements(plan) * plan->element_size > CPU_SMALLEST_BYTES;
}

/* Elements of 16 bytes in reverse are pixels of four elements to rows_cpu, which has none of 16
 * bytes. Measured on Intel's processors alone: see tests/bench/cpu.md. */
static bool take_pixels(struct plan *plan, const struct plan_limits *limits)
{
    enum { PARTS = 4 };
    const struct slice_dim *row = &plan->dim[plan->row];
    if (!limits->intel || plan->is_item || plan->element_size != 4 * PARTS ||
        plan->rank == TENSOR_RANK_MAX || row->in_stride != -1 || row->out_stride != 1 ||
        row->size < PIXELS_LEAST || tables_are_costly(plan, limits))
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

static bool take_rows(struct plan *plan, const struct plan_limits *limits)
{
    plan->variant = PLAN_ROWS_CPU;
    return pattern_take_groups(plan) || pattern_take_rows(plan) || take_pixels(plan, limits);
}

static bool take_columns(struct plan *plan)
{
    plan->variant = PLAN_TRANSPOSE_CPU;
    return pattern_take_transpose(plan, 1, 2, CPU_APART_MOST);
}

void cpu_variant_choose(struct plan *plan, const struct plan_limits *limits)
{
    struct plan rows = *plan, columns = *plan;
    bool has_rows = take_rows(&rows, limits);
    bool has_columns = !has_rows && take_columns(&columns);
    bool is_gapped = has_columns && cpu_columns_are_gapped(&columns, limits);
    if (has_rows && !cpu_rows_are_slow(&rows, limits))
        *plan = rows;
    else if (has_columns && !is_gapped && !cpu_columns_are_strided(&columns, limits))
        *plan = columns;
    else if (is_gapped || cpu_rows_lie_near(plan, limits) || runs_are_short(plan) ||
             is_worth_gapped(plan, limits))
        plan->variant = PLAN_GAPPED_CPU;
    else
        plan->variant = PLAN_STRIDED_CPU;
}
