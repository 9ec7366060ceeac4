/* SPDX-License-Identifier: MIT */
/* P16 of tests/cache/README.md: who asks for binaries, when, and what it costs others. That nothing
 * but a compile asks is judged by the fake machine itself, in every test that uses it. */
#include "support/program_rig.h"
#include "support/suite.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct step compile_slice = {"compile", ACT_COMPILE, SHAPE_STRIDED, MEMORY_CL, 0};
static const struct step compile_warm = {"compile warm", ACT_COMPILE, SHAPE_STRIDED, MEMORY_CL,
                                         STEP_WARM};

static size_t threads_here(void)
{
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (readdir(tasks))
        ++count;
    closedir(tasks);
    return count;
}

/* ---- Who asks, and when ---- */

/* A call's place in a compile that misses. */
static int place_of(const struct fake_call *call)
{
    switch (call->function) {
    case FAKE_clBuildProgram:
        return 1;
    case FAKE_clEnqueueNDRangeKernel:
        return 2;
    case FAKE_clWaitForEvents:
        return 3;
    case FAKE_clGetProgramInfo:
        return call->what == CL_PROGRAM_BINARY_SIZES ? 4 : 5;
    default:
        return 0;
    }
}

START_TEST(p16_a_compile_that_misses_builds_runs_asks_and_writes)
{
    clslice_device_options options = rig_begin();
    struct world world;
    struct fake_call call;
    int place = 0;
    size_t threads = threads_here();
    world_open_on(&world, &compile_slice, &options);
    size_t begin = fake_calls();
    world_do(&world);
    ck_assert_uint_eq(rig_entries(&options), 1);
    for (size_t i = begin; fake_call_at(i, &call); ++i) {
        ck_assert_msg(call.thread == gettid(), "%s on another thread",
                      fake_function_name(call.function));
        if (place_of(&call))
            ck_assert_int_eq(place_of(&call), ++place);
    }
    ck_assert_int_eq(place, 5);
    rig_check_counters(world.device, COUNTED(.misses = 1, .saved = 1));
    world_close(&world);
    ck_assert_uint_eq(threads_here(), threads);
}
END_TEST

/* Dispatching, waiting, polling, finishing and releasing ask nothing: else the fake would say so
 * when the world is closed. */
START_TEST(p16_nothing_but_the_compile_asks)
{
    clslice_device_options options = rig_begin();
    clslice_error error = {.size = sizeof error};
    struct world world;
    world_open_on(&world, &run_slice, &options);
    ck_assert_uint_eq(rig_queries(), 1);
    for (int i = 0; i < 3; ++i) {
        if (i > 0)
            clslice_event_release(world.device, world.event);
        world_do(&world);
        ck_assert_int_eq(clslice_event_wait(world.device, world.event, &error), CLSLICE_S_OK);
        ck_assert_int_eq(clslice_event_get_status(world.device, world.event, &error), CLSLICE_S_OK);
        ck_assert_int_eq(clslice_device_finish(world.device, &error), CLSLICE_S_OK);
    }
    world_end(&world);
    ck_assert_uint_eq(rig_queries(), 1);
}
END_TEST

/* One for each alignment of what is bound, of which a process may never use one. */
START_TEST(p16_every_program_of_a_compile_is_saved)
{
    static const struct step pairs = {"pairs", ACT_COMPILE, SHAPE_PAIRS, MEMORY_CL, 0};
    clslice_device_options options = rig_begin();
    for (int i = 0; i < 2; ++i) {
        struct world world;
        world_open_on(&world, &pairs, &options);
        world_do(&world);
        rig_check_counters(world.device, i ? COUNTED(.hits = 2) : COUNTED(.misses = 2, .saved = 2));
        world_close(&world);
    }
    ck_assert_uint_eq(rig_entries(&options), 2);
}
END_TEST

/* Asked earlier, it would lack what drivers generate at a first run. */
START_TEST(p16_the_binary_is_of_a_program_that_ran)
{
    clslice_device_options options = rig_begin();
    rig_use(&options);
    size_t size;
    const char *file = rig_read_entry(&options, &size);
    ck_assert_int_eq(file[size - 1], 'S'); /* the fake's mark for that */
}
END_TEST

START_TEST(p16_a_hit_runs_and_asks_nothing)
{
    clslice_device_options options = rig_begin();
    struct world world;
    rig_use(&options);
    size_t runs = fake_count(FAKE_clEnqueueNDRangeKernel);
    size_t asked = fake_count(FAKE_clGetProgramInfo);
    world_open_on(&world, &compile_slice, &options);
    world_do(&world);
    rig_check_counters(world.device, COUNTED(.hits = 1));
    ck_assert_uint_eq(fake_count(FAKE_clEnqueueNDRangeKernel), runs);
    ck_assert_uint_eq(fake_count(FAKE_clGetProgramInfo), asked);
    world_close(&world);
}
END_TEST

/* Off, to be read only, and in a host's context of several devices. */
START_TEST(p16_a_cache_that_takes_nothing_costs_nothing)
{
    clslice_device_options options = rig_begin();
    struct world world;
    const cl_device_id ids[] = {fake_device_id(0), fake_device_id(1)};
    cl_context context = NULL;
    cl_int code;
    if (_i == 0)
        options.cache_mode = CLSLICE_CACHE_OFF;
    if (_i == 1)
        options.cache_mode = CLSLICE_CACHE_READ_ONLY;
    if (_i == 2) {
        fake.device[1] = fake.device[0];
        fake.device_count = 2;
        context = fake_clCreateContext(NULL, 2, ids, NULL, NULL, &code);
        options.context = context;
        options.device_id = ids[0];
    }
    world_open_on(&world, &compile_slice, &options);
    world.options.context = NULL;
    world_do(&world);
    ck_assert_uint_eq(fake_count(FAKE_clEnqueueNDRangeKernel), 0);
    ck_assert_uint_eq(fake_count(FAKE_clGetProgramInfo), 0);
    if (context)
        fake_clReleaseContext(context);
    world_close(&world);
}
END_TEST

/* What others may write to is not written to, and a program is not run for it. */
START_TEST(p16_a_folder_that_takes_nothing_costs_nothing)
{
    clslice_device_options options = rig_begin();
    struct world world;
    rig_use(&options);
    ck_assert_int_eq(clslice_cache_clear(&options, NULL, NULL), CLSLICE_S_OK);
    ck_assert_int_eq(chmod(rig_folder(), 0777), 0);
    size_t runs = fake_count(FAKE_clEnqueueNDRangeKernel);
    size_t asked = fake_count(FAKE_clGetProgramInfo);
    world_open_on(&world, &compile_slice, &options);
    world_do(&world);
    ck_assert_int_eq(chmod(rig_folder(), 0700), 0);
    rig_check_counters(world.device, COUNTED(.untrusted = 1, .unsaved = 1));
    ck_assert_uint_eq(fake_count(FAKE_clEnqueueNDRangeKernel), runs);
    ck_assert_uint_eq(fake_count(FAKE_clGetProgramInfo), asked);
    world_close(&world);
}
END_TEST

/* ---- The run ---- */

START_TEST(p16_warm_does_not_run_again_what_just_ran)
{
    static const size_t runs[] = {1, 1, 2}; /* after a miss; a hit; a second compile */
    clslice_device_options options = rig_begin();
    struct world world;
    size_t before = 0;
    for (int i = 0; i < 3; ++i) {
        if (i < 2)
            world_open_on(&world, &compile_warm, &options);
        clslice_compiled_operator_release(world.compiled);
        world_do(&world);
        ck_assert_uint_eq(fake_count(FAKE_clEnqueueNDRangeKernel) - before, runs[i]);
        if (i == 0) {
            world_close(&world);
            before = fake_count(FAKE_clEnqueueNDRangeKernel);
        }
    }
    world_close(&world);
    ck_assert_uint_eq(rig_queries(), 1);
}
END_TEST

/* A kernel of which the driver takes smaller groups than were planned for. */
START_TEST(p16_the_run_keeps_to_the_kernels_group_size)
{
    clslice_device_options options = rig_begin();
    struct world world;
    fake.device[0].type = CL_DEVICE_TYPE_GPU;
    fake.device[0].kernel_group_size = 32;
    world_open_on(&world, &compile_slice, &options);
    world_do(&world);
    rig_check_counters(world.device, COUNTED(.misses = 1, .saved = 1));
    world_close(&world);
}
END_TEST

/* The driver fails it, or the machine: no binary is asked for, the compile succeeds and what it
 * made works. The next process tries again. */
START_TEST(p16_a_run_that_fails_is_no_error)
{
    clslice_device_options options = rig_begin();
    struct world world;
    world_open_on(&world, &compile_slice, &options);
    fake.kernel_status = CL_OUT_OF_RESOURCES;
    world_do(&world);
    fake.kernel_status = CL_SUCCESS;
    rig_check_counters(world.device, COUNTED(.misses = 1, .unsaved = 1));
    ck_assert_uint_eq(fake_count(FAKE_clGetProgramInfo), 0);
    ck_assert_uint_eq(rig_entries(&options), 0);
    world_close(&world);
    rig_expect(&options, COUNTED(.misses = 1, .saved = 1));
}
END_TEST

START_TEST(p16_a_run_that_fails_is_an_error_where_it_was_asked_for)
{
    clslice_device_options options = rig_begin();
    clslice_error error = {.size = sizeof error};
    struct world world;
    if (_i)
        options.cache_mode = CLSLICE_CACHE_OFF;
    world_open_on(&world, &compile_warm, &options);
    fake.kernel_status = CL_OUT_OF_RESOURCES;
    ck_assert_int_eq(world_act(&world, &error), CLSLICE_E_FAIL);
    ck_assert_int_lt(error.opencl, 0);
    fake.kernel_status = CL_SUCCESS;
    world_do(&world);
    world_close(&world);
}
END_TEST

/* ---- Other callers ---- */

struct compiling {
    clslice_operator *op;
    clslice_compiled_operator *compiled;
    pthread_t thread;
    int32_t status;
};

static void *compile_on_thread(void *user)
{
    struct compiling *task = user;
    task->status = world_compile(task->op, 0, &task->compiled, NULL);
    return NULL;
}

static void start_compile(struct compiling *task, clslice_device *device, enum step_shape shape)
{
    *task = (struct compiling){.status = CLSLICE_E_FAIL};
    ck_assert_int_eq(clslice_operator_create(device, shape_desc(shape), &task->op, NULL), 0);
    ck_assert_int_eq(pthread_create(&task->thread, NULL, compile_on_thread, task), 0);
}

static void end_compile(struct compiling *task)
{
    pthread_join(task->thread, NULL);
    ck_assert_int_eq(task->status, CLSLICE_S_OK);
    clslice_compiled_operator_release(task->compiled);
    clslice_operator_release(task->op);
}

/* While the driver takes its time with one program, others are dispatched, compiled and
 * released. */
START_TEST(p16_only_who_needs_the_program_waits)
{
    clslice_device_options options = rig_begin();
    struct world world;
    struct compiling slow;
    world_open_on(&world, &run_slice, &options);
    driver_want(9);
    fake.on_query = driver_linger;
    start_compile(&slow, world.device, SHAPE_BIG);
    driver_wait_for(1);
    world_do(&world);
    world_check_done(&world);
    clslice_compiled_operator *again = NULL;
    ck_assert_int_eq(world_compile(world.op, 0, &again, NULL), CLSLICE_S_OK);
    clslice_compiled_operator_release(again);
    ck_assert_int_eq(driver_inside(), 1);
    driver_want(0);
    end_compile(&slow);
    world_close(&world);
    ck_assert_msg(!driver_gave_up(), "a caller waits for the driver");
    ck_assert_uint_eq(rig_entries(&options), 2);
}
END_TEST

/* Each waits in the driver, asked for its binary, for the other to be there. */
START_TEST(p16_different_programs_are_saved_at_once)
{
    clslice_device_options options = rig_begin();
    struct world world;
    struct compiling tasks[2];
    world_open_on(&world, &compile_slice, &options);
    driver_want(2);
    fake.on_query = driver_linger;
    start_compile(&tasks[0], world.device, SHAPE_STRIDED);
    start_compile(&tasks[1], world.device, SHAPE_BIG);
    end_compile(&tasks[0]);
    end_compile(&tasks[1]);
    ck_assert_msg(!driver_gave_up(), "one waits for the other's end");
    ck_assert_uint_eq(rig_entries(&options), 2);
    world_close(&world);
}
END_TEST

/* Two devices are as two processes to each other: both miss, both save, neither waits, and what the
 * last one wrote is whole. */
START_TEST(p16_two_processes_that_miss_together_save_once_each)
{
    clslice_device_options options = rig_begin();
    struct world worlds[2];
    struct compiling tasks[2];
    driver_want(2);
    fake.on_query = driver_linger;
    for (int i = 0; i < 2; ++i) {
        world_open_on(&worlds[i], &compile_slice, &options);
        start_compile(&tasks[i], worlds[i].device, SHAPE_STRIDED);
    }
    for (int i = 0; i < 2; ++i) {
        end_compile(&tasks[i]);
        rig_check_counters(worlds[i].device, COUNTED(.misses = 1, .saved = 1));
        clslice_operator_release(worlds[i].op);
        clslice_device_release(worlds[i].device);
    }
    ck_assert_msg(!driver_gave_up(), "one waits for the other's end");
    ck_assert_uint_eq(rig_queries(), 2);
    ck_assert_uint_eq(rig_entries(&options), 1);
    rig_expect(&options, COUNTED(.hits = 1));
}
END_TEST

/* The host's queue holds a command that it has not flushed: a compile leaves it as it is. */
START_TEST(p16_saving_flushes_nobodys_queue)
{
    static const struct step hosts = {"host's queue", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL,
                                      STEP_QUEUE};
    clslice_device_options options = rig_begin();
    struct world world;
    struct compiling other;
    fake.lazy = true;
    world_open_on(&world, &hosts, &options);
    world_do(&world);
    size_t flushed = fake_count(FAKE_clFlush) + fake_count(FAKE_clFinish);
    start_compile(&other, world.device, SHAPE_BIG);
    end_compile(&other);
    ck_assert_uint_eq(rig_entries(&options), 2);
    ck_assert_uint_eq(fake_count(FAKE_clFlush) + fake_count(FAKE_clFinish), flushed);
    ck_assert_uint_eq(fake_pending(), 1);
    fake_clFlush(world.queue);
    world_end(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_saving");
    TCase *tcase = suite_case(suite, "properties");
    tcase_add_test(tcase, p16_a_compile_that_misses_builds_runs_asks_and_writes);
    tcase_add_test(tcase, p16_nothing_but_the_compile_asks);
    tcase_add_test(tcase, p16_every_program_of_a_compile_is_saved);
    tcase_add_test(tcase, p16_the_binary_is_of_a_program_that_ran);
    tcase_add_test(tcase, p16_a_hit_runs_and_asks_nothing);
    tcase_add_loop_test(tcase, p16_a_cache_that_takes_nothing_costs_nothing, 0, 3);
    tcase_add_test(tcase, p16_a_folder_that_takes_nothing_costs_nothing);
    tcase_add_test(tcase, p16_warm_does_not_run_again_what_just_ran);
    tcase_add_test(tcase, p16_the_run_keeps_to_the_kernels_group_size);
    tcase_add_test(tcase, p16_a_run_that_fails_is_no_error);
    tcase_add_loop_test(tcase, p16_a_run_that_fails_is_an_error_where_it_was_asked_for, 0, 2);
    tcase_add_test(tcase, p16_only_who_needs_the_program_waits);
    tcase_add_test(tcase, p16_different_programs_are_saved_at_once);
    tcase_add_test(tcase, p16_two_processes_that_miss_together_save_once_each);
    tcase_add_test(tcase, p16_saving_flushes_nobodys_queue);
    return suite_run(suite);
}
