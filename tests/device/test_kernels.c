/* SPDX-License-Identifier: MIT */
/*
 * What kernels reckon for themselves, beyond the walk: rows of every pattern at every length of up
 * to two lines of memory, short rows that are picked together, transposes around every edge of
 * their blocks, and all at every address modulo such a line, against forbidden pages.
 */
#include "conformance/case_words.h"
#include "conformance/data_type.h"
#include "conformance/reference.h"
#include "core/launch.h"
#include "core/planner.h"
#include "support/harness.h"
#include "support/needs.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARENA_BYTES = 1 << 20,
    LINE_BYTES = 64,    /* what CPU kernels write at once */
    WORD_BYTES = 16,    /* what kernels for GPUs do */
    BLOCK_BYTES = 4096, /* of strided_cpu, which joins rows that are shorter */
    MARGIN = 256,       /* bytes beside the output that are looked at */
    GUARD = 0x5A
};

static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_UINT8, DML_TENSOR_DATA_TYPE_INT16,
                                 DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_INT64};

/* ---- A driver that decides whether the output is larger than the caches, how far ahead it is
 * asked for, how many blocks a work-item of a CPU or of a gradient makes at least, in which orders
 * work-items read, and which dimension's blocks are numbered first; and what it drives ---- */

static uint16_t past_caches, is_large, out_ahead;
static uint8_t order_shift, order_step;
static uint8_t near;
static uint32_t blocks_least, walks;

static struct walk decided(const void *walk)
{
    struct walk copy;
    memcpy(&copy, walk, sizeof copy);
    copy.past_caches = past_caches;
    copy.is_large = is_large;
    copy.out_ahead = out_ahead;
    copy.order_shift = order_shift;
    copy.order_step = order_step;
    /* where all blocks are one band, any dimension may be numbered first */
    const struct walk_dim *dim = &copy.dim[near];
    if (dim->size > 1 && copy.band == copy.blocks) {
        copy.near = near;
        copy.near_size = copy.band_near = dim->size;
        copy.by_band_near = dim->reciprocal;
        copy.near_shift = (uint8_t)dim->shift;
    }
    copy.blocks_each = copy.blocks_each < blocks_least ? blocks_least : copy.blocks_each;
    ++walks;
    return copy;
}

static cl_int CL_API_CALL set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    RIG_REAL(clSetKernelArg, real);
    if (size != sizeof(struct walk))
        return real(kernel, index, size, value);
    struct walk walk = decided(value);
    return real(kernel, index, sizeof walk, &walk);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *from, cl_int *code)
{
    RIG_REAL(clCreateBuffer, real);
    if (size != sizeof(struct walk) || !(flags & CL_MEM_COPY_HOST_PTR))
        return real(context, flags, size, from, code);
    struct walk walk = decided(from);
    return real(context, flags, sizeof walk, &walk, code);
}

static void *deciding_proc(void *user, const char *name)
{
    const struct rig_own own[] = {{"clSetKernelArg", RIG_ADDRESS(set_arg)},
                                  {"clCreateBuffer", RIG_ADDRESS(create_buffer)}};
    (void)user;
    return rig_proc_or(own, COUNT_OF(own), name);
}

/* ---- One case ---- */

static struct rig rig;
static struct arena in, out;
static unsigned char input[ARENA_BYTES], expected[ARENA_BYTES + 2 * MARGIN];
static void open_device(void)
{
    clslice_device_options options = {.size = sizeof options, .get_proc = deciding_proc};
    rig_open(&rig, &options);
    rig_tell_crashes();
    in = arena_map(ARENA_BYTES);
    out = arena_map(ARENA_BYTES);
}

static void close_device(void)
{
    ck_assert_uint_gt(walks, 0);
    arena_unmap(&in);
    arena_unmap(&out);
    rig_close(&rig);
}

static void describe(const struct slice_case *c, const char *variant, bool at_end)
{
    snprintf(rig_crash_text, sizeof rig_crash_text,
             "%s, %s, %u-byte elements, out %u %u %u %u by %d %d %d %d in strides %u %u %u %u, at "
             "the %s%s\n",
             c->name, variant ? variant : "planned", case_type_bytes(c->data_type), c->out_sizes[0],
             c->out_sizes[1], c->out_sizes[2], c->out_sizes[3], c->window_strides[0],
             c->window_strides[1], c->window_strides[2], c->window_strides[3], c->in_strides[0],
             c->in_strides[1], c->in_strides[2], c->in_strides[3], at_end ? "end" : "start",
             past_caches ? ", past the caches"
             : is_large  ? ", large"
                         : "");
}

/* Both tensors against the page before them, or the one behind. */
static void run_at(clslice_compiled_operator *compiled, const struct slice_case *c, bool at_end)
{
    uint64_t in_bytes, out_bytes;
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes));
    size_t in_size = (size_t)in_bytes, out_size = (size_t)out_bytes;
    unsigned char *from = at_end ? in.bytes + in.size - in_size : in.bytes;
    unsigned char *to = at_end ? out.bytes + out.size - out_size : out.bytes;
    unsigned char *seen = at_end ? to - MARGIN : to;
    clslice_binding in_binding = rig_bind_host(from, 0, in_bytes);
    clslice_binding out_binding = rig_bind_host(to, 0, out_bytes);
    memcpy(from, input, in_size);
    memset(seen, GUARD, out_size + MARGIN);
    rig_run(&rig, compiled, &in_binding, &out_binding);
    const unsigned char *wanted = expected + (at_end ? 0 : MARGIN);
    size_t k = 0;
    while (k < out_size + MARGIN && seen[k] == wanted[k])
        ++k;
    ck_assert_msg(k == out_size + MARGIN, "byte %zu is %u, not %u: %s", k, seen[k], wanted[k],
                  rig_crash_text);
}

static bool fits_arena(const struct slice_case *c)
{
    uint64_t in_bytes, out_bytes;
    return case_in_bytes(c, &in_bytes) && in_bytes <= ARENA_BYTES &&
           case_out_bytes(c, &out_bytes) && out_bytes + MARGIN <= ARENA_BYTES;
}

static void check_case(const struct slice_case *c, const char *variant)
{
    uint32_t part = 4 / data_type_of(c->data_type)->bytes; /* elements that are read in order */
    const uint8_t steps[] = {0, 1, part > 1 ? (uint8_t)part : 1};
    uint64_t out_bytes;
    ck_assert(fits_arena(c) && case_out_bytes(c, &out_bytes));
    memset(expected, GUARD, (size_t)out_bytes + 2 * MARGIN);
    reference_slice(c, input, expected + MARGIN, NULL);
    for (int size = 0; size < 3; ++size) {
        is_large = size > 0;
        past_caches = size > 1;
        out_ahead = size > 1 ? 100 : 0;
        order_step = steps[size];
        order_shift = size > 1;
        near = (uint8_t)size;
        clslice_compiled_operator *compiled = rig_compile(&rig, c, variant);
        for (int at_end = 0; at_end < 2; ++at_end) {
            describe(c, variant, at_end);
            run_at(compiled, c, at_end);
        }
        clslice_compiled_operator_release(compiled);
    }
}

static struct plan plan_of(const struct slice_case *c, enum plan_variant variant,
                           enum plan_alignment alignment)
{
    const struct plan_limits limits = {true, 1, LINE_BYTES, 256, 0, 0, false, false};
    clslice_error error = {.size = sizeof error};
    struct case_desc desc;
    struct slice slice;
    struct plan plan;
    case_desc_init(&desc, c);
    ASSERT_OK(slice_from(&desc.op, &slice, &error), &error);
    ck_assert(plan_from(&slice, &limits, alignment, variant, &plan));
    return plan;
}

/* ---- Rows ---- */

enum { PATTERNS = 27 };

/* All that there are: groups that continue each other are a pattern of single elements. */
static uint32_t list_patterns(struct plan_pattern patterns[PATTERNS])
{
    uint32_t found = 0;
    for (int32_t pitch = -4; pitch <= 4; ++pitch)
        for (uint32_t count = 1; count == 1 || count <= (uint32_t)abs(pitch); ++count)
            for (int32_t step = count == 1 ? 0 : -1; step <= (count == 1 ? 0 : 1); ++step) {
                if (count > 1 && (step == 0 || pitch == step * (int32_t)count))
                    continue;
                ck_assert_uint_lt(found, PATTERNS);
                patterns[found++] = (struct plan_pattern){pitch, count, step};
            }
    return found;
}

static uint32_t round_up(uint32_t number, uint32_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

/* n groups of a pattern in rows of an odd distance, so that input rows begin everywhere, but
 * close. */
static struct slice_case rows_of(const struct plan_pattern *pattern, uint32_t type, uint32_t n)
{
    uint32_t pitch = (uint32_t)abs(pattern->group_stride),
             line = LINE_BYTES / case_type_bytes(type);
    int32_t way = pattern->group_stride < 0 ? -1 : 1;
    struct slice_case c = {.name = "rows",
                           .data_type = type,
                           .rank = 4,
                           .in_strided = true,
                           .in_sizes = {1, 1, n, pattern->group_size},
                           .in_strides = {0, round_up(n * pitch, line) + 1, pitch, 1},
                           .window_strides = {1, way, way, pattern->element_stride < 0 ? -1 : 1},
                           .out_sizes = {1, 1, n, pattern->group_size}};
    return c;
}

static void set_rows(struct slice_case *c, uint32_t outer, uint32_t inner)
{
    c->in_sizes[0] = c->out_sizes[0] = outer;
    c->in_sizes[1] = c->out_sizes[1] = inner;
    c->in_strides[0] = c->in_strides[1] * inner;
    memcpy(c->window_sizes, c->in_sizes, sizeof c->window_sizes);
}

/* Each address of an output row with each of an input row, and nothing written between rows. */
static struct slice_case rows_apart(const struct slice_case *rows, uint32_t out_starts,
                                    uint32_t in_starts)
{
    struct slice_case c = *rows;
    uint32_t apart = round_up(c.out_sizes[2] * c.out_sizes[3], out_starts);
    set_rows(&c, out_starts, in_starts);
    c.out_strided = true;
    c.out_strides[0] = apart * in_starts + 1;
    c.out_strides[1] = apart;
    c.out_strides[2] = c.out_sizes[3];
    c.out_strides[3] = 1;
    return c;
}

static void check_rows(const struct plan_pattern *pattern, enum plan_variant variant, uint32_t type)
{
    const char *name = plan_variant_name(variant);
    bool cpu = variant == PLAN_ROWS_CPU;
    uint32_t bytes = case_type_bytes(type), line = LINE_BYTES / bytes, word = WORD_BYTES / bytes;
    uint32_t most = (cpu ? 2 * line : 3 * word) / pattern->group_size + 3;
    struct slice_case rows = rows_of(pattern, type, most);
    reference_input(&rows, input, sizeof input);
    for (uint32_t n = 2; n <= most; ++n) {
        rows = rows_of(pattern, type, n);
        struct slice_case apart = rows_apart(&rows, cpu ? line : word, cpu ? 2 : word);
        struct plan plan = plan_of(&apart, variant, PLAN_ALIGNED_16);
        ck_assert(plan.pattern.group_stride == pattern->group_stride &&
                  plan.pattern.group_size == pattern->group_size &&
                  plan.pattern.element_stride == pattern->element_stride);
        check_case(&apart, name);
        set_rows(&rows, 1, line + 3); /* where one ends the next begins */
        if (n % 2 == 0)               /* the next lies the other way */
            rows.window_strides[1] = -rows.window_strides[1];
        check_case(&rows, name);
    }
}

/* Rows of that many elements or a part of a pixel less, upwards and downwards, with gaps and
 * without. */
static void check_rows_of_cpu(const struct plan_pattern *pattern, uint32_t type, uint32_t elements,
                              uint32_t times)
{
    const uint32_t n = elements / pattern->group_size, length = n * pattern->group_size;
    for (uint32_t kind = 0; kind < 4; ++kind) {
        struct slice_case rows = rows_of(pattern, type, n);
        set_rows(&rows, 1, times);
        if (kind % 2 > 0)
            rows.window_strides[1] = -rows.window_strides[1];
        if (kind / 2 > 0) {
            const uint32_t strides[] = {0, length + 5, pattern->group_size, 1};
            rows.out_strided = true;
            memcpy(rows.out_strides, strides, sizeof strides);
        }
        check_case(&rows, "rows_cpu");
    }
}

/* Of several blocks and around the length from which rows_cpu writes them line by line, few or so
 * many of them that it is longer; of those that repeat an element, that is when they fill a
 * piece. */
static void check_long_rows(const struct plan_pattern *pattern, uint32_t type)
{
    enum { FEW = 7, MANY = 101 };
    const uint32_t line = LINE_BYTES / case_type_bytes(type), piece = 32 * line;
    const uint32_t lines = ((uint32_t)abs(pattern->group_stride) + pattern->group_size - 1) /
                           pattern->group_size; /* of the input for one of the output */
    check_rows_of_cpu(pattern, type, 5 * line - 1, FEW);
    check_rows_of_cpu(pattern, type, 5 * line, FEW);
    check_rows_of_cpu(pattern, type, 6 * line + 3, FEW);
    check_rows_of_cpu(pattern, type, 20 * piece + 1, 2);
    if (lines == 0) {
        check_rows_of_cpu(pattern, type, piece, FEW);
        check_rows_of_cpu(pattern, type, piece + 1, FEW);
        return;
    }
    check_rows_of_cpu(pattern, type, 12 * line / lines - 1, FEW);
    check_rows_of_cpu(pattern, type, 12 * line / lines, FEW);
    check_rows_of_cpu(pattern, type, 12 * line / lines - 1, MANY);
}

/* One width of one variant: a driver's first build in a process takes long. */
START_TEST(rows_of_every_pattern_are_right)
{
    enum plan_variant variant = _i % 2 ? PLAN_ROWS_GPU : PLAN_ROWS_CPU;
    struct plan_pattern patterns[PATTERNS];
    ck_assert_uint_eq(list_patterns(patterns), PATTERNS);
    open_device();
    for (uint32_t p = 0; p < PATTERNS; ++p)
        if ((patterns[p].group_size == 1 || case_type_bytes(types[_i / 2]) <= 4) &&
            (patterns[p].group_stride != 0 || variant == PLAN_ROWS_CPU)) {
            check_rows(&patterns[p], variant, types[_i / 2]);
            if (variant == PLAN_ROWS_CPU)
                check_long_rows(&patterns[p], types[_i / 2]);
        }
    close_device();
}
END_TEST

/* ---- Picked rows ---- */

/* Short rows, `way` from element to element, of which two or three follow each other either way,
 * and then a gap: about one and a half blocks of strided_cpu, and then a larger gap; four times. So
 * the last of these blocks is smaller, and some of them lie inside the input. */
static struct slice_case picked_of(uint32_t type, uint32_t n, int32_t way, uint32_t group)
{
    enum { TIMES = 4 };
    const uint32_t apart = (uint32_t)abs(way), row = (n - 1) * apart + 1 + n % 3;
    const uint32_t block = BLOCK_BYTES / case_type_bytes(type) / (n * group);
    const uint32_t groups = block + block / 2 + n % 2, pitch = row * group + 2;
    struct slice_case c = {.name = "picked",
                           .data_type = type,
                           .rank = 4,
                           .in_strided = true,
                           .in_sizes = {TIMES, groups, group, n},
                           .in_strides = {groups * pitch + 7, pitch, row, apart},
                           .window_sizes = {TIMES, groups, group, n},
                           .window_strides = {n % 3 == 2 ? -1 : 1, n % 4 == 1 ? -1 : 1,
                                              n % 2 ? -1 : 1, way < 0 ? -1 : 1},
                           .out_sizes = {TIMES, groups, group, n}};
    return c;
}

/* Where work-items have so many blocks that pieces are looked for. */
START_TEST(picked_rows_of_every_length_are_right)
{
    const uint32_t type = types[_i];
    open_device();
    blocks_least = 16; /* BLOCKS_LEAST of kernels/strided_cpu.cl */
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (uint32_t n = 2; n <= 40; ++n)
        for (int32_t way = -9; way <= 9; way += n % 3 > 0 ? 3 : 1) /* up to 8 pieces, and more */
            for (uint32_t group = 2; group <= 3; ++group) {
                const struct slice_case c = picked_of(type, n, way, group);
                check_case(&c, "strided_cpu");
            }
    blocks_least = 0;
    close_device();
}
END_TEST

/* Rows of n elements, `step` apart, `gap` elements apart in the output. */
static struct slice_case straight_of(uint32_t type, uint32_t n, int32_t step, uint32_t gap)
{
    const uint32_t span = (n - 1) * (uint32_t)abs(step) + 1;
    return (struct slice_case){.name = "straight",
                               .data_type = type,
                               .rank = 4,
                               .out_strided = true,
                               .in_sizes = {1, 2, 2, span},
                               .window_sizes = {1, 2, 2, span},
                               .window_strides = {1, 1, 1, step},
                               .out_sizes = {1, 2, 2, n},
                               .out_strides = {0, 2 * (n + gap) + gap, n + gap, 1}};
}

/* Rows that stay one by one go by whole lines where their elements lie near each other, and by a
 * table elsewhere: from and to any address. Without gaps, shorter ones are joined. */
START_TEST(straight_rows_of_every_step_are_right)
{
    static const int32_t steps[] = {2, 5, -5, 16, -16, 33, -64, 127};
    const uint32_t type = types[_i], bytes = case_type_bytes(type);
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t s = 0; s < COUNT_OF(steps); ++s)
        for (uint32_t kind = 0; kind < 3; ++kind) {
            const uint32_t gap = kind == 1, apart = kind > 0 ? (uint32_t)abs(steps[s]) : 2;
            const uint32_t least = BLOCK_BYTES / bytes / apart + 1;
            for (uint32_t n = least; n < least + 2 * LINE_BYTES / bytes; n += 2 + n % 4) {
                const struct slice_case c = straight_of(type, n, steps[s], gap);
                if (fits_arena(&c))
                    check_case(&c, "strided_cpu");
            }
        }
    close_device();
}
END_TEST

/* Rows of n elements between gaps, which lie side by side in the input or `apart` from each other,
 * as the bits of `way` say: which dimensions go downwards, whether a row lies across, and whether
 * it repeats one element. */
static struct slice_case gapped_of(uint32_t type, uint32_t n, uint32_t apart, uint32_t way)
{
    enum { PLANES = 3, GROUPS = 7, GROUP = 5 };
    const uint32_t row = n + apart, group = GROUP * row + apart, plane = GROUPS * group;
    const uint32_t across = PLANES * GROUPS * GROUP + apart;
    struct slice_case c = {
        .name = "gapped",
        .data_type = type,
        .rank = 4,
        .in_strided = true,
        .out_strided = true,
        .in_sizes = {PLANES, GROUPS, GROUP, n},
        .in_strides = {plane, group, row, 1},
        .window_sizes = {PLANES, GROUPS, GROUP, n},
        .window_strides = {way & 1 ? -1 : 1, way & 2 ? -1 : 1, way & 4 ? -1 : 1, way & 8 ? -1 : 1},
        .out_sizes = {PLANES, GROUPS, GROUP, n},
        .out_strides = {GROUPS * GROUP * (n + 1) + 1, GROUP * (n + 1), n + 1, 1}};
    if (way & 16) {
        const uint32_t strides[] = {GROUPS * GROUP, GROUP, 1, across};
        memcpy(c.in_strides, strides, sizeof strides);
    }
    if (way & 32)
        c.in_strides[3] = 0;
    return c;
}

/* Without the output's gaps, and of so many planes that words are made: strided_gpu loads words of
 * rows that lie side by side in either order, unless they reach beyond the input, as they may at
 * both of its ends; a word is of up to three rows of single bytes. */
START_TEST(words_of_rows_in_every_order_are_right)
{
    const uint32_t type = types[_i];
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (uint32_t n = 2; n <= 50; n += 1 + n / 20)
        for (uint32_t way = 0; way < 16; ++way) {
            struct slice_case c = gapped_of(type, n, n % 3, way);
            const uint32_t planes = 8192 / (n * c.in_sizes[1] * c.in_sizes[2]) + 1;
            c.in_sizes[0] = c.window_sizes[0] = c.out_sizes[0] = planes;
            c.out_strided = false;
            const struct plan plan = plan_of(&c, PLAN_STRIDED_GPU, PLAN_ALIGNED_ELEMENT);
            ck_assert_uint_gt(plan.word_bytes, plan.element_size);
            ck_assert(plan.has_neighbours || plan.element_size > 2 || n < PLAN_NEIGHBOURS_LEAST);
            check_case(&c, "strided_gpu");
        }
    close_device();
}
END_TEST

/* Those that the processor does not guess are asked for ahead, up to the last one. */
START_TEST(rows_between_gaps_of_every_order_are_right)
{
    static const uint32_t aparts[] = {0, 3, 70, 300};
    const uint32_t type = types[_i], bytes = case_type_bytes(type);
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t a = 0; a < COUNT_OF(aparts); ++a)
        for (uint32_t way = 0; way < 34; ++way)
            for (uint32_t n = 2 + way % 3; n <= LINE_BYTES / bytes + 1; n += 1 + n / 2) {
                const struct slice_case c = gapped_of(type, n, aparts[a], way);
                if (fits_arena(&c))
                    check_case(&c, "gapped_cpu");
            }
    close_device();
}
END_TEST

/* Rows downwards, and steps of three, most of which are picked: but no quad may reach beyond the
 * input, whether its end is at the last rows or at the first, or at every repeated one. */
START_TEST(rows_are_picked_up_to_the_end_of_the_input)
{
    static const uint32_t sizes[][2] = {{1, 50}, {50, 3}, {3, 50}};
    const uint32_t type = types[_i];
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t i = 0; i < COUNT_OF(sizes); ++i)
        for (int way = 0; way < 4; ++way)
            for (uint32_t n = 2; n <= 17; n += 1 + n / 2) {
                const uint32_t outer = sizes[i][0], inner = sizes[i][1];
                const int32_t outer_step = way & 1 ? -1 : 1, inner_step = way & 2 ? -1 : 1;
                const struct slice_case cases[] = {
                    CASE("row", UNKNOWN, WHOLE(outer, inner, n), BY(outer_step, inner_step, -1),
                         OUT(outer, inner, n), OUT_STRIDES(inner * (n + 1), n + 1, 1)),
                    CASE("steps", UNKNOWN, WHOLE(outer, inner, n, 3),
                         BY(outer_step, inner_step, 1, -1), OUT(outer, inner, n, 3),
                         OUT_STRIDES(inner * (3 * n + 2), 3 * n + 2, 3, 1)),
                    CASE("repeated planes", UNKNOWN, WHOLE(outer, inner, n), BY(1, inner_step, -1),
                         IN_STRIDES(0, n, 1), OUT(outer, inner, n),
                         OUT_STRIDES(inner * (n + 1), n + 1, 1)),
                    CASE("repeated rows", UNKNOWN, WHOLE(outer, inner, n), BY(outer_step, 1, -1),
                         IN_STRIDES(n, 0, 1), OUT(outer, inner, n),
                         OUT_STRIDES(inner * (n + 1), n + 1, 1)),
                };
                for (size_t k = 0; k < COUNT_OF(cases); ++k) {
                    struct slice_case c = cases[k];
                    c.data_type = type;
                    check_case(&c, "gapped_cpu");
                }
            }
    close_device();
}
END_TEST

/* A row of several blocks whose elements lie apart in the output, the last one narrower; and runs
 * of `n` steps of three elements, for which there is a table. */
START_TEST(long_rows_with_gaps_are_right)
{
    const uint32_t type = types[_i], table = BLOCK_BYTES / case_type_bytes(type);
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    const struct slice_case apart = CASE("apart", UNKNOWN, WHOLE(2, table + 3), BY(-1, 1),
                                         OUT(2, table + 3), OUT_STRIDES(2 * table + 9, 2));
    struct slice_case c = apart;
    c.data_type = type;
    check_case(&c, "gapped_cpu");
    for (uint32_t n = 2; n <= 640 / 3 / case_type_bytes(type) + 2; n += 1 + n / 2) {
        const struct slice_case steps =
            CASE("steps", UNKNOWN, WHOLE(3, 2, 2 * n, 3), BY(1, -1, 2, -1), OUT(3, 2, n, 3),
                 OUT_STRIDES(6 * n + 5, 3 * n + 1, 3, 1));
        c = steps;
        c.data_type = type;
        check_case(&c, "gapped_cpu");
    }
    close_device();
}
END_TEST

/* Elements, n side by side, in dimensions of which none continues another in the input, nor in the
 * output if that has gaps; so many that a work-item of strided_gpu moves several, or columns. */
static struct slice_case spread_of(uint32_t type, uint32_t rank, uint32_t n, uint32_t gap)
{
    const uint32_t least = ARENA_BYTES / 2 / case_type_bytes(type);
    uint32_t elements = 1, in_pitch = 1, out_pitch = 1;
    struct slice_case c = {
        .name = "spread", .data_type = type, .rank = rank, .in_strided = true, .out_strided = true};
    for (uint32_t i = rank; i-- > 0;) {
        const uint32_t size = i == rank - 1 ? n : i > 0 ? 2 + i % 2 : least / elements + 1;
        c.in_sizes[i] = c.window_sizes[i] = c.out_sizes[i] = size;
        c.window_strides[i] = i % 3 == 1 ? -1 : 1;
        c.in_strides[i] = in_pitch;
        c.out_strides[i] = out_pitch;
        elements *= size;
        in_pitch = in_pitch * size + 1;
        out_pitch = out_pitch * size + gap;
    }
    return c;
}

START_TEST(elements_are_found_in_any_dimensions)
{
    static const uint32_t rows[] = {3, 19};
    const uint32_t type = types[_i];
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (uint32_t rank = 2; rank <= CASE_MAX_RANK; ++rank)
        for (size_t i = 0; i < 2 * COUNT_OF(rows); ++i) {
            const struct slice_case c = spread_of(type, rank, rows[i / 2], i % 2);
            const struct plan plan = plan_of(&c, PLAN_STRIDED_GPU, PLAN_ALIGNED_ELEMENT);
            ck_assert_uint_eq(plan.rank, rank);
            check_case(&c, "strided_gpu");
        }
    close_device();
}
END_TEST

/* ---- Transposes ---- */

/* Two blocks of n output rows of m elements, which are columns of the input; elements of 16 bytes
 * are pairs. `gap`: elements behind each output row. */
static struct slice_case transpose_of(uint32_t type, uint32_t n, uint32_t m, uint32_t pair,
                                      uint32_t gap)
{
    uint32_t row = m + gap;
    struct slice_case c = {
        .name = "transpose",
        .data_type = type,
        .rank = 4,
        .in_strided = true,
        .out_strided = true,
        .in_sizes = {2, m, n, pair},
        .in_strides = {(m * (n + 1) + 5) * pair, (n + 1) * pair, pair, 1},
        .window_sizes = {2, m, n, pair},
        .window_strides = {1, (n + m) % 3 == 0 ? -1 : 1, (n + m) % 2 == 0 ? -1 : 1, 1},
        .out_sizes = {2, m, n, pair},
        .out_strides = {(n * row + gap) * pair, pair, row * pair, 1}};
    return c;
}

/* One width of one variant. Nobody can ask for elements of 16 bytes, which are planned for where
 * memory allows it. */
START_TEST(transposes_of_every_block_are_right)
{
    static const uint32_t sizes[] = {2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    enum plan_variant variant = _i < 5 ? PLAN_TRANSPOSE_CPU : PLAN_TRANSPOSE_GPU;
    uint32_t width = 1u << _i % 5;
    uint32_t pair = width == 16 ? 2 : 1, type = types[_i % 5 - (width == 16)];
    const char *forced = width == 16 ? NULL : plan_variant_name(variant);
    rig_lie.is_gpu = width == 16 && variant == PLAN_TRANSPOSE_GPU;
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t a = 0; a < COUNT_OF(sizes); ++a)
        for (size_t b = 0; b < COUNT_OF(sizes); ++b)
            for (uint32_t gap = 0; gap < 2; ++gap) {
                struct slice_case c = transpose_of(type, sizes[a], sizes[b], pair, gap);
                ck_assert_uint_eq(plan_of(&c, variant, PLAN_ALIGNED_16).element_size, width);
                check_case(&c, forced);
            }
    close_device();
}
END_TEST

/* Rows of transpose_cpu that follow each other are one, unless they are long, or columns short. */
START_TEST(joined_rows_of_transposes_are_right)
{
    static const uint32_t rows[] = {40, 129, 257, 512}, columns[] = {2, 19};
    const uint32_t type = types[_i], bytes = case_type_bytes(type);
    enum { JOINED = 7 };
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t a = 0; a < COUNT_OF(rows); ++a)
        for (size_t b = 0; b < COUNT_OF(columns); ++b) {
            struct slice_case c = CASE(
                "joined", UNKNOWN, WHOLE(columns[b], JOINED, rows[a]), BY(-1, 1, -1),
                IN_STRIDES(1, columns[b], JOINED * columns[b]), OUT(columns[b], JOINED, rows[a]));
            c.data_type = type;
            const struct plan plan = plan_of(&c, PLAN_TRANSPOSE_CPU, PLAN_ALIGNED_ELEMENT);
            const struct plan_box box = plan_whole(&plan);
            const bool is_joined = rows[a] * bytes <= (columns[b] * bytes < 16 ? 128 : 512);
            ck_assert_uint_eq(launch_from(&plan, &box).walk.row,
                              is_joined ? JOINED * rows[a] : rows[a]);
            check_case(&c, "transpose_cpu");
        }
    close_device();
}
END_TEST

/* Blocks of transpose_gpu in two bands, of which the last one is not full. */
START_TEST(bands_of_blocks_end_with_the_slice)
{
    static const uint32_t rows[] = {200, 300}, lines[] = {1601, 1130};
    struct slice_case c = CASE("bands", UINT8, WHOLE(lines[_i], rows[_i]), BY(1, 1),
                               IN_STRIDES(1, lines[_i]), OUT(lines[_i], rows[_i]));
    c.data_type = types[_i];
    open_device();
    reference_input(&c, input, sizeof input);
    const struct plan plan = plan_of(&c, PLAN_TRANSPOSE_GPU, PLAN_ALIGNED_16);
    const struct plan_box box = plan_whole(&plan);
    const struct walk walk = launch_from(&plan, &box).walk;
    ck_assert_uint_eq(walk.blocks, 2 * walk.band);
    ck_assert_uint_gt(walk.blocks, walk.dim[0].size * walk.dim[1].size);
    check_case(&c, "transpose_gpu");
    close_device();
}
END_TEST

/* Rows of m elements across n columns of n2 steps of n1 elements, `apart` from each other, that
 * lie side by side in the input but for `gap` elements. */
static struct slice_case columns_of(uint32_t type, const uint32_t n[3], uint32_t m, uint32_t apart,
                                    uint32_t gap)
{
    uint32_t step = n[0] * apart + gap, column = n[1] * step + gap;
    struct slice_case c = {
        .name = "columns",
        .data_type = type,
        .rank = 4,
        .in_strided = true,
        .in_sizes = {n[2], n[1], n[0] * apart, m},
        .in_strides = {column, step, 1, n[2] * column + 3},
        .window_sizes = {n[2], n[1], (n[0] - 1) * apart + 1, m},
        .window_strides = {m % 3 == 0 ? -1 : 1, m % 2 == 0 ? -1 : 1, (int32_t)apart, 1},
        .out_sizes = {n[2], n[1], n[0], m}};
    if ((m + gap) % 4 == 0)
        c.window_strides[2] = -c.window_strides[2];
    return c;
}

/* Columns go on through dimensions, and are read by squares where these stay in the input. */
START_TEST(columns_of_several_dimensions_are_right)
{
    static const uint32_t columns[][3] = {{2, 2, 2},  {3, 5, 7},  {5, 11, 3}, {2, 4, 9},
                                          {16, 1, 2}, {7, 70, 2}, {9, 2, 40}, {130, 3, 2},
                                          {4, 4, 4},  {200, 2, 1}};
    static const uint32_t rows[] = {2, 3, 15, 16, 31, 33, 64, 79, 100};
    const uint32_t type = types[_i];
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t a = 0; a < COUNT_OF(columns); ++a)
        for (size_t b = 0; b < COUNT_OF(rows); ++b)
            for (uint32_t apart = 1; apart <= 8; apart += apart < 5 ? 1 : 3)
                for (uint32_t gap = 0; gap < 2; ++gap) {
                    const struct slice_case c =
                        columns_of(type, columns[a], rows[b], apart, 3 * gap);
                    if (fits_arena(&c))
                        check_case(&c, "transpose_cpu");
                }
    close_device();
}
END_TEST

/* Rows of m elements, of two dimensions if it is even, across n neighbours of the input, which go
 * downwards where more lies between the rows of these. */
static struct slice_case squares_of(uint32_t type, uint32_t m, uint32_t n, uint32_t gap)
{
    uint32_t pair = m % 2 == 0 ? 2 : 1, pitch = n + gap;
    struct slice_case c = {.name = "squares",
                           .data_type = type,
                           .rank = 4,
                           .in_strided = true,
                           .in_sizes = {2, n, m / pair, pair},
                           .in_strides = {m * pitch + 5, 1, pitch, m / pair * pitch},
                           .window_sizes = {2, n, m / pair, pair},
                           .window_strides = {1, gap > 1 ? -1 : 1, gap == 1 ? -1 : 1, 1},
                           .out_sizes = {2, n, m / pair, pair}};
    return c;
}

/* Also of longer rows than a table holds enough of, and the last ones, which lack neighbours. */
START_TEST(squares_of_every_row_are_right)
{
    static const uint32_t rows[] = {5,   12,  33,  64,  100,  129,  256,
                                    257, 259, 300, 513, 1024, 1500, 2047};
    static const uint32_t columns[] = {16, 31, 48, 49, 57, 119, 241};
    const uint32_t type = types[_i], table = BLOCK_BYTES / data_type_of(type)->bytes;
    uint32_t strips = 0;
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t a = 0; a < COUNT_OF(rows); ++a)
        for (size_t b = 0; b < COUNT_OF(columns); ++b)
            for (uint32_t gap = 0; gap < 3; ++gap) {
                const struct slice_case c = squares_of(type, rows[a], columns[b], gap);
                if (rows[a] > table / 2 || !fits_arena(&c))
                    continue;
                const struct plan plan = plan_of(&c, PLAN_STRIDED_CPU, PLAN_ALIGNED_16);
                const struct plan_box box = plan_whole(&plan);
                strips += launch_from(&plan, &box).walk.width > table;
                check_case(&c, "strided_cpu");
            }
    ck_assert_uint_ge(strips, 3);
    close_device();
}
END_TEST

/* Rows of 32 bytes; bits of `way` say which dimensions go downwards. */
struct pages {
    uint32_t planes, rows, apart,
        pitch; /* both bytes, from one of 13 rows and of `rows` to the next;
                                            an element more */
};

static struct slice_case pages_of(uint32_t type, const struct pages *pages, uint32_t way)
{
    const uint32_t bytes = case_type_bytes(type), n = 32 / bytes;
    const uint32_t apart = pages->apart / bytes + 1, pitch = pages->pitch / bytes + 1;
    const uint32_t planes = pages->planes, rows = pages->rows;
    return (struct slice_case){
        .name = "pages",
        .data_type = type,
        .rank = 4,
        .in_strided = true,
        .in_sizes = {13, planes, rows, n},
        .in_strides = {apart, rows * pitch, pitch, 1},
        .window_sizes = {13, planes, rows, n},
        .window_strides = {way & 1 ? -1 : 1, way & 2 ? -1 : 1, way & 4 ? -1 : 1, way & 8 ? -1 : 1},
        .out_sizes = {13, planes, rows, n}};
}

/* Blocks go first along the dimension whose steps stay on a page: whole rows, and parts of rows, of
 * which the last one is shorter; by steps of a part of a line, or more; several on a page. */
START_TEST(rows_on_many_pages_are_right)
{
    static const struct pages kinds[] = {
        {1, 201, 32, 4096}, {2, 70, 32, 4096}, {1, 201, 256, 3400}, {1, 1301, 32, 520}};
    const uint32_t type = types[_i];
    open_device();
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t kind = 0; kind < COUNT_OF(kinds); ++kind)
        for (uint32_t way = 0; way < 16; ++way) {
            const struct slice_case c = pages_of(type, &kinds[kind], way);
            const struct plan plan = plan_of(&c, PLAN_STRIDED_CPU, PLAN_ALIGNED_16);
            const struct plan_box box = plan_whole(&plan);
            const struct walk walk = launch_from(&plan, &box).walk;
            ck_assert_uint_eq(walk.row_dim, 1);
            ck_assert(kind == 1 || walk.dim[1].size > 1);
            check_case(&c, "strided_cpu");
        }
    close_device();
}
END_TEST

/* ---- Gradients ---- */

/* Rows of n elements, with inputs every `step` elements either way, in every other row. */
static struct slice_case gradient_of(uint32_t type, uint32_t n, uint32_t step, bool is_down)
{
    enum { BYTES = 40000 };
    const uint32_t rows = BYTES / case_type_bytes(type) / n + 2, inputs = (n - 2) / step + 1;
    const int32_t sign = is_down ? -1 : 1;
    struct slice_case c = CASE("gradient", UNKNOWN, AS(SLICE_GRAD), IN(rows / 2, inputs),
                               FROM(1, 1), WINDOW(rows / 2 * 2 - 1, (inputs - 1) * step + 1),
                               BY(2 * -sign, (int32_t)step * sign), OUT(rows, n));
    c.data_type = type;
    return c;
}

/* A work-item of gradient_gpu makes four words, as it does of large gradients: of short rows input
 * by input, of others row by row. */
START_TEST(gradients_of_many_words_are_right)
{
    static const uint32_t rows[] = {3, 4, 7, 16, 20, 65, 300, 4099};
    const uint32_t type = types[_i];
    uint32_t short_rows = 0, plans = 0;
    open_device();
    blocks_least = 4;
    reference_input(&(struct slice_case){.data_type = type}, input, sizeof input);
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        for (uint32_t step = 1; step <= 3; ++step)
            for (int is_down = 0; is_down < 2; ++is_down) {
                const struct slice_case c = gradient_of(type, rows[i], step, is_down);
                const struct plan plan = plan_of(&c, PLAN_GRADIENT_GPU, PLAN_ALIGNED_ELEMENT);
                ck_assert_uint_eq(plan.word_bytes, WORD_BYTES);
                ck_assert_uint_le(plan.local_size * blocks_least, PLAN_GRADIENT_WORDS);
                short_rows += plan.has_short_rows;
                ++plans;
                check_case(&c, "gradient_gpu");
            }
    ck_assert(short_rows > 0 && short_rows < plans);
    blocks_least = 0;
    close_device();
}
END_TEST

/* ---- Nothing at all ---- */

/* What warming runs is an empty walk: with indices of either size it ends, and moves nothing. */
START_TEST(warming_ends_with_either_index_size)
{
    struct slice_case c = transpose_of(DML_TENSOR_DATA_TYPE_FLOAT32, 8, 8, 1, 0);
    const struct slice_case gradient =
        CASE("gradient", FLOAT32, AS(SLICE_GRAD), IN(2, 3), IN_STRIDES(3, 1), FROM(1, 0),
             WINDOW(2, 6), BY(1, 2), OUT(6, 6));
    clslice_compile_options options = {.size = sizeof options, .flags = CLSLICE_COMPILE_FLAG_WARM};
    clslice_error error = {.size = sizeof error};
    clslice_compiled_operator *compiled = NULL;
    open_device();
    if (_i / 2 >= PLAN_SLICE_VARIANTS)
        c = gradient;
    if (_i % 2)
        c.in_strides[0] = INT32_MAX;
    clslice_operator *op = rig_operator(&rig, &c);
    options.variant = plan_variant_name((enum plan_variant)(_i / 2));
    int32_t status = clslice_operator_compile(op, &options, &compiled, &error);
    if (error.rule != CLSLICE_RULE_VARIANT)
        ASSERT_OK(status, &error);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    rig_close(&rig);
}
END_TEST

int main(void)
{
    setenv("POCL_SIGFPE_HANDLER", "0", 1); /* which hides a division by zero */
    Suite *suite = suite_create("kernels");
    TCase *kernels = suite_case(suite, "kernels");
    TCase *groups = needs_case(suite, "groups", rig_lacks_groups);
    tcase_add_loop_test(kernels, rows_of_every_pattern_are_right, 0, 2 * COUNT_OF(types));
    tcase_add_loop_test(kernels, picked_rows_of_every_length_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, straight_rows_of_every_step_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, rows_between_gaps_of_every_order_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, rows_are_picked_up_to_the_end_of_the_input, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, joined_rows_of_transposes_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, elements_are_found_in_any_dimensions, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, words_of_rows_in_every_order_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, long_rows_with_gaps_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, columns_of_several_dimensions_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, squares_of_every_row_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, rows_on_many_pages_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, transposes_of_every_block_are_right, 0, 5);
    tcase_add_loop_test(groups, transposes_of_every_block_are_right, 5, 2 * 5);
    tcase_add_loop_test(groups, bands_of_blocks_end_with_the_slice, 0, 2);
    tcase_add_loop_test(kernels, gradients_of_many_words_are_right, 0, COUNT_OF(types));
    tcase_add_loop_test(kernels, warming_ends_with_either_index_size, 0, 2 * PLAN_VARIANT_COUNT);
    return suite_run(suite);
}
