/* SPDX-License-Identifier: MIT */
#include "walk_check.h"

#include "core/variants/cpu_columns.h"
#include "support/gpu_block_walk.h"

#include <stdlib.h>
#include <string.h>

/* Elements that 32-bit indices reach. */
#define INDEX_32_MOST (INT32_MAX - 1024)

const struct walk_promise walk_promises[PLAN_SLICE_VARIANTS] = {
    [PLAN_ROWS_CPU] = {.takes_many = true, .rows = true},
    [PLAN_ROWS_GPU] = {.rows = true},
    [PLAN_TRANSPOSE_CPU] = {.takes_many = true, .transposes = true},
    [PLAN_TRANSPOSE_GPU] = {.transposes = true},
    [PLAN_STRIDED_CPU] = {.takes_many = true, .lines = true},
    [PLAN_STRIDED_GPU] = {0},
    [PLAN_GAPPED_CPU] = {.takes_many = true},
};

bool is_small(const struct plan *plan, const struct launch *launch)
{
    uint64_t in = launch->range.in.high - launch->range.in.low,
             out = launch->range.out.high - launch->range.out.low;
    uint64_t word = 16 / plan->element_size, row = 1;
    in += plan->variant == PLAN_TRANSPOSE_GPU ? GPU_BLOCK_BYTES_MOST : 0;
    for (uint32_t n = 1; n <= 3 && n <= plan->rank && plan->variant == PLAN_TRANSPOSE_GPU; ++n) {
        const struct slice_dim *dim = &plan->dim[plan->rank - n];
        row *= dim->size;
        in += row > word ? 2 * word * (uint64_t)llabs(dim->in_stride) : 0;
    }
    if (plan->numbers_gaps) {
        const struct slice_dim *inner = &plan->dim[plan->rank - 1];
        uint64_t gap = (uint64_t)inner[-1].out_stride - inner->size;
        in += gap * (uint64_t)llabs(inner->in_stride);
        out += gap;
    }
    return plan->variant != PLAN_ROWS_CPU && in <= INDEX_32_MOST && out <= INDEX_32_MOST;
}

void refuse(const struct subject *subject, const char *what)
{
    char bytes[4096];
    struct text text = text_in(bytes, sizeof bytes);
    slice_describe(subject->slice, &text);
    plan_describe(subject->plan, &text);
    launch_describe(subject->plan, &text);
    ck_abort_msg("%s: %s\n%s", subject->c->name, what, bytes);
}

bool fits(int64_t index, uint32_t bits)
{
    return bits == 64 || (index >= INT32_MIN && index <= INT32_MAX);
}

bool has_slack(const struct plan *plan)
{
    return plan->variant == PLAN_ROWS_GPU;
}

static void check_rows(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    const struct plan_pattern *pattern = &s->plan->pattern;
    bool broadcasts =
        pattern->group_stride == 0 && pattern->group_size == 1 && s->plan->variant == PLAN_ROWS_CPU;
    if (pattern->group_size < 1 || pattern->group_size > 4 || abs(pattern->group_stride) > 4 ||
        ((uint32_t)abs(pattern->group_stride) < pattern->group_size && !broadcasts))
        refuse(s, "an impossible pattern");
    if (pattern->group_size > 1 &&
        pattern->group_stride == (int32_t)pattern->group_size * pattern->element_stride)
        refuse(s, "pixels continue each other");
    if (walk->in_step != pattern->group_stride || walk->out_step != (int64_t)pattern->group_size)
        refuse(s, "the row is not the pattern's");
    if (walk->column != pattern->group_size || walk->height != walk->column)
        refuse(s, "the column is not the pattern's");
    if (walk->column > 1 && (walk->in_pitch != pattern->element_stride || walk->out_pitch != 1))
        refuse(s, "the column's steps are not the pattern's");
    uint32_t bytes = walk->width * pattern->group_size * s->plan->element_size;
    if (s->plan->variant == PLAN_ROWS_GPU && bytes != (pattern->group_size == 3 ? 12 : 16))
        refuse(s, "blocks of 16 or 12 bytes were promised");
}

/* A row's blocks may begin so many elements before it, unless all rows begin at words. */
static void check_runs(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    bool is_aligned = s->plan->rows_are_aligned;
    uint64_t before = s->plan->variant == PLAN_ROWS_GPU && !is_aligned ? walk->width - 1 : 0;
    for (uint32_t d = 1; is_aligned && d < walk->rank; ++d)
        if (walk->dim[d].out_stride * s->plan->element_size % 16 != 0)
            refuse(s, "a row begins inside a word");
    if (is_aligned && plan_alignments_of(s->plan).out != 16)
        refuse(s, "the first row may begin inside a word");
    uint64_t runs = walk->dim[walk->row_dim].size;
    if (runs * walk->width < walk->row + before)
        refuse(s, "a row has too few runs for some alignment");
}

/* Of strided_gpu: a packed output is words at any alignment. */
static void check_words(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    uint32_t word = s->plan->word_bytes, size = s->plan->element_size;
    bool is_packed =
        s->launch->range.out.high - s->launch->range.out.low == walk->row * walk->column;
    bool are_neighbours = s->plan->has_neighbours;
    uint32_t most = s->plan->is_item ? 1 : size > 4 ? 16 / size : 4; /* AT_ONCE */
    bool is_short = are_neighbours && walk->dim[0].size < PLAN_NEIGHBOURS_LEAST;
    bool joins = size < 4 || s->plan->is_item;
    if (walk->makes_words != (is_packed && word > size && !is_short))
        refuse(s, "the output is taken for what it is not");
    if (walk->column != walk->height || walk->column > 4 ||
        (walk->column > 1 && (size != 1 || walk->makes_words || walk->out_pitch != 1)))
        refuse(s, "a column is no pixel of bytes");
    if (word != 4 && word != 8 && word != 16 && word != size)
        refuse(s, "words of 4, 8 or 16 bytes or of an element were promised");
    if (!walk->makes_words && (walk->width < 1 || walk->width > most))
        refuse(s, "at most four elements, and 16 bytes, were promised; of an item, one");
    if (walk->makes_words && walk->width != word / size)
        refuse(s, "a work-item does not make a word");
    uint64_t step = 1, units = walk->units, apart = (uint64_t)walk->dim[0].out_stride;
    for (uint32_t d = walk->rank; d < 8 && walk->dim[d].size > 0; ++d)
        step *= walk->dim[d].size;
    if (walk->makes_words &&
        (walk->full != step || walk->full < 1 || (step > 1 && step >= walk->width)))
        refuse(s, "a step is not shorter than a word");
    if (walk->makes_words && !joins && (step > 1 || walk->repeat > 0 || walk->width > most))
        refuse(s, "wide elements are not stored one by one");
    if (!walk->makes_words && walk->column == 1 &&
        (step > 1 || walk->full < 1 || walk->full > walk->dim[0].size ||
         (walk->full < walk->dim[0].size && (size < 4 || walk->out_step != 1))))
        refuse(s, "a gap that no kernel leaves out");
    if (units < 1 || units & (units - 1) || units * size > 128 || units < word / size)
        refuse(s, "a line of memory is no power of two of elements");
    for (uint64_t n = 0; n < units && walk->by_units > 0; ++n)
        if (n * walk->by_units >> 16 != (walk->makes_words ? n : n / apart))
            refuse(s, "what lies before the first element is divided wrongly");
    uint64_t of_row = walk->dim[0].size * step;
    if (walk->makes_words && joins && walk->rank > 1 &&
        (are_neighbours ? of_row * 2 : of_row) < walk->width)
        refuse(s, "a word may be of more rows than the kernel reads");
    if (walk->makes_words && are_neighbours &&
        (step > 1 || walk->repeat > 0 || size > 2 || llabs(walk->in_step) != 1))
        refuse(s, "a row is not read as it lies");
    if (walk->makes_words && joins && walk->in_step != walk->dim[0].in_stride)
        refuse(s, "steps are not those of the row");
    for (uint32_t d = 0; d < walk->rank && walk->rank > 1; ++d)
        if (walk->dim[d].size < 2)
            refuse(s, "a dimension that cannot be divided by");
    if (walk->repeat > 0 &&
        (!walk->makes_words || walk->dim[walk->rank - 1].in_stride != 0 ||
         (uint64_t)walk->repeat * walk->width % (walk->row / walk->dim[walk->rank - 1].size) != 0 ||
         (walk->repeat + UINT64_C(1)) * walk->width > walk->row))
        refuse(s, "words that are not alike, or are nowhere whole, are repeated");
    if (walk->blocks * walk->width < walk->row + ((units - 1) * walk->by_units >> 16) ||
        (walk->makes_words && walk->by_units == 0))
        refuse(s, "there are too few blocks for some alignment");
}

uint64_t before_output(const struct subject *s)
{
    uint64_t word = 16 / s->plan->element_size;
    return s->plan->block.is_aligned ? s->launch->walk.out_first % word : s->slice->first % word;
}

/* Coordinates of a dimension that a block which is not the first may have, from its own first. */
static int64_t lowest(const struct walk *walk, uint32_t d)
{
    return -(int64_t)walk->block[d].early;
}

static int64_t highest(const struct walk *walk, uint32_t d)
{
    return walk->block[d].extent - 1;
}

/* Elements that a line goes back before the block's first one. */
static int64_t back_of(const struct walk *walk)
{
    int64_t back = 0;
    for (uint32_t d = 0; d < GPU_BLOCK_RANK; ++d) {
        int64_t one = lowest(walk, d) * walk->block[d].in_step;
        int64_t other = highest(walk, d) * walk->block[d].in_step;
        if (!(walk->line_dims >> d & 1) && highest(walk, d) > lowest(walk, d))
            back -= one < other ? one : other;
    }
    return back;
}

/* Elements from a line's first to its last. */
static int64_t line_span(const struct walk *walk)
{
    int64_t span = 1;
    for (uint32_t d = 0; d < GPU_BLOCK_RANK; ++d)
        if (!(walk->line_dims >> d & 1))
            span += (highest(walk, d) - lowest(walk, d)) * llabs(walk->block[d].in_step);
    return span;
}

/* Line `line` of a whole block that is not the first: where it begins in local memory, and in the
 * input, elements from the block's first. */
static void place_line(const struct walk *walk, uint64_t line, int64_t *in, int64_t *at)
{
    *in = *at = -back_of(walk);
    for (uint32_t d = 0; d < GPU_BLOCK_RANK; ++d)
        if (walk->line_dims >> d & 1) {
            uint64_t count = (uint64_t)(highest(walk, d) - lowest(walk, d) + 1);
            int64_t c = (int64_t)(line % count) + lowest(walk, d);
            line /= count;
            *in += c * walk->block[d].in_step;
            *at += c * walk->block[d].pitch;
        }
}

/* What begins so many elements from a multiple of 16 bytes lies in units of a line's. */
static void check_phase(const struct subject *s, int64_t phase)
{
    const struct walk *walk = &s->launch->walk;
    int64_t per_unit = 16 / s->plan->element_size;
    unsigned char taken[GPU_BLOCK_BYTES_MOST / 16] = {0};
    for (uint64_t line = 0; line < walk->lines; ++line) {
        int64_t in, at;
        place_line(walk, line, &in, &at);
        int64_t unaligned = (phase + in) % per_unit;
        unaligned += unaligned < 0 ? per_unit : 0;
        at += walk->before + phase - unaligned;
        if (at < 0 || at % per_unit != 0 ||
            (uint64_t)(at / per_unit) + walk->units > s->plan->block.bytes / 16)
            refuse(s, "a line lies outside local memory, or elsewhere in a unit");
        if (unaligned + line_span(walk) > (int64_t)walk->units * per_unit)
            refuse(s, "a line has too few units");
        for (uint64_t u = 0; u < walk->units; ++u)
            if (taken[(uint64_t)(at / per_unit) + u]++)
                refuse(s, "two lines share a unit");
    }
}

/* Of transpose_gpu: bands have all blocks, and the last one some of dimension `near`. */
static void check_bands(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    uint64_t near_size = walk->near_size, band_near = walk->band_near, band = walk->band;
    uint64_t bands = walk->blocks / band, others = 1;
    uint32_t bits = s->plan->index_bits;
    for (uint32_t d = 0; d < walk->rank; ++d)
        others *= d == walk->near ? 1 : walk->dim[d].size;
    if (walk->near >= walk->rank || near_size != walk->dim[walk->near].size ||
        band != others * band_near || walk->blocks != band * bands ||
        bands * band_near < near_size || (bands - 1) * band_near >= near_size)
        refuse(s, "bands have too few blocks, or too many");
    if (bands > 1 && (walk->near < walk->run_rank || walk->near >= GPU_BLOCK_RANK || band_near < 2))
        refuse(s, "bands go along what is no dimension of lines");
    if (walk->blocks > UINT32_MAX)
        refuse(s, "blocks have numbers of more than 32 bits");
    for (uint64_t n = 0; n < 8; ++n) {
        uint32_t block = (uint32_t)((walk->blocks - 1) * n / 7), of_band = block % walk->band;
        if (walk_on_host_quotient(bits, block, walk->by_band, walk->band_shift) !=
                block / walk->band ||
            walk_on_host_quotient(bits, of_band, walk->by_band_near, walk->near_shift) !=
                of_band / band_near)
            refuse(s, "a block is not found in its band");
    }
}

/* Of transpose_gpu: at any alignment that its blocks may have, lines lie in local memory, and no
 * two share a unit. */
static void check_lines(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    int64_t per_unit = 16 / s->plan->element_size;
    if (walk->lines < 1 || walk->lines > GPU_BLOCK_LINES || walk->rows < 1 ||
        walk->rows > GPU_BLOCK_TABLE || walk->run_rank < 1 || walk->run_rank > GPU_BLOCK_RUN_RANK ||
        walk->rank < GPU_BLOCK_RANK || walk->steps > GPU_BLOCK_TABLE)
        refuse(s, "a block has no room in its tables");
    uint64_t at_once = (uint64_t)walk->strip * walk->rows_at_once * walk->strips_at_once;
    if (at_once < 1 || at_once > GPU_BLOCK_GROUP ||
        walk->words_at_once != walk->strip * walk->strips_at_once)
        refuse(s, "a group has no room for its words");
    uint64_t loads = s->plan->block.bytes > GPU_BLOCK_BYTES_FEW ? 7 : 4; /* AT_ONCE */
    if (walk->lines * walk->units > loads * GPU_BLOCK_GROUP)
        refuse(s, "work-items load more units than they wait for at once");
    check_bands(s);
    if (walk->order_shift > 4 || walk->order_step >= per_unit ||
        (walk->order_step > 0 && walk->steps == 0 && !walk->is_straight))
        refuse(s, "a word's elements have no such order");
    if (walk->before % per_unit != 0 || walk->back != back_of(walk))
        refuse(s, "lines begin elsewhere");
    bool is_fixed = s->plan->block.is_aligned;
    for (uint32_t d = 0; d < walk->rank; ++d)
        is_fixed = is_fixed && (walk->dim[d].size == 1 || walk->dim[d].in_stride % per_unit == 0);
    int64_t first = (int64_t)(walk->in_first % (uint64_t)per_unit);
    for (int64_t phase = is_fixed ? first : 0; phase < (is_fixed ? first + 1 : per_unit); ++phase)
        check_phase(s, phase);
}

static void check_fits(const struct subject *s, int64_t index)
{
    if (!fits(index, s->plan->index_bits))
        refuse(s, "a step on the way to a line does not fit");
}

/* Of transpose_gpu: what a group adds up, step by step, to find where its lines begin. */
static void check_line_sums(const struct subject *s, uint64_t group)
{
    const struct walk *walk = &s->launch->walk;
    uint64_t at[8] = {0};
    int64_t first = 0;
    if (!gpu_block_coordinates(walk, group, at))
        return;
    for (uint32_t d = 0; d < walk->rank; ++d) {
        first += (int64_t)at[d] * walk->dim[d].in_stride;
        check_fits(s, first);
    }
    check_fits(s, first - walk->back);
    for (uint64_t line = 0; line < walk->lines; ++line) {
        int64_t from = first - walk->back, rest = (int64_t)line;
        for (uint32_t d = 0; d < GPU_BLOCK_RANK; ++d)
            if (walk->line_dims >> d & 1) {
                const struct walk_extent *dim = &walk->block[d];
                int64_t c = rest % (dim->extent + dim->early) - dim->early;
                int64_t high = gpu_block_high(walk, d, at[d]) - 1;
                int64_t low = at[d] > 0 ? -dim->early : 0;
                rest /= dim->extent + dim->early;
                c = c < high ? c : high;
                from += (c > low ? c : low) * dim->in_step;
                check_fits(s, from);
            }
        check_fits(s, from - (16 / (int64_t)s->plan->element_size - 1));
    }
}

/* Whether all rows of a block of transpose_gpu begin at multiples of 16 bytes. */
static bool rows_are_aligned(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    int64_t word = 16 / s->plan->element_size;
    bool are_aligned = s->plan->block.is_aligned && walk->out_first % (uint64_t)word == 0;
    for (uint32_t d = walk->run_rank; d < walk->rank; ++d)
        are_aligned = are_aligned &&
                      (walk->dim[d].size == 1 || walk->dim[d].out_stride % word == 0) &&
                      (d >= GPU_BLOCK_RANK || walk->block[d].extent == 1 ||
                       walk->block[d].out_step % word == 0);
    const struct walk_extent *last = &walk->block[walk->run_rank - 1];
    bool is_whole = walk->is_part || walk->dim[walk->run_rank - 1].size == 1;
    return are_aligned && (is_whole || (int64_t)walk->full * last->extent % word == 0);
}

/* Of transpose_gpu: a row is whole words, or it ends within the block. */
static void check_gpu_rows(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    int64_t word = 16 / s->plan->element_size, full = 1;
    for (uint32_t d = 0; d + 1 < walk->run_rank; ++d)
        full *= walk->block[d].extent;
    int64_t row = full * walk->block[walk->run_rank - 1].extent;
    int64_t before = rows_are_aligned(s) ? 0 : word - 1, words = walk->words;
    int64_t blocks = walk->dim[walk->run_rank - 1].size;
    if (full != walk->full ||
        (walk->is_part ? row % word != 0 || words != row / word : words * word < row + before))
        refuse(s, "a row has too few words for some alignment");
    if (walk->is_part && (walk->block[walk->run_rank - 1].early * full < before ||
                          blocks * row < gpu_row_size(walk) + before))
        refuse(s, "a row has too few blocks for some alignment");
    if (!walk->has_ends && (!rows_are_aligned(s) || gpu_row_size(walk) % word != 0))
        refuse(s, "a row has ends");
}

uint64_t items_of(const struct walk *walk)
{
    return walk->repeat > 0 ? walk->repeat
                            : (walk->blocks + walk->blocks_each - 1) / walk->blocks_each;
}

/* Of rows with inner dimensions: a table holds a block's row, which is whole steps. A block of
 * strided_cpu may have more: a square's rows, of steps that a table has room for twice. */
static void check_inner(const struct subject *s)
{
    static const uint64_t side[] = {16, 8, 4, 4, 0};
    const struct walk *walk = &s->launch->walk;
    uint64_t table = 4096 / s->plan->element_size, step = 1,
             most = s->plan->variant == PLAN_TRANSPOSE_CPU ? 1536
                    : s->plan->variant == PLAN_STRIDED_CPU || s->plan->variant == PLAN_GAPPED_CPU
                        ? table
                        : UINT32_MAX;
    if (walk->rank < 8 && walk->dim[walk->rank].size > 0 && most == UINT32_MAX)
        refuse(s, "inner dimensions for nobody");
    for (uint32_t d = walk->rank; d < 8 && walk->dim[d].size > 0; ++d)
        step *= walk->dim[d].size;
    if (walk->width % step != 0 || walk->row % step != 0)
        refuse(s, "a step is cut");
    bool is_strip = s->plan->variant == PLAN_STRIDED_CPU &&
                    (walk->in_step == 1 || walk->in_step == -1) && step <= table / 2 &&
                    walk->width == side[plan_width(s->plan)] * step && walk->row >= walk->width;
    if (walk->width > most && !is_strip)
        refuse(s, "a block exceeds the table");
}

/* Of transpose_cpu: a block's columns are whole steps, and have room in its strips. */
static void check_columns(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    uint64_t most = s->plan->element_size < 2 ? 512 : 1024 / s->plan->element_size;
    int64_t low = 0, high = 0;
    if (walk->height % walk->full != 0 || walk->column % walk->full != 0 || walk->height > 512)
        refuse(s, "a step of a column is cut, or a block has too many rows");
    for (uint64_t l = 0; l < walk->height; ++l) {
        int64_t in = along_column(walk, l).in;
        low = in < low ? in : low;
        high = in > high ? in : high;
    }
    if ((uint64_t)(high - low) >= most)
        refuse(s, "a column has no room in the strips");
    for (uint64_t step = walk->full, l = step; l < walk->height && step > 1; l += step)
        if (llabs(along_column(walk, l).in - along_column(walk, l - step).in) <=
            llabs(along_column(walk, step - 1).in))
            refuse(s, "steps of a column overlap");
}

void check_guarantees(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    enum plan_variant variant = s->plan->variant;
    uint64_t numbers = variant == PLAN_STRIDED_GPU ? walk->row : walk->blocks;
    if (s->plan->index_bits == 32 && numbers > INT32_MAX)
        refuse(s, "numbers below 2^31 were promised");
    if (walk_promises[variant].rows)
        check_rows(s);
    else if (s->plan->pattern.group_size != 0)
        refuse(s, "a pattern for nobody");
    if (walk_promises[variant].lines && walk->out_step != 1)
        refuse(s, "a row without gaps was promised");
    if (walk_promises[variant].transposes &&
        (walk->out_step != 1 || walk->in_pitch == 0 ||
         (variant == PLAN_TRANSPOSE_CPU &&
          llabs(walk->full > 1 ? walk->block[0].in_step : walk->in_pitch) > CPU_APART_MOST)))
        refuse(s, "the output's rows are not the input's columns");
    if (!walk_promises[variant].takes_many && walk->blocks_each != 1)
        refuse(s, "one block per work-item was promised");
    if (variant == PLAN_STRIDED_GPU) {
        check_words(s);
    } else if (variant == PLAN_TRANSPOSE_GPU) {
        check_lines(s);
        check_gpu_rows(s);
        for (uint64_t n = 0; n < 8; ++n)
            check_line_sums(s, n < 4 ? n * walk->blocks / 4
                                     : gpu_last_block(walk) - (n - 4) % (gpu_last_block(walk) + 1));
    } else {
        check_runs(s);
        check_inner(s);
        if (variant == PLAN_TRANSPOSE_CPU)
            check_columns(s);
    }
    if (walk->rank < 1 || walk->rank > 8 || walk->width < 1 || walk->height < 1 ||
        walk->blocks_each < 1)
        refuse(s, "the walk is malformed");
    if (s->plan->local_size < 1 || s->launch->global_size % s->plan->local_size != 0)
        refuse(s, "the grid is no multiple of the group");
    if (walk_promises[variant].takes_many && s->plan->local_size != 1)
        refuse(s, "groups of one were promised");
    uint64_t items = items_of(walk);
    if (variant == PLAN_TRANSPOSE_GPU)
        items *= s->plan->local_size;
    if (s->launch->global_size < items)
        refuse(s, "the grid is too small");
    if (s->launch->global_size >= items + s->plan->local_size)
        refuse(s, "the grid holds a group without a number");
}

void check_limit(const struct subject *s, uint64_t max_bytes)
{
    const struct plan_range *range = &s->launch->range;
    if ((range->in.high - range->in.low) * s->plan->element_size > max_bytes ||
        (range->out.high - range->out.low) * s->plan->element_size > max_bytes)
        refuse(s, "a box exceeds the limit");
}

struct block block_of(const struct subject *s, uint64_t n)
{
    const struct walk *walk = &s->launch->walk;
    bool is_small = s->plan->index_bits == 32;
    bool has_width = s->plan->variant != PLAN_STRIDED_GPU; /* whose blocks are elements here */
    struct block block = walk_on_host_block(walk, s->plan->index_bits, n);
    struct block wide = is_small ? walk_block_wide(walk, n) : block;
    if (block.in != wide.in || block.out != wide.out ||
        (has_width && (block.width != wide.width || block.height != wide.height)))
        refuse(s, "an index does not fit");
    return block;
}

int64_t along_row(const struct walk *walk, uint64_t k)
{
    int64_t at = 0;
    for (uint32_t d = walk->rank; d < 8 && walk->dim[d].size > 0; ++d) {
        at += (int64_t)(k % walk->dim[d].size) * walk->dim[d].in_stride;
        k /= walk->dim[d].size;
    }
    return at + (int64_t)k * walk->in_step;
}

struct slice_place along_column(const struct walk *walk, uint64_t l)
{
    struct slice_place at = {0, 0};
    for (uint32_t d = 0; walk->transposes && d < GPU_BLOCK_RANK && walk->block[d].extent > 0; ++d) {
        const struct walk_extent *inner = &walk->block[d];
        int64_t n = (int64_t)(l % (uint64_t)inner->extent);
        at.in += n * inner->in_step;
        at.out += n * inner->out_step;
        l /= (uint64_t)inner->extent;
    }
    at.in += (int64_t)l * walk->in_pitch;
    at.out += (int64_t)l * walk->out_pitch;
    return at;
}

/* What strided_gpu leaves out before the first element, which may lie anywhere in a line. */
static uint64_t before_first(const struct subject *s)
{
    const struct walk *walk = &s->launch->walk;
    return (s->slice->first + s->slice->elements * 5) % walk->units * walk->by_units >> 16;
}

uint64_t word_of_first(const struct subject *s)
{
    return before_first(s) / s->launch->walk.width;
}

static void visit_word(const struct subject *s, uint64_t at, block_visit *visit, void *user)
{
    const struct walk *walk = &s->launch->walk;
    uint64_t before = before_first(s);
    uint64_t step = walk->makes_words ? walk->full : 1;
    for (uint64_t n = 0; n < walk->width; ++n) {
        uint64_t element = at * walk->width + n - before;
        bool is_gap = !walk->makes_words && element % walk->dim[0].size >= walk->full;
        if (element < walk->row) { /* what is before the first wraps */
            struct block block = block_of(s, element / step);
            if (is_gap)
                continue;
            block.in += along_row(walk, element % step);
            block.out += (int64_t)(element % step) * walk->out_step;
            block.width = 1;
            block.height = walk->height;
            visit(user, block);
        }
    }
}

void visit_words(const struct subject *s, uint64_t item, block_visit *visit, void *user)
{
    const struct walk *walk = &s->launch->walk;
    if (item < items_of(walk))
        visit_word(s, item, visit, user);
    for (uint64_t block = item + walk->repeat; item < walk->repeat && block < walk->blocks;
         block += walk->repeat)
        visit_word(s, block, visit, user);
}
