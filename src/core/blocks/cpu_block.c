/* SPDX-License-Identifier: MIT */
#include "core/blocks/cpu_block.h"

#include "base/checked.h"

enum {
    /* transpose_cpu waits for page walks: it takes so many bytes of an input page at a time, */
    PAGE_PART = 1 << 10,
    HEIGHT_LEAST = 16, /* rows wanted, if there are so many */
    SPAN_MOST = 512,   /* of a column, in elements of the input: ROWS of transpose_cpu */
    FEW_OF_MOST = 8,   /* a column that spans less than an eighth of what it may goes on to a */
    SPARSE_MOST = 2,   /* dimension whose steps are not longer than so many times its span, */
    SPARSE_MOST_OF_FEW = 4, /* or so many, if it spans at most */
    FEW_BYTES = 5,          /* so many bytes */
    WIDTH_LEAST = 64,
    WIDTH_MOST = 4 * CPU_BLOCK_STEP_MOST, /* or half as much again, TABLE of transpose_cpu: see
                                             even_width */
    VECTOR_BYTES = 16,                    /* of a column, in kernels/square.cl */
};

/* Of the dimensions before `first` that are not among `taken`, the one whose elements lie nearest
 * to each other in the input; the rank if there is none. */
static uint32_t nearest(const struct plan *plan, const struct plan_box *box, uint32_t first,
                        uint32_t taken)
{
    uint32_t found = plan->rank;
    for (uint32_t i = 0; i < first; ++i)
        if (!(taken >> i & 1) && box->size[i] > 1 && plan->dim[i].in_stride != 0 &&
            (found == plan->rank ||
             magnitude(plan->dim[i].in_stride) < magnitude(plan->dim[found].in_stride)))
            found = i;
    return found;
}

/* Whether a column that spans so many elements, of at most `most`, goes on to the next dimension,
 * without overlapping and without reading too much in vain. */
static bool goes_on(const struct plan *plan, uint32_t next, uint64_t span, uint64_t most)
{
    uint64_t apart = next < plan->rank ? magnitude(plan->dim[next].in_stride) : 0;
    uint64_t sparse = span * plan->element_size <= FEW_BYTES ? SPARSE_MOST_OF_FEW : SPARSE_MOST;
    return apart >= span && apart <= clamp(sparse * span, 0, most - span);
}

static uint64_t span_most(const struct plan *plan)
{
    return clamp(PAGE_PART / plan->element_size, 1, SPAN_MOST);
}

uint32_t cpu_block_needs(const struct plan *plan, const struct plan_box *box, uint32_t first)
{
    uint64_t least = VECTOR_BYTES / plan->element_size, span = 1;
    uint32_t taken = 0, next = plan->column;
    do {
        span += (box->size[next] - 1) * magnitude(plan->dim[next].in_stride);
        taken |= 1u << next;
        next = nearest(plan, box, first, taken);
    } while (span < least && goes_on(plan, next, span, span_most(plan)));
    return taken;
}

/* Columns go on through dimensions as the input does, while a block has room for a second step of
 * the next one. */
struct cpu_block cpu_block_of(const struct plan *plan, const struct plan_box *box, uint32_t first,
                              uint64_t row_step)
{
    struct cpu_block block = {0};
    uint64_t most = span_most(plan);
    uint64_t wanted =
        plan->item_bytes / plan->element_size / clamp(row_step, WIDTH_LEAST, UINT64_MAX);
    uint64_t rows = 1, span = 1, apart, step, step_span; /* span: elements of the input */
    uint32_t next = plan->column;
    do {
        apart = magnitude(plan->dim[next].in_stride);
        step = rows;
        step_span = span;
        rows *= box->size[next];
        span += (box->size[next] - 1) * apart;
        block.column[block.rank++] = next;
        block.taken |= 1u << next;
        next = nearest(plan, box, first, block.taken);
    } while (block.rank < CPU_BLOCK_COLUMN_RANK && span < most / FEW_OF_MOST &&
             goes_on(plan, next, span, most));
    uint64_t steps = clamp((most - step_span) / apart + 1, 1, rows / step);
    wanted = clamp(wanted, HEIGHT_LEAST, most);
    block.height = (uint32_t)(step * clamp(wanted / step, 1, steps));
    return block;
}

/* Width of a transpose's blocks of about `wanted`, so that all of a row are alike, as they are
 * shared out among compute units by their number, and so that all begin at lines of memory where
 * the first does. */
static uint64_t even_width(uint64_t row, uint64_t wanted, uint64_t line)
{
    uint64_t count = clamp((row + wanted / 2) / wanted, 1, row);
    return div_ceil(div_ceil(row, count), line) * line;
}

uint32_t cpu_block_width(const struct plan *plan, const struct cpu_block *block, uint64_t row,
                         uint64_t row_step)
{
    uint64_t line = PLAN_LINE_BYTES / plan->element_size;
    uint64_t wanted = plan->item_bytes / plan->element_size / block->height;
    wanted = clamp(wanted, WIDTH_LEAST, WIDTH_MOST);
    return (uint32_t)(row_step > 1 ? clamp(wanted / row_step * row_step, row_step, row)
                                   : clamp(even_width(row, wanted, line), 1, row));
}
