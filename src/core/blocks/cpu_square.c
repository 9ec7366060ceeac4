/* SPDX-License-Identifier: MIT */
#include "core/blocks/cpu_square.h"

#include "base/checked.h"

/* SQUARE of kernels/square.cl, for elements of 2^i bytes; none of 16. */
static const uint64_t side[] = {16, 8, 4, 4, UINT64_MAX};

bool cpu_square_turns(const struct plan *plan, const struct plan_box *box, uint32_t column,
                      uint64_t elements)
{
    const struct slice_dim *dim = &plan->dim[column];
    uint64_t most = CPU_SQUARE_TABLE_BYTES / plan->element_size / elements; /* rows of a block */
    if (dim->in_stride != 1 || dim->out_stride != (int64_t)elements || most == 0)
        return false;
    return div_ceil(box->size[column], div_ceil(box->size[column], most)) >= side[plan_width(plan)];
}
