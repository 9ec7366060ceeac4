/* SPDX-License-Identifier: MIT */
/* That a dispatch sees when buffers and queues are no longer what they were, although their handles
 * are. */
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <pthread.h>
#include <string.h>

static const struct step plain = {"cl_mem", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, 0};
static const struct step with_queue = {"cl_mem, host's queue", ACT_DISPATCH, SHAPE_STRIDED,
                                       MEMORY_CL, STEP_QUEUE};

static void act_refused(struct world *world, uint32_t rule)
{
    clslice_error error = {.size = sizeof error};
    size_t launches = fake_count(FAKE_clEnqueueNDRangeKernel);
    ck_assert_int_eq(world_act(world, &error), CLSLICE_E_INVALIDARG);
    ck_assert_msg(error.rule == rule, "rule %u: %s", error.rule, error.text);
    if (rule != CLSLICE_RULE_QUEUE) /* that may be for OpenCL to say */
        ck_assert_uint_eq(fake_count(FAKE_clEnqueueNDRangeKernel), launches);
    ck_assert_str_eq(fake_violation(), "");
}

static cl_context other_context(void)
{
    cl_int code;
    const cl_device_id id = fake_device_id(0);
    return fake_clCreateContext(NULL, 1, &id, NULL, NULL, &code);
}

/* Another buffer with the handle of the world's output, which goes. */
static void replace_out(struct world *world, cl_context context, cl_mem_flags flags, size_t size)
{
    cl_int code;
    cl_mem before = world->out, gone = NULL;
    fake.reuse_handles = true;
    fake_clReleaseMemObject(before);
    world->out = fake_clCreateBuffer(context, flags, size, NULL, &code);
    if (world->out != before) { /* it is clslice's, which went as well */
        gone = world->out;
        world->out = fake_clCreateBuffer(context, flags, size, NULL, &code);
        fake_clReleaseMemObject(gone);
    }
    ck_assert_ptr_eq(world->out, before);
}

/* Another queue with the handle of the world's, which goes. */
static void replace_queue(struct world *world, cl_context context, cl_device_id id)
{
    cl_int code;
    cl_command_queue before = world->queue;
    fake.reuse_handles = true;
    fake_clReleaseCommandQueue(before);
    world->queue = fake_clCreateCommandQueue(context, id, 0, &code);
    ck_assert_ptr_eq(world->queue, before);
}

/* ---- Buffers that are not what they were ---- */

START_TEST(a_handle_that_comes_back_is_judged_anew)
{
    struct world world;
    world_open(&world, &plain);
    cl_context other = other_context(), own = world_context(&world);
    world_do(&world);
    replace_out(&world, own, CL_MEM_READ_WRITE, world.out_size - 1);
    act_refused(&world, CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER);
    replace_out(&world, own, CL_MEM_READ_ONLY, world.out_size);
    act_refused(&world, CLSLICE_RULE_BIND_ACCESS);
    replace_out(&world, other, CL_MEM_READ_WRITE, world.out_size);
    act_refused(&world, CLSLICE_RULE_BIND_CONTEXT);
    replace_out(&world, own, CL_MEM_READ_WRITE, world.out_size);
    world_do(&world);
    world_check_done(&world);
    fake_clReleaseContext(other);
    world_close(&world);
}
END_TEST

START_TEST(buffers_outlive_the_device)
{
    struct world world;
    clslice_error error = {.size = sizeof error};
    world_open(&world, &plain);
    world_do(&world);
    cl_context context = world_context(&world);
    fake_clRetainContext(context);
    clslice_compiled_operator_release(world.compiled);
    clslice_operator_release(world.op);
    clslice_device_release(world.device);
    replace_out(&world, context, CL_MEM_READ_WRITE, world.out_size - 1);
    world.options.context = context;
    ck_assert_int_eq(clslice_device_create(&world.options, &world.device, &error), CLSLICE_S_OK);
    ck_assert_int_eq(
        clslice_operator_create(world.device, shape_desc(plain.shape), &world.op, &error),
        CLSLICE_S_OK);
    ck_assert_int_eq(clslice_operator_compile(world.op, NULL, &world.compiled, &error),
                     CLSLICE_S_OK);
    act_refused(&world, CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER);
    replace_out(&world, context, CL_MEM_READ_WRITE, world.out_size);
    world_do(&world);
    world_check_done(&world);
    fake_clReleaseContext(context);
    world_close(&world);
}
END_TEST

/* A kernel would move elements across their alignment, which is the end of the process on PoCL. */
START_TEST(svm_may_lie_at_no_multiple_of_the_element)
{
    static const struct step svm = {"SVM", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_SVM, STEP_GPU};
    struct world world;
    world_open(&world, &svm);
    unsigned char **const sides[] = {&world.in_bytes, &world.out_bytes};
    for (int i = 0; i < 2; ++i) {
        *sides[i] += 1;
        act_refused(&world, CLSLICE_RULE_BIND_OFFSET_ALIGNMENT);
        *sides[i] -= 1;
    }
    world_do(&world);
    world_end(&world);
}
END_TEST

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 150 };

static void run_threads(void *(*body)(void *), void *user)
{
    pthread_t threads[THREADS];
    void *failure;
    for (int i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, user), 0);
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &failure);
        ck_assert_ptr_null(failure);
    }
}

/* Makes, uses and releases buffers, whose handles go round among the threads. */
static void *come_and_go(void *user)
{
    const struct world *like = user;
    for (int i = 0; i < ROUNDS; ++i) {
        struct world world;
        world_share(&world, like, NULL);
        bool right = world_act(&world, NULL) == CLSLICE_S_OK;
        shape_slice(world.step->shape, world.in_bytes, world.expected);
        right = right && memcmp(fake_bytes(world.out), world.expected, world.out_size) == 0;
        world_unshare(&world);
        if (!right)
            return user;
    }
    return NULL;
}

START_TEST(buffers_may_come_and_go_in_threads)
{
    struct world world;
    world_open(&world, &plain);
    fake.reuse_handles = true;
    run_threads(come_and_go, &world);
    world_close(&world);
}
END_TEST

/* ---- Queues ---- */

START_TEST(a_wrong_queue_never_gets_our_kernel)
{
    struct world world;
    cl_int code;
    world_open(&world, &with_queue);
    cl_context other = other_context();
    cl_command_queue right = world.queue;
    world.queue = fake_clCreateCommandQueue(other, fake_device_id(0), 0, &code);
    act_refused(&world, CLSLICE_RULE_QUEUE);
    /* It may be of a driver that has never heard of the kernel. */
    ck_assert_uint_eq(fake_count(FAKE_clEnqueueNDRangeKernel), 0);
    fake_clReleaseCommandQueue(world.queue);
    fake_clReleaseContext(other);
    world.queue = right;
    world_do(&world);
    world_end(&world);
}
END_TEST

START_TEST(a_known_queue_that_became_another_contexts_is_refused)
{
    struct world world;
    world_open(&world, &with_queue);
    cl_context other = other_context(), own = world_context(&world);
    world_do(&world);
    replace_queue(&world, other, fake_device_id(0));
    act_refused(&world, CLSLICE_RULE_QUEUE);
    act_refused(&world, CLSLICE_RULE_QUEUE);
    replace_queue(&world, own, fake_device_id(0));
    world_do(&world);
    world_check_done(&world);
    fake_clReleaseContext(other);
    world_close(&world);
}
END_TEST

/* Asked to launch there, PoCL 3.1 aborts. */
START_TEST(a_known_queue_that_became_another_devices_is_refused)
{
    struct world world;
    clslice_device_options options = fake_options(NULL);
    const cl_device_id ids[] = {fake_device_id(0), fake_device_id(1)};
    cl_int code;
    fake_begin();
    fake.device_count = 2;
    fake.device[1] = fake.device[0];
    options.context = fake_clCreateContext(NULL, 2, ids, NULL, NULL, &code);
    options.device_id = ids[0];
    world_open_on(&world, &with_queue, &options);
    world_do(&world);
    replace_queue(&world, options.context, ids[1]);
    act_refused(&world, CLSLICE_RULE_QUEUE);
    replace_queue(&world, options.context, ids[0]);
    world_do(&world);
    world_check_done(&world);
    fake_clReleaseContext(options.context);
    world_close(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("handles");
    TCase *tcase = suite_case(suite, "handles");
    tcase_add_test(tcase, a_handle_that_comes_back_is_judged_anew);
    tcase_add_test(tcase, buffers_outlive_the_device);
    tcase_add_test(tcase, svm_may_lie_at_no_multiple_of_the_element);
    tcase_add_test(tcase, buffers_may_come_and_go_in_threads);
    tcase_add_test(tcase, a_wrong_queue_never_gets_our_kernel);
    tcase_add_test(tcase, a_known_queue_that_became_another_contexts_is_refused);
    tcase_add_test(tcase, a_known_queue_that_became_another_devices_is_refused);
    return suite_run(suite);
}
