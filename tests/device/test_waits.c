/* SPDX-License-Identifier: MIT */
/* Wait events that fail: the dispatch's event says so and nothing is written, whatever the memory,
 * the queue and the number of steps. Each attempt is a process of its own: drivers abort. */
#include "conformance/case_words.h"
#include "conformance/reference.h"
#include "support/harness.h"
#include "support/suite.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILES = 3, ROWS = 30, COLUMNS = 20, PITCH = 21, MOST_BYTES = 512, RUNS = 3 };
enum { IN_BYTES = ROWS * COLUMNS * 2, OUT_BYTES = ((ROWS - 1) * PITCH + COLUMNS) * 2 };
enum { SET_ASIDE = 0xEE };

/* Gaps behind every row; not even half of it fits into one launch's bytes. */
static const struct slice_case gaps = CASE("gaps", UINT16, WHOLE(ROWS, COLUMNS), BY(-1, 1),
                                           OUT(ROWS, COLUMNS), OUT_STRIDES(PITCH, 1));

enum way { WAY_MEM, WAY_IN_PLACE, WAY_STAGED, WAY_COUNT };
enum { QUEUE_OWN, QUEUE_IN_ORDER, QUEUE_OUT_OF_ORDER, QUEUE_COUNT };

static struct rig rig;
static unsigned queue_kinds = QUEUE_COUNT;
static atomic_uint launches;

static cl_int CL_API_CALL count_launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueNDRangeKernel, real);
    atomic_fetch_add(&launches, 1);
    return real(queue, kernel, rank, offset, global, local, wait_count, waits, event);
}

static void *counting_proc(void *user, const char *name)
{
    return strcmp(name, "clEnqueueNDRangeKernel") == 0 ? RIG_ADDRESS(count_launch)
                                                       : rig_proc(user, name);
}

/* ---- One attempt ---- */

struct attempt {
    enum way way;
    bool tiled;
    clslice_compiled_operator *compiled;
    cl_command_queue queue; /* owned; NULL: the device's */
    cl_mem in_mem, out_mem; /* owned; NULL but for WAY_MEM */
    unsigned char in_block[IN_BYTES + 16], out_block[OUT_BYTES + 16];
    unsigned char *in, *out; /* of these blocks */
};

static void open_attempt(struct attempt *t, enum way way, int queue_kind, bool tiled)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = counting_proc, .cache_mode = CLSLICE_CACHE_OFF};
    *t = (struct attempt){.way = way, .tiled = tiled};
    rig_lie.max_alloc = tiled ? MOST_BYTES : 0;
    rig_open(&rig, &options);
    t->in = t->in_block + (way == WAY_STAGED);
    t->out = t->out_block + (way == WAY_STAGED);
    reference_input(&gaps, t->in, IN_BYTES);
    memset(t->out_block, SET_ASIDE, sizeof t->out_block);
    t->compiled = rig_compile(&rig, &gaps, NULL);
    if (queue_kind != QUEUE_OWN)
        t->queue = rig_queue(
            &rig, queue_kind == QUEUE_OUT_OF_ORDER ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    if (way == WAY_MEM) {
        t->in_mem = rig_buffer(&rig, IN_BYTES, t->in);
        t->out_mem = rig_buffer(&rig, OUT_BYTES, t->out);
    }
}

static void release_attempt(struct attempt *t)
{
    clslice_compiled_operator_release(t->compiled);
    clslice_device_release(rig.device);
    t->compiled = NULL;
    rig.device = NULL;
}

static void close_attempt(struct attempt *t)
{
    release_attempt(t);
    if (t->in_mem)
        rig.cl.clReleaseMemObject(t->in_mem);
    if (t->out_mem)
        rig.cl.clReleaseMemObject(t->out_mem);
    if (t->queue)
        rig.cl.clReleaseCommandQueue(t->queue);
    rig_close(&rig);
}

static int32_t dispatch(struct attempt *t, const cl_event *gate, cl_event *event,
                        clslice_error *error)
{
    clslice_binding in =
        t->in_mem ? rig_bind_mem(t->in_mem, 0, IN_BYTES) : rig_bind_host(t->in, 0, IN_BYTES);
    clslice_binding out =
        t->out_mem ? rig_bind_mem(t->out_mem, 0, OUT_BYTES) : rig_bind_host(t->out, 0, OUT_BYTES);
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    desc.queue = t->queue;
    desc.wait_events = gate;
    desc.wait_count = gate != NULL;
    return clslice_dispatch(t->compiled, &desc, event, error);
}

static void check_output(struct attempt *t, bool written, const char *when)
{
    unsigned char expected[OUT_BYTES], found[OUT_BYTES];
    memset(expected, SET_ASIDE, OUT_BYTES);
    if (written)
        reference_slice(&gaps, t->in, expected, NULL);
    if (t->out_mem)
        rig_read(&rig, t->out_mem, OUT_BYTES, found);
    else
        memcpy(found, t->out, OUT_BYTES);
    for (size_t i = 0; i < OUT_BYTES; ++i)
        ck_assert_msg(found[i] == expected[i], "%s, way %d: byte %zu is 0x%02x, not 0x%02x", when,
                      (int)t->way, i, found[i], expected[i]);
}

static void wait_and_release(struct attempt *t, cl_event event, int32_t expected)
{
    clslice_error error = {.size = sizeof error};
    if (t->queue)
        rig.cl.clFlush(t->queue);
    int32_t status = clslice_event_wait(rig.device, event, &error);
    ck_assert_msg(status == expected, "0x%08x instead of 0x%08x: %s", (unsigned)status,
                  (unsigned)expected, error.text);
    clslice_event_release(rig.device, event);
}

/* Memory that the device shares is never split. */
static bool splits(const struct attempt *t)
{
    return t->way == WAY_STAGED ||
           (t->way == WAY_IN_PLACE && rig.info.host_memory != CLSLICE_HOST_MEMORY_SYSTEM_SVM);
}

/* A driver that copies host memory while the caller waits is told of the failure before: the call
 * may then fail, too. */
static bool blocks_caller(const struct attempt *t)
{
    return t->way != WAY_MEM && rig.info.host_memory == CLSLICE_HOST_MEMORY_STAGED;
}

static void fail_dispatch(struct attempt *t)
{
    clslice_error error = {.size = sizeof error};
    cl_int code;
    cl_event event = NULL, gate = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    bool blocks = blocks_caller(t);
    unsigned before = launches;
    if (blocks)
        rig.cl.clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES);
    int32_t status = dispatch(t, &gate, &event, &error);
    if (!blocks) {
        ASSERT_OK(status, &error);
        ck_assert_uint_eq(launches - before, t->tiled && splits(t) ? TILES : 1);
        rig.cl.clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES);
    }
    if (status == CLSLICE_S_OK)
        wait_and_release(t, event, CLSLICE_E_FAIL);
    else
        ck_assert_int_eq(status, CLSLICE_E_FAIL);
    rig.cl.clReleaseEvent(gate);
}

/* NVIDIA's driver fails what a queue gets within milliseconds of a command that failed: waits until
 * a command of the test's own completes. */
static void wait_for_queue(struct attempt *t)
{
    enum { TRIES = 1000, PAUSE_NS = 10000000 };
    const struct timespec pause = {0, PAUSE_NS};
    cl_command_queue queue = t->queue ? t->queue : rig.objects.queue;
    cl_mem mem = rig_buffer(&rig, sizeof t->in_block, t->in_block);
    cl_int code = CL_SUCCESS;
    for (int i = 0; i < TRIES; ++i) {
        cl_event event = NULL;
        code =
            rig.cl.clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 1, t->in_block, 0, NULL, &event);
        if (code == CL_SUCCESS) {
            rig.cl.clFlush(queue);
            code = rig.cl.clWaitForEvents(1, &event);
            rig.cl.clReleaseEvent(event);
        }
        if (code == CL_SUCCESS)
            break;
        nanosleep(&pause, NULL);
    }
    ck_assert_msg(code == CL_SUCCESS, "the queue fails every command: %d", code);
    rig.cl.clReleaseMemObject(mem);
}

/* Every way of memory through every kind of queue, in one launch and in several; then the same
 * without a failure, as if nothing had been. */
START_TEST(a_failed_wait_event_is_the_dispatchs)
{
    static struct attempt t;
    int n = _i / RUNS;
    clslice_error error = {.size = sizeof error};
    cl_event event = NULL;
    open_attempt(&t, (enum way)(n % WAY_COUNT), n / WAY_COUNT % (int)queue_kinds,
                 n / WAY_COUNT / (int)queue_kinds);
    fail_dispatch(&t);
    check_output(&t, false, "after the failure");
    if (strstr(rig.info.platform, "NVIDIA"))
        wait_for_queue(&t);
    ASSERT_OK(dispatch(&t, NULL, &event, &error), &error);
    wait_and_release(&t, event, CLSLICE_S_OK);
    check_output(&t, true, "the next time");
    close_attempt(&t);
}
END_TEST

/* By then the host has released all that clslice made, and perhaps never asked for the event. */
START_TEST(a_wait_event_may_fail_after_the_last_release)
{
    static struct attempt t;
    int n = _i / 2, queues = (int)queue_kinds - 1;
    clslice_error error = {.size = sizeof error};
    cl_int code;
    cl_event event = NULL;
    open_attempt(&t, (enum way)(n % WAY_COUNT), 1 + n / WAY_COUNT % queues, n / WAY_COUNT / queues);
    cl_event gate = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    bool blocks = blocks_caller(&t);
    if (blocks)
        rig.cl.clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES);
    int32_t status = dispatch(&t, &gate, _i % 2 ? &event : NULL, &error);
    ck_assert(status == CLSLICE_S_OK || blocks);
    release_attempt(&t);
    if (!blocks)
        rig.cl.clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES);
    rig.cl.clFinish(t.queue);
    if (t.way != WAY_MEM)
        check_output(&t, false, "after the failure");
    if (event)
        rig.cl.clReleaseEvent(event);
    rig.cl.clReleaseEvent(gate);
    close_attempt(&t);
}
END_TEST

/* "in-order": for drivers whose out-of-order queues end the process wherever a wait event fails. */
int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "in-order") == 0)
        queue_kinds = QUEUE_OUT_OF_ORDER;
    Suite *suite = suite_create("waits");
    TCase *waits = suite_case(suite, "waits");
    tcase_set_timeout(waits, 120);
    tcase_add_loop_test(waits, a_failed_wait_event_is_the_dispatchs, 0,
                        RUNS * WAY_COUNT * (int)queue_kinds * 2);
    tcase_add_loop_test(waits, a_wait_event_may_fail_after_the_last_release, 0,
                        2 * WAY_COUNT * ((int)queue_kinds - 1) * 2);
    return suite_run(suite);
}
