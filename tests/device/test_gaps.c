/* SPDX-License-Identifier: MIT */
/* Staged output with gaps, on drivers that let the caller go while they copy host memory and on
 * those that do not: every element arrives, no byte between them changes, and in how many
 * commands. */
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

static cl_int CL_API_CALL tell_of_platform(cl_platform_id id, cl_platform_info what, size_t size,
                                           void *value, size_t *needed)
{
    CL_POINTER(clGetPlatformInfo) real;
    memcpy(&real, &(void *){rig_proc(NULL, "clGetPlatformInfo")}, sizeof real);
    if (what != CL_PLATFORM_VENDOR)
        return real(id, what, size, value, needed);
    const char *vendor = blocks ? "NVIDIA Corporation" : "Nobody";
    if (needed)
        *needed = strlen(vendor) + 1;
    if (value && size <= strlen(vendor))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, vendor, strlen(vendor) + 1);
    return CL_SUCCESS;
}

/* With memory of its own, so that all is staged. */
static cl_int CL_API_CALL tell_of_device(cl_device_id id, cl_device_info what, size_t size,
                                         void *value, size_t *needed)
{
    CL_POINTER(clGetDeviceInfo) real;
    memcpy(&real, &(void *){rig_proc(NULL, "clGetDeviceInfo")}, sizeof real);
    cl_int code = real(id, what, size, value, needed);
    if (code == CL_SUCCESS && value && what == CL_DEVICE_TYPE)
        memcpy(value, &(cl_device_type){CL_DEVICE_TYPE_GPU}, sizeof(cl_device_type));
    if (code == CL_SUCCESS && value && what == CL_DEVICE_SVM_CAPABILITIES)
        memset(value, 0, sizeof(cl_device_svm_capabilities));
    return code;
}

/* A driver that blocks does not where the host has to end what is waited for. */
static bool is_blocked(cl_uint wait_count, const cl_event *waits)
{
    CL_POINTER(clGetEventInfo) tell;
    memcpy(&tell, &(void *){rig_proc(NULL, "clGetEventInfo")}, sizeof tell);
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
    CL_POINTER(clEnqueueReadBuffer) real;
    memcpy(&real, &(void *){rig_proc(NULL, "clEnqueueReadBuffer")}, sizeof real);
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
    CL_POINTER(clEnqueueReadBufferRect) real;
    memcpy(&real, &(void *){rig_proc(NULL, "clEnqueueReadBufferRect")}, sizeof real);
    atomic_fetch_add(&rectangles, 1);
    return real(queue, mem, now || is_blocked(wait_count, waits), from, to, region, row, slice,
                to_row, to_slice, memory, wait_count, waits, event);
}

static void *counting_proc(void *user, const char *name)
{
    const struct {
        const char *name;
        void *address;
    } own[] = {{"clGetPlatformInfo", RIG_ADDRESS(tell_of_platform)},
               {"clGetDeviceInfo", RIG_ADDRESS(tell_of_device)},
               {"clEnqueueReadBuffer", RIG_ADDRESS(read_bytes)},
               {"clEnqueueReadBufferRect", RIG_ADDRESS(read_rows)}};
    for (size_t i = 0; i < COUNT_OF(own); ++i)
        if (strcmp(name, own[i].name) == 0)
            return own[i].address;
    return rig_proc(user, name);
}

/* ---- Outputs ---- */

#define U8 DML_TENSOR_DATA_TYPE_UINT8
#define U16 DML_TENSOR_DATA_TYPE_UINT16
#define U32 DML_TENSOR_DATA_TYPE_UINT32

#define SIZES(...) \
    .in_sizes = {__VA_ARGS__}, .window_sizes = {__VA_ARGS__}, .out_sizes = {__VA_ARGS__}
#define STRIDES(...) .out_strided = true, .out_strides = {__VA_ARGS__}

/* The caller's thread takes a MiB at a time, but a longer run straight to where it belongs. */
static const struct gaps {
    struct slice_case c;
    unsigned rectangles;    /* where the driver lets the caller go */
    unsigned reads_blocked; /* where it does not */
} outputs[] = {
    {{.name = "none", .data_type = U16, .rank = 2, .window_strides = {-1, 1}, SIZES(40, 30)}, 0, 1},
    {{.name = "rows",
      .data_type = U16,
      .rank = 2,
      .window_strides = {1, -1},
      SIZES(600, 3),
      STRIDES(60, 1)},
     1,
     1},
    {{.name = "pixels in rows with an end",
      .data_type = U8,
      .rank = 3,
      .window_strides = {1, 1, -1},
      SIZES(700, 900, 3),
      STRIDES(3608, 4, 1)},
     1,
     2},
    {{.name = "pixels on end",
      .data_type = U8,
      .rank = 3,
      .window_strides = {1, -1, 1},
      SIZES(70, 90, 3),
      STRIDES(360, 4, 1)},
     1,
     1},
    {{.name = "gaps in all dimensions",
      .data_type = U32,
      .rank = 3,
      .window_strides = {1, 1, -1},
      SIZES(30, 30, 30),
      STRIDES(4000, 70, 2)},
     30,
     1},
    {{.name = "slices that are no multiple of rows",
      .data_type = U32,
      .rank = 4,
      .window_strides = {-1, 1, 1, 1},
      SIZES(6, 5, 7, 4),
      STRIDES(20000, 500, 12, 1)},
     30,
     1},
    {{.name = "interleaved rows",
      .data_type = U32,
      .rank = 2,
      .window_strides = {1, 1},
      SIZES(2, 10),
      STRIDES(3, 2)},
     2,
     1},
    {{.name = "a line longer than a part",
      .data_type = U8,
      .rank = 1,
      .window_strides = {-1},
      SIZES(1500001),
      STRIDES(2)},
     1,
     2},
    {{.name = "runs longer than a part",
      .data_type = U8,
      .rank = 2,
      .window_strides = {1, -1},
      SIZES(3, 1100000),
      STRIDES(1100007, 1)},
     1,
     3},
};

enum { SET_ASIDE = 0xEE };

static void run_case(const struct rig *rig, const struct slice_case *c)
{
    uint64_t in_bytes, out_bytes;
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes));
    size_t in_size = (size_t)in_bytes, out_size = (size_t)out_bytes;
    unsigned char *in = malloc(in_size + 1), *out = malloc(out_size + 2);
    unsigned char *expected = malloc(out_size + 1);
    ck_assert(in && out && expected);
    reference_input(c, in + 1, in_size);
    memset(expected, SET_ASIDE, out_size + 1);
    memset(out, SET_ASIDE, out_size + 2);
    reference_slice(c, in + 1, expected, NULL);
    clslice_compiled_operator *compiled = rig_compile(rig, c, NULL);
    clslice_binding from = rig_bind_host(in + 1, 0, in_bytes);
    clslice_binding to = rig_bind_host(out + 1, 0, out_bytes);
    rig_run(rig, compiled, &from,
            &to); /* the first may take a driver long enough to be taken for stuck */
    memset(out, SET_ASIDE, out_size + 2);
    reads = rectangles = 0;
    rig_run(rig, compiled, &from, &to);
    ck_assert_msg(out[0] == SET_ASIDE && memcmp(out + 1, expected, out_size + 1) == 0,
                  "%s: the output is wrong", c->name);
    clslice_compiled_operator_release(compiled);
    free(in);
    free(out);
    free(expected);
}

START_TEST(gaps_keep_what_they_hold)
{
    const struct gaps *g = &outputs[_i / 2];
    clslice_device_options options = {
        .size = sizeof options, .get_proc = counting_proc, .cache_mode = CLSLICE_CACHE_OFF};
    struct rig rig;
    blocks = _i % 2;
    rig_open(&rig, &options);
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
    clslice_device_options options = {
        .size = sizeof options, .get_proc = counting_proc, .cache_mode = CLSLICE_CACHE_OFF};
    clslice_error error = {.size = sizeof error};
    uint64_t in_bytes, out_bytes;
    struct rig rig;
    unsigned char byte = 0;
    bool is_behind = _i == 1;
    cl_event event = NULL;
    cl_int code;
    blocks = true;
    rig_open(&rig, &options);
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(c, &out_bytes));
    unsigned char *in = malloc(in_bytes), *out = malloc(out_bytes), *expected = malloc(out_bytes);
    ck_assert(in && out && expected);
    reference_input(c, in, in_bytes);
    memset(expected, SET_ASIDE, out_bytes);
    memset(out, SET_ASIDE, out_bytes);
    reference_slice(c, in, expected, NULL);
    clslice_compiled_operator *compiled = rig_compile(&rig, c, NULL);
    clslice_binding from = rig_bind_host(in, 0, in_bytes), to = rig_bind_host(out, 0, out_bytes);
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
    ck_assert(memcmp(out, expected, out_bytes) == 0);
    clslice_event_release(rig.device, event);
    rig.cl.clReleaseEvent(wait);
    rig.cl.clReleaseMemObject(other);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
    free(in);
    free(out);
    free(expected);
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
