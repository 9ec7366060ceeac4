/* SPDX-License-Identifier: MIT */
/*
 * What is read, or written, are runs of bytes on a lattice of steps. How many lines a run touches
 * depends only on where it starts inside a line, so runs are counted by that residue, dimension by
 * dimension, instead of one by one.
 */
#include "core/floor.h"

#include "base/checked.h"

enum { LINE_MAX_BYTES = 256 };

/* A tensor's elements as bytes, dimensions of one address left out, the longest step first. */
struct lattice {
    uint64_t line;
    uint64_t base; /* the lowest byte */
    uint64_t run;  /* bytes that belong together: see join() */
    uint32_t rank;
    uint64_t count[TENSOR_RANK_MAX];
    uint64_t step[TENSOR_RANK_MAX];
};

/* Number of runs that start at each residue. */
struct residues {
    uint64_t runs[LINE_MAX_BYTES];
};

static void add_dimension(struct lattice *lattice, uint64_t count, int64_t stride, uint64_t element)
{
    if (stride == 0)
        return;
    uint64_t step = magnitude(stride) * element;
    if (stride < 0)
        lattice->base -= (count - 1) * step;
    uint32_t at = lattice->rank++;
    for (; at > 0 && lattice->step[at - 1] < step; --at) {
        lattice->step[at] = lattice->step[at - 1];
        lattice->count[at] = lattice->count[at - 1];
    }
    lattice->step[at] = step;
    lattice->count[at] = count;
}

/* Makes one run of the innermost dimensions, as far as less than `gap` bytes lie between theirs. */
static void join(struct lattice *lattice, uint64_t gap)
{
    while (lattice->rank > 0 && lattice->step[lattice->rank - 1] < lattice->run + gap) {
        --lattice->rank;
        lattice->run += lattice->step[lattice->rank] * (lattice->count[lattice->rank] - 1);
    }
}

static struct lattice input_of(const struct slice *slice, uint64_t line)
{
    uint64_t element = slice->input.element_size;
    struct lattice lattice = {.line = line, .base = slice->first * element, .run = element};
    for (uint32_t i = 0; i < slice->rank; ++i)
        add_dimension(&lattice, slice->is_gradient ? slice->scatter[i].count : slice->dim[i].size,
                      slice->dim[i].in_stride, element);
    return lattice;
}

static struct lattice output_of(const struct slice *slice, uint64_t line)
{
    uint64_t element = slice->output.element_size;
    struct lattice lattice = {.line = line, .run = element};
    for (uint32_t i = 0; i < slice->rank; ++i)
        add_dimension(&lattice, slice->dim[i].size, slice->dim[i].out_stride, element);
    return lattice;
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
static uint64_t shared_lines(const struct lattice *lattice, uint32_t d)
{
    uint64_t line = lattice->line, inside = 0, shared = 0;
    for (uint32_t i = d + 1; i < lattice->rank; ++i)
        inside += (lattice->count[i] - 1) * lattice->step[i];
    if (lattice->step[d] < inside + lattice->run ||
        lattice->step[d] - inside >= lattice->run + line)
        return 0;
    uint64_t gap = lattice->step[d] - inside;
    struct residues ends = {{0}};
    ends.runs[(lattice->base + inside) % line] = 1;
    for (uint32_t i = 0; i < d; ++i)
        repeat(&ends, lattice->count[i], lattice->step[i], line);
    repeat(&ends, lattice->count[d] - 1, lattice->step[d], line);
    for (uint64_t r = 0; r < line; ++r)
        if ((r + lattice->run - 1) / line == (r + gap) / line)
            shared += ends.runs[r];
    return shared;
}

static struct residues starts_of(const struct lattice *lattice)
{
    struct residues starts = {{0}};
    starts.runs[lattice->base % lattice->line] = 1;
    for (uint32_t i = 0; i < lattice->rank; ++i)
        repeat(&starts, lattice->count[i], lattice->step[i], lattice->line);
    return starts;
}

/* Lines that the runs touch. */
static uint64_t touched_lines(struct lattice lattice)
{
    uint64_t line = lattice.line, lines = 0;
    join(&lattice, line);
    struct residues starts = starts_of(&lattice);
    uint64_t length = lattice.run;
    for (uint64_t r = 0; r < line; ++r)
        lines += starts.runs[r] * ((r + lattice.run - 1) / line + 1);
    for (uint32_t d = 0; d < lattice.rank; ++d) {
        lines -= shared_lines(&lattice, d);
        length += (lattice.count[d] - 1) * lattice.step[d];
    }
    uint64_t all = (lattice.base + length - 1) / line - lattice.base / line + 1;
    return lines < all ? lines : all;
}

/* Lines of which the runs leave no byte out. */
static uint64_t whole_lines(struct lattice lattice)
{
    uint64_t line = lattice.line, lines = 0;
    join(&lattice, 1);
    struct residues starts = starts_of(&lattice);
    for (uint64_t r = 0; r < line; ++r) {
        uint64_t first = r > 0, end = (r + lattice.run) / line;
        lines += end > first ? starts.runs[r] * (end - first) : 0;
    }
    return lines;
}

/* A line that is written in part is read, too. */
static uint64_t written_bytes(const struct slice *slice, uint64_t line)
{
    struct lattice output = output_of(slice, line);
    if (slice->output.span == slice->elements)
        return slice->elements * slice->output.element_size;
    return (2 * touched_lines(output) - whole_lines(output)) * line;
}

uint64_t floor_bytes(const struct slice *slice, uint64_t line)
{
    return written_bytes(slice, line) + touched_lines(input_of(slice, line)) * line;
}
