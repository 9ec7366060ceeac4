/* SPDX-License-Identifier: MIT */
/* Who asks for binaries, and when: the saving thread, after the first use. Names begin with the
 * property of tests/cache.md. */
#include "program_rig.h"

#include <check.h>
#include <unistd.h>

/* ---- P16: who asks for binaries ---- */

START_TEST(p16_no_binary_query_on_calling_threads)
{
    clslice_device_options options = rig_begin_with_thread();
    struct world world;
    struct fake_call call;
    bool enqueued = false;
    world_open_on(&world, &run_slice, &options);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK); /* nothing is used yet */
    ck_assert_uint_eq(rig_queries(), 0);
    rig_act(&world);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_entries(&options), 1);
    clslice_event_release(world.device, world.event);
    rig_act(&world);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    world_check_done(&world);
    world_close(&world);
    for (size_t i = 0; fake_call_at(i, &call); ++i) {
        enqueued = enqueued || call.function == FAKE_clEnqueueNDRangeKernel;
        if (call.function != FAKE_clGetProgramInfo)
            continue;
        ck_assert_msg(enqueued, "asked before the first enqueue");
        ck_assert_msg(call.thread != gettid(), "asked on a calling thread");
    }
    ck_assert_uint_eq(rig_queries(), 1); /* drivers answer as they did the first time */
}
END_TEST

START_TEST(p16_without_threads_only_flush_asks)
{
    clslice_device_options options = rig_begin();
    struct world world;
    struct fake_call call;
    world_open_on(&world, &run_slice, &options);
    rig_act(&world);
    world_check_done(&world);
    world_close(&world); /* not even the last release */
    ck_assert_uint_eq(fake_count(FAKE_clGetProgramInfo), 0);
    ck_assert_uint_eq(rig_entries(&options), 0);
    world_open_on(&world, &run_slice, &options);
    rig_act(&world);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_entries(&options), 1);
    for (size_t i = 0; fake_call_at(i, &call); ++i)
        ck_assert_int_eq(call.thread, gettid());
    world_close(&world);
}
END_TEST

/* With the thread and without. */
START_TEST(p16_nothing_is_asked_before_the_first_use_is_complete)
{
    clslice_device_options options = _i ? rig_begin() : rig_begin_with_thread();
    struct world world;
    world_open_on(&world, &run_slice, &options);
    fake.hold = true;
    rig_act(&world);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(rig_flush(&world), CLSLICE_S_FALSE);
    ck_assert_uint_eq(rig_queries(), 0);
    ck_assert_uint_eq(rig_entries(&options), 0);
    fake_run_commands();
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_entries(&options), 1);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_queries(), 1);
    world_close(&world);
}
END_TEST

/* A second operator on a world's device, compiled. */
static void open_second(struct world *second, const struct world *world, const struct step *step)
{
    *second = *world;
    second->step = step;
    ck_assert_int_eq(
        clslice_operator_create(world->device, shape_desc(step->shape), &second->op, NULL),
        CLSLICE_S_OK);
    ck_assert_int_eq(clslice_operator_compile(second->op, NULL, &second->compiled, NULL),
                     CLSLICE_S_OK);
}

START_TEST(p16_callers_do_not_wait_for_the_answer)
{
    static const struct step other = {"other", ACT_DISPATCH, SHAPE_ROWS, MEMORY_CL, STEP_EVENT};
    clslice_device_options options = rig_begin_with_thread();
    struct world world, second, caller;
    driver_want(9);
    fake.on_query = driver_linger;
    world_open_on(&world, &run_slice, &options);
    rig_act(&world);
    driver_wait_for(1);
    clslice_event_release(world.device, world.event);
    rig_act(&world); /* the same program */
    world_check_done(&world);
    open_second(&second, &world, &other); /* builds another, and uses it for the first time */
    world_share(&caller, &second, NULL);
    rig_act(&caller);
    world_check_done(&caller);
    world_unshare(&caller);
    clslice_compiled_operator_release(second.compiled);
    clslice_operator_release(second.op);
    ck_assert_int_eq(driver_inside(), 1);
    driver_want(0);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    world_close(&world);
    ck_assert_msg(!driver_gave_up(), "a caller waits for the driver");
    ck_assert_uint_eq(rig_entries(&options), 2);
}
END_TEST

START_TEST(p16_saving_flushes_nobodys_queue)
{
    static const struct step hosts = {"host's queue", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL,
                                      STEP_QUEUE};
    clslice_device_options options = rig_begin_with_thread();
    struct world world;
    fake.lazy = true;
    world_open_on(&world, &hosts, &options);
    rig_act(&world);
    for (int i = 0; i < 5; ++i) {
        ck_assert_int_eq(rig_flush(&world), CLSLICE_S_FALSE);
        usleep(10000); /* the thread looks in between, too */
    }
    ck_assert_uint_eq(fake_count(FAKE_clFlush) + fake_count(FAKE_clWaitForEvents), 0);
    ck_assert_uint_eq(fake_pending(), 1);
    fake_clFlush(world.queue);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_entries(&options), 1);
    world_close(&world);
}
END_TEST

/* A use that could not be noted is noted the next time. */
START_TEST(p16_a_lost_note_is_made_again)
{
    clslice_device_options options = rig_begin();
    struct world world;
    world_open_on(&world, &run_slice, &options);
    fake_fail(FAKE_clRetainEvent, 1, CL_OUT_OF_HOST_MEMORY);
    rig_act(&world);
    ck_assert_uint_eq(fake_fault_over(), FAKE_clRetainEvent);
    clslice_event_release(world.device, world.event);
    rig_act(&world);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    ck_assert_uint_eq(rig_entries(&options), 1);
    world_close(&world);
}
END_TEST

/* ---- How a device ends ---- */

START_TEST(p16_released_right_after_the_first_dispatch)
{
    for (int i = 0; i < 50; ++i) {
        clslice_device_options options = rig_begin_with_thread();
        struct world world;
        world_open_on(&world, &run_slice, &options);
        rig_act(&world);
        world_close(&world);
        ck_assert_uint_eq(rig_entries(&options), 1);
    }
}
END_TEST

START_TEST(p16_a_first_use_that_never_completes)
{
    clslice_device_options options = _i ? rig_begin() : rig_begin_with_thread();
    struct world world;
    world_open_on(&world, &run_slice, &options);
    fake.hold = true;
    rig_act(&world);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_FALSE);
    clslice_event_release(world.device, world.event);
    world.event = NULL;
    clslice_compiled_operator_release(world.compiled);
    clslice_operator_release(world.op);
    clslice_device_release(world.device);
    ck_assert_uint_eq(fake_live(), 2); /* the test's own buffers */
    ck_assert_uint_eq(fake_pending(), 1);
    ck_assert_uint_eq(rig_queries(), 0);
    world.device = NULL;
    world.op = NULL;
    world.compiled = NULL;
    world_close(&world);
}
END_TEST

START_TEST(p16_a_first_use_that_fails)
{
    clslice_device_options options = _i ? rig_begin() : rig_begin_with_thread();
    struct world world;
    world_open_on(&world, &run_slice, &options);
    fake.kernel_status = CL_OUT_OF_RESOURCES;
    rig_act(&world);
    ck_assert_int_eq(clslice_event_wait(world.device, world.event, NULL), CLSLICE_E_FAIL);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    fake_lock();
    fake.kernel_status = CL_SUCCESS;
    fake_unlock();
    clslice_event_release(world.device, world.event);
    rig_act(&world);
    world_check_done(&world);
    ck_assert_int_eq(rig_flush(&world), CLSLICE_S_OK);
    world_close(&world);
    struct told told = rig_use(&options); /* whatever was saved can be used */
    ck_assert_uint_eq(told.counters.refused + told.counters.corrupt, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_saving");
    TCase *tcase = tcase_create("properties");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, p16_no_binary_query_on_calling_threads);
    tcase_add_test(tcase, p16_without_threads_only_flush_asks);
    tcase_add_loop_test(tcase, p16_nothing_is_asked_before_the_first_use_is_complete, 0, 2);
    tcase_add_test(tcase, p16_callers_do_not_wait_for_the_answer);
    tcase_add_test(tcase, p16_saving_flushes_nobodys_queue);
    tcase_add_test(tcase, p16_a_lost_note_is_made_again);
    tcase_add_test(tcase, p16_released_right_after_the_first_dispatch);
    tcase_add_loop_test(tcase, p16_a_first_use_that_never_completes, 0, 2);
    tcase_add_loop_test(tcase, p16_a_first_use_that_fails, 0, 2);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
