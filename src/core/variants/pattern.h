/* SPDX-License-Identifier: MIT */
/* Patterns by which kernels move rows, as the dimensions of a plan have them. Pure. */
#ifndef CLSLICE_CORE_VARIANTS_PATTERN_H
#define CLSLICE_CORE_VARIANTS_PATTERN_H

#include "core/plan.h"

enum {
    PATTERN_STRIDE_MOST = 4, /* elements, either way, from one group of a row to the next */
    PATTERN_SIZE_MOST = 4,   /* elements of a group */
};

/* Each sets the plan's row, column and pattern and returns true, or changes nothing. Before,
 * `variant` is set, `row` is the innermost dimension and `column` is `rank`. */

/* Rows of small groups, as pixels are: the innermost dimension is inside the pattern. */
bool pattern_take_groups(struct plan *plan);

/* Rows of single elements. */
bool pattern_take_rows(struct plan *plan);

/* The output's rows lie across those of the input, whose elements are at most `most` apart. */
bool pattern_take_transpose(struct plan *plan, uint64_t row_least, uint64_t column_least,
                            int64_t most);

#endif
