/* SPDX-License-Identifier: MIT */
#include "core/gpu_block.h"

#include "base/checked.h"

#include <string.h>

enum {
    /* Of most GPUs: work-items that wait for each other, and the banks of local memory. */
    WARP = 32,
    BANKS = 32,
    BANK_BYTES = 4,
    /* A line goes on to neighbours so many elements apart, and to the next piece where that begins
     * within so many times the line's length. */
    STRIDE_MOST = 4,
    DENSITY_LEAST = 2,
    ELEMENTS_MOST = 32 << 10, /* of a block, or divided() in the kernel is inexact */
    PADS = 4,
};

uint64_t gpu_block_word(uint32_t element_size)
{
    return GPU_BLOCK_UNIT / element_size;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Extents of the row's last dimension are multiples of this, so that all its blocks begin at the
 * same place of a word. */
static uint64_t extent_unit(uint32_t element_size, uint64_t full)
{
    uint64_t word = gpu_block_word(element_size);
    return word / gcd(full, word);
}

/* ---- What follows from the extents ---- */

static void settle_row(struct gpu_block *b, bool is_chunked)
{
    uint32_t most = is_chunked ? 2 : GPU_BLOCK_RUN_RANK, k = 0;
    b->full = 1;
    while (b->dim[k].extent == b->dim[k].size && k + 1 < most && k + 1 < b->rank &&
           b->dim[k + 1].out_stride == (int64_t)(b->full * b->dim[k].size) &&
           (k == 0 || b->full * b->dim[k].size <= GPU_BLOCK_STEPS))
        b->full *= b->dim[k++].extent;
    bool is_part = b->dim[k].extent < b->dim[k].size;
    if (is_part && k > 0 && b->dim[k].extent % extent_unit(b->element_size, b->full) != 0) {
        is_part = false;
        b->full /= b->dim[--k].extent;
    }
    b->run_rank = k + 1;
    b->is_part = is_part;
    b->early = is_part ? div_ceil(gpu_block_word(b->element_size) - 1, b->full) : 0;
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
    return stride <= (span > 1 ? DENSITY_LEAST * span : STRIDE_MOST) ||
           stride * b->element_size <= units_of(b, span) * GPU_BLOCK_UNIT;
}

/* Lines go through up to `joined` dimensions and are `pad` units longer than they need be. */
static void settle_lines(struct gpu_block *b, uint32_t joined, uint32_t pad)
{
    uint32_t order[TENSOR_RANK_MAX + 1], n = nearest_first(b, order);
    uint64_t span = 1, size = b->element_size;
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
        --joined;
    }
    b->units = units_of(b, span);
    b->lines = 1;
    b->before = 0;
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
    b->bytes = bytes + 2 * GPU_BLOCK_UNIT; /* where the first line begins in a unit */
}

static void settle(struct gpu_block *b, const struct gpu_block_choice *choice)
{
    settle_row(b, choice->chunk > 0);
    settle_lines(b, choice->joined, choice->pad);
    uint64_t word = gpu_block_word(b->element_size), row = b->dim[b->run_rank - 1].extent * b->full;
    b->words = b->is_part ? row / word : div_ceil(row + word - 1, word);
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
    return rank <= GPU_BLOCK_RANK && b->bytes <= choice->bytes && b->lines <= GPU_BLOCK_TABLE &&
           b->rows <= GPU_BLOCK_TABLE && elements <= ELEMENTS_MOST;
}

/* ---- Dimensions ---- */

/* With chunks, the innermost dimension is two: the elements of one, and the chunks. */
static struct gpu_block take_dimensions(uint32_t element_size, uint32_t rank,
                                        const struct slice_dim *dim, uint32_t chunk)
{
    struct gpu_block b = {.element_size = element_size};
    for (uint32_t i = rank; i-- > 0;)
        b.dim[b.rank++] = (struct gpu_block_dim){.size = dim[i].size,
                                                 .extent = 1,
                                                 .in_stride = dim[i].in_stride,
                                                 .out_stride = dim[i].out_stride};
    if (chunk > 0) {
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
    if (dim + 1 == b->run_rank && b->is_part)
        return div_ceil(d->size * b->full + gpu_block_word(b->element_size) - 1,
                        d->extent * b->full);
    return div_ceil(d->size, d->extent);
}

/* ---- What a block costs ---- */

/* Where element `at` of a row lies in local memory, in elements from the first row's first. */
static int64_t local_offset(const struct gpu_block *b, uint64_t row, uint64_t at)
{
    int64_t offset = 0;
    for (uint32_t i = 0; i < b->rank; ++i) {
        uint64_t *n = i < b->run_rank ? &at : &row;
        uint64_t coordinate = i + 1 == b->run_rank ? at : *n % b->dim[i].extent;
        *n /= b->dim[i].extent;
        offset += (int64_t)coordinate * b->dim[i].pitch;
    }
    return offset;
}

/* How often a bank is asked for a word of its own, at most, when a warp reads an element each. */
static uint64_t bank_conflicts(const struct gpu_block *b, uint64_t strip)
{
    uint64_t word = gpu_block_word(b->element_size), seen[WARP], n = 0, most = 1;
    uint8_t asked[BANKS] = {0};
    for (uint64_t item = 0; item < WARP; ++item) {
        uint64_t rest = item % (strip * b->rows),
                 k = item / (strip * b->rows) * strip + rest % strip;
        int64_t offset = local_offset(b, rest / strip, k * word) + (INT64_C(1) << 32);
        uint64_t bank_word = (uint64_t)offset * b->element_size / BANK_BYTES;
        bool is_new = true;
        for (uint64_t i = 0; i < n; ++i)
            is_new = is_new && seen[i] != bank_word;
        if (is_new && ++asked[bank_word % BANKS] > most)
            ++most;
        if (is_new)
            seen[n++] = bank_word;
    }
    return most;
}

/* Cycles of a compute unit for a warp's words of these strips: reading elements, writing rows. */
static uint64_t strip_cost(const struct gpu_block *b, uint64_t strip)
{
    return bank_conflicts(b, strip) * gpu_block_word(b->element_size) + div_ceil(WARP, strip);
}

/* The best length of a strip, and what it costs. */
static uint64_t best_strip(const struct gpu_block *b, uint64_t *least)
{
    uint64_t best = b->words;
    *least = strip_cost(b, best);
    for (uint64_t strip = WARP; strip > 0; strip /= 2) {
        uint64_t now = strip < b->words ? strip_cost(b, strip) : UINT64_MAX;
        if (now < *least) {
            *least = now;
            best = strip;
        }
    }
    return best;
}

uint64_t gpu_block_strip(const struct gpu_block *b)
{
    uint64_t least;
    return best_strip(b, &least);
}

/* Cycles of a compute unit per 65,536 elements, about: instructions that it issues, 4 a cycle; its
 * way to local memory; and bytes of the device's memory, in sectors. The numbers of instructions
 * are counted on an NVIDIA H200. `strip`: what strips cost. */
static uint64_t cost(const struct gpu_block *b, uint64_t strip)
{
    enum { BLOCK = 120, UNIT = 18, WORD = 45, SECTOR = 32, SECTOR_CYCLES = 2 };
    uint64_t word = gpu_block_word(b->element_size), elements = b->rows * b->full;
    uint64_t step = b->run_rank == 1 ? 2 : 3;
    uint64_t warps = GPU_BLOCK_GROUP / WARP;
    uint64_t loads = div_ceil(b->lines * b->units, GPU_BLOCK_GROUP) * warps;
    uint64_t stores = div_ceil(b->rows * b->words, GPU_BLOCK_GROUP) * warps;
    uint64_t ends = b->is_part ? 0 : word * 4 * clamp(2 * WARP, 0, b->words) / b->words;
    uint64_t issue =
        (warps * BLOCK + loads * UNIT + stores * (WORD + word * (step + 1) + ends)) / 4;
    uint64_t local = loads * 2 * WARP * GPU_BLOCK_UNIT / BANKS / BANK_BYTES + stores * strip;
    uint64_t sectors = b->lines * (b->units * GPU_BLOCK_UNIT / SECTOR + 1) +
                       b->rows * (b->words * GPU_BLOCK_UNIT / SECTOR + 1);
    elements *= b->dim[b->run_rank - 1].extent;
    uint64_t memory = sectors * SECTOR_CYCLES;
    uint64_t most = issue > local ? issue : local;
    most = most > memory ? most : memory;
    return (2 * most + issue + local + memory) * (UINT64_C(1) << 16) / elements;
}

/* ---- Choosing ---- */

/* Whether the block is possible with about this extent, to the next multiple that a row needs. */
static bool try_extent(struct gpu_block *b, const struct gpu_block_choice *choice, uint32_t i,
                       uint64_t extent)
{
    uint64_t full = 1;
    uint32_t k = 0;
    while (k < i && b->dim[k].extent == b->dim[k].size)
        full *= b->dim[k++].extent;
    uint64_t unit = extent_unit(b->element_size, full);
    if (k == i && extent < b->dim[i].size && extent >= unit)
        extent = extent / unit * unit;
    else if (i == 0 && extent < b->dim[i].size)
        return false;
    b->dim[i].extent = extent;
    settle(b, choice);
    return is_possible(b, choice);
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

/* The shorter of row and line grows, until there is no more room or the line has `line_most`
 * elements. */
static void choose_extents(struct gpu_block *b, const struct gpu_block_choice *choice,
                           uint64_t line_most)
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
        row_done = row_done || row_next == b->rank;
        line_done = line_done || line_next == b->rank || line >= line_most;
        bool of_row = line_done || (!row_done && row <= line);
        if (of_row && !row_done)
            row_done = !grow(b, choice, row_next);
        else if (!line_done)
            line_done = !grow(b, choice, line_next);
    }
    even_out(b, choice);
}

struct gpu_block gpu_block_of(const struct gpu_block_choice *choice, uint32_t element_size,
                              uint32_t rank, const struct slice_dim *dim)
{
    const struct gpu_block_choice any = {.joined = TENSOR_RANK_MAX, .bytes = choice->bytes};
    uint32_t chunks = choice->chunk > 0;
    struct gpu_block b = take_dimensions(element_size, rank, dim, choice->chunk);
    if (chunks)
        b.dim[0].extent = choice->chunk;
    for (uint32_t i = 0; i < rank; ++i) {
        struct gpu_block_dim *of = &b.dim[rank - 1 - i + chunks];
        of->extent = clamp(choice->extent[i], 1, of->size);
    }
    settle(&b, choice);
    if (!is_possible(&b, choice)) { /* there is less than what it was chosen for */
        b = take_dimensions(element_size, rank, dim, 0);
        chunks = 0;
        choose_extents(&b, &any, UINT64_MAX);
    }
    b.row_size = chunks ? dim[rank - 1].size : b.dim[b.run_rank - 1].size * b.full;
    sort_dimensions(&b);
    return b;
}

/* Takes the best of the ways to lay out these extents, if it is better than `least`. */
static void try_layouts(struct gpu_block b, struct gpu_block_choice choice, uint32_t rank,
                        struct gpu_block_choice *best, uint64_t *least)
{
    static const uint32_t joined[] = {TENSOR_RANK_MAX, 1, 2};
    uint32_t chunks = choice.chunk > 0;
    for (uint32_t i = 0; i < rank; ++i)
        choice.extent[i] = (uint32_t)b.dim[rank - 1 - i + chunks].extent;
    for (size_t j = 0; j < sizeof joined / sizeof *joined; ++j)
        for (choice.pad = 0; choice.pad < PADS; ++choice.pad) {
            choice.joined = joined[j];
            settle(&b, &choice);
            uint64_t strip = gpu_block_word(b.element_size); /* at least */
            if (!is_possible(&b, &choice) || cost(&b, strip) >= *least)
                continue;
            best_strip(&b, &strip);
            if (cost(&b, strip) < *least) {
                *least = cost(&b, strip);
                *best = choice;
            }
        }
}

struct gpu_block_choice gpu_block_choose(uint32_t bytes, uint32_t wanted, uint32_t element_size,
                                         uint32_t rank, const struct slice_dim *dim)
{
    static const uint32_t line_bytes_most[] = {UINT32_MAX, 512, 256, 128, 64};
    struct gpu_block_choice best = {.joined = TENSOR_RANK_MAX};
    uint64_t least = UINT64_MAX, word = gpu_block_word(element_size);
    bool has_chunks = dim[rank - 1].size >= 4 * word && rank < TENSOR_RANK_MAX;
    for (uint32_t chunks = 0; chunks <= (uint32_t)has_chunks; ++chunks)
        for (size_t i = 0; i < sizeof line_bytes_most / sizeof *line_bytes_most; ++i) {
            struct gpu_block_choice choice = {
                .chunk = chunks * (uint32_t)word, .joined = TENSOR_RANK_MAX, .bytes = wanted};
            struct gpu_block b = take_dimensions(element_size, rank, dim, choice.chunk);
            choose_extents(&b, &choice, line_bytes_most[i] / element_size);
            try_layouts(b, choice, rank, &best, &least);
        }
    best.bytes = bytes;
    return best;
}
