/* SPDX-License-Identifier: MIT */
#include "lifetimes.h"

#include "conformance/reference.h"
#include "counting_driver.h"
#include "support/needs.h"
#include "support/suite.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Early releases ---- */

/* How both tensors reach the device; what is a buffer is released with the rest. */
enum way { WAY_HOST, WAY_STAGED, WAY_IN_MEM, WAY_OUT_MEM, WAY_MEMS, WAY_COUNT };
enum { QUEUE_OWN, QUEUE_IN_ORDER, QUEUE_OUT_OF_ORDER, QUEUE_KINDS };

static unsigned char early_in[IN_BYTES + 1], early_out[OUT_BYTES + 1];

/* The buffer whose sub-buffer gets the output, NULL where host memory does: this much is kept. */
static cl_mem kept_out(enum way way)
{
    return way == WAY_OUT_MEM || way == WAY_MEMS ? rig_buffer(&rig, OUT_BYTES, early_out) : NULL;
}

static cl_mem part_of(cl_mem parent)
{
    const cl_buffer_region all = {0, OUT_BYTES};
    cl_int code;
    atomic_fetch_add(&counts.buffers, 1);
    return rig.cl.clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, &code);
}

/* Dispatches behind the gate and releases everything but the event, which it returns. */
static cl_event dispatch_and_release(enum way way, int queue_kind, cl_mem kept, cl_event gate)
{
    clslice_error error = {.size = sizeof error};
    clslice_compiled_operator *compiled = rig_compile(&rig, &flip, NULL);
    size_t skew = way == WAY_STAGED;
    clslice_binding from = rig_bind_host(early_in + skew, 0, IN_BYTES);
    clslice_binding to = rig_bind_host(early_out + skew, 0, OUT_BYTES);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    cl_mem in_mem = NULL, out_mem = NULL;
    cl_event event = NULL;
    if (way == WAY_IN_MEM || way == WAY_MEMS)
        from = rig_bind_mem(in_mem = rig_buffer(&rig, IN_BYTES, early_in), 0, IN_BYTES);
    if (kept)
        to = rig_bind_mem(out_mem = part_of(kept), 0, OUT_BYTES);
    if (queue_kind != QUEUE_OWN)
        desc.queue = rig_queue(
            &rig, queue_kind == QUEUE_IN_ORDER ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    desc.wait_events = &gate;
    desc.wait_count = 1;
    ASSERT_OK(clslice_dispatch(compiled, &desc, &event, &error), &error);
    clslice_compiled_operator_release(compiled);
    if (in_mem)
        rig.cl.clReleaseMemObject(in_mem);
    if (out_mem)
        rig.cl.clReleaseMemObject(out_mem);
    if (desc.queue) {
        rig.cl.clFlush(desc.queue);
        rig.cl.clReleaseCommandQueue(desc.queue);
    }
    clslice_device_release(rig.device);
    return event;
}

static void take_out(cl_command_queue reader, cl_mem kept, cl_event event)
{
    ck_assert_int_eq(
        rig.cl.clEnqueueReadBuffer(reader, kept, CL_TRUE, 0, OUT_BYTES, early_out, 1, &event, NULL),
        CL_SUCCESS);
    rig.cl.clReleaseCommandQueue(reader);
    rig.cl.clReleaseMemObject(kept);
}

static void open_gate(cl_event gate)
{
    ck_assert_int_eq(rig.cl.clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
}

static void release_early(enum way way, int queue_kind)
{
    cl_int code, state = CL_COMPLETE;
    open_device();
    /* Where host memory is copied, the call may wait with the copy: its gate must be open. */
    bool copies =
        rig.info.host_memory == CLSLICE_HOST_MEMORY_STAGED || (is_blocking && way == WAY_STAGED);
    bool holds = way == WAY_MEMS || !copies;
    cl_mem kept = kept_out(way);
    /* Made now: a context whose last reference is released takes no new objects, even while it
     * lives on. */
    cl_command_queue reader = kept ? rig_queue(&rig, 0) : NULL;
    cl_event gate = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    if (!holds)
        open_gate(gate);
    cl_event event = dispatch_and_release(way, queue_kind, kept, gate);
    if (holds) {
        rig.cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        ck_assert_int_gt(state, CL_RUNNING);
        ck_assert_uint_eq(early_out[way == WAY_STAGED], 0xEE);
        open_gate(gate);
    }
    ck_assert_int_eq(rig.cl.clWaitForEvents(1, &event), CL_SUCCESS);
    if (kept)
        take_out(reader, kept, event);
    rig.cl.clReleaseEvent(event);
    rig.cl.clReleaseEvent(gate);
}

/* Everything is released between the dispatch, which still waits, and its execution. */
START_TEST(what_is_released_before_it_ran_still_runs)
{
    static unsigned char expected[OUT_BYTES];
    for (int i = 0; i < WAY_COUNT * QUEUE_KINDS; ++i) {
        enum way way = (enum way)(i / QUEUE_KINDS);
        size_t skew = way == WAY_STAGED;
        for (size_t n = 0; n < sizeof early_in; ++n)
            early_in[n] = (unsigned char)(n * 31 + n / 256 + (size_t)i);
        memset(early_out, 0xEE, sizeof early_out);
        reference_slice(&flip, early_in + skew, expected, NULL);
        release_early(way, i % QUEUE_KINDS);
        ck_assert_msg(memcmp(early_out + skew, expected, OUT_BYTES) == 0, "way %d is wrong", i);
    }
    ck_assert_uint_eq(counts.kernels, counts.released_kernels);
    ck_assert_uint_eq(counts.buffers, counts.released_buffers);
    ck_assert_uint_eq(counts.released_contexts, WAY_COUNT * QUEUE_KINDS);
    ck_assert_uint_eq(counts.gates, counts.opened_gates);
}
END_TEST

/* There are drivers where the release of a queue waits for its commands, even for those that only
 * the caller could let run. */
static const char *lack_early_releases(void)
{
    cl_event copied;
    cl_int code;
    open_device();
    cl_command_queue queue = rig_queue(&rig, 0);
    cl_mem from = rig_buffer(&rig, 1, NULL), to = rig_buffer(&rig, 1, NULL);
    cl_event gate = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    signal(SIGALRM, SIG_DFL); /* libcheck's would end the whole group */
    alarm(60);                /* it takes no time, or for ever */
    ck_assert_int_eq(rig.cl.clEnqueueCopyBuffer(queue, from, to, 0, 0, 1, 1, &gate, &copied),
                     CL_SUCCESS);
    rig.cl.clReleaseCommandQueue(queue);
    alarm(0);
    open_gate(gate);
    rig.cl.clWaitForEvents(1, &copied);
    rig.cl.clReleaseEvent(copied);
    rig.cl.clReleaseEvent(gate);
    rig.cl.clReleaseMemObject(from);
    rig.cl.clReleaseMemObject(to);
    close_device();
    return NULL;
}

/* ---- Fork ---- */

enum { HANG_SECONDS = 120 }; /* then the child hangs */

struct objects {
    clslice_operator *op;
    clslice_compiled_operator *compiled;
    struct _cl_event *event;
    struct case_desc desc;
};

/* In the child: the number of the first call that is not refused as the header says, 0 if all are.
 */
static int call_everything(struct objects *o, clslice_error *error)
{
    static unsigned char in[IN_BYTES], out[OUT_BYTES];
    clslice_opencl_objects objects = {.size = sizeof objects};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    clslice_binding from = rig_bind_host(in, 0, IN_BYTES), to = rig_bind_host(out, 0, OUT_BYTES);
    clslice_dispatch_desc dispatch = rig_dispatch_desc(&from, &to);
    clslice_device_info info = {.size = sizeof info};
    clslice_device *device = NULL;
    const int32_t refused[] = {
        clslice_device_enumerate(NULL, 0, &info, error),
        clslice_device_create(NULL, &device, error),
        clslice_device_get_opencl(rig.device, &objects, error),
        clslice_operator_create(rig.device, &o->desc.op, &op, error),
        clslice_operator_compile(o->op, NULL, &compiled, error),
        clslice_dispatch(o->compiled, &dispatch, NULL, error),
        clslice_event_wait(rig.device, o->event, error),
        clslice_event_get_status(rig.device, o->event, error),
    };
    for (size_t i = 0; i < COUNT_OF(refused); ++i)
        if (refused[i] != CLSLICE_E_UNEXPECTED)
            return (int)i + 1;
    return error->rule == CLSLICE_RULE_FORKED ? 0 : -1;
}

/* The same for what only tells what is known. */
static int ask_everything(struct objects *o, clslice_error *error)
{
    clslice_device_info device_info = {.size = sizeof device_info};
    clslice_cache_counters counters = {.size = sizeof counters};
    clslice_alias alias = {.size = sizeof alias};
    clslice_plan_info plan = {.size = sizeof plan};
    clslice_compiled_operator_info info = {.size = sizeof info};
    DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {DML_TENSOR_DATA_TYPE_FLOAT32};
    DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT support;
    DML_BINDING_PROPERTIES properties;
    const int32_t answered[] = {
        clslice_device_get_info(rig.device, &device_info, error),
        clslice_device_get_cache_counters(rig.device, &counters, error),
        clslice_device_check_feature_support(rig.device, DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT,
                                             sizeof query, &query, sizeof support, &support, error),
        clslice_operator_get_alias(o->op, &alias, error),
        clslice_operator_get_plan(o->op, NULL, &plan, error),
        clslice_operator_describe(o->op, NULL, NULL, 0, NULL, error),
        clslice_compiled_operator_get_binding_properties(o->compiled, &properties, error),
        clslice_compiled_operator_get_info(o->compiled, &info, error),
    };
    for (size_t i = 0; i < COUNT_OF(answered); ++i)
        if (answered[i] != CLSLICE_S_OK)
            return (int)i + 101;
    return 0;
}

static _Noreturn void be_child(struct objects *o)
{
    clslice_error error = {.size = sizeof error};
    alarm(HANG_SECONDS);
    int failed = call_everything(o, &error);
    if (failed == 0)
        failed = ask_everything(o, &error);
    for (int i = 0; i < 3; ++i) { /* they do nothing, however often */
        clslice_event_release(rig.device, o->event);
        clslice_compiled_operator_release(o->compiled);
        clslice_operator_release(o->op);
        clslice_device_release(rig.device);
    }
    clslice_device_retain(rig.device);
    _exit(failed);
}

static void run_once(const struct objects *o)
{
    static unsigned char in[IN_BYTES], out[OUT_BYTES], expected[OUT_BYTES];
    clslice_binding from = rig_bind_host(in, 0, IN_BYTES), to = rig_bind_host(out, 0, OUT_BYTES);
    reference_input(&flip, in, IN_BYTES);
    reference_slice(&flip, in, expected, NULL);
    memset(out, 0, sizeof out);
    rig_run(&rig, o->compiled, &from, &to);
    ck_assert_mem_eq(out, expected, OUT_BYTES);
}

START_TEST(a_child_of_fork_is_refused)
{
    clslice_error error = {.size = sizeof error};
    struct objects o = {.op = NULL};
    cl_int code;
    int status;
    open_device();
    case_desc_init(&o.desc, &flip);
    ASSERT_OK(clslice_operator_create(rig.device, &o.desc.op, &o.op, &error), &error);
    ASSERT_OK(clslice_operator_compile(o.op, NULL, &o.compiled, &error), &error);
    o.event = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    open_gate(o.event); /* or the release of the context hangs on NVIDIA */
    run_once(&o);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        be_child(&o);
    run_once(&o);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child died of signal %d", WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) == 0,
                  "the child's call %d answered as before the fork, or was refused",
                  WEXITSTATUS(status));
    run_once(&o);
    rig.cl.clReleaseEvent(o.event);
    clslice_operator_release(o.op);
    clslice_compiled_operator_release(o.compiled);
    close_device();
}
END_TEST

void add_lifetimes(Suite *suite)
{
    TCase *early = needs_case(suite, "early_releases", lack_early_releases);
    tcase_add_test(early, what_is_released_before_it_ran_still_runs);
    tcase_add_test(suite_case(suite, "fork"), a_child_of_fork_is_refused);
}
