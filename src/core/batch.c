/* SPDX-License-Identifier: MIT */
#include "core/batch.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

/* ---- The structure ---- */

enum { KNOWN_FLAGS = CLSLICE_BATCH_FLAG_SKIP | CLSLICE_BATCH_FLAG_DISJOINT };

static int32_t check_axes(const struct slice *slice, const clslice_batch *desc,
                          clslice_error *error)
{
    uint32_t axis = desc->window_axis, count = desc->window_axis_count;
    bool has_table = desc->window.kind != CLSLICE_BINDING_NONE;
    if (has_table != (count > 0))
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_BATCH_AXES, .value = {count, desc->window.kind}),
            "clslice_batch.window_axis_count = %" PRIu32 ", but window.kind = %" PRIu32 "%s", count,
            desc->window.kind,
            has_table ? ": set the count to the numbers of a row"
                      : " (NONE): bind a table, or use window_advance");
    if (has_table && desc->window_advance != 0)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_BATCH_AXES, .value = {(uint64_t)desc->window_advance}),
            "clslice_batch.window_advance = %" PRId64 ", but there is a table window: use only one",
            desc->window_advance);
    if (axis < slice->rank && (count == 0 || count <= slice->rank - axis))
        return CLSLICE_S_OK;
    return status_fail(error, CLSLICE_E_INVALIDARG,
                       WHERE(.rule = CLSLICE_RULE_BATCH_AXES, .value = {axis, count, slice->rank}),
                       "clslice_batch.window_axis = %" PRIu32 " with window_axis_count = %" PRIu32
                       " exceeds the slice's %" PRIu32 " dimensions",
                       axis, count, slice->rank);
}

static int32_t check_layout(const clslice_batch *desc, clslice_error *error)
{
    uint64_t row = desc->window_row_bytes, numbers = 4 * (uint64_t)desc->window_axis_count;
    uint32_t index = desc->output_index_bytes;
    bool has_index = desc->output.kind != CLSLICE_BINDING_NONE;
    if (row > 0 && (row < numbers || row % 4 != 0 || row / 4 > UINT32_MAX || numbers == 0))
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BATCH_TABLE, .value = {row, numbers}),
                           "clslice_batch.window_row_bytes = %" PRIu64
                           " is not a multiple of 4 from 4 * window_axis_count = %" PRIu64
                           " to 2^34 - 4; 0 stands for rows that follow each other",
                           row, numbers);
    if (has_index ? index != 4 && index != 8 : index != 0)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BATCH_TABLE, .value = {index}),
                           "clslice_batch.output_index_bytes = %" PRIu32 ": %s", index,
                           has_index ? "the numbers of a table have 4 or 8"
                                     : "without a table output it must be 0");
    return CLSLICE_S_OK;
}

static int32_t check_desc(const struct slice *slice, const clslice_batch *desc,
                          clslice_error *error)
{
    if (desc->flags & ~(uint32_t)KNOWN_FLAGS || desc->reserved)
        return status_fail(
            error, CLSLICE_E_NOTIMPL,
            WHERE(.rule = CLSLICE_RULE_OPTION, .value = {desc->flags, desc->reserved}),
            "clslice_batch.flags = 0x%" PRIx32 ", reserved = %" PRIu32 ": unknown bits must be 0",
            desc->flags, desc->reserved);
    int32_t status = check_axes(slice, desc, error);
    return status == CLSLICE_S_OK ? check_layout(desc, error) : status;
}

/* ---- Where items lie ---- */

static int32_t window_fail(const struct slice *slice, uint64_t item, uint32_t dimension,
                           uint64_t offset, clslice_error *error)
{
    uint64_t window = slice->window[dimension].size, size = slice->input.size[dimension];
    return status_fail(error, CLSLICE_E_INVALIDARG,
                       WHERE(.rule = CLSLICE_RULE_BATCH_WINDOW_BOUNDS,
                             .tensor = CLSLICE_TENSOR_INPUT, DIMENSION(dimension), ITEM(item),
                             .value = {offset, window, size}),
                       "clslice_batch item %" PRIu64 ": offset %" PRId64 " in dimension %" PRIu32
                       " with the window's %" PRIu64
                       " elements is outside InputTensor.Sizes[%" PRIu32 "] = %" PRIu64,
                       item, (int64_t)offset, dimension, window, dimension, size);
}

static int32_t index_fail(const struct slice *slice, const struct batch *batch, uint64_t item,
                          uint64_t index, clslice_error *error)
{
    return status_fail(
        error, CLSLICE_E_INVALIDARG,
        WHERE(.rule = CLSLICE_RULE_BATCH_OUTPUT_BOUNDS, .tensor = CLSLICE_TENSOR_OUTPUT, ITEM(item),
              .value = {index, batch->index_most, slice->output.span}),
        "clslice_batch item %" PRIu64 ": index %" PRIu64 " exceeds %" PRIu64
        ", the last at which %" PRIu64 " elements fit outputs[0] with output_pitch = %" PRIu64,
        item, index, batch->index_most, slice->output.span, batch->out_pitch);
}

/* Without a table: item i at offset + i * advance, of which the last is the farthest. */
static int32_t advance_from(const struct slice *slice, const clslice_batch *desc,
                            struct batch *batch, clslice_error *error)
{
    uint32_t axis = desc->window_axis;
    uint64_t offset = slice->window[axis].offset, apart = magnitude(desc->window_advance);
    uint64_t room = desc->window_advance < 0
                        ? offset
                        : slice->input.size[axis] - slice->window[axis].size - offset;
    if (desc->count < 2 || apart == 0)
        return CLSLICE_S_OK;
    if (desc->count - 1 > room / apart) {
        uint64_t item = room / apart + 1;
        return window_fail(slice, item, axis, offset + item * (uint64_t)desc->window_advance,
                           error);
    }
    batch->in_step = desc->window_advance * (int64_t)slice->input.stride[axis];
    return CLSLICE_S_OK;
}

/* From the first to the last: `one` bytes behind count - 1 times `step`. */
static bool table_bytes(uint64_t count, uint64_t step, uint64_t one, uint64_t *bytes)
{
    *bytes = 0;
    if (count == 0 || one == 0)
        return true;
    if (!checked_multiply(count - 1, step, bytes) || *bytes > UINT64_MAX - one)
        return false;
    *bytes += one;
    return true;
}

int32_t batch_from(const struct slice *slice, const clslice_batch *desc, uint64_t room,
                   struct batch *batch, struct batch_tables *tables, clslice_error *error)
{
    uint64_t row = desc->window_row_bytes, numbers = 4 * (uint64_t)desc->window_axis_count;
    int32_t status = check_desc(slice, desc, error);
    if (status != CLSLICE_S_OK)
        return status;
    row = row > 0 ? row : numbers;
    if (!table_bytes(desc->count, row, numbers, &tables->window) ||
        !table_bytes(desc->count, desc->output_index_bytes, desc->output_index_bytes,
                     &tables->output))
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BATCH_TABLE, .value = {desc->count}),
                           "clslice_batch.count = %" PRIu64 " is more than a table can have",
                           desc->count);
    *batch = (struct batch){.in_first = slice->first,
                            .out_pitch = desc->output_pitch,
                            .row_words = (uint32_t)(row / 4),
                            .axis_count = desc->window_axis_count,
                            .index_words = desc->output_index_bytes / 4,
                            .index_bytes = desc->output_index_bytes};
    for (uint32_t i = 0; i < batch->axis_count; ++i) {
        uint32_t axis = desc->window_axis + i;
        const struct slice_window *window = &slice->window[axis];
        batch->axis[i] =
            (struct batch_axis){slice->input.stride[axis], slice->input.size[axis] - window->size};
        batch->in_first -= window->offset * slice->input.stride[axis];
    }
    if (batch->out_pitch == 0)
        batch->out_pitch = slice->output.span;
    batch->index_most = (room - slice->output.span) / batch->out_pitch;
    if (!batch->index_bytes && desc->count > 0 && desc->count - 1 > batch->index_most)
        return index_fail(slice, batch, batch->index_most + 1, batch->index_most + 1, error);
    if (!batch->index_bytes && desc->count < 2)
        batch->out_pitch = 0;
    return batch->axis_count > 0 ? CLSLICE_S_OK : advance_from(slice, desc, batch, error);
}

uint32_t batch_in_alignment(const struct batch *batch, uint32_t element_size, uint32_t base)
{
    uint64_t bits = batch->in_first | (uint64_t)batch->in_step;
    for (uint32_t i = 0; i < batch->axis_count; ++i)
        bits |= batch->axis[i].most > 0 ? batch->axis[i].stride : 0;
    return alignment_of(bits * element_size | base);
}

uint32_t batch_out_alignment(const struct batch *batch, uint32_t element_size, uint32_t base)
{
    return alignment_of(batch->out_pitch * element_size | base);
}

static uint64_t offset_at(const void *row, uint32_t i)
{
    uint32_t offset;
    memcpy(&offset, (const unsigned char *)row + 4 * (size_t)i, sizeof offset);
    return offset;
}

uint64_t batch_index(const struct batch *batch, uint64_t item, const void *index)
{
    uint32_t narrow;
    uint64_t wide = item;
    if (batch->index_bytes == 4) {
        memcpy(&narrow, index, sizeof narrow);
        wide = narrow;
    } else if (batch->index_bytes == 8) {
        memcpy(&wide, index, sizeof wide);
    }
    return wide;
}

/* `axes` is the batch's count: where it is a constant, compilers unroll. */
static inline bool place(const struct batch *batch, uint32_t axes, uint64_t item, const void *row,
                         const void *index, struct batch_origin *origin)
{
    uint64_t in = batch->in_first + item * (uint64_t)batch->in_step;
    uint64_t at = batch_index(batch, item, index);
    bool fits = at <= batch->index_most;
    for (uint32_t i = 0; i < axes; ++i) {
        uint64_t offset = offset_at(row, i);
        fits &= offset <= batch->axis[i].most;
        in += offset * batch->axis[i].stride;
    }
    origin->in = fits ? in >> batch->shift : BATCH_SKIPPED;
    origin->out = at * batch->out_pitch >> batch->shift;
    return fits;
}

bool batch_place(const struct batch *batch, uint64_t item, const void *row, const void *index,
                 struct batch_origin *origin)
{
    return place(batch, batch->axis_count, item, row, index, origin);
}

uint64_t batch_places(const struct batch *batch, const void *rows, const void *indices,
                      uint64_t first, uint64_t count, struct batch_origin *origins,
                      uint64_t *broken)
{
    const struct batch b = *batch; /* a copy: no origin can be part of it */
    size_t row_bytes = rows ? 4 * (size_t)b.row_words : 0, index_bytes = b.index_bytes;
    const unsigned char *row = rows ? rows : (const void *)&b;
    const unsigned char *index = indices ? indices : (const void *)&b;
    uint64_t found = 0;
    row += first * row_bytes;
    index += first * index_bytes;
    for (uint64_t i = 0; i < count; ++i, row += row_bytes, index += index_bytes) {
        bool fits = b.axis_count == 1   ? place(&b, 1, first + i, row, index, &origins[i])
                    : b.axis_count == 2 ? place(&b, 2, first + i, row, index, &origins[i])
                    : b.axis_count == 3 ? place(&b, 3, first + i, row, index, &origins[i])
                                        : batch_place(&b, first + i, row, index, &origins[i]);
        if (!fits && found++ == 0)
            *broken = first + i;
    }
    return found;
}

struct batch batch_of_origins(void)
{
    return (struct batch){.index_bytes = sizeof(struct batch_origin)};
}

int32_t batch_fail(const struct slice *slice, const clslice_batch *desc, const struct batch *batch,
                   uint64_t item, const void *row, const void *index, clslice_error *error)
{
    for (uint32_t i = 0; i < batch->axis_count; ++i)
        if (offset_at(row, i) > batch->axis[i].most)
            return window_fail(slice, item, desc->window_axis + i, offset_at(row, i), error);
    return index_fail(slice, batch, item, batch_index(batch, item, index), error);
}

/* ---- Groups ---- */

/* Whether the items of a range have room for one more, which joins them. */
static bool range_join(struct batch_range *range, const struct batch_origin *origin,
                       const struct batch_range *reach, uint64_t packed,
                       const struct batch_room *room)
{
    struct batch_range r = {origin->in + reach->in_low, origin->in + reach->in_high,
                            origin->out + reach->out_low, origin->out + reach->out_high,
                            range->moved + 1};
    if (range->moved > 0) {
        r.in_low = r.in_low < range->in_low ? r.in_low : range->in_low;
        r.in_high = r.in_high > range->in_high ? r.in_high : range->in_high;
        r.out_low = r.out_low < range->out_low ? r.out_low : range->out_low;
        r.out_high = r.out_high > range->out_high ? r.out_high : range->out_high;
        uint64_t out = room->packs ? r.moved * packed : r.out_high - r.out_low;
        if (r.in_high - r.in_low > room->in || out > room->out)
            return false;
    }
    *range = r;
    return true;
}

uint64_t batch_group(const struct batch_origin *origins, uint64_t count,
                     const struct batch_range *reach, uint64_t packed,
                     const struct batch_room *room, struct batch_range *range)
{
    uint64_t n = 0;
    *range = (struct batch_range){0};
    while (n < count &&
           (origins[n].in == BATCH_SKIPPED || range_join(range, &origins[n], reach, packed, room)))
        ++n;
    return n;
}
