/* SPDX-License-Identifier: MIT */
/* The host's memory: in place where that is certain to work, else through staging buffers. */
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <string.h>

/* ---- Host memory in place ---- */

static const struct step over_host = {"host memory", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_HOST,
                                      STEP_EVENT};

static uint32_t host_memory_of(const clslice_device *device)
{
    clslice_device_info info = {.size = sizeof info};
    ck_assert_int_eq(clslice_device_get_info(device, &info, NULL), CLSLICE_S_OK);
    return info.host_memory;
}

/* A device on the machine as it is, and what it makes of host memory. */
static void check_host_memory(uint32_t host_memory)
{
    const clslice_device_options options = fake_options(NULL);
    struct world world;
    world_open_on(&world, &over_host, &options);
    ck_assert_uint_eq(host_memory_of(world.device), host_memory);
    world_do(&world);
    world_end(&world);
}

START_TEST(host_memory_that_the_driver_copies_is_staged)
{
    static const cl_mem_flags copied[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
                                          CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY};
    fake_begin();
    fake.copies_host_memory = copied[_i];
    check_host_memory(CLSLICE_HOST_MEMORY_STAGED);
}
END_TEST

/* What cannot be found out is not relied on. */
START_TEST(host_memory_whose_probe_fails_is_staged)
{
    static const struct {
        enum fake_function function;
        unsigned nth;
    } calls[] = {{FAKE_clCreateCommandQueue, 2},
                 {FAKE_clCreateBuffer, 1},
                 {FAKE_clCreateBuffer, 2},
                 {FAKE_clCreateBuffer, 3},
                 {FAKE_clEnqueueCopyBuffer, 1},
                 {FAKE_clEnqueueCopyBuffer, 2},
                 {FAKE_clEnqueueCopyBuffer, 3},
                 {FAKE_clEnqueueCopyBuffer, 4},
                 {FAKE_clFinish, 1},
                 {FAKE_clFinish, 2}};
    for (size_t i = 0; i < COUNT_OF(calls); ++i) {
        fake_begin();
        fake_fail(calls[i].function, calls[i].nth, CL_OUT_OF_RESOURCES);
        check_host_memory(CLSLICE_HOST_MEMORY_STAGED);
        ck_assert_int_eq(fake_fault_over(), calls[i].function);
    }
}
END_TEST

/* Where the answer is known: GPUs, and system SVM, under which the device has the host's memory by
 * contract. */
START_TEST(host_memory_is_probed_only_where_it_tells)
{
    const cl_device_svm_capabilities svm = CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    for (int i = 0; i < 4; ++i) {
        fake_begin();
        fake.device[0].type = i % 2 ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
        fake.device[0].svm = i / 2 ? svm : 0;
        check_host_memory(i / 2   ? CLSLICE_HOST_MEMORY_SYSTEM_SVM
                          : i % 2 ? CLSLICE_HOST_MEMORY_STAGED
                                  : CLSLICE_HOST_MEMORY_USE_HOST_PTR);
        ck_assert_uint_eq(fake_count(FAKE_clEnqueueCopyBuffer), i == 0 ? 4 : 0);
    }
}
END_TEST

START_TEST(a_listing_makes_nothing)
{
    const clslice_device_options options = fake_options(NULL);
    clslice_device_info info = {.size = sizeof info};
    fake_begin();
    fake.copies_host_memory = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    ck_assert_int_eq(clslice_device_enumerate(&options, 0, &info, NULL), CLSLICE_S_OK);
    ck_assert_uint_eq(info.host_memory, CLSLICE_HOST_MEMORY_USE_HOST_PTR);
    ck_assert_uint_eq(fake_count(FAKE_clCreateContext), 0);
}
END_TEST

/* ---- Commands for gaps ---- */

/* How many commands bring staged output to a host's memory that it does not fill. */
START_TEST(gaps_take_few_commands)
{
    static const struct {
        enum step_shape shape;
        size_t reads, rectangles;
    } cases[] = {{SHAPE_ROWS, 1, 0},   /* no gaps */
                 {SHAPE_GAPS, 0, 3},   /* a rectangle per slice, */
                 {SHAPE_PLANES, 0, 1}, /* one for all where the pitches allow it */
                 {SHAPE_ELEMENTS, 0, 12} /* a rectangle of elements per row */};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const struct step step = {"dispatch, gaps", ACT_DISPATCH, cases[i].shape, MEMORY_HOST,
                                  STEP_GPU | STEP_EVENT | (_i ? STEP_BLOCKS : 0)};
        struct world world;
        world_open(&world, &step);
        world_do(&world);
        ck_assert_uint_eq(fake_count(FAKE_clEnqueueReadBuffer), _i ? 1 : cases[i].reads);
        ck_assert_uint_eq(fake_count(FAKE_clEnqueueReadBufferRect), _i ? 0 : cases[i].rectangles);
        ck_assert_uint_eq(fake_count(FAKE_clWaitForEvents),
                          _i && cases[i].shape != SHAPE_ROWS ? 1 : 0);
        world_end(&world);
    }
}
END_TEST

/* ---- Staging buffers in use ---- */

static const struct step staged_out_of_order = {
    "dispatch, staged out of order", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_HOST,
    STEP_GPU | STEP_QUEUE | STEP_OUT_OF_ORDER | STEP_EVENT};

/* A dispatch whose wait event fails while others are behind it in an out-of-order queue. */
START_TEST(a_use_that_fails_spares_the_next)
{
    enum { COUNT = 4 };
    struct world worlds[COUNT];
    clslice_error error = {.size = sizeof error};
    world_open(&worlds[0], &staged_out_of_order);
    worlds[0].gate = fake_gate_create();
    for (int i = 1; i < COUNT; ++i) {
        world_share(&worlds[i], &worlds[0], worlds[0].queue);
        worlds[i].gate = NULL;
    }
    fake.hold = true;
    for (int i = 0; i < COUNT; ++i)
        world_do(&worlds[i]);
    fake_gate_open(worlds[0].gate, CL_OUT_OF_RESOURCES);
    for (int i = 1; i < COUNT; ++i) {
        world_check_done(&worlds[i]);
        world_unshare(&worlds[i]);
    }
    ck_assert_int_eq(clslice_event_wait(worlds[0].device, worlds[0].event, &error), CLSLICE_E_FAIL);
    world_check_unwritten(&worlds[0]);
    world_close(&worlds[0]);
}
END_TEST

/* Nobody's events to wait for: however many are under way, they share the pool. */
START_TEST(uses_under_way_share_the_pool)
{
    enum { COUNT = 9, BUFFERS = 4 };
    struct world worlds[COUNT];
    world_open(&worlds[0], &staged_out_of_order);
    for (int i = 1; i < COUNT; ++i)
        world_share(&worlds[i], &worlds[0], worlds[0].queue);
    fake.hold = true;
    size_t made = fake_count(FAKE_clCreateBuffer);
    for (int i = 0; i < COUNT; ++i)
        world_do(&worlds[i]);
    ck_assert_uint_le(fake_count(FAKE_clCreateBuffer) - made, BUFFERS);
    for (int i = 1; i < COUNT; ++i) {
        world_check_done(&worlds[i]);
        world_unshare(&worlds[i]);
    }
    world_end(&worlds[0]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("staging");
    TCase *tcase = suite_case(suite, "staging");
    tcase_add_loop_test(tcase, host_memory_that_the_driver_copies_is_staged, 0, 3);
    tcase_add_test(tcase, host_memory_whose_probe_fails_is_staged);
    tcase_add_test(tcase, host_memory_is_probed_only_where_it_tells);
    tcase_add_test(tcase, a_listing_makes_nothing);
    tcase_add_loop_test(tcase, gaps_take_few_commands, 0, 2);
    tcase_add_test(tcase, a_use_that_fails_spares_the_next);
    tcase_add_test(tcase, uses_under_way_share_the_pool);
    return suite_run(suite);
}
