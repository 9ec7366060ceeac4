/* SPDX-License-Identifier: MIT */
/* What the kernels do, from kernels/walk.cl word by word: the arguments alone say which bytes
 * move. */
#include "runtime/programs/kernels.h"
#include "support/fake_cl/fake_cl_inside.h"
#include "support/gpu_block_walk.h"

#include <string.h>

/* One side of the walk. */
struct side {
    unsigned char *bytes;
    uint64_t elements; /* that it holds; UINT64_MAX where nobody knows */
    uint64_t first;
    int64_t at; /* of the block, from the first */
};

static struct side side_of(const struct fake_arg *arg, uint64_t first, uint32_t size)
{
    struct side side = {.bytes = arg->set ? arg->value.address : NULL, .elements = UINT64_MAX};
    if (arg->is_mem) {
        side.bytes = arg->value.mem->bytes;
        side.elements = arg->value.mem->size / size;
    }
    side.first = first;
    return side;
}

static unsigned char *element(const struct side *side, int64_t step, uint32_t size)
{
    int64_t index = (int64_t)side->first + side->at + step;
    unsigned char *address = side->bytes + index * size;
    if (index < 0 || (uint64_t)index >= side->elements) {
        fake_violate("element %lld of %llu", (long long)index, (unsigned long long)side->elements);
        return NULL;
    }
    if ((uintptr_t)address % size != 0)
        fake_violate("a %u-byte element at an address that is no multiple of that", size);
    return address;
}

/* Where element k of a row lies in the input, from the row's first. */
static int64_t along_row(const struct walk *w, uint64_t k)
{
    int64_t at = 0;
    for (uint32_t d = w->rank; d < 8 && w->dim[d].size > 0; ++d) {
        at += (int64_t)(k % w->dim[d].size) * w->dim[d].in_stride;
        k /= w->dim[d].size;
    }
    return at + (int64_t)k * w->in_step;
}

/* Where row l of a block begins in the input or the output, from the block's first. */
static int64_t along_column(const struct walk *w, uint64_t l, bool in)
{
    int64_t at = 0;
    for (uint32_t d = 0; w->transposes && d < GPU_BLOCK_RANK && w->block[d].extent > 0; ++d) {
        uint64_t extent = (uint64_t)w->block[d].extent;
        at += (int64_t)(l % extent) * (in ? w->block[d].in_step : w->block[d].out_step);
        l /= extent;
    }
    return at + (int64_t)l * (in ? w->in_pitch : w->out_pitch);
}

/* Elements [first, end) of a block's rows. */
static void walk_block(const struct walk *w, uint64_t block, uint64_t first, uint64_t end,
                       struct side *in, struct side *out, uint32_t size)
{
    uint64_t column_at = 0, row_at = 0;
    in->at = out->at = 0;
    for (uint32_t d = 0; d < w->rank; ++d) {
        uint64_t at = block % w->dim[d].size;
        block /= w->dim[d].size;
        in->at += (int64_t)at * w->dim[d].in_stride;
        out->at += (int64_t)at * w->dim[d].out_stride;
        if (d == w->row_dim)
            column_at = at;
        if (w->transposes && d == 0)
            row_at = at;
    }
    for (uint64_t l = 0; l < w->height && row_at * w->height + l < w->column; ++l)
        for (uint64_t k = first; k < end && column_at * w->width + k < w->row; ++k) {
            const unsigned char *from =
                element(in, along_row(w, k) + along_column(w, l, true), size);
            unsigned char *to =
                element(out, (int64_t)k * w->out_step + along_column(w, l, false), size);
            if (from && to)
                memcpy(to, from, size);
        }
}

/* Elements of strided_gpu's: where the output is packed, a word of it; else perhaps gaps. */
static void walk_word(const struct walk *w, uint64_t block, struct side *in, struct side *out,
                      uint32_t size)
{
    struct walk of_elements = *w;
    uintptr_t address = (uintptr_t)(out->bytes + out->first * size);
    uint64_t before = address / size % w->units * w->by_units >> 16;
    uint64_t step = w->makes_words ? w->full : 1;
    of_elements.width = 1;
    for (uint64_t n = 0; n < w->width; ++n) {
        uint64_t at = block * w->width + n - before, of_step = at % step;
        bool is_gap = !w->makes_words && at % w->dim[0].size >= w->full;
        if (at < w->row && !is_gap) /* what is before the first wraps */
            walk_block(&of_elements, at / step, of_step, of_step + 1, in, out, size);
    }
}

/* What a work-item of strided_gpu moves. */
static void walk_words(const struct walk *w, uint64_t item, struct side *in, struct side *out,
                       uint32_t size)
{
    if (w->repeat == 0 && item < w->blocks)
        walk_word(w, item, in, out, size);
    if (w->repeat > 0 && item < w->repeat)
        for (uint64_t block = item; block < w->blocks; block += w->repeat)
            walk_word(w, block, in, out, size);
}

struct sides {
    struct side in, out;
    uint32_t size;
};

static void move_element(void *user, int64_t in, int64_t out)
{
    struct sides *sides = user;
    const unsigned char *from = element(&sides->in, in, sides->size);
    unsigned char *to = element(&sides->out, out, sides->size);
    if (from && to)
        memcpy(to, from, sides->size);
}

static void walk_gpu_blocks(const struct walk *w, struct side in, struct side out, uint32_t size)
{
    struct sides sides = {in, out, size};
    uint64_t before = (uintptr_t)(out.bytes + out.first * size) / size % (16 / size);
    for (uint64_t block = 0; block < w->blocks; ++block)
        gpu_block_visit(w, block, size, before, move_element, &sides);
}

/* All blocks of one item, or of a slice. */
static void walk_all(const struct walk *w, const char *name, uint64_t work_items, struct side in,
                     struct side out, uint32_t size)
{
    if (strcmp(name, "transpose_gpu") == 0) {
        walk_gpu_blocks(w, in, out, size);
        return;
    }
    for (uint64_t item = 0; item < work_items; ++item)
        if (strcmp(name, "strided_gpu") == 0)
            walk_words(w, item, &in, &out, size);
        else
            for (uint64_t k = 0, block = item * w->blocks_each;
                 k < w->blocks_each && block < w->blocks; ++k, ++block)
                walk_block(w, block, 0, w->width, &in, &out, size);
}

/* ---- Batches ---- */

static uint64_t number_at(const struct side *side, uint64_t word, uint32_t bytes)
{
    uint32_t narrow;
    uint64_t wide;
    if (word + bytes / 4 > side->elements) {
        fake_violate("word %llu of a table of %llu", (unsigned long long)word,
                     (unsigned long long)side->elements);
        return 0;
    }
    memcpy(&narrow, side->bytes + 4 * word, sizeof narrow);
    if (bytes == sizeof narrow)
        return narrow;
    memcpy(&wide, side->bytes + 4 * word, sizeof wide);
    return wide;
}

/* As origin_of() in kernels/walk.cl, of few items and of tables. */
static bool origin_of_few(const struct few_items *few, uint64_t i, struct batch_origin *origin)
{
    origin->in = few->in_words > 0 ? few->word[i] : few->in_first + i * few->in_step;
    origin->out =
        few->out_words > 0 ? few->word[few->in_words + i] : few->out_first + i * few->out_pitch;
    return few->word[i] != FEW_ITEMS_SKIPPED;
}

static bool origin_of(const struct fake_arg *args, uint64_t i, struct batch_origin *origin)
{
    if (!args[KERNEL_ARG_BATCH].set)
        return origin_of_few(&args[KERNEL_ARG_FEW].value.few, i, origin);
    const struct batch *b = &args[KERNEL_ARG_BATCH].value.batch;
    const struct side window = side_of(&args[3], 0, 4), index = side_of(&args[4], 0, 4),
                      skipped = side_of(&args[5], 0, 4);
    if (b->index_bytes == sizeof *origin) {
        const uint64_t word = i * (sizeof *origin / 4);
        *origin = (struct batch_origin){number_at(&index, word, 8), number_at(&index, word + 2, 8)};
        return origin->in != BATCH_SKIPPED;
    }
    uint64_t in = b->in_first + (b->first + i) * (uint64_t)b->in_step;
    uint64_t at = b->index_bytes > 0
                      ? number_at(&index, b->index_at + i * b->index_words, b->index_bytes)
                      : b->first + i;
    bool fits = at <= b->index_most;
    for (uint32_t a = 0; a < b->axis_count; ++a) {
        uint64_t offset = number_at(&window, b->window_at + i * b->row_words + a, 4);
        fits = fits && offset <= b->axis[a].most;
        in += offset * b->axis[a].stride;
    }
    *origin = (struct batch_origin){in >> b->shift, at * b->out_pitch >> b->shift};
    if (!fits && b->counts) {
        uint32_t count = (uint32_t)number_at(&skipped, b->skipped_at, 4) + 1;
        memcpy(skipped.bytes + 4 * b->skipped_at, &count, sizeof count);
    }
    return fits;
}

static void walk_items(const struct walk *w, const char *name, const struct side *in,
                       const struct side *out, const struct fake_arg *args, uint32_t size)
{
    for (uint64_t i = 0; i < w->items; ++i) {
        struct batch_origin origin;
        struct side from = *in, to = *out;
        if (!origin_of(args, i, &origin))
            continue;
        from.first += origin.in;
        to.first += origin.out;
        /* of rows_gpu, what `of_item` work-items do not make at once, they make afterwards */
        walk_all(w, name, strcmp(name, "rows_gpu") == 0 ? w->blocks : w->of_item, from, to, size);
    }
}

void fake_walk(const struct fake_arg args[FAKE_ARGS], const struct _cl_program *program,
               size_t global_size)
{
    const char *name = program->names[0];
    struct walk walk = args[2].value.walk, *w = &walk;
    uint32_t size = program->element_size;
    if (args[2].is_mem)
        memcpy(w, args[2].value.mem->bytes, sizeof *w);
    struct side in = side_of(&args[0], w->in_first, size);
    struct side out = side_of(&args[1], w->out_first, size);
    if (args[KERNEL_ARG_FEW].set) /* which is the first table where there are such */
        walk_items(w, name, &in, &out, args, size);
    else
        walk_all(w, name, global_size, in, out, size);
}
