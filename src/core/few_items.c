/* SPDX-License-Identifier: MIT */
#include "core/few_items.h"

#include <string.h>

bool few_items_fit(const struct batch *batch, const struct slice *slice, uint64_t count,
                   uint32_t words)
{
    uint64_t tables = batch->index_bytes > 0 ? 2 : 1;
    if (count > words / tables || slice->input.span >= FEW_ITEMS_SKIPPED)
        return false;
    /* without a table, kernels number the origins with 64 bits */
    return tables == 1 || batch->index_most == 0 ||
           batch->index_most <= UINT32_MAX / batch->out_pitch;
}

/* Adds up the origins in the input, axis by axis: compilers make vectors of most of that. Whether
 * all are inside. */
static bool find_inputs(const struct batch *batch, const unsigned char *rows, uint64_t first,
                        uint64_t count, uint32_t *word)
{
    size_t row_bytes = 4 * (size_t)batch->row_words;
    uint64_t outside = 0; /* the sign of a difference */
    for (uint64_t i = 0; i < count; ++i)
        word[i] =
            (uint32_t)((batch->in_first + (first + i) * (uint64_t)batch->in_step) >> batch->shift);
    for (uint32_t a = 0; a < batch->axis_count; ++a) {
        const unsigned char *at = rows + first * row_bytes + 4 * (size_t)a;
        const uint64_t most = batch->axis[a].most;
        const uint32_t stride = (uint32_t)(batch->axis[a].stride >> batch->shift);
        for (uint64_t i = 0; i < count; ++i, at += row_bytes) {
            uint32_t offset;
            memcpy(&offset, at, sizeof offset);
            outside |= most - offset;
            word[i] += offset * stride;
        }
    }
    return outside >> 63 == 0;
}

static bool find_outputs(const struct batch *batch, const unsigned char *indices, uint64_t first,
                         uint64_t count, uint32_t *word)
{
    bool fits = true;
    indices += first * batch->index_bytes;
    for (uint64_t i = 0; i < count; ++i, indices += batch->index_bytes) {
        uint64_t index = batch_index(batch, first + i, indices);
        fits &= index <= batch->index_most;
        word[i] = (uint32_t)(index * batch->out_pitch >> batch->shift);
    }
    return fits;
}

/* One by one, where some break a rule. */
static uint64_t find_each(const struct batch *batch, const unsigned char *rows,
                          const unsigned char *indices, uint64_t first, uint64_t count,
                          struct few_items *few, uint64_t *broken)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t item = first + i;
        struct batch_origin o;
        bool fits = batch_place(batch, item, rows ? rows + 4 * item * batch->row_words : NULL,
                                indices ? indices + item * batch->index_bytes : NULL, &o);
        few->word[i] = fits ? (uint32_t)o.in : FEW_ITEMS_SKIPPED;
        if (!fits && found++ == 0)
            *broken = item;
    }
    return found;
}

uint64_t few_items_from(const struct batch *batch, const void *rows, const void *indices,
                        uint64_t first, uint64_t count, struct few_items *few, uint64_t *broken)
{
    few->out_pitch = batch->out_pitch >> batch->shift;
    few->out_first = first * few->out_pitch;
    few->out_at = batch->index_bytes > 0 ? (uint32_t)count : 0;
    few->reserved = 0;
    bool fit = find_inputs(batch, rows, first, count, few->word);
    if (few->out_at > 0)
        fit &= find_outputs(batch, indices, first, count, few->word + count);
    return fit ? 0 : find_each(batch, rows, indices, first, count, few, broken);
}
