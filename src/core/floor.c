/* SPDX-License-Identifier: MIT */
/*
 * The reads are runs of bytes on a lattice of steps. How many lines a run touches depends only on
 * where it starts inside a line, so runs are counted by that residue, dimension by dimension,
 * instead of one by one.
 */
#include "core/floor.h"

#include "base/checked.h"

enum { LINE_MAX_BYTES = 256 };

/* The input's reads as bytes, dimensions of one address left out, the longest step first. */
struct reads {
    uint64_t line;
    uint64_t base; /* lowest byte read */
    uint64_t run;  /* bytes that are read without a whole unread line between */
    uint32_t rank;
    uint64_t count[TENSOR_RANK_MAX];
    uint64_t step[TENSOR_RANK_MAX];
};

/* Number of runs that start at each residue. */
struct residues {
    uint64_t runs[LINE_MAX_BYTES];
};

static struct reads reads_of(const struct slice *slice, uint64_t line)
{
    uint64_t element = slice->input.element_size;
    struct reads reads = {.line = line, .base = slice->first * element, .run = element};
    for (uint32_t i = 0; i < slice->rank; ++i) {
        int64_t stride = slice->dim[i].in_stride;
        if (stride == 0)
            continue;
        uint64_t step = magnitude(stride) * element;
        if (stride < 0)
            reads.base -= (slice->dim[i].size - 1) * step;
        uint32_t at = reads.rank++;
        for (; at > 0 && reads.step[at - 1] < step; --at) {
            reads.step[at] = reads.step[at - 1];
            reads.count[at] = reads.count[at - 1];
        }
        reads.step[at] = step;
        reads.count[at] = slice->dim[i].size;
    }
    while (reads.rank > 0 && reads.step[reads.rank - 1] < reads.run + line) {
        --reads.rank;
        reads.run += reads.step[reads.rank] * (reads.count[reads.rank] - 1);
    }
    return reads;
}

/* Repeats every run `count` times, `step` apart. */
static void repeat(struct residues *residues, uint64_t count, uint64_t step, uint64_t line)
{
    struct residues sum = {{0}};
    uint64_t cycle = 1;
    while (cycle * step % line != 0)
        ++cycle;
    for (uint64_t r = 0; r < line; ++r)
        for (uint64_t i = 0; residues->runs[r] && i < cycle; ++i)
            sum.runs[(r + i * step) % line] +=
                residues->runs[r] * (count / cycle + (i < count % cycle));
    *residues = sum;
}

/* Lines that a run shares with the one before it, where the step of dimension d leads from the
 * end of what is inside it to the next. */
static uint64_t shared_lines(const struct reads *reads, uint32_t d)
{
    uint64_t line = reads->line, inside = 0, shared = 0;
    for (uint32_t i = d + 1; i < reads->rank; ++i)
        inside += (reads->count[i] - 1) * reads->step[i];
    if (reads->step[d] < inside + reads->run || reads->step[d] - inside >= reads->run + line)
        return 0;
    uint64_t gap = reads->step[d] - inside;
    struct residues ends = {{0}};
    ends.runs[(reads->base + inside) % line] = 1;
    for (uint32_t i = 0; i < d; ++i)
        repeat(&ends, reads->count[i], reads->step[i], line);
    repeat(&ends, reads->count[d] - 1, reads->step[d], line);
    for (uint64_t r = 0; r < line; ++r)
        if ((r + reads->run - 1) / line == (r + gap) / line)
            shared += ends.runs[r];
    return shared;
}

static uint64_t lines_of(const struct reads *reads)
{
    uint64_t line = reads->line, lines = 0, length = reads->run;
    struct residues starts = {{0}};
    starts.runs[reads->base % line] = 1;
    for (uint32_t i = 0; i < reads->rank; ++i) {
        repeat(&starts, reads->count[i], reads->step[i], line);
        length += (reads->count[i] - 1) * reads->step[i];
    }
    for (uint64_t r = 0; r < line; ++r)
        lines += starts.runs[r] * ((r + reads->run - 1) / line + 1);
    for (uint32_t d = 0; d < reads->rank; ++d)
        lines -= shared_lines(reads, d);
    uint64_t all = (reads->base + length - 1) / line - reads->base / line + 1;
    return lines < all ? lines : all;
}

uint64_t floor_bytes(const struct slice *slice, uint64_t line)
{
    struct reads reads = reads_of(slice, line);
    return slice->elements * slice->output.element_size + lines_of(&reads) * line;
}
