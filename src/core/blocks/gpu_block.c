/* SPDX-License-Identifier: MIT */
#include "core/blocks/gpu_block.h"

#include "base/checked.h"

#include <string.h>

enum {
    DENSITY_LEAST = 2,        /* a line goes on to a piece within so many times its length */
    ELEMENTS_MOST = 32 << 10, /* of a block, or divided() in the kernel is inexact */
    NEAR_LINE_MOST = 512,     /* bytes: measured, see tests/bench/gpu.md */
};

uint64_t gpu_block_word(uint32_t element_size)
{
    return GPU_BLOCK_UNIT / element_size;
}

/* Whether so many elements are whole words. */
static bool is_multiple(int64_t elements, uint32_t element_size)
{
    return magnitude(elements) % gpu_block_word(element_size) == 0;
}

/* Extents of the row's last dimension are multiples of this, so that all its blocks begin at the
 * same place of a word. */
static uint64_t extent_unit(uint32_t element_size, uint64_t full)
{
    uint64_t word = gpu_block_word(element_size);
    return word / greatest_common_divisor(full, word);
}

/* ---- What follows from the extents ---- */

/* Whether all rows begin at a word. */
static bool rows_are_aligned(const struct gpu_block *b)
{
    bool are_aligned = b->out_aligned;
    for (uint32_t i = b->run_rank; i < b->rank; ++i)
        are_aligned = are_aligned &&
                      (b->dim[i].size == 1 || is_multiple(b->dim[i].out_stride, b->element_size));
    return are_aligned;
}

static void settle_row(struct gpu_block *b, bool is_chunked)
{
    uint64_t word = gpu_block_word(b->element_size);
    uint32_t most = is_chunked ? 2 : GPU_BLOCK_RUN_RANK, k = 0;
    b->full = 1;
    while (b->dim[k].extent == b->dim[k].size && k + 1 < most && k + 1 < b->rank &&
           b->dim[k + 1].out_stride == (int64_t)(b->full * b->dim[k].size) &&
           (k == 0 || b->full * b->dim[k].size <= GPU_BLOCK_STEPS))
        b->full *= b->dim[k++].extent;
    bool is_part = b->dim[k].extent < b->dim[k].size, is_cut = false;
    if (is_part && k > 0 && b->dim[k].extent % extent_unit(b->element_size, b->full) != 0) {
        is_part = false;
        is_cut = true;
    }
    b->run_rank = k + 1;
    if (!is_chunked) /* else what take_dimensions() says */
        b->row_size = b->full * b->dim[k].size;
    b->is_part = is_part;
    b->rows_aligned = !is_cut && rows_are_aligned(b);
    b->early = is_part && !b->rows_aligned ? div_ceil(word - 1, b->full) : 0;
}

/* Elements of a dimension that local memory holds. */
static uint64_t held(const struct gpu_block *b, uint32_t i)
{
    return b->dim[i].extent + (i + 1 == b->run_rank ? b->early : 0);
}

/* The dimensions by their distance in the input, those that repeat it left out. */
static uint32_t nearest_first(const struct gpu_block *b, uint32_t *order)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->rank; ++i) {
        uint32_t at = n;
        if (b->dim[i].in_stride == 0)
            continue;
        for (;
             at > 0 && magnitude(b->dim[order[at - 1]].in_stride) > magnitude(b->dim[i].in_stride);
             --at)
            order[at] = order[at - 1];
        order[at] = i;
        ++n;
    }
    return n;
}

/* Units of a line of so many elements at any alignment. */
static uint64_t units_of(const struct gpu_block *b, uint64_t span)
{
    uint64_t size = b->element_size;
    return (span * size + 2 * GPU_BLOCK_UNIT - size - 1) / GPU_BLOCK_UNIT;
}

/* Whether the next piece so far on belongs to the line: it is dense, or lines of their own would
 * take more units. */
static bool goes_on(const struct gpu_block *b, uint64_t span, uint64_t stride)
{
    return stride <= (span > 1 ? DENSITY_LEAST * span : GPU_BLOCK_BURST / b->element_size) ||
           stride * b->element_size <= units_of(b, span) * GPU_BLOCK_UNIT;
}

/* Whether all lines begin at a unit. */
static bool lines_are_aligned(const struct gpu_block *b)
{
    bool are_aligned = b->in_aligned && is_multiple((int64_t)b->back, b->element_size);
    for (uint32_t i = 0; i < b->rank; ++i) {
        const struct gpu_block_dim *dim = &b->dim[i];
        int64_t apart = dim->is_line ? dim->in_stride : dim->in_stride * (int64_t)dim->extent;
        are_aligned = are_aligned && ((!dim->is_line && dim->extent == dim->size) ||
                                      is_multiple(apart, b->element_size));
    }
    return are_aligned;
}

/* Lines go through up to `joined` dimensions and are `pad` units longer than they need be. */
static void settle_lines(struct gpu_block *b, uint32_t joined, uint32_t pad)
{
    uint32_t order[TENSOR_RANK_MAX + 1], n = nearest_first(b, order);
    uint64_t span = 1, size = b->element_size;
    b->back = 0;
    for (uint32_t i = 0; i < b->rank; ++i) {
        b->dim[i].is_line = false;
        b->dim[i].pitch = 0;
    }
    for (uint32_t j = 0; j < n; ++j) {
        struct gpu_block_dim *dim = &b->dim[order[j]];
        uint64_t stride = magnitude(dim->in_stride), count = held(b, order[j]);
        if (count == 1)
            continue;
        dim->is_line = joined == 0 || !goes_on(b, span, stride);
        if (dim->is_line)
            continue;
        dim->pitch = dim->in_stride;
        span += (count - 1) * stride;
        b->back += (dim->in_stride < 0 ? dim->extent - 1 : count - dim->extent) * stride;
        --joined;
    }
    b->units =
        lines_are_aligned(b) ? div_ceil(span, gpu_block_word(b->element_size)) : units_of(b, span);
    b->lines = 1;
    b->before = b->back;
    uint64_t bytes = b->units * GPU_BLOCK_UNIT;
    for (uint32_t i = 0; i < b->rank; ++i)
        if (b->dim[i].is_line) {
            struct gpu_block_dim *dim = &b->dim[i];
            uint64_t unaligned = (uint64_t)dim->in_stride * size % GPU_BLOCK_UNIT;
            uint64_t pitch = bytes + unaligned + (b->lines == 1 ? pad * GPU_BLOCK_UNIT : 0);
            dim->pitch = (int64_t)(pitch / size);
            b->before += i + 1 == b->run_rank ? b->early * (pitch / size) : 0;
            b->lines *= held(b, i);
            bytes = div_ceil(pitch * (held(b, i) - 1) + bytes, GPU_BLOCK_UNIT) * GPU_BLOCK_UNIT;
        }
    uint64_t word = gpu_block_word(b->element_size);
    b->before = div_ceil(b->before, word) * word;
    b->bytes = bytes + 2 * GPU_BLOCK_UNIT; /* where the first line begins in a unit */
}

static void settle(struct gpu_block *b, const struct gpu_block_choice *choice)
{
    settle_row(b, choice->chunk > 0);
    settle_lines(b, choice->joined, choice->pad);
    uint64_t word = gpu_block_word(b->element_size), row = b->dim[b->run_rank - 1].extent * b->full;
    b->words = b->is_part ? row / word : div_ceil(row + (b->rows_aligned ? 0 : word - 1), word);
    b->rows = 1;
    for (uint32_t i = b->run_rank; i < b->rank; ++i)
        b->rows *= b->dim[i].extent;
}

static bool is_possible(const struct gpu_block *b, const struct gpu_block_choice *choice)
{
    uint32_t rank = b->run_rank;
    uint64_t elements = b->rows;
    for (uint32_t i = 0; i < b->rank; ++i) {
        rank += i >= b->run_rank && b->dim[i].extent > 1;
        elements *= i < b->run_rank ? b->dim[i].extent : 1;
    }
    return rank <= GPU_BLOCK_RANK && b->bytes <= choice->bytes && b->lines <= GPU_BLOCK_LINES &&
           b->rows <= GPU_BLOCK_TABLE && elements <= ELEMENTS_MOST;
}

bool gpu_block_settle(struct gpu_block *b, const struct gpu_block_choice *choice)
{
    settle(b, choice);
    return is_possible(b, choice);
}

/* ---- Dimensions ---- */

/* With chunks, the innermost dimension is two: the elements of one, and the chunks. */
static struct gpu_block take_dimensions(const struct gpu_block_choice *choice,
                                        uint32_t element_size, struct gpu_block_first first,
                                        uint32_t rank, const struct slice_dim *dim)
{
    struct gpu_block b = {
        .element_size = element_size,
        .in_aligned = choice->is_aligned && is_multiple((int64_t)first.in, element_size),
        .out_aligned = choice->is_aligned && is_multiple((int64_t)first.out, element_size),
    };
    uint32_t chunk = choice->chunk;
    for (uint32_t i = rank; i-- > 0;)
        b.dim[b.rank++] = (struct gpu_block_dim){.size = dim[i].size,
                                                 .extent = 1,
                                                 .in_stride = dim[i].in_stride,
                                                 .out_stride = dim[i].out_stride};
    if (chunk > 0) {
        b.row_size = b.dim[0].size;
        memmove(b.dim + 1, b.dim, b.rank++ * sizeof b.dim[0]);
        b.dim[0].size = chunk;
        b.dim[1].size = div_ceil(b.dim[1].size, chunk);
        b.dim[1].in_stride *= chunk;
        b.dim[1].out_stride *= chunk;
    }
    return b;
}

/* The dimensions of the block stand before the others. */
static void sort_dimensions(struct gpu_block *b)
{
    uint32_t at = b->run_rank;
    for (uint32_t i = at; i < b->rank; ++i)
        if (b->dim[i].extent > 1) {
            struct gpu_block_dim dim = b->dim[i];
            memmove(b->dim + at + 1, b->dim + at, (i - at) * sizeof dim);
            b->dim[at++] = dim;
        }
}

uint64_t gpu_block_count(const struct gpu_block *b, uint32_t dim)
{
    const struct gpu_block_dim *d = &b->dim[dim];
    if (dim + 1 == b->run_rank && b->is_part && !b->rows_aligned)
        return div_ceil(d->size * b->full + gpu_block_word(b->element_size) - 1,
                        d->extent * b->full);
    return div_ceil(d->size, d->extent);
}

bool gpu_block_has_ends(const struct gpu_block *b)
{
    return !b->rows_aligned || b->row_size % gpu_block_word(b->element_size) != 0;
}

bool gpu_block_is_straight(const struct gpu_block *b)
{
    return b->run_rank == 1 ||
           (b->run_rank == 2 && b->rows_aligned && is_multiple((int64_t)b->full, b->element_size));
}

/* ---- Choosing ---- */

/* Whether what lies along dimension i, of the output or else of the input, begins at a multiple of
 * a unit wherever the other dimensions are. */
static bool has_lines(const struct gpu_block *b, uint32_t i, bool of_output)
{
    bool has = of_output ? b->out_aligned : b->in_aligned;
    for (uint32_t j = of_output ? i + 1 : 0; j < b->rank; ++j) {
        const struct gpu_block_dim *dim = &b->dim[j];
        has = has && (j == i || dim->size == 1 ||
                      magnitude(of_output ? dim->out_stride : dim->in_stride) * b->element_size %
                              GPU_BLOCK_SECTOR ==
                          0);
    }
    return has;
}

/* An extent of at least `unit` becomes a multiple of it, and of `preferred` where it has one. */
static uint64_t whole_units(uint64_t extent, uint64_t unit, uint64_t preferred)
{
    if (extent >= preferred && preferred % unit == 0)
        return extent / preferred * preferred;
    return extent >= unit ? extent / unit * unit : extent;
}

/* Whether the block is possible with about this extent: multiples that a row needs, or that leave
 * whole lines of memory to aligned tensors. */
static bool try_extent(struct gpu_block *b, const struct gpu_block_choice *choice, uint32_t i,
                       uint64_t extent)
{
    uint64_t full = 1, line = GPU_BLOCK_BURST / b->element_size, size = b->dim[i].size;
    uint32_t k = 0;
    while (k < i && b->dim[k].extent == b->dim[k].size)
        full *= b->dim[k++].extent;
    uint64_t unit = extent_unit(b->element_size, full);
    if (k == i && extent < size && extent >= unit)
        extent = whole_units(extent, unit,
                             line % full == 0 && has_lines(b, i, true) ? line / full : unit);
    else if (i == 0 && extent < size)
        return false;
    else if (extent < size && magnitude(b->dim[i].in_stride) == 1 && has_lines(b, i, false))
        extent = whole_units(extent, 1, line);
    b->dim[i].extent = extent;
    return gpu_block_settle(b, choice);
}

/* Doubles an extent, as far as there is room. False where there is little. */
static bool grow(struct gpu_block *b, const struct gpu_block_choice *choice, uint32_t i)
{
    const struct gpu_block before = *b;
    uint64_t now = b->dim[i].extent;
    for (uint64_t extent = clamp(2 * now, 1, b->dim[i].size); extent > now;
         extent -= clamp((extent - now) / 4, 1, extent)) {
        *b = before;
        if (try_extent(b, choice, i, extent) && b->dim[i].extent > now)
            return b->dim[i].extent == b->dim[i].size || b->dim[i].extent >= now + now / 2;
    }
    *b = before;
    return false;
}

/* Elements that follow each other in the output, and the dimension that would make them more. */
static uint64_t row_length(const struct gpu_block *b, uint32_t *next)
{
    uint64_t length = 1;
    *next = b->rank;
    for (uint32_t i = 0; i < b->rank; ++i) {
        if (b->dim[i].out_stride != (int64_t)length)
            return length;
        length *= b->dim[i].extent;
        if (b->dim[i].extent < b->dim[i].size) {
            *next = i;
            return length;
        }
    }
    return length;
}

static uint64_t line_length(const struct gpu_block *b, uint32_t *next)
{
    uint32_t order[TENSOR_RANK_MAX + 1], n = nearest_first(b, order);
    uint64_t length = 1, span = 1;
    *next = b->rank;
    for (uint32_t j = 0; j < n; ++j) {
        const struct gpu_block_dim *dim = &b->dim[order[j]];
        if (!goes_on(b, span, magnitude(dim->in_stride)))
            return length;
        span += (dim->extent - 1) * magnitude(dim->in_stride);
        length *= dim->extent;
        if (dim->extent < dim->size) {
            *next = order[j];
            return length;
        }
    }
    return length;
}

uint32_t gpu_block_near(const struct gpu_block *b)
{
    uint32_t near;
    line_length(b, &near);
    bool is_near = near < b->rank && near < GPU_BLOCK_RANK;
    return is_near && b->units * GPU_BLOCK_UNIT <= NEAR_LINE_MOST ? near : GPU_BLOCK_RANK;
}

/* All blocks along a dimension alike, where that makes none more. */
static void even_out(struct gpu_block *b, const struct gpu_block_choice *choice)
{
    for (uint32_t i = 0; i < b->rank; ++i) {
        const struct gpu_block before = *b;
        uint64_t count = div_ceil(b->dim[i].size, b->dim[i].extent);
        uint64_t even = div_ceil(b->dim[i].size, count);
        bool done = false;
        for (uint64_t extent = even; extent < before.dim[i].extent && !done; ++extent) {
            *b = before;
            done = try_extent(b, choice, i, extent) && b->dim[i].extent >= even;
        }
        if (!done)
            *b = before;
    }
}

/* The shorter of row and line grows, until there is no more room or both have as many elements as
 * they may. */
static void choose_extents(struct gpu_block *b, const struct gpu_block_choice *choice,
                           uint64_t line_most, uint64_t row_most)
{
    bool row_done = false, line_done = false;
    uint64_t word = gpu_block_word(b->element_size);
    settle(b, choice);
    if (choice->chunk > 0)
        b->dim[0].extent = choice->chunk;
    else /* there is room for a word's elements wherever they lie */
        try_extent(b, choice, 0, clamp(word, 1, b->dim[0].size));
    while (!row_done || !line_done) {
        uint32_t row_next, line_next;
        uint64_t row = row_length(b, &row_next), line = line_length(b, &line_next);
        row_done = row_done || row_next == b->rank || row >= row_most;
        line_done = line_done || line_next == b->rank || line >= line_most;
        bool of_row = line_done || (!row_done && row <= line);
        if (of_row && !row_done)
            row_done = !grow(b, choice, row_next);
        else if (!line_done)
            line_done = !grow(b, choice, line_next);
    }
    even_out(b, choice);
}

struct gpu_block gpu_block_grown(const struct gpu_block_choice *choice, struct gpu_block_most most,
                                 uint32_t element_size, struct gpu_block_first first, uint32_t rank,
                                 const struct slice_dim *dim)
{
    struct gpu_block b = take_dimensions(choice, element_size, first, rank, dim);
    choose_extents(&b, choice, most.line / element_size, most.row / element_size);
    return b;
}

struct gpu_block gpu_block_of(const struct gpu_block_choice *choice, uint32_t element_size,
                              struct gpu_block_first first, uint32_t rank,
                              const struct slice_dim *dim)
{
    const struct gpu_block_choice any = {
        .joined = TENSOR_RANK_MAX, .bytes = choice->bytes, .is_aligned = choice->is_aligned};
    uint32_t chunks = choice->chunk > 0;
    struct gpu_block b = take_dimensions(choice, element_size, first, rank, dim);
    if (chunks)
        b.dim[0].extent = choice->chunk;
    for (uint32_t i = 0; i < rank; ++i) {
        struct gpu_block_dim *of = &b.dim[rank - 1 - i + chunks];
        of->extent = clamp(choice->extent[i], 1, of->size);
    }
    if (!gpu_block_settle(&b, choice)) /* there is less than what it was chosen for */
        b = gpu_block_grown(&any, (struct gpu_block_most){UINT32_MAX, UINT32_MAX}, element_size,
                            first, rank, dim);
    sort_dimensions(&b);
    return b;
}
