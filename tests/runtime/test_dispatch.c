/* SPDX-License-Identifier: MIT */
/* What a dispatch of buffers asks, sets, allocates and locks. Linked with --wrap over clslice's
 * objects. */
#include "conformance/case_desc.h"
#include "conformance/case_words.h"
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Counting what libc is asked for ---- */

static atomic_uint allocations, locks, pids;
static pthread_mutex_t *fakes_own; /* the fake machine's, which every OpenCL call takes */
static bool is_learning;

#define WRAP(result, name, parameters, arguments) \
    result __real_##name parameters;              \
    result __wrap_##name parameters;              \
    result __wrap_##name parameters               \
    {                                             \
        ++allocations;                            \
        return __real_##name arguments;           \
    }

WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, (void *old, size_t size), (old, size))
WRAP(char *, strdup, (const char *text), (text))

#define WRAP_LOCK(name)                        \
    int __real_##name(pthread_mutex_t *mutex); \
    int __wrap_##name(pthread_mutex_t *mutex); \
    int __wrap_##name(pthread_mutex_t *mutex)  \
    {                                          \
        if (is_learning)                       \
            fakes_own = mutex;                 \
        else if (mutex != fakes_own)           \
            ++locks;                           \
        return __real_##name(mutex);           \
    }

WRAP_LOCK(pthread_mutex_lock)
WRAP_LOCK(pthread_mutex_trylock)

pid_t __real_getpid(void);
pid_t __wrap_getpid(void);
pid_t __wrap_getpid(void)
{
    ++pids;
    return __real_getpid();
}

enum {
    ADVICE_WHOLE,
    ADVICE_OLD_KERNEL,
    ADVICE_EMULATED,
    ADVICE_COUNT,
    ADVICE_TAKEN /* as by a recent kernel, also under an emulator */
};
static int advice;

int __real_madvise(void *start, size_t length, int what);
int __wrap_madvise(void *start, size_t length, int what);
int __wrap_madvise(void *start, size_t length, int what)
{
    return advice == ADVICE_WHOLE        ? __real_madvise(start, length, what)
           : advice == ADVICE_OLD_KERNEL ? -1
           : advice == ADVICE_TAKEN      ? (what == MADV_WIPEONFORK ? 0 : -1)
                                         : 0;
}

static void learn_fakes_lock(void)
{
    is_learning = true;
    fake_lock();
    is_learning = false;
    fake_unlock();
}

/* ---- Worlds of buffers ---- */

enum {
    QUERIES = 5,                                /* that tell all of a buffer */
    QUEUE_QUERIES = 2,                          /* that tell whether a host's queue is right */
    CALLS = 2 * QUERIES + 2 /* arguments */ + 1 /* launch */
};

static const struct step plain = {"cl_mem", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, 0};
static const struct step with_queue = {"cl_mem, host's queue", ACT_DISPATCH, SHAPE_STRIDED,
                                       MEMORY_CL, STEP_QUEUE};

static void act_ok(struct world *world)
{
    world_do(world);
    if (world->event)
        clslice_event_release(world->device, world->event);
    world->event = NULL;
}

/* ---- A dispatch that was seen before ---- */

static const struct step seen[] = {
    {"device's queue", ACT_DISPATCH, SHAPE_ROWS, MEMORY_CL, 0},
    {"event", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, STEP_GPU | STEP_EVENT},
    {"host's queue", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, STEP_QUEUE | STEP_EVENT},
    {"out of order", ACT_DISPATCH, SHAPE_GAPS, MEMORY_CL,
     STEP_QUEUE | STEP_OUT_OF_ORDER | STEP_WAITS | STEP_EVENT},
    {"program cache", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, STEP_QUEUE | STEP_CACHE},
};

START_TEST(a_repeated_dispatch_asks_sets_and_enqueues)
{
    struct world world;
    struct fake_call call;
    advice = ADVICE_TAKEN;
    world_open(&world, &seen[_i]);
    learn_fakes_lock();
    act_ok(&world);
    size_t begin = fake_calls(), asked = fake_count(FAKE_clGetMemObjectInfo);
    size_t sets = fake_count(FAKE_clSetKernelArg);
    size_t calls = CALLS + (seen[_i].traits & STEP_QUEUE ? QUEUE_QUERIES : 0);
    allocations = locks = pids = 0;
    int32_t status = world_act(&world, NULL);
    unsigned allocated = allocations, locked = locks, pids_asked = pids; /* before libcheck does */
    ck_assert_int_eq(status, CLSLICE_S_OK);
    ck_assert_uint_eq(pids_asked, 0);
    ck_assert_uint_eq(allocated, 0);
    ck_assert_uint_eq(locked, 0);
    ck_assert_uint_eq(fake_calls(), begin + calls);
    ck_assert_uint_eq(fake_count(FAKE_clGetMemObjectInfo), asked + 2 * QUERIES);
    ck_assert_uint_eq(fake_count(FAKE_clSetKernelArg), sets + 2);
    ck_assert(fake_call_at(begin + calls - 1, &call) &&
              call.function == FAKE_clEnqueueNDRangeKernel);
    world_end(&world);
}
END_TEST

START_TEST(buffers_in_turn_cost_the_same)
{
    struct world worlds[2];
    world_open(&worlds[0], &with_queue);
    world_share(&worlds[1], &worlds[0], worlds[0].queue);
    for (int i = 0; i < 2; ++i)
        act_ok(&worlds[i]);
    for (int i = 0; i < 6; ++i) {
        size_t begin = fake_calls();
        act_ok(&worlds[i % 2]);
        ck_assert_uint_eq(fake_calls(), begin + CALLS + QUEUE_QUERIES);
    }
    for (int i = 0; i < 2; ++i)
        world_check_done(&worlds[i]);
    world_unshare(&worlds[1]);
    world_close(&worlds[0]);
}
END_TEST

/* Only there, and at the next dispatch if it could not be made. */
START_TEST(a_kernel_is_made_where_a_buffer_follows_an_address)
{
    static const struct step by_address = {"SVM", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_SVM,
                                           STEP_GPU};
    static const struct step by_buffer = {"cl_mem", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL,
                                          STEP_GPU};
    struct world worlds[2]; /* of addresses, and of buffers */
    static const struct {
        int world;
        size_t kernels; /* made */
    } turns[] = {{0, 0}, {0, 0}, {1, 1}, {1, 0}, {0, 0}, {1, 1}};
    world_open(&worlds[0], &by_address);
    worlds[0].step = &by_buffer; /* by which the other world's memory is made */
    world_share(&worlds[1], &worlds[0], NULL);
    worlds[0].step = &by_address;
    act_ok(&worlds[0]);
    fake_fail(FAKE_clCreateKernel, 1, CL_OUT_OF_HOST_MEMORY);
    ck_assert_int_eq(world_act(&worlds[1], NULL), CLSLICE_E_OUTOFMEMORY);
    ck_assert_int_eq(fake_fault_over(), FAKE_clCreateKernel);
    world_check_untouched(&worlds[1]);
    act_ok(&worlds[1]);
    world_check_done(&worlds[1]);
    for (size_t i = 0; i < COUNT_OF(turns); ++i) {
        size_t made = fake_count(FAKE_clCreateKernel);
        memset(worlds[0].out_bytes, 0, worlds[0].out_size);
        memset(fake_bytes(worlds[1].out), 0, worlds[1].out_size);
        act_ok(&worlds[turns[i].world]);
        world_check_done(&worlds[turns[i].world]);
        ck_assert_uint_eq(fake_count(FAKE_clCreateKernel), made + turns[i].kernels);
    }
    world_unshare(&worlds[1]);
    world_close(&worlds[0]);
}
END_TEST

/* A pointer is asked for only where there is one. */
START_TEST(a_buffer_over_host_memory_is_asked_where_it_lies)
{
    _Alignas(64) static unsigned char memory[4096];
    struct world world;
    struct fake_call call;
    cl_int code;
    world_open(&world, &plain);
    ck_assert_uint_le(world.out_size, sizeof memory);
    fake_clReleaseMemObject(world.out);
    world.out = fake_clCreateBuffer(world_context(&world), CL_MEM_USE_HOST_PTR, world.out_size,
                                    memory, &code);
    size_t begin = fake_calls(), pointers = 0;
    act_ok(&world);
    for (size_t i = begin; fake_call_at(i, &call); ++i)
        pointers += call.function == FAKE_clGetMemObjectInfo && call.what == CL_MEM_HOST_PTR;
    ck_assert_uint_eq(pointers, 1);
    world_close(&world);
}
END_TEST

/* One kernel serves queues in turn, and each is asked whether it is right. */
START_TEST(queues_in_turn_cost_the_same)
{
    struct world worlds[2];
    cl_int code;
    world_open(&worlds[0], &with_queue);
    cl_command_queue queue =
        fake_clCreateCommandQueue(world_context(&worlds[0]), fake_device_id(0), 0, &code);
    world_share(&worlds[1], &worlds[0], queue);
    for (int i = 0; i < 2; ++i)
        act_ok(&worlds[i]);
    size_t asked = fake_count(FAKE_clGetCommandQueueInfo), begin = fake_calls();
    for (int i = 0; i < 6; ++i)
        act_ok(&worlds[i % 2]);
    ck_assert_uint_eq(fake_count(FAKE_clGetCommandQueueInfo), asked + 6 * QUEUE_QUERIES);
    ck_assert_uint_eq(fake_calls(), begin + 6 * (CALLS + QUEUE_QUERIES));
    for (int i = 0; i < 2; ++i)
        world_check_done(&worlds[i]);
    world_unshare(&worlds[1]);
    fake_clReleaseCommandQueue(queue);
    world_close(&worlds[0]);
}
END_TEST

/* Whatever the kernel makes of the page that is to be wiped. */
START_TEST(a_child_of_fork_is_told)
{
    struct world world;
    advice = _i;
    world_open(&world, &plain);
    act_ok(&world);
    size_t begin = fake_calls();
    pid_t child = fork();
    if (child == 0)
        _exit(world_act(&world, NULL) == CLSLICE_E_UNEXPECTED && fake_calls() == begin ? 0 : 1);
    int ended;
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    act_ok(&world);
    world_close(&world);
}
END_TEST

/* Whether a child of this process is refused a device and a listing, without an OpenCL call. */
static bool child_is_refused(void)
{
    pid_t child = fork();
    if (child == 0) {
        const clslice_device_options options = fake_options(NULL);
        clslice_error error = {.size = sizeof error};
        clslice_device_info info = {.size = sizeof info};
        clslice_device *device = NULL;
        size_t begin = fake_calls();
        const int32_t made = clslice_device_create(&options, &device, &error);
        const int32_t listed = clslice_device_enumerate(&options, 0, &info, NULL);
        if (made == CLSLICE_S_OK && listed == CLSLICE_S_OK)
            _exit(0);
        _exit(made == CLSLICE_E_UNEXPECTED && listed == CLSLICE_E_UNEXPECTED &&
                      error.rule == CLSLICE_RULE_FORKED && fake_calls() == begin
                  ? 1
                  : 2);
    }
    int ended;
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert(WIFEXITED(ended) && WEXITSTATUS(ended) < 2);
    return WEXITSTATUS(ended) == 1;
}

/* PoCL would hang at the first dispatch. Nothing was used before the first of these. */
START_TEST(devices_of_a_child_of_fork_are_refused)
{
    const clslice_device_options options = fake_options(NULL);
    clslice_device_info info = {.size = sizeof info};
    struct world world;
    fake_begin();
    ck_assert(!child_is_refused());
    ck_assert_int_eq(clslice_device_enumerate(&options, 0, &info, NULL), CLSLICE_S_OK);
    ck_assert(child_is_refused());
    world_open(&world, &plain);
    act_ok(&world);
    ck_assert(child_is_refused());
    world_close(&world);
    ck_assert(child_is_refused());
}
END_TEST

/* ---- Groups ---- */

/* A slice builds the programs of its two plans. Where a kernel takes smaller groups than the
 * device, only a transpose gives way to another: that is one more for each plan, in vain. */
START_TEST(a_slice_builds_the_programs_that_it_needs)
{
    static const struct {
        enum step_shape shape;
        const char *variant[2]; /* in groups of any size, and in small ones */
        size_t builds[2];
    } slices[] = {{SHAPE_BIG, {"strided_gpu", "strided_gpu"}, {1, 1}},
                  {SHAPE_PAIRS, {"transpose_gpu", "strided_gpu"}, {2, 4}}};
    const struct step step = {"groups", ACT_DISPATCH, slices[_i / 2].shape, MEMORY_CL, 0};
    clslice_compiled_operator_info info = {.size = sizeof info};
    const clslice_device_options options = fake_options(NULL);
    struct world world;
    fake_begin();
    fake.device[0].type = CL_DEVICE_TYPE_GPU;
    fake.device[0].kernel_group_size = _i % 2 ? 48 : 0;
    size_t builds = fake_builds();
    world_open_on(&world, &step, &options);
    ck_assert_uint_eq(fake_builds() - builds, slices[_i / 2].builds[_i % 2]);
    ck_assert_int_eq(clslice_compiled_operator_get_info(world.compiled, &info, NULL), CLSLICE_S_OK);
    ck_assert_str_eq(info.variant, slices[_i / 2].variant[_i % 2]);
    ck_assert_uint_eq(info.program_count, slices[_i / 2].shape == SHAPE_PAIRS ? 2 : 1);
    act_ok(&world);
    world_end(&world);
}
END_TEST

/* ---- Few items ---- */

/* Tables in host memory are uploaded where they have more words than the device takes arguments,
 * or where unaligned tensors would be slower. The kernel for few items is one more program. */
START_TEST(few_items_go_by_value)
{
    static const struct {
        enum step_shape shape;
        unsigned traits;
        size_t parameter_bytes, programs, writes;
    } ways[] = {
        {SHAPE_STRIDED, 0, 1024, 2, 0},
        {SHAPE_STRIDED, 0, 1028, 2, 0}, /* a structure has no room for half a long */
        {SHAPE_STRIDED, STEP_MANY_ITEMS, 1024, 2, 1},
        {SHAPE_STRIDED, STEP_MANY_ITEMS, 4096, 2, 0},
        {SHAPE_STRIDED, STEP_NO_TABLES, 1024, 2, 0},
        {SHAPE_ROWS, 0, 1024, 2, 0},
        {SHAPE_PAIRS, 0, 1024, 3, 1},
    };
    const struct step step = {"few", ACT_DISPATCH, ways[_i].shape, MEMORY_CL,
                              STEP_BATCH | STEP_GPU | ways[_i].traits};
    clslice_compiled_operator_info info = {.size = sizeof info};
    const clslice_device_options options = fake_options(NULL);
    struct world world;
    fake_begin();
    fake.device[0].type = CL_DEVICE_TYPE_GPU;
    fake.device[0].parameter_bytes = ways[_i].parameter_bytes;
    size_t builds = fake_builds();
    world_open_on(&world, &step, &options);
    ck_assert_uint_eq(fake_builds() - builds, ways[_i].programs);
    ck_assert_int_eq(clslice_compiled_operator_get_info(world.compiled, &info, NULL), CLSLICE_S_OK);
    ck_assert_uint_eq(info.program_count, ways[_i].programs);
    size_t writes = fake_count(FAKE_clEnqueueWriteBuffer);
    act_ok(&world);
    ck_assert_uint_eq(fake_count(FAKE_clEnqueueWriteBuffer) - writes, ways[_i].writes);
    world_end(&world);
}
END_TEST

/* ---- Alignment ---- */

/* Rows of 64 bytes between gaps of more than 1.5 rows: rows_gpu needs words of the output alone. */
START_TEST(a_view_may_begin_anywhere)
{
    enum { ROWS = 10000, ROW = 16, PITCH = 44, BYTES = 4 * ROWS * PITCH, ROOM = 16 };
    static const struct {
        uint64_t in, out;
        bool is_aligned;
    } offsets[] = {{0, 0, true}, {4, 0, true}, {12, 16, true}, {0, 4, false}, {4, 8, false}};
    const struct slice_case c = CASE("rows", UINT32, COPY(ROWS, ROW), OUT_STRIDES(PITCH, 1));
    const clslice_device_options options = fake_options(NULL);
    const clslice_compile_options plain_options = {.size = sizeof plain_options};
    clslice_opencl_objects objects = {.size = sizeof objects};
    clslice_compiled_operator_info info = {.size = sizeof info};
    clslice_device *device = NULL;
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    struct case_desc desc;
    cl_int code;
    fake_begin();
    fake.device[0].type = CL_DEVICE_TYPE_GPU;
    case_desc_init(&desc, &c);
    ck_assert_int_eq(clslice_device_create(&options, &device, NULL), CLSLICE_S_OK);
    ck_assert_int_eq(clslice_device_get_opencl(device, &objects, NULL), CLSLICE_S_OK);
    ck_assert_int_eq(clslice_operator_create(device, &desc.op, &op, NULL), CLSLICE_S_OK);
    ck_assert_int_eq(clslice_operator_compile(op, &plain_options, &compiled, NULL), CLSLICE_S_OK);
    ck_assert_int_eq(clslice_compiled_operator_get_info(compiled, &info, NULL), CLSLICE_S_OK);
    ck_assert_uint_eq(info.input_alignment, 4);
    ck_assert_uint_eq(info.output_alignment, 16);
    ck_assert_str_ne(info.variant, info.variant_unaligned);
    cl_mem in = fake_clCreateBuffer(objects.context, 0, BYTES + ROOM, NULL, &code);
    cl_mem out = fake_clCreateBuffer(objects.context, 0, BYTES + ROOM, NULL, &code);
    for (size_t i = 0; i < COUNT_OF(offsets); ++i) {
        const clslice_binding from = {.kind = CLSLICE_BINDING_CL_MEM,
                                      .handle = in,
                                      .offset = offsets[i].in,
                                      .size = BYTES},
                              to = {.kind = CLSLICE_BINDING_CL_MEM,
                                    .handle = out,
                                    .offset = offsets[i].out,
                                    .size = BYTES};
        const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                                .inputs = &from,
                                                .outputs = &to,
                                                .input_count = 1,
                                                .output_count = 1};
        ck_assert_int_eq(clslice_dispatch(compiled, &dispatch, NULL, NULL), CLSLICE_S_OK);
        ck_assert_int_eq(clslice_device_finish(device, NULL), CLSLICE_S_OK);
        ck_assert_str_eq(fake_ran(), offsets[i].is_aligned ? info.variant : info.variant_unaligned);
    }
    fake_clReleaseMemObject(in);
    fake_clReleaseMemObject(out);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    clslice_device_release(device);
}
END_TEST

/* Mesa's rusticl calls its llvmpipe a CPU, but makes vectors of work-items, and its loops end
 * early: kernels for CPUs leave large slices unfinished there. */
START_TEST(a_cpu_whose_loops_end_early_has_kernels_for_gpus)
{
    static const struct step step = {"loops end early", ACT_DISPATCH, SHAPE_ROWS, MEMORY_CL, 0};
    const char *const ends[] = {"_cpu", "_gpu"};
    const clslice_device_options options = fake_options(NULL);
    clslice_compiled_operator_info info = {.size = sizeof info};
    struct world world;
    fake_begin();
    fake.platform[0].name = _i ? "rusticl" : "Fake Platform";
    world_open_on(&world, &step, &options);
    ck_assert_int_eq(clslice_compiled_operator_get_info(world.compiled, &info, NULL), CLSLICE_S_OK);
    ck_assert_msg(strstr(info.variant, ends[_i]) != NULL, "%s", info.variant);
    act_ok(&world);
    world_end(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dispatch");
    TCase *tcase = suite_case(suite, "buffers");
    tcase_add_test(tcase, devices_of_a_child_of_fork_are_refused); /* the first, for CK_FORK=no */
    tcase_add_loop_test(tcase, a_repeated_dispatch_asks_sets_and_enqueues, 0, COUNT_OF(seen));
    tcase_add_loop_test(tcase, a_child_of_fork_is_told, 0, ADVICE_COUNT);
    tcase_add_test(tcase, buffers_in_turn_cost_the_same);
    tcase_add_test(tcase, a_kernel_is_made_where_a_buffer_follows_an_address);
    tcase_add_test(tcase, a_buffer_over_host_memory_is_asked_where_it_lies);
    tcase_add_test(tcase, queues_in_turn_cost_the_same);
    tcase_add_loop_test(tcase, a_slice_builds_the_programs_that_it_needs, 0, 4);
    tcase_add_loop_test(tcase, few_items_go_by_value, 0, 7);
    tcase_add_test(tcase, a_view_may_begin_anywhere);
    tcase_add_loop_test(tcase, a_cpu_whose_loops_end_early_has_kernels_for_gpus, 0, 2);
    return suite_run(suite);
}
