/* SPDX-License-Identifier: MIT */
/*
 * Tensors of up to 2^32 - 1 elements and 32 GiB, in mappings of which only the bytes that a slice
 * touches are ever backed by memory: indices beyond 31 and 32 bits, and host memory beyond what a
 * buffer of the device may hold.
 */
#include "conformance/case_words.h"
#include "conformance/reference.h"
#include "core/plan.h"
#include "support/batch_rig.h"
#include "support/needs.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { GROWTH_MIB_MOST = 1024 };

/* Output elements are few, and lie on few pages. */
static const struct big {
    struct slice_case c;
    uint32_t index_bits;
} bigs[] = {
    /* every picked byte on a page of its own, from one end to the other, either way */
    {CASE("u8 forwards", UINT8, WHOLE(UINT32_MAX), BY(999983), OUT(4296)), 64},
    {CASE("u8 backwards", UINT8, WHOLE(UINT32_MAX), BY(-999983), OUT(4296)), 64},
    {CASE("u8 longest step", UINT8, WHOLE(UINT32_MAX), BY(INT32_MIN), OUT(2)), 64},
    {CASE("u8 longest step forwards", UINT8, WHOLE(UINT32_MAX), BY(INT32_MAX), OUT(3)), 64},
    /* exactly on either side of what 32-bit indices are trusted with */
    {CASE("span of 2^31 - 1025", UINT8, WHOLE(0x7FFFFBFF), BY(-0x7FFFFBFE), OUT(2)), 32},
    {CASE("span of 2^31 - 1024", UINT8, WHOLE(0x7FFFFC00), BY(0x7FFFFBFF), OUT(2)), 64},
    /* rows far apart, around the 4 GiB boundary too */
    {CASE("u8 rows", UINT8, IN(4095, 1048576), FROM(3, 1048001), WINDOW(4092, 300), BY(-409, 1),
          OUT(11, 300)),
     64},
    {CASE("f32 rows", FLOAT32, IN(4095, 1048576), FROM(0, 77), WINDOW(4095, 513), BY(314, -2),
          OUT(14, 257)),
     64},
    {CASE("u8 short rows", UINT8, WHOLE(2, 2200, 3), IN_STRIDES(3000000000, 4, 1), BY(-1, 1, -1),
          OUT(2, 2200, 3)),
     64},
    {CASE("u8 many short rows", UINT8, WHOLE(2, 400000, 3), IN_STRIDES(3000000000, 4, 1),
          BY(-1, 1, -1), OUT(2, 400000, 3)),
     64},
    {CASE("u8 steps", UINT8, WHOLE(2, 4000, 3000), IN_STRIDES(3000000000, 3000, 1), BY(-1, 1, 7),
          OUT(2, 4000, 429)),
     64},
    /* columns whose elements are those of others: no block may take both for one column */
    {CASE("u32 overlapping columns", UINT32, WHOLE(64, 30, 1100), IN_STRIDES(5, 1, 2000),
          BY(1, 1, 1), OUT(64, 30, 1100)),
     32},
    {CASE("f64 columns", FLOAT64, IN(65535, 65537), FROM(1, 65000), WINDOW(65534, 16), BY(-5957, 3),
          OUT(12, 6)),
     64},
    /* a step beyond the last of the middle dimension leaves 31 bits, and comes back */
    {CASE("u8 near the limit", UINT8, WHOLE(3, 2, 5), IN_STRIDES(10, 2147482590, 1), BY(1, -1, -1),
          OUT(3, 2, 5)),
     32},
    /* bytes beyond 4 GiB, indices within 31 bits */
    {CASE("f64 rows", FLOAT64, IN(3, 1000, 300000), WINDOW(3, 1000, 40), BY(-1, -333, 1),
          OUT(3, 4, 40)),
     32},
    {CASE("i16, one contiguous block at the far end", INT16, IN(UINT32_MAX),
          FROM(UINT32_MAX - 5000), WINDOW(5000), BY(1), OUT(5000)),
     32},
    /* columns that become rows; a block behind a row's end begins beyond 31 bits */
    {CASE("u8 columns far apart", UINT8, IN(127, 16777216), FROM(0, 5), WINDOW(127, 40), BY(1, 1),
          OUT(127, 40), OUT_STRIDES(1, 127)),
     32},
    {CASE("f32 columns to far rows", FLOAT32, WHOLE(37, 65), BY(-1, -1), OUT(37, 65),
          OUT_STRIDES(1, 65000003)),
     64},
    /* the output is the large one */
    {CASE("u8 scattered", UINT8, WHOLE(9, 400), BY(-1, 1), OUT(9, 400), OUT_STRIDES(536000000, 2)),
     64},
    {CASE("f32 scattered rows", FLOAT32, WHOLE(300, 64), BY(1, 1), OUT(300, 64),
          OUT_STRIDES(14000001, 1)),
     64},
    {CASE("f32 scattered odd rows", FLOAT32, WHOLE(300, 63), BY(1, 1), OUT(300, 63),
          OUT_STRIDES(14000001, 1)),
     64},
    {CASE("both", INT16, WHOLE(40, 3), IN_STRIDES(100000000, 1000), BY(-1, 1), OUT(40, 3),
          OUT_STRIDES(1000, 2000000001)),
     64},
};

/* A value that tells where it is from. */
static uint64_t value_at(uint64_t index)
{
    const uint64_t hash = (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32; /* its low bits are of all of the index */
}

/* Where the element of the output's coordinate lies in either tensor. */
static void locate(const struct slice_case *c, const uint32_t *coordinate, uint64_t *in,
                   uint64_t *out)
{
    uint64_t in_strides[CASE_MAX_RANK], out_strides[CASE_MAX_RANK];
    case_in_strides(c, in_strides);
    case_out_strides(c, out_strides);
    *in = *out = 0;
    for (uint32_t i = 0; i < c->rank; ++i) {
        int64_t step = c->window_strides[i], at = c->window_offsets[i];
        if (step < 0)
            at += (int64_t)c->window_sizes[i] - 1;
        *in += (uint64_t)(at + step * coordinate[i]) * in_strides[i];
        *out += coordinate[i] * out_strides[i];
    }
}

static void put_values(const struct slice_case *c, unsigned char *in)
{
    uint32_t coordinate[CASE_MAX_RANK] = {0}, bytes = case_type_bytes(c->data_type);
    uint64_t from, to;
    do {
        locate(c, coordinate, &from, &to);
        case_store(in + from * bytes, value_at(from), bytes);
    } while (case_next(c->rank, c->out_sizes, coordinate));
}

static void check_values(const struct slice_case *c, const unsigned char *out, const char *variant)
{
    uint32_t coordinate[CASE_MAX_RANK] = {0}, bytes = case_type_bytes(c->data_type);
    uint64_t from, to;
    do {
        unsigned char expected[8];
        locate(c, coordinate, &from, &to);
        case_store(expected, value_at(from), bytes);
        ck_assert_msg(memcmp(out + to * bytes, expected, bytes) == 0,
                      "%s, %s: output element %llu is not input element %llu", c->name,
                      variant ? variant : "planned", (unsigned long long)to,
                      (unsigned long long)from);
    } while (case_next(c->rank, c->out_sizes, coordinate));
}

static long peak_kib(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* `before`: the peak when everything was compiled, as compilers take what they like. */
static void check_memory(long before)
{
    ck_assert_int_lt((peak_kib() - before) / 1024, GROWTH_MIB_MOST);
}

/* Sparse host memory, its end against a forbidden page, `skew` bytes before it. */
struct sparse {
    struct arena arena;
    unsigned char *tensor;
};

static struct sparse sparse_map(uint64_t bytes, size_t skew)
{
    struct sparse s = {.arena = arena_map((size_t)bytes + skew)};
    s.tensor = s.arena.bytes + s.arena.size - bytes - skew;
    return s;
}

static void run_big(const struct rig *rig, const struct slice_case *c, const char *variant,
                    size_t skew)
{
    uint64_t in_bytes, out_bytes;
    clslice_compiled_operator *compiled = rig_compile(rig, c, variant);
    if (!compiled) {
        ck_assert_msg(variant && strcmp(variant, "gapped_cpu") != 0 &&
                          strcmp(variant, "strided_gpu") != 0,
                      "%s was refused", c->name);
        return;
    }
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes));
    struct sparse in = sparse_map(in_bytes, skew), out = sparse_map(out_bytes, 0);
    clslice_binding from = rig_bind_host(in.tensor, 0, in_bytes);
    clslice_binding to = rig_bind_host(out.tensor, 0, out_bytes);
    long before = peak_kib();
    put_values(c, in.tensor);
    rig_run(rig, compiled, &from, &to);
    check_values(c, out.tensor, variant);
    check_memory(before);
    clslice_compiled_operator_release(compiled);
    arena_unmap(&in.arena);
    arena_unmap(&out.arena);
}

static void check_plan(const struct rig *rig, const struct big *big)
{
    clslice_plan_info plan = rig_plan(rig, &big->c);
    uint64_t in_bytes, out_bytes;
    ck_assert(case_in_bytes(&big->c, &in_bytes) && case_out_bytes(&big->c, &out_bytes));
    ck_assert_uint_eq(plan.input_bytes, in_bytes);
    ck_assert_uint_eq(plan.output_bytes, out_bytes);
    /* What transpose_gpu adds up reaches further, and rows_cpu has no program of 32 bits. */
    bool is_wide = strcmp(plan.variant, "rows_cpu") == 0 ||
                   (strcmp(plan.variant, "transpose_gpu") == 0 && in_bytes + out_bytes > INT32_MAX);
    ck_assert_msg(plan.index_bits == (is_wide ? 64 : big->index_bits), "%s: %u-bit indices",
                  big->c.name, plan.index_bits);
}

/* A driver that allows smaller buffers than it could, and no launch over host memory without
 * one; 0: as it is. */
static void open_modest(struct rig *rig, cl_ulong max_alloc)
{
    clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    rig_lie = (struct rig_lie){.max_alloc = max_alloc, .has_no_svm = max_alloc != 0};
    rig_open(rig, &options);
}

/* As many launches as the device's limit asks for, and with another limit. */
START_TEST(more_than_32_bits_are_sliced_in_place)
{
    static const cl_ulong limits[] = {0, UINT64_C(512) << 20, (UINT64_C(1) << 27) + 13};
    const struct big *big = &bigs[_i];
    for (size_t n = 0; n < COUNT_OF(limits); ++n) {
        struct rig rig;
        open_modest(&rig, limits[n]);
        check_plan(&rig, big);
        run_big(&rig, &big->c, NULL, 0);
        for (uint32_t v = 0; n == 0 && v < PLAN_SLICE_VARIANTS; ++v)
            run_big(&rig, &big->c, plan_variant_name(v), 0);
        rig_close(&rig);
    }
}
END_TEST

/* ---- The longest row ---- */

/* A driver that runs the first group of work-items and the last two. */
static cl_int CL_API_CALL launch_ends(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueNDRangeKernel, real);
    size_t two = 2 * *local, last = *global - two;
    cl_int code = real(queue, kernel, rank, offset, local, local, wait_count, waits, NULL);
    return code == CL_SUCCESS ? real(queue, kernel, rank, &last, &two, local, 0, NULL, event)
                              : code;
}

static void *ends_proc(void *user, const char *name)
{
    return strcmp(name, "clEnqueueNDRangeKernel") == 0 ? RIG_ADDRESS(launch_ends)
                                                       : rig_proc(user, name);
}

static const char *lack_shared_memory(void)
{
    struct rig rig;
    rig_open(&rig, NULL);
    bool is_staged = rig.info.host_memory == CLSLICE_HOST_MEMORY_STAGED;
    rig_close(&rig);
    return is_staged ? "the device has memory of its own" : rig_lacks_svm();
}

/* What the ends of a launch over nearly 2^32 output bytes make. */
struct ends {
    struct rig rig;
    struct sparse in, out;
    long before; /* see check_memory() */
};

enum {
    END = 128 * 16,            /* bytes of a group of rows_gpu, */
    GRADIENT_END = 1024 * 16,  /* and of gradient_gpu */
    FILLED = 2 * GRADIENT_END, /* of the input, at each end */
};

/* As shared virtual memory, because buffers may be smaller; not where a device has memory of its
 * own, which would have to hold it all. */
static void ends_run(struct ends *e, const struct slice_case *c, const char *variant, size_t skew)
{
    const uint32_t inputs = c->in_sizes[0], outputs = c->out_sizes[0];
    clslice_device_options options = {.size = sizeof options, .get_proc = ends_proc};
    rig_open(&e->rig, &options);
    clslice_compiled_operator *compiled = rig_compile(&e->rig, c, variant);
    e->before = peak_kib();
    e->in = sparse_map(inputs, 0);
    e->out = sparse_map(outputs, skew);
    clslice_binding from = rig_bind_host(e->in.tensor, 0, inputs);
    clslice_binding to = rig_bind_host(e->out.tensor, 0, outputs);
    from.kind = to.kind = CLSLICE_BINDING_SVM;
    for (uint64_t i = 0; i < 2 * FILLED; ++i) {
        uint64_t at = i < FILLED ? i : inputs - 1 - (i - FILLED);
        e->in.tensor[at] = (unsigned char)value_at(at);
    }
    memset(e->out.tensor, 0x5A, FILLED);
    rig_run(&e->rig, compiled, &from, &to);
    clslice_compiled_operator_release(compiled);
}

static void ends_close(struct ends *e)
{
    check_memory(e->before);
    arena_unmap(&e->in.arena);
    arena_unmap(&e->out.arena);
    rig_close(&e->rig);
}

/* The last work-item begins where 32 bits end. */
START_TEST(the_longest_row_ends_right)
{
    const struct slice_case c =
        CASE("longest row", UINT8, WHOLE(UINT32_MAX), BY(_i ? -1 : 1), OUT(UINT32_MAX));
    struct ends e;
    ends_run(&e, &c, "rows_gpu", 0);
    for (uint64_t i = 0; i < 2 * (END - 16); ++i) {
        uint64_t at = i < END - 16 ? i : UINT32_MAX - 1 - (i - (END - 16));
        uint64_t source = _i ? UINT32_MAX - 1 - at : at;
        ck_assert_uint_eq(e.out.tensor[at], (unsigned char)value_at(source));
    }
    ends_close(&e);
}
END_TEST

/* The same of gradients without the first 3 inputs, whose output begins in the middle of a word: of
 * the longest row that is made in words, with steps, too, and of one element more, which is made
 * element by element. */
START_TEST(the_longest_gradient_ends_right)
{
    enum { ZEROS = 3, SKEW = 5 };
    static const struct {
        uint32_t size, step, checked;
    } rows[] = {
        {UINT32_MAX - 1024, 1, GRADIENT_END - 32},
        {UINT32_MAX - 1024, 2, GRADIENT_END - 32},
        {UINT32_MAX - 1023, 1, END / 16 - 1},
    };
    const bool is_down = _i % 2 > 0;
    const uint32_t size = rows[_i / 2].size, step = rows[_i / 2].step,
                   checked = rows[_i / 2].checked;
    const uint32_t inputs = (size - ZEROS - 1) / step + 1;
    const struct slice_case c = CASE("longest gradient", UINT8, AS(SLICE_GRAD), IN(inputs),
                                     FROM(ZEROS), WINDOW((inputs - 1) * step + 1),
                                     BY(is_down ? -(int32_t)step : (int32_t)step), OUT(size));
    struct ends e;
    ends_run(&e, &c, "gradient_gpu", SKEW);
    for (uint32_t i = 0; i < 2 * checked; ++i) {
        uint32_t at = i < checked ? i : size - 1 - (i - checked);
        uint32_t k = (at - ZEROS) / step, source = is_down ? inputs - 1 - k : k;
        bool has_input = at >= ZEROS && (at - ZEROS) % step == 0;
        ck_assert_uint_eq(e.out.tensor[at], has_input ? (unsigned char)value_at(source) : 0);
    }
    ends_close(&e);
}
END_TEST

/* Inputs so far apart that indices come near what 32 bits count, or pass it. */
static const struct slice_case far_gradients[] = {
    CASE("u8 by 1", UINT8, AS(SLICE_GRAD), IN(2), IN_STRIDES(1 << 30), FROM(14), WINDOW(2), BY(1),
         OUT(9000)),
    CASE("u32 by 1", UINT32, AS(SLICE_GRAD), IN(2), IN_STRIDES(1 << 30), FROM(3), WINDOW(2), BY(1),
         OUT(9000)),
    CASE("u8 at the limit", UINT8, AS(SLICE_GRAD), IN(2), IN_STRIDES(INT32_MAX - 1025), FROM(3),
         WINDOW(2), BY(-1), OUT(9000)),
    CASE("u8 behind the limit", UINT8, AS(SLICE_GRAD), IN(2), IN_STRIDES(INT32_MAX - 1024), FROM(3),
         WINDOW(2), BY(-1), OUT(9000)),
    CASE("u8 by 3", UINT8, AS(SLICE_GRAD), IN(7), IN_STRIDES(1 << 28), FROM(0), WINDOW(19), BY(3),
         OUT(9000)),
    CASE("u8 by -3", UINT8, AS(SLICE_GRAD), IN(900), IN_STRIDES(2147000), FROM(0), WINDOW(2698),
         BY(-3), OUT(9000)),
    CASE("u16 by 3", UINT16, AS(SLICE_GRAD), IN(900), IN_STRIDES(2147000), FROM(0), WINDOW(2698),
         BY(3), OUT(9000)),
    CASE("u8 by 8", UINT8, AS(SLICE_GRAD), IN(900), IN_STRIDES(2147000), FROM(0), WINDOW(7193),
         BY(8), OUT(9000)),
    CASE("u32 by 2", UINT32, AS(SLICE_GRAD), IN(900), IN_STRIDES(2147000), FROM(0), WINDOW(1799),
         BY(2), OUT(9000)),
    CASE("u8, short rows", UINT8, AS(SLICE_GRAD), IN(300, 5), IN_STRIDES(7000000, 1000003),
         FROM(1, 2), WINDOW(599, 9), BY(-2, 2), OUT(600, 15)),
    CASE("u8, short rows further apart", UINT8, AS(SLICE_GRAD), IN(300, 5),
         IN_STRIDES(7200000, 1000003), FROM(1, 2), WINDOW(599, 9), BY(2, -2), OUT(600, 15)),
    CASE("u16, rows of few inputs", UINT16, AS(SLICE_GRAD), IN(300, 2), IN_STRIDES(7200000, 3),
         FROM(1, 20), WINDOW(300, 2), BY(1, -1), OUT(301, 90)),
};

START_TEST(a_gradient_reads_inputs_far_apart)
{
    const struct slice_case *c = &far_gradients[_i / 2];
    const uint32_t bytes = case_type_bytes(c->data_type);
    const uint32_t rows = c->in_sizes[0], row = c->rank > 1 ? c->in_sizes[1] : 1;
    uint64_t in_bytes, out_bytes;
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes));
    struct rig rig;
    rig_open(&rig, NULL);
    clslice_compiled_operator *compiled =
        rig_compile(&rig, c, _i % 2 ? "gradient_cpu" : "gradient_gpu");
    ck_assert_ptr_nonnull(compiled);
    struct sparse in = sparse_map(in_bytes, 0), out = sparse_map(out_bytes, 0);
    clslice_binding from = rig_bind_host(in.tensor, 0, in_bytes);
    clslice_binding to = rig_bind_host(out.tensor, 0, out_bytes);
    unsigned char *expected = calloc(1, (size_t)out_bytes);
    for (uint64_t k = 0; k < (uint64_t)rows * row; ++k) {
        uint64_t at = k / row * c->in_strides[0] + k % row * c->in_strides[1];
        case_store(in.tensor + at * bytes, value_at(k), bytes);
    }
    reference_slice(c, in.tensor, expected, NULL);
    rig_run(&rig, compiled, &from, &to);
    for (uint64_t i = 0; i < out_bytes; ++i)
        ck_assert_msg(out.tensor[i] == expected[i], "%s: output byte %" PRIu64, c->name, i);
    free(expected);
    clslice_compiled_operator_release(compiled);
    arena_unmap(&in.arena);
    arena_unmap(&out.arena);
    rig_close(&rig);
}
END_TEST

/* ---- Items of a batch ---- */

/* Around what 31 bits count, and near what 32 do. Of host tables, kernels for many threads take the
 * origins by value; of device tables, they find them. */
START_TEST(items_begin_anywhere)
{
    enum { COLUMN = 77, ROW = 300, ROW_APART = 1 << 20, ITEMS = 5, OUT = UINT32_MAX - 1 };
    static const char *const variants[] = {"rows_gpu", "strided_gpu", "rows_cpu"};
    const char *variant = variants[_i / 2];
    const bool has_device_tables = _i % 2;
    const struct slice_case c =
        CASE("items", UINT8, IN(4095, ROW_APART), FROM(0, COLUMN), CROP(1, ROW));
    uint32_t rows[ITEMS] = {2048, 4094, 0, 2047, 1};
    uint32_t places[ITEMS] = {OUT - ROW, INT32_MAX - 200, INT32_MAX + 200u, 0, 301};
    const uint64_t in_bytes = UINT64_C(4095) * ROW_APART;
    struct rig rig;
    rig_open(&rig, NULL);
    clslice_compiled_operator *compiled = batch_compile(&rig, &c, variant);
    struct sparse in = sparse_map(in_bytes, 0), out = sparse_map(OUT, 0);
    clslice_binding from = rig_bind_host(in.tensor, 0, in_bytes);
    clslice_binding to = rig_bind_host(out.tensor, 0, OUT);
    from.kind = to.kind = CLSLICE_BINDING_SVM;
    clslice_batch batch = batch_of(rows, ITEMS);
    batch.output = rig_bind_host(places, 0, sizeof places);
    batch.output_index_bytes = 4;
    batch.output_pitch = 1;
    if (has_device_tables)
        batch.window.kind = batch.output.kind = CLSLICE_BINDING_SVM;
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    clslice_error error = {.size = sizeof error};
    cl_event event = NULL;
    desc.batch = &batch;
    for (uint64_t i = 0; i < ITEMS * ROW; ++i) {
        uint64_t at = rows[i / ROW] * (uint64_t)ROW_APART + COLUMN + i % ROW;
        in.tensor[at] = (unsigned char)value_at(at);
    }
    ASSERT_OK(clslice_dispatch(compiled, &desc, &event, &error), &error);
    ASSERT_OK(clslice_event_wait(rig.device, event, &error), &error);
    for (uint64_t i = 0; i < ITEMS * ROW; ++i) {
        uint64_t at = rows[i / ROW] * (uint64_t)ROW_APART + COLUMN + i % ROW;
        ck_assert_uint_eq(out.tensor[places[i / ROW] + i % ROW], (unsigned char)value_at(at));
    }
    for (size_t i = 0; i < ITEMS; ++i) {
        const uint32_t before = places[i] - 1, behind = places[i] + ROW;
        ck_assert(places[i] == 0 || out.tensor[before] == 0);
        ck_assert(behind >= OUT || out.tensor[behind] == 0);
    }
    clslice_event_release(rig.device, event);
    clslice_compiled_operator_release(compiled);
    arena_unmap(&in.arena);
    arena_unmap(&out.arena);
    rig_close(&rig);
}
END_TEST

/* ---- Several launches ---- */

/* Host memory that no buffer may hold in one piece takes several launches. */
START_TEST(large_host_memory_takes_several_launches)
{
    const cl_ulong limit = UINT64_C(1) << 30;
    struct rig rig;
    open_modest(&rig, limit);
    ck_assert_uint_eq(rig.info.max_alloc_bytes, limit);
    ck_assert_uint_ge(rig_plan(&rig, &bigs[0].c).host_launches, 4);
    rig_close(&rig);
}
END_TEST

static int launches, fails_at, gated;
static cl_event gate;

static cl_int CL_API_CALL launch_counted(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                         const size_t *offset, const size_t *global,
                                         const size_t *local, cl_uint wait_count,
                                         const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueNDRangeKernel, real);
    for (cl_uint i = 0; i < wait_count; ++i)
        gated += waits[i] == gate;
    if (++launches == fails_at)
        return CL_INVALID_WORK_GROUP_SIZE;
    return real(queue, kernel, rank, offset, global, local, wait_count, waits, event);
}

static void *counted_proc(void *user, const char *name)
{
    return strcmp(name, "clEnqueueNDRangeKernel") == 0 ? RIG_ADDRESS(launch_counted)
                                                       : rig_proc(user, name);
}

/* All launches wait for what the dispatch waits for, and its event for all of them. */
static void run_out_of_order(const struct rig *rig, clslice_compiled_operator *compiled,
                             const clslice_binding *from, const clslice_binding *to)
{
    clslice_error error = {.size = sizeof error};
    clslice_dispatch_desc desc = rig_dispatch_desc(from, to);
    const unsigned char *out = to->handle;
    cl_command_queue queue = rig_queue(rig, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int code;
    cl_event event = NULL;
    gate = rig->cl.clCreateUserEvent(rig->objects.context, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    gated = 0;
    desc.queue = queue;
    desc.wait_count = 1;
    desc.wait_events = &gate;
    memset(to->handle, 0, to->size);
    ASSERT_OK(clslice_dispatch(compiled, &desc, &event, &error), &error);
    ck_assert_int_eq(gated, 2);
    ck_assert_int_eq(clslice_event_get_status(rig->device, event, &error), CLSLICE_S_FALSE);
    ck_assert(out[0] == 0 && out[to->size - 1] == 0);
    ck_assert_int_eq(rig->cl.clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ASSERT_OK(clslice_event_wait(rig->device, event, &error), &error);
    clslice_event_release(rig->device, event);
    rig->cl.clReleaseEvent(gate);
    gate = NULL;
    rig->cl.clReleaseCommandQueue(queue);
}

static void fail_at_second(const struct rig *rig, clslice_compiled_operator *compiled,
                           const clslice_binding *from, const clslice_binding *to)
{
    clslice_error error = {.size = sizeof error};
    clslice_dispatch_desc desc = rig_dispatch_desc(from, to);
    cl_event event = NULL;
    launches = 0;
    fails_at = 2;
    rig_check_error(&error, clslice_dispatch(compiled, &desc, &event, &error), CLSLICE_E_FAIL,
                    CLSLICE_RULE_OPENCL, "clEnqueueNDRangeKernel");
    fails_at = 0;
    ck_assert_ptr_null(event);
    ASSERT_OK(clslice_device_finish(rig->device, &error), &error);
}

/* And so do kernels for many threads, where 32-bit indices reach a part, and each launch writes 16
 * MiB. */
START_TEST(rows_far_apart_take_several_launches)
{
    enum { ROW = (16 << 20) / 8 };
    static const char *const variants[] = {"rows_gpu", "strided_gpu", "strided_cpu"};
    const bool is_short = _i % 2, is_cut = _i < 4 && !is_short;
    const uint32_t row = ROW - is_short;
    const struct slice_case c =
        CASE("far rows", UINT64, WHOLE(2, row), IN_STRIDES(INT32_MAX, 1), BY(-1, 1), OUT(2, row));
    clslice_device_options options = {.size = sizeof options, .get_proc = counted_proc};
    const uint64_t in_bytes = 8 * (INT32_MAX + (uint64_t)row), out_bytes = 16 * (uint64_t)row;
    struct rig rig;
    rig_open(&rig, &options);
    clslice_compiled_operator *compiled = rig_compile(&rig, &c, variants[_i / 2]);
    struct sparse in = sparse_map(in_bytes, 0), out = sparse_map(out_bytes, 0);
    clslice_binding from = rig_bind_host(in.tensor, 0, in_bytes);
    clslice_binding to = rig_bind_host(out.tensor, 0, out_bytes);
    from.kind = to.kind = CLSLICE_BINDING_SVM;
    put_values(&c, in.tensor);
    launches = 0;
    rig_run(&rig, compiled, &from, &to);
    ck_assert_int_eq(launches, is_cut ? 2 : 1);
    check_values(&c, out.tensor, variants[_i / 2]);
    if (is_cut) {
        run_out_of_order(&rig, compiled, &from, &to);
        check_values(&c, out.tensor, variants[_i / 2]);
        fail_at_second(&rig, compiled, &from, &to);
    }
    clslice_compiled_operator_release(compiled);
    arena_unmap(&in.arena);
    arena_unmap(&out.arena);
    rig_close(&rig);
}
END_TEST

#if !defined(__SANITIZE_THREAD__) /* whose shadow of the memory that is read takes 16 GiB */

/* Staged in tiles of 64 MiB: only what a tile spans is read. */
START_TEST(large_host_memory_is_staged_in_tiles)
{
    static const struct slice_case c = CASE("staged", FLOAT32, IN(1100, 1048576), FROM(0, 1000),
                                            WINDOW(1100, 30), BY(-1, -1), OUT(1100, 30));
    struct rig rig;
    open_modest(&rig, 0);
    run_big(&rig, &c, NULL, 1); /* an odd address: staged also where memory is used in place */
    rig_close(&rig);
}
END_TEST

#endif

int main(void)
{
    Suite *suite = suite_create("big");
    TCase *big = suite_case(suite, "big");
    TCase *shared = needs_case(suite, "svm", lack_shared_memory);
    tcase_add_loop_test(big, more_than_32_bits_are_sliced_in_place, 0, COUNT_OF(bigs));
    tcase_add_loop_test(shared, the_longest_row_ends_right, 0, 2);
    tcase_add_loop_test(shared, the_longest_gradient_ends_right, 0, 6);
    tcase_add_loop_test(big, a_gradient_reads_inputs_far_apart, 0, 2 * COUNT_OF(far_gradients));
    tcase_add_loop_test(shared, items_begin_anywhere, 0, 6);
    tcase_add_test(big, large_host_memory_takes_several_launches);
    tcase_add_loop_test(shared, rows_far_apart_take_several_launches, 0, 6);
#if !defined(__SANITIZE_THREAD__)
    tcase_add_test(big, large_host_memory_is_staged_in_tiles);
#endif
    return suite_run(suite);
}
