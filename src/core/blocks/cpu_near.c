/* SPDX-License-Identifier: MIT */
#include "core/blocks/cpu_near.h"

#include "base/checked.h"

enum {
    PAGE = 4096,       /* bytes */
    PAGES_KNOWN = 128, /* whose places a processor knows at once, about: measured, see
                          tests/bench/README.md */
};

uint32_t cpu_near_dimension(const struct plan *plan, const struct plan_box *box, uint32_t row,
                            uint64_t steps)
{
    uint32_t near = plan->rank;
    uint64_t apart = magnitude(plan->dim[row].in_stride) * plan->element_size;
    uint64_t pages = clamp(apart, 0, PAGE) * steps / PAGE;
    if (plan->variant != PLAN_STRIDED_CPU || plan->is_item || apart <= PLAN_LINE_BYTES)
        return near;
    apart = clamp(apart, 0, PAGE);
    for (uint32_t i = row; i-- > 0; pages *= box->size[i]) {
        uint64_t bytes = magnitude(plan->dim[i].in_stride) * plan->element_size;
        if (box->size[i] > 1 && bytes < apart && pages >= PAGES_KNOWN) {
            near = i;
            apart = bytes;
        }
    }
    return apart > 0 ? near : plan->rank;
}
