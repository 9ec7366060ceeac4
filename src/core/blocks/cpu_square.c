/* SPDX-License-Identifier: MIT */
#include "core/blocks/cpu_square.h"

#include "base/checked.h"

/* SQUARE of kernels/square.cl, for elements of 2^i bytes; none of 16. */
static const uint64_t side[] = {16, 8, 4, 4, UINT64_MAX};

uint64_t cpu_square_rows(const struct plan *plan, uint64_t step)
{
    return clamp(CPU_TABLE_BYTES / plan->element_size / step, side[plan_width(plan)], UINT64_MAX);
}

/* Dimensions join a block's row as launch_from() lengthens it. */
uint32_t cpu_square_column(const struct plan *plan, const struct plan_box *box)
{
    uint64_t most = CPU_TABLE_BYTES / plan->element_size, step = 1;
    uint32_t column = plan->rank - 1;
    uint64_t elements = box->size[column];
    while (column > 0 && elements <= most / 2 &&
           plan->dim[column - 1].out_stride == (int64_t)elements) {
        step = elements;
        elements *= box->size[--column];
    }
    if (step == 1 || magnitude(plan->dim[column].in_stride) != 1)
        return plan->rank;
    uint64_t rows = box->size[column], blocks = div_ceil(rows, cpu_square_rows(plan, step));
    return div_ceil(rows, blocks) >= side[plan_width(plan)] ? column : plan->rank;
}
