/* SPDX-License-Identifier: MIT */
/* Every OpenCL call of every operation fails once: the operation fails cleanly and works the
 * next time, or has a reason to go on. */
#include "core/batch.h"
#include "core/walk.h"
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
                               CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_VALUE};

enum { CODE_COUNT = COUNT_OF(codes) };

/* Whether a compile did without the cache because of one failure. */
static bool was_not_saved(const struct world *world)
{
    clslice_cache_counters counters = {.size = sizeof counters};
    return world->step->action == ACT_COMPILE && world->step->traits & STEP_CACHE &&
           clslice_device_get_cache_counters(world->device, &counters, NULL) == CLSLICE_S_OK &&
           counters.unsaved == 1;
}

/* What an operation may go on without. */
static bool may_absorb(enum fake_function function, const struct world *world)
{
    const struct step *step = world->step;
    switch (function) {
    case FAKE_clGetPlatformInfo: /* one device or platform does not hide the others */
    case FAKE_clGetDeviceIDs:
    case FAKE_clGetDeviceInfo:
    case FAKE_clReleaseContext: /* nothing that anyone could do */
    case FAKE_clReleaseCommandQueue:
    case FAKE_clReleaseMemObject:
    case FAKE_clReleaseProgram:
    case FAKE_clReleaseKernel:
    case FAKE_clReleaseEvent:
    case FAKE_clSetEventCallback:
    case FAKE_clCreateProgramWithBinary: /* the cache never makes a call fail */
    case FAKE_clGetProgramInfo:
    case FAKE_clRetainEvent: /* for the reuse of a staging buffer */
    case FAKE_clFlush:
        return true;
    case FAKE_clEnqueueCopyBuffer: /* where they only show whether host memory is shared */
    case FAKE_clFinish:
        return step->action == ACT_CREATE || step->action == ACT_CREATE_IN_CONTEXT;
    case FAKE_clCreateCommandQueue:
    case FAKE_clCreateBuffer:
        return step->action == ACT_CREATE || step->action == ACT_CREATE_IN_CONTEXT ||
               was_not_saved(world);
    case FAKE_clBuildProgram: /* of a binary, where the source is left */
        return step->traits & STEP_CACHED;
    case FAKE_clCreateKernel:
        return step->traits & STEP_CACHED || was_not_saved(world);
    case FAKE_clSetKernelArg:
    case FAKE_clGetKernelWorkGroupInfo:
    case FAKE_clEnqueueNDRangeKernel:
    case FAKE_clWaitForEvents:
        return was_not_saved(world);
    case FAKE_clGetEventInfo:
        return step->action != ACT_STATUS;
    case FAKE_clGetPlatformIDs: /* for the selector alone */
        return step->action == ACT_CREATE_IN_CONTEXT;
    default:
        return false;
    }
}

/* Discovery says what is wrong with a device, not which call told so. */
static bool names_no_code(enum fake_function function)
{
    return function == FAKE_clGetPlatformInfo || function == FAKE_clGetDeviceIDs ||
           function == FAKE_clGetDeviceInfo;
}

static void check_failure(const struct step *step, enum fake_function function, cl_int code,
                          int32_t status, const clslice_error *error)
{
    const char *name = fake_function_name(function);
    ck_assert_msg(status < 0, "%s, %s: status %d", step->name, name, status);
    ck_assert_msg(error->status == status, "%s, %s: error.status", step->name, name);
    ck_assert_msg(error->rule != CLSLICE_RULE_NONE, "%s, %s: no rule", step->name, name);
    ck_assert_msg(error->text[0] != '\0', "%s, %s: no text", step->name, name);
    ck_assert_msg(error->opencl == code || names_no_code(function),
                  "%s, %s: error.opencl is %d: %s", step->name, name, error->opencl, error->text);
}

/* Runs the operation with its nth call failing; false where it has no nth call. */
static bool run_with_fault(const struct step *step, unsigned nth, cl_int code)
{
    struct world world;
    clslice_error error = {.size = sizeof error};
    world_open(&world, step);
    fake_fail(FAKE_ANY, nth, code);
    int32_t status = world_act(&world, &error);
    enum fake_function function = fake_fault_over();
    if (status == CLSLICE_S_OK) {
        ck_assert_msg(function == FAKE_ANY || may_absorb(function, &world),
                      "%s succeeds without %s", step->name, fake_function_name(function));
    } else {
        ck_assert_msg(function != FAKE_ANY, "%s: %s", step->name, error.text);
        check_failure(step, function, code, status, &error);
        world_check_untouched(&world);
        status = world_act(&world, &error);
        ck_assert_msg(status == CLSLICE_S_OK, "%s, after %s failed: %s", step->name,
                      fake_function_name(function), error.text);
    }
    world_end(&world);
    return function != FAKE_ANY;
}

START_TEST(every_call_fails_once)
{
    const struct step *step = &steps[_i];
    const int count = step->shape == SHAPE_BIG ? 1 : CODE_COUNT; /* it takes its time */
    for (int i = 0; i < count; ++i)
        for (unsigned nth = 1; run_with_fault(step, nth, codes[i]); ++nth)
            ck_assert_uint_lt(nth, 2000);
}
END_TEST

START_TEST(every_function_that_may_be_missing_may)
{
    clslice_error error = {.size = sizeof error};
    for (int i = 0; i < FAKE_FUNCTION_COUNT; ++i) {
        clslice_device *device = NULL;
        clslice_device_options options = fake_options(NULL);
        fake_begin();
        fake.missing = fake_function_name((enum fake_function)i);
        int32_t status = clslice_device_create(&options, &device, &error);
        if (i == FAKE_clSetKernelArgSVMPointer) {
            ck_assert_int_eq(status, CLSLICE_S_OK);
        } else {
            ck_assert_int_eq(status, CLSLICE_DXGI_ERROR_UNSUPPORTED);
            ck_assert_uint_eq(error.rule, CLSLICE_RULE_NO_LOADER);
        }
        clslice_device_release(device);
        ck_assert_uint_eq(fake_live(), 0);
    }
}
END_TEST

/* A device that comes between the two questions for the list. */
START_TEST(devices_may_appear_while_they_are_counted)
{
    clslice_error error = {.size = sizeof error};
    clslice_device_info info = {.size = sizeof info};
    clslice_device_options options = fake_options(NULL);
    fake_begin();
    for (int i = 1; i < FAKE_DEVICES_MAX; ++i)
        fake.device[i] = fake.device[0];
    fake.devices_appear = FAKE_DEVICES_MAX - 1;
    int32_t status = clslice_device_enumerate(&options, 0, &info, &error);
    ck_assert_msg(status == CLSLICE_S_OK, "%s", error.text);
    ck_assert_str_eq(info.name, "Fake CPU");
}
END_TEST

/* As the embedded profile may have. */
START_TEST(kernels_that_take_more_arguments_than_the_device_are_refused)
{
    static const size_t needed = sizeof(struct walk) + sizeof(struct batch) + 40;
    const clslice_device_options options = fake_options(NULL);
    clslice_error error = {.size = sizeof error};
    const size_t bytes[] = {0, 256, needed - 1, needed, 1024};
    for (size_t i = 0; i < COUNT_OF(bytes); ++i) {
        clslice_device *device = NULL;
        clslice_device_info info = {.size = sizeof info};
        fake_begin();
        fake.device[0].parameter_bytes = bytes[i];
        bool is_enough = bytes[i] >= needed;
        ck_assert_int_eq(clslice_device_enumerate(&options, 0, &info, NULL), CLSLICE_S_OK);
        ck_assert_uint_eq(info.usable, is_enough);
        ck_assert_int_eq(clslice_device_create(&options, &device, &error),
                         is_enough ? CLSLICE_S_OK : CLSLICE_DXGI_ERROR_UNSUPPORTED);
        if (!is_enough)
            ck_assert_ptr_nonnull(strstr(info.unusable_reason, "CL_DEVICE_MAX_PARAMETER_SIZE"));
        clslice_device_release(device);
    }
}
END_TEST

/* Nothing starts before everything is enqueued, unless the driver waits for it itself, and then the
 * newest first where a queue has
 * no order. */
START_TEST(commands_may_run_in_the_worst_order)
{
    const struct step *step = &steps[_i];
    struct world world;
    if (step->action != ACT_DISPATCH || step->traits & STEP_BLOCKS)
        return;
    world_open(&world, step);
    fake.hold = true;
    world_do(&world);
    world_end(&world);
}
END_TEST

/* A kernel that completes with an error is the event's error, not the dispatch's. */
START_TEST(a_failed_command_is_the_events_status)
{
    struct world world;
    clslice_error error = {.size = sizeof error};
    for (int i = 0; i < step_count; ++i) {
        if (steps[i].action != ACT_DISPATCH || !(steps[i].traits & STEP_EVENT))
            continue;
        world_open(&world, &steps[i]);
        fake.kernel_status = CL_OUT_OF_RESOURCES;
        world_do(&world);
        if (world.gate)
            fake_gate_open(world.gate, CL_COMPLETE);
        fake_run_commands();
        int32_t status = clslice_event_get_status(world.device, world.event, &error);
        ck_assert_msg(status == CLSLICE_E_FAIL, "%s: the event does not tell", steps[i].name);
        ck_assert_int_eq(error.status, CLSLICE_E_FAIL);
        ck_assert_int_lt(error.opencl, 0);
        ck_assert_int_eq(clslice_event_wait(world.device, world.event, &error), CLSLICE_E_FAIL);
        ck_assert_int_lt(error.opencl, 0);
        world_close(&world);
    }
}
END_TEST

/* An event that the dispatch waits for and that fails: nothing is written and the event says so,
 * whether or not the driver stops what is behind a command that did not run. */
START_TEST(a_failed_wait_event_stops_the_slice)
{
    struct world world;
    clslice_error error = {.size = sizeof error};
    for (int i = 0; i < step_count; ++i) {
        if (steps[i].action != ACT_DISPATCH || !(steps[i].traits & STEP_WAITS))
            continue;
        world_open(&world, &steps[i]);
        fake.forgets_failures = _i;
        world_do(&world);
        fake_gate_open(world.gate, CL_OUT_OF_RESOURCES);
        int32_t status = clslice_event_wait(world.device, world.event, &error);
        ck_assert_msg(status == CLSLICE_E_FAIL, "%s: the event does not tell", steps[i].name);
        ck_assert_int_eq(clslice_event_get_status(world.device, world.event, &error),
                         CLSLICE_E_FAIL);
        world_check_unwritten(&world);
        fake_gate_open(world.gate, CL_COMPLETE);
        world_close(&world);
    }
}
END_TEST

/* ---- Runs ---- */

enum { RUN_STEPS = 7 };

/* The index-th of the steps that are runs. */
static const struct step *run_step(int index)
{
    const struct step *found = NULL;
    int count = 0;
    for (const struct step *step = steps; step < steps + step_count; ++step)
        if (step->action == ACT_RUN && count++ == index)
            found = step;
    ck_assert_int_eq(count, RUN_STEPS);
    return found;
}

/* Commands run as late as they can: whichever call fails, the memory is the caller's again. */
START_TEST(a_failed_run_leaves_nothing_running)
{
    const struct step *step = run_step(_i);
    clslice_error error = {.size = sizeof error};
    enum fake_function function;
    unsigned nth = 0;
    do {
        struct world world;
        world_open(&world, step);
        fake.lazy = true;
        fake_fail(FAKE_ANY, ++nth, CL_OUT_OF_RESOURCES);
        int32_t status = world_act(&world, &error);
        function = fake_fault_over();
        ck_assert_msg(fake_pending() == 0, "%s: commands are left after %s failed", step->name,
                      fake_function_name(function));
        if (status != CLSLICE_S_OK)
            check_failure(step, function, CL_OUT_OF_RESOURCES, status, &error);
        world_close(&world);
    } while (function != FAKE_ANY);
    ck_assert_uint_gt(nth, 5);
}
END_TEST

START_TEST(a_failed_command_is_the_runs_status)
{
    clslice_error error = {.size = sizeof error};
    const struct step *step = run_step(_i);
    struct world world;
    world_open(&world, step);
    fake.kernel_status = CL_OUT_OF_RESOURCES;
    ck_assert_int_eq(world_act(&world, &error), CLSLICE_E_FAIL);
    ck_assert_int_lt(error.opencl, 0);
    world_close(&world);
}
END_TEST

/* ---- Waiting ---- */

/* Where clWaitForEvents returns too early, as PoCL's device `basic` lets it. */
START_TEST(waiting_goes_on_until_the_end)
{
    static const struct step step = {"dispatch, to be waited for", ACT_DISPATCH, SHAPE_STRIDED,
                                     MEMORY_HOST, STEP_EVENT};
    struct world world;
    clslice_error error = {.size = sizeof error};
    world_open(&world, &step);
    fake.lazy = true;
    fake.kernel_status = _i ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
    world_do(&world);
    size_t waits = fake_count(FAKE_clWaitForEvents);
    fake.early_waits = 5;
    int32_t status = clslice_event_wait(world.device, world.event, &error);
    ck_assert_int_eq(status, _i ? CLSLICE_E_FAIL : CLSLICE_S_OK);
    ck_assert_uint_eq(fake_count(FAKE_clWaitForEvents) - waits, 6);
    ck_assert_uint_eq(fake_pending(), 0);
    if (_i)
        world_check_unwritten(&world);
    else
        world_check_done(&world);
    world_close(&world);
}
END_TEST

/* ---- Callers of one operator ---- */

/* Three callers of one operator, with memory and a queue each, for two sets of staging buffers. */
static void open_three(struct world worlds[3])
{
    static const struct step staged = {"dispatch, staged in three queues", ACT_DISPATCH,
                                       SHAPE_STRIDED, MEMORY_HOST,
                                       STEP_GPU | STEP_QUEUE | STEP_EVENT};
    cl_int code;
    world_open(&worlds[0], &staged);
    world_share(
        &worlds[1], &worlds[0],
        fake_clCreateCommandQueue(fake_context_of(worlds[0].queue), fake_device_id(0), 0, &code));
    world_share(&worlds[2], &worlds[1], NULL);
    fake.hold = true;
}

static void close_three(struct world worlds[3])
{
    for (int i = 0; i < 3; ++i)
        world_check_done(&worlds[i]);
    fake_clReleaseCommandQueue(worlds[1].queue);
    world_unshare(&worlds[1]);
    world_unshare(&worlds[2]);
    world_close(&worlds[0]);
}

/* Three dispatches of host memory run interleaved: no two share a buffer, whatever could not be
 * noted about the second. */
START_TEST(staging_that_could_not_be_noted_is_not_reused)
{
    struct world worlds[3];
    open_three(worlds);
    for (int i = 0; i < 3; ++i) {
        if (i == 1)
            fake_fail(FAKE_clRetainEvent, 1, CL_OUT_OF_HOST_MEMORY);
        world_do(&worlds[i]);
        fake_fault_over();
    }
    close_three(worlds);
}
END_TEST

/* Every call of a dispatch that finds both sets in use. */
START_TEST(every_call_fails_once_without_a_free_set)
{
    struct world worlds[3];
    clslice_error error = {.size = sizeof error};
    enum fake_function function = FAKE_FUNCTION_COUNT;
    unsigned nth = 0;
    do {
        open_three(worlds);
        world_do(&worlds[0]);
        world_do(&worlds[1]);
        fake_fail(FAKE_ANY, ++nth, CL_OUT_OF_RESOURCES);
        int32_t status = world_act(&worlds[2], &error);
        function = fake_fault_over();
        if (status != CLSLICE_S_OK) {
            check_failure(worlds[2].step, function, CL_OUT_OF_RESOURCES, status, &error);
            world_do(&worlds[2]);
        }
        close_three(worlds);
    } while (function != FAKE_ANY);
    ck_assert_uint_gt(nth, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *tcase = suite_case(suite, "opencl");
    tcase_add_loop_test(tcase, every_call_fails_once, 0, step_count);
    tcase_add_loop_test(tcase, commands_may_run_in_the_worst_order, 0, step_count);
    tcase_add_test(tcase, every_function_that_may_be_missing_may);
    tcase_add_test(tcase, devices_may_appear_while_they_are_counted);
    tcase_add_test(tcase, kernels_that_take_more_arguments_than_the_device_are_refused);
    tcase_add_test(tcase, a_failed_command_is_the_events_status);
    tcase_add_loop_test(tcase, a_failed_wait_event_stops_the_slice, 0, 2);
    tcase_add_loop_test(tcase, a_failed_run_leaves_nothing_running, 0, RUN_STEPS);
    tcase_add_loop_test(tcase, a_failed_command_is_the_runs_status, 0, RUN_STEPS);
    tcase_add_loop_test(tcase, waiting_goes_on_until_the_end, 0, 2);
    tcase_add_test(tcase, every_call_fails_once_without_a_free_set);
    tcase_add_test(tcase, staging_that_could_not_be_noted_is_not_reused);
    return suite_run(suite);
}
