/* SPDX-License-Identifier: MIT */
/* Many threads on one device and one operator. */
#include "conformance/case_words.h"
#include "conformance/reference.h"
#include "core/plan.h"
#include "counting_driver.h"
#include "lifetimes.h"
#include "support/needs.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 20, /* more than a compiled operator keeps kernels */
    ROUNDS = 200
};

/* ---- Cases and threads ---- */

/* Contiguous rows. */
static const struct slice_case crop =
    CASE("crop", FLOAT32, IN(40, 64), FROM(2, 4), WINDOW(ROWS, COLUMNS - 1), BY(1, 1),
         OUT(ROWS, COLUMNS - 1));
/* Another program than the flip's. */
static const struct slice_case bytes = CASE("bytes", UINT8, WHOLE(64), BY(-3), OUT(22));

struct worker {
    pthread_t thread;
    uint32_t index;
    pthread_barrier_t *start;
    clslice_compiled_operator *compiled;
    clslice_operator *op;
    const struct slice_case *c;
    cl_command_queue queues[4]; /* the device's own, two shared ones, and one of this thread */
    unsigned char *shared;      /* memory of all threads */
    char failure[1024];         /* empty: none; checked after the thread is joined */
};

#define WORKER_FAIL(worker, ...)                                           \
    do {                                                                   \
        snprintf((worker)->failure, sizeof(worker)->failure, __VA_ARGS__); \
        return NULL;                                                       \
    } while (0)

/* Runs `body` in THREADS threads that start together. */
static void run_workers(const struct worker *like, void *(*body)(void *))
{
    static struct worker workers[THREADS];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, THREADS);
    for (uint32_t i = 0; i < THREADS; ++i) {
        workers[i] = *like;
        workers[i].index = i;
        workers[i].start = &start;
        if (like->queues[1])
            workers[i].queues[3] =
                rig_queue(&rig, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    }
    for (uint32_t i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    for (uint32_t i = 0; i < THREADS; ++i)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start);
    for (uint32_t i = 0; i < THREADS; ++i) {
        ck_assert_msg(!workers[i].failure[0], "thread %u: %s", i, workers[i].failure);
        if (workers[i].queues[3])
            rig.cl.clReleaseCommandQueue(workers[i].queues[3]);
    }
}

/* ---- Devices ---- */

static void *create_device(void *user)
{
    struct worker *w = user;
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    pthread_barrier_wait(w->start);
    if (clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK)
        WORKER_FAIL(w, "%s", error.text);
    clslice_device_release(device);
    return NULL;
}

/* Nothing has called OpenCL in this process before. */
START_TEST(first_devices_may_be_made_at_once)
{
    struct worker like = {.c = NULL};
    run_workers(&like, create_device);
}
END_TEST

/* ---- One operator, many threads ---- */

/* A thread's own memory: host arrays with room to lie at any address, and buffers. */
struct own {
    unsigned char in[IN_BYTES + 64], out[OUT_BYTES + 64], expected[OUT_BYTES], found[OUT_BYTES];
    cl_mem in_mem, out_mem;
};

static const char *run_round(struct worker *w, struct own *own, uint32_t round)
{
    clslice_error error = {.size = sizeof error};
    uint32_t kinds = round + w->index, skew = kinds % 3 == 1 ? 4 : kinds % 3 == 2 ? 1 : 0;
    unsigned char *in = own->in + skew, *out = own->out + skew;
    bool in_mem = kinds / 3 % 2, out_mem = kinds / 6 % 2;
    clslice_binding from =
        in_mem ? rig_bind_mem(own->in_mem, 0, IN_BYTES) : rig_bind_host(in, 0, IN_BYTES);
    clslice_binding to =
        out_mem ? rig_bind_mem(own->out_mem, 0, OUT_BYTES) : rig_bind_host(out, 0, OUT_BYTES);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    cl_command_queue queue = w->queues[3] ? w->queues[3] : rig.objects.queue;
    cl_event event = NULL, written = NULL;
    desc.queue = w->queues[round % 4];
    memset(in, (int)(round + w->index), IN_BYTES);
    for (uint32_t i = 0; i < IN_BYTES; i += 4)
        memcpy(in + i, &(uint32_t){i * 2654435761u + round * 77 + w->index}, 4);
    memset(out, 0xEE, OUT_BYTES);
    if (in_mem) {
        rig.cl.clEnqueueWriteBuffer(queue, own->in_mem, CL_FALSE, 0, IN_BYTES, in, 0, NULL,
                                    &written);
        rig.cl.clFlush(queue);
        desc.wait_events = &written;
        desc.wait_count = 1;
    }
    if (clslice_dispatch(w->compiled, &desc, &event, &error) != CLSLICE_S_OK ||
        clslice_event_wait(rig.device, event, &error) != CLSLICE_S_OK) {
        snprintf(w->failure, sizeof w->failure, "round %u: %s", round, error.text);
        return w->failure;
    }
    if (out_mem)
        rig.cl.clEnqueueReadBuffer(queue, own->out_mem, CL_TRUE, 0, OUT_BYTES, own->found, 1,
                                   &event, NULL);
    else
        memcpy(own->found, out, OUT_BYTES);
    clslice_event_release(rig.device, event);
    if (written)
        rig.cl.clReleaseEvent(written);
    memset(own->expected, out_mem ? 0 : 0xEE, OUT_BYTES);
    reference_slice(w->c, in, own->expected, NULL);
    uint64_t size = OUT_BYTES;
    if (!case_out_bytes(w->c, &size) || memcmp(own->found, own->expected, (size_t)size) != 0)
        snprintf(w->failure, sizeof w->failure, "round %u: wrong elements", round);
    return w->failure;
}

static void *dispatch_rounds(void *user)
{
    struct worker *w = user;
    struct own *own = aligned_alloc(64, (sizeof *own + 63) / 64 * 64);
    own->in_mem = rig_buffer(&rig, IN_BYTES, NULL);
    own->out_mem = rig_buffer(&rig, OUT_BYTES, NULL);
    pthread_barrier_wait(w->start);
    for (uint32_t round = 0; round < ROUNDS; ++round)
        if (run_round(w, own, round)[0])
            break;
    rig.cl.clReleaseMemObject(own->in_mem);
    rig.cl.clReleaseMemObject(own->out_mem);
    free(own);
    return NULL;
}

START_TEST(one_operator_serves_many_threads)
{
    const struct slice_case *cases[] = {&crop, &flip};
    struct worker like = {.c = cases[_i]};
    open_device();
    like.compiled = rig_compile(&rig, like.c, NULL);
    like.queues[1] = rig_queue(&rig, 0);
    like.queues[2] = rig_queue(&rig, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    run_workers(&like, dispatch_rounds);
    rig.cl.clReleaseCommandQueue(like.queues[1]);
    rig.cl.clReleaseCommandQueue(like.queues[2]);
    clslice_compiled_operator_release(like.compiled);
    close_device();
}
END_TEST

/* ---- The same without the library ---- */

static const char *plain_round(struct worker *w, struct own *own, cl_kernel kernel, uint32_t round)
{
    const size_t size = OUT_BYTES;
    cl_event written = NULL, copied = NULL;
    cl_int codes[4];
    for (size_t i = 0; i < size; ++i)
        own->in[i] = (unsigned char)(i * 31 + i / 256 + round * 77 + w->index);
    codes[0] = rig.cl.clEnqueueWriteBuffer(w->queues[3], own->in_mem, CL_FALSE, 0, size, own->in, 0,
                                           NULL, &written);
    rig.cl.clFlush(w->queues[3]);
    codes[1] = rig.cl.clEnqueueNDRangeKernel(w->queues[round % 4], kernel, 1, NULL, &size, NULL, 1,
                                             &written, &copied);
    codes[2] = rig.cl.clWaitForEvents(1, &copied);
    codes[3] = rig.cl.clEnqueueReadBuffer(w->queues[3], own->out_mem, CL_TRUE, 0, size, own->found,
                                          1, &copied, NULL);
    for (size_t i = 0; i < COUNT_OF(codes); ++i)
        if (codes[i] != CL_SUCCESS)
            snprintf(w->failure, sizeof w->failure, "round %u: call %zu gave %d", round, i,
                     codes[i]);
    if (!w->failure[0] && memcmp(own->found, own->in, size) != 0)
        snprintf(w->failure, sizeof w->failure, "round %u: wrong bytes", round);
    rig.cl.clReleaseEvent(written);
    rig.cl.clReleaseEvent(copied);
    return w->failure;
}

static cl_program plain_program;

static void *plain_rounds(void *user)
{
    struct worker *w = user;
    struct own *own = malloc(sizeof *own);
    cl_int code;
    cl_kernel kernel = rig.cl.clCreateKernel(plain_program, "copy", &code);
    own->in_mem = rig_buffer(&rig, IN_BYTES, NULL);
    own->out_mem = rig_buffer(&rig, OUT_BYTES, NULL);
    rig.cl.clSetKernelArg(kernel, 0, sizeof own->in_mem, &own->in_mem);
    rig.cl.clSetKernelArg(kernel, 1, sizeof own->out_mem, &own->out_mem);
    pthread_barrier_wait(w->start);
    for (uint32_t round = 0; round < 10 * ROUNDS; ++round)
        if (plain_round(w, own, kernel, round)[0])
            break;
    rig.cl.clReleaseKernel(kernel);
    rig.cl.clReleaseMemObject(own->in_mem);
    rig.cl.clReleaseMemObject(own->out_mem);
    free(own);
    return NULL;
}

/* Where a driver fails this, the suite can tell nothing of the library. */
START_TEST(plain_opencl_serves_many_threads)
{
    const char *source = "kernel void copy(global const uchar *in, global uchar *out)"
                         "{ out[get_global_id(0)] = in[get_global_id(0)]; }";
    struct worker like = {.c = NULL};
    cl_int code;
    open_device();
    plain_program = rig.cl.clCreateProgramWithSource(rig.objects.context, 1, &source, NULL, &code);
    ck_assert_int_eq(rig.cl.clBuildProgram(plain_program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    like.queues[0] = rig.objects.queue;
    like.queues[1] = rig_queue(&rig, 0);
    like.queues[2] = rig_queue(&rig, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    run_workers(&like, plain_rounds);
    rig.cl.clReleaseCommandQueue(like.queues[1]);
    rig.cl.clReleaseCommandQueue(like.queues[2]);
    rig.cl.clReleaseProgram(plain_program);
    close_device();
}
END_TEST

static void *dispatch_once(void *user)
{
    struct worker *w = user;
    unsigned char in[64], out[22], expected[22];
    clslice_error error = {.size = sizeof error};
    struct _cl_event *event = NULL;
    for (size_t i = 0; i < sizeof in; ++i)
        in[i] = (unsigned char)(i * 7 + w->index);
    reference_slice(w->c, in, expected, NULL);
    cl_mem in_mem = rig_buffer(&rig, sizeof in, in), out_mem = rig_buffer(&rig, sizeof out, NULL);
    clslice_binding from = rig_bind_mem(in_mem, 0, sizeof in);
    clslice_binding to = rig_bind_mem(out_mem, 0, sizeof out);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    if (clslice_dispatch(w->compiled, &desc, &event, &error) != CLSLICE_S_OK ||
        clslice_event_wait(rig.device, event, &error) != CLSLICE_S_OK)
        WORKER_FAIL(w, "%s", error.text);
    clslice_event_release(rig.device, event);
    cl_int code = rig.cl.clEnqueueReadBuffer(rig.objects.queue, out_mem, CL_TRUE, 0, sizeof out,
                                             out, 0, NULL, NULL);
    if (code != CL_SUCCESS || memcmp(out, expected, sizeof out) != 0)
        WORKER_FAIL(w, "wrong elements");
    rig.cl.clReleaseMemObject(in_mem);
    rig.cl.clReleaseMemObject(out_mem);
    return NULL;
}

/* No kernel is for two threads at once, so some threads need kernels of their own. Of buffers:
 * dispatches that stage host memory take turns. */
START_TEST(all_threads_launch_at_once)
{
    struct worker like = {.c = &bytes};
    pthread_barrier_t barrier;
    open_device();
    like.compiled = rig_compile(&rig, like.c, NULL);
    pthread_barrier_init(&barrier, NULL, THREADS);
    launch_barrier = &barrier;
    run_workers(&like, dispatch_once);
    run_workers(&like, dispatch_once);
    launch_barrier = NULL;
    pthread_barrier_destroy(&barrier);
    ck_assert_uint_ge(counts.kernels, THREADS);
    clslice_compiled_operator_release(like.compiled);
    close_device();
}
END_TEST

/* ---- Neighbours ---- */

enum { LENGTH = 600, RUN = 3, PITCH = THREADS * RUN }; /* elements of 2 bytes */

/* Every thread writes its own bytes of every row of one array that all write at once: whoever
 * rewrites a neighbour's bytes, even with what they held, undoes the neighbour's work. */
static void *write_columns(void *user)
{
    struct worker *w = user;
    uint16_t in[LENGTH * RUN];
    unsigned char *out = w->shared + w->index * RUN * sizeof in[0];
    unsigned char expected[((LENGTH - 1) * PITCH + RUN) * sizeof in[0]];
    clslice_error error = {.size = sizeof error};
    clslice_binding from = rig_bind_host(in, 0, sizeof in);
    clslice_binding to = rig_bind_host(out, 0, sizeof expected);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    desc.queue = w->queues[3];
    pthread_barrier_wait(w->start);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        struct _cl_event *event = NULL;
        for (size_t i = 0; i < COUNT_OF(in); ++i)
            in[i] = (uint16_t)(i * 31 + round * 777 + w->index);
        if (clslice_dispatch(w->compiled, &desc, &event, &error) != CLSLICE_S_OK ||
            clslice_event_wait(rig.device, event, &error) != CLSLICE_S_OK)
            WORKER_FAIL(w, "round %u: %s", round, error.text);
        clslice_event_release(rig.device, event);
        reference_slice(w->c, in, expected, NULL);
        for (size_t i = 0; i < sizeof expected; i += PITCH * sizeof in[0])
            if (memcmp(out + i, expected + i, RUN * sizeof in[0]) != 0)
                WORKER_FAIL(w, "round %u: byte %zu was overwritten by a neighbour", round, i);
    }
    return NULL;
}

/* In place, and staged because the base is odd. */
START_TEST(neighbours_keep_their_bytes)
{
    static const struct slice_case columns = CASE("columns", UINT16, WHOLE(LENGTH, RUN), BY(1, 1),
                                                  OUT(LENGTH, RUN), OUT_STRIDES(PITCH, 1));
    enum plan_variant variant = (enum plan_variant)(_i / 2);
    bool transposes = variant == PLAN_TRANSPOSE_CPU || variant == PLAN_TRANSPOSE_GPU;
    static const struct slice_case gradient =
        CASE("gradient", UINT16, AS(SLICE_GRAD), IN(LENGTH, 2), FROM(0, 1), WINDOW(LENGTH, 2),
             BY(1, 1), OUT(LENGTH, RUN), OUT_STRIDES(PITCH, 1));
    struct slice_case c = variant < PLAN_SLICE_VARIANTS ? columns : gradient;
    if (transposes) { /* rows of the output that are columns of the input */
        c.in_strided = true;
        c.in_strides[0] = 1;
        c.in_strides[1] = LENGTH;
    }
    struct worker like = {.c = &c};
    open_device();
    unsigned char *memory = calloc(LENGTH * PITCH + 1, sizeof(uint16_t));
    like.shared = memory + _i % 2;
    like.queues[1] = rig.objects.queue; /* asks for a queue per thread */
    like.compiled = rig_compile(&rig, &c, plan_variant_name(variant));
    run_workers(&like, write_columns);
    clslice_compiled_operator_release(like.compiled);
    free(memory);
    close_device();
}
END_TEST

/* ---- Compiling ---- */

static void *compile_once(void *user)
{
    struct worker *w = user;
    clslice_error error = {.size = sizeof error};
    clslice_compiled_operator *compiled = NULL;
    clslice_operator *op = NULL;
    struct case_desc desc;
    case_desc_init(&desc, w->index % 2 && !w->op ? &bytes : &flip);
    if (!w->op && clslice_operator_create(rig.device, &desc.op, &op, &error) != CLSLICE_S_OK)
        WORKER_FAIL(w, "%s", error.text);
    pthread_barrier_wait(w->start);
    if (clslice_operator_compile(w->op ? w->op : op, NULL, &compiled, &error) != CLSLICE_S_OK)
        WORKER_FAIL(w, "%s", error.text);
    clslice_operator_release(op);
    clslice_compiled_operator_release(compiled);
    return NULL;
}

START_TEST(all_threads_share_one_build)
{
    struct worker like = {.c = &flip};
    open_device();
    like.op = rig_operator(&rig, &flip);
    ck_assert_uint_eq(counts.builds, 0);
    run_workers(&like, compile_once);
    ck_assert_uint_eq(counts.builds, 1);
    run_workers(&like, compile_once);
    ck_assert_uint_eq(counts.builds, 1);
    clslice_operator_release(like.op);
    close_device();
}
END_TEST

START_TEST(each_program_is_built_once)
{
    struct worker like = {.c = NULL}; /* each thread makes its operator, of one of two kinds */
    struct slice_case wider = flip;
    wider.data_type = DML_TENSOR_DATA_TYPE_FLOAT64;
    open_device();
    run_workers(&like, compile_once);
    ck_assert_uint_eq(counts.builds, 2);
    clslice_compiled_operator_release(rig_compile(&rig, &wider, NULL));
    ck_assert_uint_eq(counts.builds, 3);
    close_device();
}
END_TEST

/* ---- References ---- */

static void *retain_and_release(void *user)
{
    struct worker *w = user;
    unsigned char in[64], out[22], expected[22];
    clslice_error error = {.size = sizeof error};
    clslice_binding from = rig_bind_host(in, 0, sizeof in), to = rig_bind_host(out, 0, sizeof out);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    pthread_barrier_wait(w->start);
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        struct _cl_event *event = NULL;
        clslice_device_retain(rig.device);
        clslice_operator_retain(w->op);
        clslice_compiled_operator_retain(w->compiled);
        memset(in, (int)(round + w->index), sizeof in);
        reference_slice(&bytes, in, expected, NULL);
        if (clslice_dispatch(w->compiled, &desc, &event, &error) != CLSLICE_S_OK ||
            clslice_event_wait(rig.device, event, &error) != CLSLICE_S_OK)
            WORKER_FAIL(w, "round %u: %s", round, error.text);
        clslice_event_release(rig.device, event);
        if (memcmp(out, expected, sizeof out) != 0)
            WORKER_FAIL(w, "round %u: wrong elements", round);
        clslice_compiled_operator_release(w->compiled);
        clslice_operator_release(w->op);
        clslice_device_release(rig.device);
    }
    /* the references that each thread was given: one of them is the last */
    clslice_device_release(rig.device);
    clslice_operator_release(w->op);
    clslice_compiled_operator_release(w->compiled);
    return NULL;
}

START_TEST(any_thread_may_release_last)
{
    clslice_error error = {.size = sizeof error};
    struct worker like = {.c = &bytes};
    open_device();
    like.op = rig_operator(&rig, &bytes);
    ASSERT_OK(clslice_operator_compile(like.op, NULL, &like.compiled, &error), &error);
    for (int i = 1; i < THREADS; ++i) {
        clslice_device_retain(rig.device);
        clslice_operator_retain(like.op);
        clslice_compiled_operator_retain(like.compiled);
    }
    run_workers(&like, retain_and_release);
    rig.device = NULL;
    close_device();
}
END_TEST

static void add_plain_case(Suite *suite)
{
    TCase *plain = suite_case(suite, "plain");
    tcase_set_timeout(plain, 60);
    tcase_add_test(plain, plain_opencl_serves_many_threads);
}

static void add_thread_cases(Suite *suite)
{
    TCase *threads = suite_case(suite, "threads");
    tcase_add_loop_test(threads, first_devices_may_be_made_at_once, 0, 4);
    tcase_add_loop_test(threads, one_operator_serves_many_threads, 0, 2);
    tcase_add_test(threads, all_threads_launch_at_once);
    tcase_add_loop_test(threads, neighbours_keep_their_bytes, 0, 2 * PLAN_TRANSPOSE_GPU);
    tcase_add_loop_test(threads, neighbours_keep_their_bytes, 2 * PLAN_TRANSPOSE_GPU + 2,
                        2 * PLAN_VARIANT_COUNT);
    tcase_add_test(threads, all_threads_share_one_build);
    tcase_add_test(threads, each_program_is_built_once);
    tcase_add_test(threads, any_thread_may_release_last);
    add_lifetimes(suite);
    TCase *groups = needs_case(suite, "groups", rig_lacks_groups);
    tcase_add_loop_test(groups, neighbours_keep_their_bytes, 2 * PLAN_TRANSPOSE_GPU,
                        2 * PLAN_TRANSPOSE_GPU + 2);
}

int main(int argc, char **argv)
{
    const char *mode = argc == 2 ? argv[1] : "";
    is_blocking = strcmp(mode, "blocking") == 0;
    Suite *suite = suite_create("threads");
    if (strcmp(mode, "plain") == 0)
        add_plain_case(suite);
    else
        add_thread_cases(suite);
    return suite_run(suite);
}
