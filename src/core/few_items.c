/* SPDX-License-Identifier: MIT */
#include "core/few_items.h"

#include <string.h>

bool few_items_fit(const struct batch *batch, const struct slice *slice, uint64_t count,
                   uint32_t words)
{
    uint32_t tables = batch_table_count(batch);
    if (tables == 0 || count > words / tables || slice->input.span >= FEW_ITEMS_SKIPPED)
        return false;
    return batch->index_bytes == 0 ||
           batch->index_most <= (FEW_ITEMS_SKIPPED - 1) / batch->out_pitch;
}

/* Adds up the origins in the input, axis by axis: compilers make vectors of some of that. Whether
 * all are inside. */
static bool find_inputs(const struct batch *batch, const unsigned char *rows, uint64_t count,
                        uint32_t *word)
{
    size_t row_bytes = 4 * (size_t)batch->row_words;
    uint64_t outside = 0; /* the sign of a difference */
    for (uint64_t i = 0; i < count; ++i)
        word[i] = (uint32_t)batch->in_first;
    for (uint32_t a = 0; a < batch->axis_count; ++a) {
        const unsigned char *at = rows + 4 * (size_t)a;
        const uint64_t most = batch->axis[a].most;
        const uint32_t stride = (uint32_t)batch->axis[a].stride;
        for (uint64_t i = 0; i < count; ++i, at += row_bytes) {
            uint32_t offset;
            memcpy(&offset, at, sizeof offset);
            outside |= most - offset;
            word[i] += offset * stride;
        }
    }
    return outside >> 63 == 0;
}

static bool find_outputs(const struct batch *batch, const unsigned char *indices, uint64_t count,
                         uint32_t *word)
{
    bool fits = true;
    for (uint64_t i = 0; i < count; ++i, indices += batch->index_bytes) {
        uint64_t index = batch_index(batch, 0, indices);
        fits &= index <= batch->index_most;
        word[i] = (uint32_t)(index * batch->out_pitch);
    }
    return fits;
}

/* One by one, to mark what breaks a rule: what the tables hold now is checked as it is used. */
static uint64_t find_each(const struct batch *batch, const unsigned char *rows,
                          const unsigned char *indices, uint64_t count, struct few_items *few,
                          uint64_t *broken)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; ++i) {
        struct batch_origin o;
        bool fits = batch_place(batch, 0, rows + 4 * i * batch->row_words,
                                indices + i * batch->index_bytes, &o);
        if (few->out_words > 0)
            few->word[few->in_words + i] = (uint32_t)o.out;
        if (few->in_words > 0)
            few->word[i] = (uint32_t)o.in;
        if (fits)
            continue;
        few->word[i] = FEW_ITEMS_SKIPPED;
        if (found++ == 0)
            *broken = i;
    }
    return found;
}

uint64_t few_items_from(const struct batch *batch, const void *rows, const void *indices,
                        uint64_t first, uint64_t count, struct few_items *few, uint64_t *broken)
{
    /* where there is no table, none is read */
    const unsigned char *row = rows ? rows : (const void *)batch;
    const unsigned char *index = indices ? indices : (const void *)batch;
    row += first * 4 * batch->row_words;
    index += first * batch->index_bytes;
    few->in_first = batch->in_first + first * (uint64_t)batch->in_step;
    few->in_step = (uint64_t)batch->in_step;
    few->out_pitch = batch->out_pitch;
    few->out_first = first * batch->out_pitch;
    few->in_words = batch->axis_count > 0 ? (uint32_t)count : 0;
    few->out_words = batch->index_bytes > 0 ? (uint32_t)count : 0;
    bool fit = few->in_words == 0 || find_inputs(batch, row, count, few->word);
    if (few->out_words > 0)
        fit &= find_outputs(batch, index, count, few->word + few->in_words);
    uint64_t found = fit ? 0 : find_each(batch, row, index, count, few, broken);
    if (found > 0)
        *broken += first;
    return found;
}
