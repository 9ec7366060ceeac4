/* SPDX-License-Identifier: MIT */
#include "cli/args/each.h"

#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "conformance/cases.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An integer of 1, 2, 4 or 8 bytes in either byte order. */
static uint64_t integer_at(const struct dtype *dtype, const unsigned char *at)
{
    const uint32_t one = 1;
    unsigned char first;
    uint64_t number = 0;

    memcpy(&first, &one, 1);
    bool is_big = dtype->order == '>' || (dtype->order == '=' && first == 0);
    for (uint64_t i = 0; i < dtype->bytes; ++i)
        number |= (uint64_t)at[is_big ? dtype->bytes - 1 - i : i] << 8 * i;
    if (dtype->kind == 'i' && dtype->bytes < 8 && number >> (8 * dtype->bytes - 1))
        number |= UINT64_MAX << 8 * dtype->bytes; /* negative */
    return number;
}

static bool check_shape(const struct each *each, const struct array *array, uint32_t rank,
                        struct problem *problem)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE], dtype[DTYPE_TEXT_SIZE];

    array_shape_text(array->rank, array->size, shape);
    dtype_text(&array->dtype, dtype);
    if (array->dtype.kind != 'i' && array->dtype.kind != 'u')
        return problem_set(problem, "%s: has dtype %s; --each takes integers", each->path, dtype);
    return (array->rank == 2 && array->size[1] == rank) ||
           problem_set(problem,
                       "%s: has shape %s; --each takes a row of %" PRIu32
                       " offsets for each window, one for each dimension",
                       each->path, shape, rank);
}

static bool read_row(const struct each *each, uint64_t row, const struct array *array,
                     const struct slice_case *c, const struct array *in, const char *in_path,
                     struct problem *problem)
{
    const unsigned char *bytes = array->data;
    bool is_signed = array->dtype.kind == 'i';

    for (uint32_t axis = 0; axis < c->rank; ++axis) {
        uint64_t at = row * array->stride[0] + axis * array->stride[1];
        uint64_t offset = integer_at(&array->dtype, bytes + at * array->dtype.bytes);
        uint64_t size = in->size[axis], window = c->window_sizes[axis];
        if (window > size || offset > size - window)
            return problem_set(problem,
                               is_signed
                                   ? "%s: row %" PRIu64 ", axis %" PRIu32 ": offset %" PRId64
                                     " with --sizes %" PRIu64 " is outside the %" PRIu64 " of %s"
                                   : "%s: row %" PRIu64 ", axis %" PRIu32 ": offset %" PRIu64
                                     " with --sizes %" PRIu64 " is outside the %" PRIu64 " of %s",
                               each->path, row, axis, offset, window, size, in_path);
        each->rows[row * c->rank + axis] = (uint32_t)offset;
    }
    return true;
}

bool each_read(struct each *each, const struct slice_case *c, const struct array *in,
               const char *in_path, struct problem *problem)
{
    struct array array;
    bool is_read =
        array_file_copy(each->path, &array, problem) && check_shape(each, &array, c->rank, problem);

    if (is_read) {
        each->count = array.size[0];
        each->rows = malloc(size_for(each->count * c->rank * sizeof *each->rows));
        is_read = each->rows || problem_set(problem, "out of memory for %s", each->path);
    }
    for (uint64_t row = 0; is_read && row < each->count; ++row)
        is_read = read_row(each, row, &array, c, in, in_path, problem);
    array_release(&array);
    return is_read;
}

void each_release(struct each *each)
{
    free(each->rows);
    each->rows = NULL;
}
