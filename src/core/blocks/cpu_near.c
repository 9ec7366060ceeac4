/* SPDX-License-Identifier: MIT */
#include "core/blocks/cpu_near.h"

#include "base/checked.h"

enum {
    PAGE = 4096,       /* bytes */
    PAGES_KNOWN = 128, /* whose places a processor knows at once, about: measured, see
                          tests/bench/cpu.md */
};

uint32_t cpu_near_dimension(const struct plan *plan, const struct plan_box *box, uint32_t row,
                            uint64_t steps)
{
    uint32_t near = plan->rank;
    uint64_t row_apart = magnitude(plan->dim[row].in_stride) * plan->element_size;
    uint64_t shortest = clamp(row_apart, 0, PAGE), pages = shortest * steps / PAGE;
    if (plan->variant != PLAN_STRIDED_CPU || plan->is_item || row_apart <= PLAN_LINE_BYTES)
        return near;
    for (uint32_t i = row; i-- > 0;) {
        uint64_t apart = magnitude(plan->dim[i].in_stride) * plan->element_size;
        if (box->size[i] > 1 && apart < shortest) {
            near = pages >= PAGES_KNOWN ? i : plan->rank;
            shortest = apart;
        }
        if (apart >= PAGE)
            pages *= box->size[i];
    }
    return shortest > 0 ? near : plan->rank;
}
