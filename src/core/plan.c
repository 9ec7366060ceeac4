/* SPDX-License-Identifier: MIT */
#include "core/plan.h"

#include "base/checked.h"

#include <inttypes.h>

/* A row of rows_gpu that has less than a word may lie in one, or in two. */
struct plan_alignments plan_alignments_of(const struct plan *plan)
{
    const uint32_t size = plan->element_size, pixel = plan->pattern.group_size;
    if (plan->variant == PLAN_TRANSPOSE_GPU && plan->block.is_aligned)
        return (struct plan_alignments){GPU_BLOCK_UNIT, GPU_BLOCK_UNIT};
    if (plan->rows_are_aligned ||
        (plan->variant == PLAN_ROWS_GPU && plan->dim[plan->row].size * pixel * size < 16))
        return (struct plan_alignments){size, 16};
    return (struct plan_alignments){size, size};
}

void plan_forget_alignment(struct plan *plan)
{
    plan->block.is_aligned = false;
    plan->rows_are_aligned = false;
}

uint32_t plan_width(const struct plan *plan)
{
    uint32_t width = 0;
    while (plan->element_size >> width > 1)
        ++width;
    return width;
}

uint64_t plan_elements(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    return plan_box_elements(plan, &whole) * (plan->is_item ? PLAN_ITEMS : 1);
}

bool plan_has_gaps(const struct plan *plan)
{
    const struct plan_box whole = plan_whole(plan);
    return !plan_is_packed(plan, &whole);
}

struct plan_box plan_whole(const struct plan *plan)
{
    struct plan_box box = {{0}, {0}};
    for (uint32_t i = 0; i < plan->rank; ++i)
        box.size[i] = plan->dim[i].size;
    return box;
}

struct slice_scatter plan_scatter(const struct plan *plan, const struct plan_box *box, uint32_t i,
                                  uint64_t *low)
{
    const struct slice_scatter *s = &plan->scatter[i];
    uint64_t at = box->at[i], end = at + box->size[i];
    uint64_t before_end = end > s->start ? div_ceil(end - s->start, s->step) : 0;
    uint64_t high = clamp(before_end, 0, s->count);
    *low = at > s->start ? clamp(div_ceil(at - s->start, s->step), 0, high) : 0;
    if (*low == high)
        return (struct slice_scatter){0, 1, 0};
    return (struct slice_scatter){s->start + *low * s->step - at, s->step, high - *low};
}

/* Where a gradient's box takes nothing: the tensor's first, unread. */
static struct plan_extent input_range(const struct plan *plan, const struct plan_box *box)
{
    struct plan_extent in = {plan->first, 0, 0};
    uint64_t back = 0, on = 0;
    for (uint32_t i = 0; i < plan->rank; ++i) {
        int64_t stride = plan->dim[i].in_stride;
        uint64_t low = box->at[i], count = box->size[i];
        if (plan->is_gradient)
            count = plan_scatter(plan, box, i, &low).count;
        if (count == 0)
            return (struct plan_extent){0, 0, 1};
        in.first += low * (uint64_t)stride; /* wraps back where negative */
        *(stride < 0 ? &back : &on) += (count - 1) * magnitude(stride);
    }
    in.low = in.first - back;
    in.high = in.first + on + 1;
    return in;
}

static struct plan_extent output_range(const struct plan *plan, const struct plan_box *box)
{
    struct plan_extent out = {0, 0, 1};
    for (uint32_t i = 0; i < plan->rank; ++i) {
        uint64_t stride = (uint64_t)plan->dim[i].out_stride;
        out.first += box->at[i] * stride;
        out.high += (box->at[i] + box->size[i] - 1) * stride;
    }
    out.low = out.first;
    return out;
}

struct plan_range plan_range(const struct plan *plan, const struct plan_box *box)
{
    return (struct plan_range){input_range(plan, box), output_range(plan, box)};
}

struct plan plan_packed(const struct plan *plan, const struct plan_box *box)
{
    struct plan packed = *plan;
    int64_t stride = 1;
    for (uint32_t i = plan->rank; i-- > 0; stride *= (int64_t)box->size[i])
        packed.dim[i].out_stride = stride;
    return packed;
}

bool plan_is_packed(const struct plan *plan, const struct plan_box *box)
{
    uint64_t elements = 1;
    for (uint32_t i = plan->rank; i-- > 0; elements *= box->size[i])
        if (box->size[i] > 1 && plan->dim[i].out_stride != (int64_t)elements)
            return false;
    return true;
}

uint64_t plan_box_elements(const struct plan *plan, const struct plan_box *box)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < plan->rank; ++i)
        count *= box->size[i];
    return count;
}

void plan_describe(const struct plan *plan, struct text *text)
{
    const struct plan_pattern *pattern = &plan->pattern;
    text_append(text, "plan:   %s, %" PRIu32 "-byte elements, %" PRIu32 "-bit indices",
                plan_variant_name(plan->variant), plan->element_size, plan->index_bits);
    if (pattern->group_size > 1)
        text_append(text,
                    ", groups of %" PRIu32 ", group stride %" PRId32 ", element stride %" PRId32,
                    pattern->group_size, pattern->group_stride, pattern->element_stride);
    else if (pattern->group_size == 1 && pattern->group_stride != 1)
        text_append(text, ", stride %" PRId32, pattern->group_stride);
    text_append(text, "\n        from input element %" PRIu64 ", dimensions", plan->first);
    for (uint32_t i = 0; i < plan->rank; ++i)
        text_append(text, " %" PRIu64 " (in %" PRId64 ", out %" PRId64 ")", plan->dim[i].size,
                    plan->dim[i].in_stride, plan->dim[i].out_stride);
    text_append(text, "\n");
}
