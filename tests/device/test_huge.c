/* SPDX-License-Identifier: MIT */
/*
 * Slices of buffers of 32 GiB in the device's own memory, 2^32 - 1 elements of 8 bytes. Kernels of
 * the test fill both buffers and judge every element afterwards, those that must keep what they
 * held too: only counts reach the host. `test_huge small` runs the same table on buffers of 8 MiB,
 * anywhere.
 */
#include "conformance/case_words.h"
#include "support/harness.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXIT_SKIPPED = 77,
    HUGE_SIDE = 65536,
    SMALL_SIDE = 1024,
    CASES_MAX = 16,
    RANK_MAX = 3,
    SKEWS = 2,            /* tensors begin at element 0 of their buffers, and at element 1 */
    MARGIN = 64,          /* elements behind the output that are judged, too */
    WORK_ITEMS = 1 << 19, /* more than a GPU holds at once */
};

/* The output holds this before: no input has elements of such an index. */
static const cl_ulong pattern = UINT64_C(1) << 63;

/* ---- The cases ---- */

struct huge {
    struct slice_case c;
    uint32_t index_bits; /* of a launch over everything, where the side is HUGE_SIDE */
};

/* A case says what it does not take whole: windows end with the input, strides are 1, and the
 * output has as many elements as there are. */
static void complete(struct slice_case *c)
{
    for (uint32_t i = 0; i < c->rank; ++i) {
        if (c->window_sizes[i] == 0)
            c->window_sizes[i] = c->in_sizes[i] - c->window_offsets[i];
        if (c->window_strides[i] == 0)
            c->window_strides[i] = 1;
        uint32_t step = (uint32_t)abs(c->window_strides[i]);
        c->out_sizes[i] = (c->window_sizes[i] - 1) / step + 1;
    }
}

/* Returns how many. (side - 1) x (side + 1) are all elements of a tensor of side^2 - 1. */
static int make_cases(uint32_t side, struct huge cases[CASES_MAX])
{
    const uint32_t all = (uint32_t)((uint64_t)side * side - 1), rows = side - 1, row = side + 1;
    const struct huge table[] = {
        {CASE("u64 all but one", UINT64, IN(all), FROM(1)), 64},
        {CASE("u64 reversed", UINT64, IN(all), BY(-1)), 64},
        {CASE("u64 every third", UINT64, IN(all), BY(3)), 64},
        {CASE("u64 three", UINT64, IN(all), BY(-(int32_t)(all / 2))), 64},
        /* 32-bit indices count from the first element, wherever that is */
        {CASE("u64 the last ones", UINT64, IN(all), FROM(all - 37)), 32},
        {CASE("u8 reversed", UINT8, IN(all), BY(-1)), 64},
        {CASE("u8 crop", UINT8, IN(rows, row), FROM(3, 5), WINDOW(rows - 4, row - 12)), 64},
        {CASE("u64 crop, transposed", UINT64, IN(rows, row), FROM(2, 3), OUT_STRIDES(1, rows - 2)),
         64},
        {CASE("f32 channels reversed", FLOAT32, IN(all / 3, 3), BY(1, -1)), 64},
        {CASE("u64 one row for all", UINT64, IN(rows, row), IN_STRIDES(0, 1)), 64},
        {CASE("u64 with gaps", UINT64, IN(rows, 2, side / 2 - 1), BY(-1, -1, 1),
              OUT_STRIDES(row, side / 2, 1)),
         64},
        {CASE("u8 beside gaps", UINT8, IN(rows, row), BY(1, -2), OUT_STRIDES(row, 2)), 64},
    };
    _Static_assert(COUNT_OF(table) <= CASES_MAX, "CASES_MAX is too small");
    memcpy(cases, table, sizeof table);
    for (size_t i = 0; i < COUNT_OF(table); ++i)
        complete(&cases[i].c);
    return COUNT_OF(table);
}

/* ---- Where elements belong ---- */

/* The slice in plain numbers of elements, passed as bytes to the kernel that declares the same. */
struct layout {
    cl_ulong rank;
    cl_ulong in_first; /* from the buffers' starts */
    cl_ulong out_first;
    struct layout_dim {
        cl_ulong size;
        cl_ulong out_stride; /* at least what the dimensions behind it span: division by one
                                stride after the other finds an element's coordinate */
        cl_long in_step;
    } dim[RANK_MAX];
};

static void sort_by_out_stride(struct layout *layout)
{
    for (uint64_t i = 1; i < layout->rank; ++i)
        for (uint64_t j = i; j > 0; --j) {
            struct layout_dim *a = &layout->dim[j - 1], *b = &layout->dim[j], kept = *a;
            if (a->out_stride >= b->out_stride)
                break;
            *a = *b;
            *b = kept;
        }
}

static void check_nesting(const struct layout *layout)
{
    uint64_t span = 1;
    for (uint64_t i = layout->rank; i-- > 0;) {
        ck_assert_uint_ge(layout->dim[i].out_stride, span);
        span += (layout->dim[i].size - 1) * layout->dim[i].out_stride;
    }
}

static struct layout layout_from(const struct slice_case *c, uint32_t skew)
{
    struct layout layout = {.rank = c->rank, .in_first = skew, .out_first = skew};
    uint64_t in_strides[CASE_MAX_RANK], out_strides[CASE_MAX_RANK];
    ck_assert_uint_le(c->rank, RANK_MAX);
    case_in_strides(c, in_strides);
    case_out_strides(c, out_strides);
    for (uint32_t i = 0; i < c->rank; ++i) {
        int64_t step = c->window_strides[i];
        uint64_t back = step < 0 ? c->window_sizes[i] - 1 : 0;
        layout.in_first += (c->window_offsets[i] + back) * in_strides[i];
        layout.dim[i] =
            (struct layout_dim){c->out_sizes[i], out_strides[i], step * (int64_t)in_strides[i]};
    }
    sort_by_out_stride(&layout);
    check_nesting(&layout);
    return layout;
}

/* ---- Kernels ---- */

static const char source[] =
    "struct layout {\n"
    "    ulong rank, in_first, out_first;\n"
    "    struct { ulong size, out_stride; long in_step; } dim[RANK_MAX];\n"
    "};\n"

    /* splitmix64's: every bit of the result depends on every bit of the index */
    "ELEMENT value_at(ulong index)\n"
    "{\n"
    "    ulong z = (index + 1) * 0x9E3779B97F4A7C15UL;\n"
    "    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9UL;\n"
    "    z = (z ^ z >> 27) * 0x94D049BB133111EBUL;\n"
    "    return (ELEMENT)(z ^ z >> 31);\n"
    "}\n"

    "kernel void fill(global ELEMENT *to, ulong count, ulong first)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "        to[i] = value_at(first + i);\n"
    "}\n"

    "kernel void judge(global const ELEMENT *out, ulong count, ulong pattern,\n"
    "                  struct layout layout, global uint *tally)\n"
    "{\n"
    "    uint wrong = 0, changed = 0, first = UINT_MAX;\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {\n"
    "        ulong from = layout.in_first, rest = i - layout.out_first;\n"
    "        bool is_gap = false;\n"
    "        for (ulong d = 0; d < layout.rank; ++d) {\n"
    "            ulong at = rest / layout.dim[d].out_stride;\n"
    "            is_gap = is_gap || at >= layout.dim[d].size;\n"
    "            from += at * (ulong)layout.dim[d].in_step;\n"
    "            rest -= at * layout.dim[d].out_stride;\n"
    "        }\n"
    "        is_gap = is_gap || rest != 0;\n"
    "        if (out[i] == value_at(is_gap ? pattern + i : from))\n"
    "            continue;\n"
    "        wrong += !is_gap;\n"
    "        changed += is_gap;\n"
    "        first = min(first, convert_uint_sat(i));\n"
    "    }\n"
    "    if (wrong || changed) {\n"
    "        atomic_add(&tally[0], wrong);\n"
    "        atomic_add(&tally[1], changed);\n"
    "        atomic_min(&tally[2], first);\n"
    "    }\n"
    "}\n";

/* What a look at the whole output found, in elements. */
struct tally {
    cl_uint wrong;   /* of those that the slice writes */
    cl_uint changed; /* of the others */
    cl_uint first;   /* of both, from the buffer's start; at most UINT32_MAX */
};

static struct rig rig;
static cl_mem in, out, tally_mem;
static uint32_t side;
static struct huge cases[CASES_MAX];

static cl_program build(uint32_t bytes)
{
    char options[64];
    cl_int code;
    const char *text = source;
    cl_program program =
        rig.cl.clCreateProgramWithSource(rig.objects.context, 1, &text, NULL, &code);
    ck_assert_ptr_nonnull(program);
    snprintf(options, sizeof options, "-DRANK_MAX=%d -DELEMENT=%s", RANK_MAX,
             bytes == 1   ? "uchar"
             : bytes == 4 ? "uint"
                          : "ulong");
    code = rig.cl.clBuildProgram(program, 1, &rig.objects.device_id, options, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    return program;
}

struct argument {
    const void *value;
    size_t size;
};

/* Runs the program's kernel to its end. */
static void launch(cl_program program, const char *name, const struct argument *arguments,
                   cl_uint count)
{
    const size_t items = WORK_ITEMS;
    cl_int code;
    cl_kernel kernel = rig.cl.clCreateKernel(program, name, &code);
    ck_assert_ptr_nonnull(kernel);
    for (cl_uint i = 0; i < count; ++i)
        ck_assert_int_eq(rig.cl.clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value),
                         CL_SUCCESS);
    code = rig.cl.clEnqueueNDRangeKernel(rig.objects.queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                         NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(rig.cl.clFinish(rig.objects.queue), CL_SUCCESS);
    ck_assert_int_eq(rig.cl.clReleaseKernel(kernel), CL_SUCCESS);
}

/* Element i of the buffer becomes what stands for the index first + i. */
static void fill(cl_program program, cl_mem mem, cl_ulong count, cl_ulong first)
{
    const struct argument arguments[] = {
        {&mem, sizeof(cl_mem)}, {&count, sizeof count}, {&first, sizeof first}};
    launch(program, "fill", arguments, COUNT_OF(arguments));
}

static struct tally judge(cl_program program, cl_ulong count, const struct layout *layout)
{
    struct tally tally = {.first = UINT32_MAX};
    const struct argument arguments[] = {{&out, sizeof(cl_mem)},
                                         {&count, sizeof count},
                                         {&pattern, sizeof pattern},
                                         {layout, sizeof *layout},
                                         {&tally_mem, sizeof(cl_mem)}};
    cl_int code = rig.cl.clEnqueueWriteBuffer(rig.objects.queue, tally_mem, CL_TRUE, 0,
                                              sizeof tally, &tally, 0, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    launch(program, "judge", arguments, COUNT_OF(arguments));
    rig_read(&rig, tally_mem, sizeof tally, &tally);
    return tally;
}

/* ---- One case ---- */

/* Elements of a buffer that holds the tensor, and what is judged around it. */
static cl_ulong count_around(uint64_t tensor_bytes, uint32_t bytes, uint32_t skew)
{
    return skew + tensor_bytes / bytes + MARGIN;
}

static void flip_a_bit(uint64_t at)
{
    unsigned char byte;
    cl_int code = rig.cl.clEnqueueReadBuffer(rig.objects.queue, out, CL_TRUE, (size_t)at, 1, &byte,
                                             0, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    byte ^= 1;
    code = rig.cl.clEnqueueWriteBuffer(rig.objects.queue, out, CL_TRUE, (size_t)at, 1, &byte, 0,
                                       NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void expect(const struct slice_case *c, const char *when, struct tally found, uint32_t wrong,
                   uint32_t changed)
{
    ck_assert_msg(found.wrong == wrong && found.changed == changed,
                  "%s, %s: %u elements are wrong and %u beside them changed instead of %u and %u, "
                  "the first is %u",
                  c->name, when, found.wrong, found.changed, wrong, changed, found.first);
}

static void slice(const struct slice_case *c, uint64_t skew_bytes, uint64_t in_bytes,
                  uint64_t out_bytes)
{
    clslice_compiled_operator *compiled = rig_compile(&rig, c, NULL);
    clslice_binding from = rig_bind_mem(in, skew_bytes, in_bytes);
    clslice_binding to = rig_bind_mem(out, skew_bytes, out_bytes);
    rig_run(&rig, compiled, &from, &to);
    clslice_compiled_operator_release(compiled);
}

/* A judge is trusted who finds fault with the output before the slice, and with one bit after
 * it. */
static void run_case(const struct slice_case *c, cl_program program, uint32_t skew)
{
    const uint32_t bytes = case_type_bytes(c->data_type);
    const struct layout layout = layout_from(c, skew);
    uint64_t in_bytes, out_bytes, elements;
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes) &&
              case_out_elements(c, &elements));
    const cl_ulong count = count_around(out_bytes, bytes, skew);
    const uint64_t skew_bytes = (uint64_t)skew * bytes, behind = skew_bytes + out_bytes;
    fill(program, in, count_around(in_bytes, bytes, skew), 0);
    fill(program, out, count, pattern);

    struct tally before = judge(program, count, &layout);
    /* some bytes of 256 values are equal by chance, and about one of 2^32 words of 4 bytes */
    uint64_t by_chance = bytes == 1 ? elements / 128 : bytes == 4 ? 32 : 0;
    ck_assert_uint_ge(before.wrong, elements - by_chance);
    expect(c, "before", before, before.wrong, 0);

    slice(c, skew_bytes, in_bytes, out_bytes);
    expect(c, "sliced", judge(program, count, &layout), 0, 0);

    flip_a_bit(behind - bytes);
    expect(c, "a bit of the last element flipped", judge(program, count, &layout), 1, 0);
    flip_a_bit(behind);
    expect(c, "another one behind it", judge(program, count, &layout), 1, 1);
}

START_TEST(every_element_is_right)
{
    const struct slice_case *c = &cases[_i].c;
    cl_program program = build(case_type_bytes(c->data_type));
    for (uint32_t skew = 0; skew < SKEWS; ++skew)
        run_case(c, program, skew);
    ck_assert_int_eq(rig.cl.clReleaseProgram(program), CL_SUCCESS);
}
END_TEST

/* What the table says of the large tensors holds, whatever this device has room for. */
START_TEST(indices_have_the_bits_that_they_need)
{
    struct huge huge[CASES_MAX];
    make_cases(HUGE_SIDE, huge);
    clslice_plan_info plan = rig_plan(&rig, &huge[_i].c);
    bool is_wide = strcmp(plan.variant, "rows_cpu") == 0; /* which has no program of 32 bits */
    ck_assert_msg(plan.launches > 1 ? plan.index_bits == 32 && huge[_i].index_bits == 64
                                    : plan.index_bits == (is_wide ? 64 : huge[_i].index_bits),
                  "%s: %u-bit indices, %u launches", huge[_i].c.name, plan.index_bits,
                  plan.launches);
}
END_TEST

/* ---- The device ---- */

static size_t buffer_bytes(void)
{
    return (size_t)count_around(((uint64_t)side * side - 1) * 8, 8, SKEWS - 1) * 8;
}

static void open_device(void)
{
    rig_open(&rig, NULL);
    in = rig_buffer(&rig, buffer_bytes(), NULL);
    out = rig_buffer(&rig, buffer_bytes(), NULL);
    tally_mem = rig_buffer(&rig, sizeof(struct tally), NULL);
}

static void close_device(void)
{
    ck_assert_int_eq(rig.cl.clReleaseMemObject(in), CL_SUCCESS);
    ck_assert_int_eq(rig.cl.clReleaseMemObject(out), CL_SUCCESS);
    ck_assert_int_eq(rig.cl.clReleaseMemObject(tally_mem), CL_SUCCESS);
    rig_close(&rig);
}

/* True also where there is no device: the tests then say why. */
static bool device_holds(uint64_t bytes)
{
    clslice_device_info info = {.size = sizeof info};
    clslice_device *device = NULL;
    int32_t status = clslice_device_create(NULL, &device, NULL);
    if (status == CLSLICE_S_OK)
        status = clslice_device_get_info(device, &info, NULL);
    clslice_device_release(device);
    if (status != CLSLICE_S_OK || (info.max_alloc_bytes >= bytes && info.global_bytes / 2 >= bytes))
        return true;
    printf("skipped: needs two buffers of %" PRIu64
           " bytes: CL_DEVICE_MAX_MEM_ALLOC_SIZE is %" PRIu64
           ", CL_DEVICE_GLOBAL_MEM_SIZE is %" PRIu64 "\n",
           bytes, info.max_alloc_bytes, info.global_bytes);
    return false;
}

int main(int argc, char **argv)
{
    side = argc == 2 && strcmp(argv[1], "small") == 0 ? SMALL_SIDE : HUGE_SIDE;
    int case_count = make_cases(side, cases);
    if (!device_holds(buffer_bytes()))
        return EXIT_SKIPPED;
    Suite *suite = suite_create("huge");
    TCase *huge = suite_case(suite, "huge");
    tcase_add_unchecked_fixture(huge, open_device, close_device);
    tcase_add_loop_test(huge, indices_have_the_bits_that_they_need, 0, case_count);
    tcase_add_loop_test(huge, every_element_is_right, 0, case_count);
    /* The buffers serve all tests, and OpenCL does not survive a fork. */
    return suite_run_as(suite, CK_NOFORK, CK_ENV);
}
