/* SPDX-License-Identifier: MIT */
#include "core/definitions.h"

#include "base/checked.h"

#include <inttypes.h>

/* Steps of single elements share a program, and on a CPU all pixels of one size do: a GPU has no
 * instructions to spare for pixels. Neighbours are moved by the fewest. */
static int32_t group_stride(const struct plan *plan)
{
    const struct plan_pattern *pattern = &plan->pattern;
    bool is_single = pattern->group_size == 1;
    if (is_single ? magnitude(pattern->group_stride) == 1 : plan->variant == PLAN_ROWS_GPU)
        return pattern->group_stride;
    return 0;
}

void plan_define(const struct plan *plan, struct text *text)
{
    text_append(text, "-DELEMENT_SIZE=%" PRIu32 " -DINDEX_BITS=%" PRIu32, plan->element_size,
                plan->index_bits);
    if (plan->pattern.group_size > 0)
        text_append(text, " -DGROUP_SIZE=%" PRIu32 " -DGROUP_STRIDE=%" PRId32,
                    plan->pattern.group_size, group_stride(plan));
    if (plan->variant == PLAN_ROWS_GPU)
        text_append(text, " -DELEMENT_STRIDE=%" PRId32, plan->pattern.element_stride);
    if (plan->is_item)
        text_append(text, " -DBATCH");
    if (plan->few_words > 0)
        text_append(text, " -DFEW_WORDS=%" PRIu32, plan->few_words);
    if (plan->is_gradient)
        text_append(text, " -DGRADIENT");
    if (plan->for_intel)
        text_append(text, " -DINTEL");
    if (plan->has_short_rows)
        text_append(text, " -DSHORT_ROWS");
    if (plan->has_neighbours)
        text_append(text, " -DNEIGHBOURS");
    if (plan->word_bytes > 0 || plan->variant == PLAN_GRADIENT_GPU)
        text_append(text, " -DWORD_BYTES=%" PRIu32, plan->word_bytes);
    if (plan->variant == PLAN_TRANSPOSE_GPU)
        text_append(text, " -DGROUP=%d -DBLOCK_BYTES=%" PRIu32, GPU_BLOCK_GROUP, plan->block.bytes);
}
