/* SPDX-License-Identifier: MIT */
/* One build per program, however many threads; a child of fork touches nothing. Names begin with
 * the property of tests/cache/README.md. */
#include "support/program_rig.h"
#include "support/suite.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16 };

/* ---- P18: one build per program ---- */

struct task {
    struct world world;
    int32_t status;
    int rounds;
};

static pthread_barrier_t start;

static void *run_task(void *user)
{
    struct task *task = user;
    clslice_error error = {.size = sizeof error};
    pthread_barrier_wait(&start);
    for (int i = 0; i < task->rounds; ++i) {
        task->status = world_act(&task->world, &error);
        if (task->status != CLSLICE_S_OK)
            break;
        if (i + 1 < task->rounds && task->world.event)
            clslice_event_release(task->world.device, task->world.event);
    }
    return NULL;
}

static void run_together(struct task *tasks, int count, void *(*body)(void *))
{
    pthread_t threads[THREADS + 8];
    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (int i = 0; i < count; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, &tasks[i]), 0);
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < count; ++i)
        ck_assert_int_ge(tasks[i].status, CLSLICE_S_OK);
}

START_TEST(p18_many_threads_share_one_build)
{
    static const struct step compile = {"compile", ACT_COMPILE, SHAPE_STRIDED, MEMORY_CL, 0};
    static struct task tasks[THREADS];
    clslice_device_options options = rig_begin();
    struct world world;
    size_t builds = fake_builds();
    world_open_on(&world, &compile, &options);
    for (int i = 0; i < THREADS; ++i)
        tasks[i] = (struct task){.world = world, .rounds = 1};
    run_together(tasks, THREADS, run_task);
    ck_assert_uint_eq(fake_builds() - builds, 1);
    int built = 0;
    for (int i = 0; i < THREADS; ++i) {
        clslice_compiled_operator_info info = {.size = sizeof info};
        ck_assert_int_eq(clslice_compiled_operator_get_info(tasks[i].world.compiled, &info, NULL),
                         0);
        built += info.program_outcome == CLSLICE_PROGRAM_BUILT;
        clslice_compiled_operator_release(tasks[i].world.compiled);
    }
    ck_assert_int_eq(built, 1);
    rig_check_counters(world.device, COUNTED(.misses = 1, .saved = 1));
    ck_assert_uint_eq(rig_queries(), 1);
    world_close(&world);
}
END_TEST

/* Each build waits in the driver for the other to begin. */
START_TEST(p18_different_programs_are_built_at_once)
{
    static const struct step compile = {"compile", ACT_COMPILE, SHAPE_STRIDED, MEMORY_CL, 0};
    static struct task tasks[2];
    clslice_device_options options = rig_begin();
    struct world world;
    clslice_operator *other = NULL;
    driver_want(2);
    fake.on_build = driver_linger;
    world_open_on(&world, &compile, &options);
    ck_assert_int_eq(clslice_operator_create(world.device, shape_desc(SHAPE_BIG), &other, NULL), 0);
    tasks[0] = tasks[1] = (struct task){.world = world, .rounds = 1};
    tasks[1].world.op = other;
    run_together(tasks, 2, run_task);
    ck_assert_msg(!driver_gave_up(), "one build waits for the other's end");
    clslice_compiled_operator_release(tasks[0].world.compiled);
    clslice_compiled_operator_release(tasks[1].world.compiled);
    clslice_operator_release(other);
    world_close(&world);
}
END_TEST

/* More threads than an operator keeps kernels, all between their arguments and their enqueue at
 * once, the first use among them. */
START_TEST(p18_many_threads_may_dispatch_one_operator)
{
    static struct task tasks[THREADS + 8];
    clslice_device_options options = rig_begin();
    struct world world;
    driver_want(THREADS + 8);
    world_open_on(&world, &run_slice, &options);
    fake.on_enqueue = driver_linger;
    for (int i = 0; i < THREADS + 8; ++i) {
        tasks[i].rounds = 10;
        world_share(&tasks[i].world, i ? &tasks[i - 1].world : &world, NULL);
    }
    run_together(tasks, THREADS + 8, run_task);
    ck_assert(!driver_gave_up());
    ck_assert_uint_le(fake_live_of(FAKE_KERNEL), THREADS);
    for (int i = 0; i < THREADS + 8; ++i) {
        world_check_done(&tasks[i].world);
        world_unshare(&tasks[i].world);
    }
    world_close(&world);
}
END_TEST

/* While another thread has the operator's first kernel, no second can be made: an error, time
 * and again, and the place for it is not lost. */
START_TEST(p18_a_second_kernel_that_cannot_be_made_is_an_error)
{
    static struct task task;
    clslice_error error = {.size = sizeof error};
    clslice_device_options options = rig_begin();
    struct world world, caller;
    pthread_t thread;
    driver_want(9);
    world_open_on(&world, &run_slice, &options);
    fake.on_enqueue = driver_linger;
    task = (struct task){.world = world, .rounds = 1};
    pthread_barrier_init(&start, NULL, 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_task, &task), 0);
    driver_wait_for(1);
    fake_lock();
    fake.on_enqueue = NULL;
    fake_unlock();
    world_share(&caller, &world, NULL);
    for (int i = 0; i < 2 * THREADS; ++i) {
        fake_fail(FAKE_clCreateKernel, 1, CL_OUT_OF_RESOURCES);
        ck_assert_int_eq(world_act(&caller, &error), CLSLICE_E_FAIL);
        ck_assert_int_eq(error.opencl, CL_OUT_OF_RESOURCES);
        ck_assert_uint_eq(fake_fault_over(), FAKE_clCreateKernel);
    }
    world_do(&caller);
    size_t made = fake_count(FAKE_clCreateKernel);
    clslice_event_release(caller.device, caller.event);
    world_do(&caller);
    ck_assert_uint_eq(fake_count(FAKE_clCreateKernel), made);
    driver_want(0);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&start);
    ck_assert_int_eq(task.status, CLSLICE_S_OK);
    world_check_done(&caller);
    world_check_done(&task.world);
    world_unshare(&caller);
    world_close(&task.world);
}
END_TEST

/* ---- P19: fork ---- */

/* In the child: the number of the first call that does not answer as it should, or 0. */
static int child(struct world *world, const DML_OPERATOR_DESC *desc)
{
    clslice_error error = {.size = sizeof error};
    clslice_opencl_objects objects = {.size = sizeof objects};
    clslice_operator *op = NULL;
    char log[16];
    size_t before = fake_calls();
    const int32_t statuses[] = {
        clslice_device_get_opencl(world->device, &objects, &error),
        clslice_device_get_build_log(world->device, log, sizeof log, NULL, &error),
        clslice_operator_create(world->device, desc, &op, &error),
        clslice_operator_compile(world->op, NULL, &world->made.compiled, &error),
        world_act(world, &error),
        clslice_event_wait(world->device, world->event, &error),
        clslice_event_get_status(world->device, world->event, &error),
    };
    for (int i = 0; i < (int)COUNT_OF(statuses); ++i)
        if (statuses[i] != CLSLICE_E_UNEXPECTED)
            return i + 1;
    if (error.rule != CLSLICE_RULE_FORKED)
        return 20;
    clslice_event_release(world->device, world->event);
    for (int i = 0; i < 3; ++i) {
        clslice_compiled_operator_release(world->compiled);
        clslice_operator_release(world->op);
        clslice_device_release(world->device);
    }
    return fake_calls() == before ? 0 : 21;
}

/* While another thread is in no call, and while it is inside the driver. */
START_TEST(p19_a_child_gets_errors_at_once)
{
    clslice_device_options options = rig_begin();
    const DML_OPERATOR_DESC *desc = shape_desc(SHAPE_STRIDED);
    struct world world;
    static struct task task;
    pthread_t thread;
    int status = 0;
    world_open_on(&world, &run_slice, &options);
    world_do(&world);
    driver_want(_i ? 2 : 0);
    fake.on_enqueue = driver_linger;
    world_share(&task.world, &world, NULL);
    task.rounds = 1;
    pthread_barrier_init(&start, NULL, 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_task, &task), 0);
    driver_wait_for(1);
    if (!_i)
        pthread_join(thread, NULL);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(10);
        _exit(child(&world, desc));
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "the child hangs or crashes: %d", status);
    ck_assert_msg(WEXITSTATUS(status) == 0, "call %d", WEXITSTATUS(status));
    driver_want(0);
    if (_i)
        pthread_join(thread, NULL);
    pthread_barrier_destroy(&start);
    world_check_done(&world);
    world_check_done(&task.world);
    world_unshare(&task.world);
    world_close(&world);
    ck_assert_uint_eq(rig_entries(&options), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_threads");
    TCase *tcase = suite_case(suite, "properties");
    tcase_add_test(tcase, p18_many_threads_share_one_build);
    tcase_add_test(tcase, p18_different_programs_are_built_at_once);
    tcase_add_test(tcase, p18_many_threads_may_dispatch_one_operator);
    tcase_add_test(tcase, p18_a_second_kernel_that_cannot_be_made_is_an_error);
    tcase_add_loop_test(tcase, p19_a_child_gets_errors_at_once, 0, 2);
    return suite_run(suite);
}
