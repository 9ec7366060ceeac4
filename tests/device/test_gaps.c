/* SPDX-License-Identifier: MIT */
/* Staged output with gaps, on drivers that let the caller go while they copy host memory and on
 * those that do not: every element arrives, no byte between them changes, and in how many
 * commands. */
#include "conformance/case_words.h"
#include "conformance/reference.h"
#include "support/harness.h"
#include "support/suite.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- A driver with these manners, which counts ---- */

static bool blocks;
static atomic_bool stuck; /* a queue is behind a command that only the host lets go */
static atomic_uint reads, rectangles;

/* A driver that blocks does not where the host has to end what is waited for. */
static bool is_blocked(cl_uint wait_count, const cl_event *waits)
{
    RIG_REAL(clGetEventInfo, tell);
    for (cl_uint i = 0; i < wait_count; ++i) {
        cl_command_type type = 0;
        cl_int state = CL_COMPLETE;
        tell(waits[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
        tell(waits[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        if (type == CL_COMMAND_USER && state > CL_COMPLETE)
            return false;
    }
    return blocks && !stuck;
}

static cl_int CL_API_CALL read_bytes(cl_command_queue queue, cl_mem mem, cl_bool now, size_t offset,
                                     size_t size, void *to, cl_uint wait_count,
                                     const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueReadBuffer, real);
    atomic_fetch_add(&reads, 1);
    return real(queue, mem, now || is_blocked(wait_count, waits), offset, size, to, wait_count,
                waits, event);
}

static cl_int CL_API_CALL read_rows(cl_command_queue queue, cl_mem mem, cl_bool now,
                                    const size_t *from, const size_t *to, const size_t *region,
                                    size_t row, size_t slice, size_t to_row, size_t to_slice,
                                    void *memory, cl_uint wait_count, const cl_event *waits,
                                    cl_event *event)
{
    RIG_REAL(clEnqueueReadBufferRect, real);
    atomic_fetch_add(&rectangles, 1);
    return real(queue, mem, now || is_blocked(wait_count, waits), from, to, region, row, slice,
                to_row, to_slice, memory, wait_count, waits, event);
}

static void *counting_proc(void *user, const char *name)
{
    const struct rig_own own[] = {{"clEnqueueReadBuffer", RIG_ADDRESS(read_bytes)},
                                  {"clEnqueueReadBufferRect", RIG_ADDRESS(read_rows)}};
    (void)user;
    return rig_proc_or(own, COUNT_OF(own), name);
}

/* With memory of its own, so that all is staged. */
static void open_device(struct rig *rig, bool is_blocking)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = counting_proc, .cache_mode = CLSLICE_CACHE_OFF};
    blocks = is_blocking;
    rig_lie = (struct rig_lie){
        .is_gpu = true, .has_no_svm = true, .vendor = blocks ? "NVIDIA Corporation" : "Nobody"};
    rig_open(rig, &options);
}

/* ---- Outputs ---- */

/* The caller's thread takes a MiB at a time, but a longer run straight to where it belongs. */
static const struct gaps {
    struct slice_case c;
    unsigned rectangles;    /* where the driver lets the caller go */
    unsigned reads_blocked; /* where it does not */
} outputs[] = {
    {CASE("none", UINT16, WHOLE(40, 30), BY(-1, 1), OUT(40, 30)), 0, 1},
    {CASE("rows", UINT16, WHOLE(600, 3), BY(1, -1), OUT(600, 3), OUT_STRIDES(60, 1)), 1, 1},
    {CASE("pixels in rows with an end", UINT8, WHOLE(700, 900, 3), BY(1, 1, -1), OUT(700, 900, 3),
          OUT_STRIDES(3608, 4, 1)),
     1, 2},
    {CASE("pixels on end", UINT8, WHOLE(70, 90, 3), BY(1, -1, 1), OUT(70, 90, 3),
          OUT_STRIDES(360, 4, 1)),
     1, 1},
    {CASE("gaps in all dimensions", UINT32, WHOLE(30, 30, 30), BY(1, 1, -1), OUT(30, 30, 30),
          OUT_STRIDES(4000, 70, 2)),
     30, 1},
    {CASE("slices that are no multiple of rows", UINT32, WHOLE(6, 5, 7, 4), BY(-1, 1, 1, 1),
          OUT(6, 5, 7, 4), OUT_STRIDES(20000, 500, 12, 1)),
     30, 1},
    {CASE("interleaved rows", UINT32, WHOLE(2, 10), BY(1, 1), OUT(2, 10), OUT_STRIDES(3, 2)), 2, 1},
    {CASE("a line longer than a part", UINT8, WHOLE(1500001), BY(-1), OUT(1500001), OUT_STRIDES(2)),
     1, 2},
    {CASE("runs longer than a part", UINT8, WHOLE(3, 1100000), BY(1, -1), OUT(3, 1100000),
          OUT_STRIDES(1100007, 1)),
     1, 3},
};

enum { SET_ASIDE = 0xEE };

/* So many bytes behind where an allocation begins; beside the output lie bytes that are no part of
 * it. */
struct memory {
    size_t skew;
    uint64_t in_bytes, out_bytes;
    unsigned char *in, *out, *expected; /* owned */
};

static void set_aside(struct memory *m)
{
    memset(m->out, SET_ASIDE, (size_t)m->out_bytes + 2);
}

static struct memory memory_of(const struct slice_case *c, size_t skew)
{
    struct memory m = {.skew = skew};
    ck_assert(case_in_bytes(c, &m.in_bytes) && case_out_bytes(c, &m.out_bytes));
    m.in = malloc((size_t)m.in_bytes + 1);
    m.out = malloc((size_t)m.out_bytes + 2);
    m.expected = malloc((size_t)m.out_bytes + 2);
    ck_assert(m.in && m.out && m.expected);
    reference_input(c, m.in + skew, (size_t)m.in_bytes);
    set_aside(&m);
    memcpy(m.expected, m.out, (size_t)m.out_bytes + 2);
    reference_slice(c, m.in + skew, m.expected + skew, NULL);
    return m;
}

static void check_and_free(struct memory *m, const struct slice_case *c)
{
    ck_assert_msg(memcmp(m->out, m->expected, (size_t)m->out_bytes + 2) == 0,
                  "%s: the output is wrong", c->name);
    free(m->in);
    free(m->out);
    free(m->expected);
}

static void run_case(const struct rig *rig, const struct slice_case *c)
{
    struct memory m = memory_of(c, 1);
    clslice_compiled_operator *compiled = rig_compile(rig, c, NULL);
    clslice_binding from = rig_bind_host(m.in + m.skew, 0, m.in_bytes);
    clslice_binding to = rig_bind_host(m.out + m.skew, 0, m.out_bytes);
    /* the first may take a driver long enough to be taken for stuck */
    rig_run(rig, compiled, &from, &to);
    set_aside(&m);
    reads = rectangles = 0;
    rig_run(rig, compiled, &from, &to);
    check_and_free(&m, c);
    clslice_compiled_operator_release(compiled);
}

START_TEST(gaps_keep_what_they_hold)
{
    const struct gaps *g = &outputs[_i / 2];
    struct rig rig;
    open_device(&rig, _i % 2);
    run_case(&rig, &g->c);
    ck_assert_msg(rectangles == (blocks ? 0 : g->rectangles), "%s: %u rectangles", g->c.name,
                  rectangles);
    ck_assert_msg(reads == (blocks              ? g->reads_blocked
                            : g->rectangles > 0 ? 0
                                                : 1),
                  "%s: %u reads", g->c.name, reads);
    rig_close(&rig);
}
END_TEST

/* What the host ends only when the dispatch has returned: the event that the dispatch waits for, or
 * one that a command before it in the queue does. */
START_TEST(an_event_to_come_holds_nobody_up)
{
    const struct slice_case *c = &outputs[1].c;
    clslice_error error = {.size = sizeof error};
    struct memory m = memory_of(c, 0);
    struct rig rig;
    unsigned char byte = 0;
    bool is_behind = _i == 1;
    cl_event event = NULL;
    cl_int code;
    open_device(&rig, true);
    clslice_compiled_operator *compiled = rig_compile(&rig, c, NULL);
    clslice_binding from = rig_bind_host(m.in, 0, m.in_bytes);
    clslice_binding to = rig_bind_host(m.out, 0, m.out_bytes);
    cl_event wait = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    cl_mem other = rig_buffer(&rig, 1, &byte);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    desc.wait_events = is_behind ? NULL : &wait;
    desc.wait_count = !is_behind;
    if (is_behind)
        ck_assert_int_eq(rig.cl.clEnqueueWriteBuffer(rig.objects.queue, other, CL_FALSE, 0, 1,
                                                     &byte, 1, &wait, NULL),
                         CL_SUCCESS);
    stuck = true;
    ck_assert_int_eq(clslice_dispatch(compiled, &desc, &event, &error), CLSLICE_S_OK);
    stuck = false;
    ck_assert_int_eq(rig.cl.clSetUserEventStatus(wait, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clslice_event_wait(rig.device, event, &error), CLSLICE_S_OK);
    check_and_free(&m, c);
    clslice_event_release(rig.device, event);
    rig.cl.clReleaseEvent(wait);
    rig.cl.clReleaseMemObject(other);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gaps");
    TCase *gaps = suite_case(suite, "gaps");
    tcase_add_loop_test(gaps, an_event_to_come_holds_nobody_up, 0, 2);
    tcase_add_loop_test(gaps, gaps_keep_what_they_hold, 0, 2 * COUNT_OF(outputs));
    return suite_run(suite);
}
