/* SPDX-License-Identifier: MIT */
#include "counting_driver.h"

#include "conformance/case_words.h"
#include "support/suite.h"

const struct slice_case flip = CASE("flip", FLOAT32, IN(40, 64), FROM(2, 3), WINDOW(ROWS, COLUMNS),
                                    BY(1, -1), OUT(ROWS, COLUMNS));

struct driver_counts counts;

static cl_int CL_API_CALL count_build(cl_program program, cl_uint count, const cl_device_id *ids,
                                      const char *options,
                                      void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    RIG_REAL(clBuildProgram, real);
    atomic_fetch_add(&counts.builds, 1);
    return real(program, count, ids, options, notify, user);
}

static cl_program CL_API_CALL count_program(cl_context context, cl_uint count, const char **texts,
                                            const size_t *lengths, cl_int *code)
{
    RIG_REAL(clCreateProgramWithSource, real);
    atomic_fetch_add(&counts.programs, 1);
    return real(context, count, texts, lengths, code);
}

static cl_kernel CL_API_CALL count_kernel(cl_program program, const char *name, cl_int *code)
{
    RIG_REAL(clCreateKernel, real);
    atomic_fetch_add(&counts.kernels, 1);
    return real(program, name, code);
}

static cl_mem CL_API_CALL count_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                       void *memory, cl_int *code)
{
    RIG_REAL(clCreateBuffer, real);
    atomic_fetch_add(&counts.buffers, 1);
    return real(context, flags, size, memory, code);
}

pthread_barrier_t *launch_barrier;

static cl_int CL_API_CALL meet_and_launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint wait_count,
                                          const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueNDRangeKernel, real);
    if (launch_barrier)
        pthread_barrier_wait(launch_barrier);
    return real(queue, kernel, rank, offset, global, local, wait_count, waits, event);
}

bool is_blocking;

static cl_int CL_API_CALL write_now(cl_command_queue queue, cl_mem mem, cl_bool blocks,
                                    size_t offset, size_t size, const void *from,
                                    cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueWriteBuffer, real);
    return real(queue, mem, blocks || is_blocking, offset, size, from, wait_count, waits, event);
}

static cl_int CL_API_CALL read_now(cl_command_queue queue, cl_mem mem, cl_bool blocks,
                                   size_t offset, size_t size, void *to, cl_uint wait_count,
                                   const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueReadBuffer, real);
    return real(queue, mem, blocks || is_blocking, offset, size, to, wait_count, waits, event);
}

static cl_int CL_API_CALL read_rows_now(cl_command_queue queue, cl_mem mem, cl_bool blocks,
                                        const size_t *from, const size_t *to, const size_t *region,
                                        size_t pitch, size_t plane, size_t to_pitch,
                                        size_t to_plane, void *memory, cl_uint wait_count,
                                        const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueReadBufferRect, real);
    return real(queue, mem, blocks || is_blocking, from, to, region, pitch, plane, to_pitch,
                to_plane, memory, wait_count, waits, event);
}

static cl_event CL_API_CALL count_gate(cl_context context, cl_int *code)
{
    RIG_REAL(clCreateUserEvent, real);
    atomic_fetch_add(&counts.gates, 1);
    return real(context, code);
}

static cl_int CL_API_CALL count_opened(cl_event event, cl_int status)
{
    RIG_REAL(clSetUserEventStatus, real);
    atomic_fetch_add(&counts.opened_gates, 1);
    return real(event, status);
}

#define COUNT_RELEASE(function, name, type, counter) \
    static cl_int CL_API_CALL function(type object)  \
    {                                                \
        RIG_REAL(name, real);                        \
        atomic_fetch_add(&counts.counter, 1);        \
        return real(object);                         \
    }
COUNT_RELEASE(count_release_kernel, clReleaseKernel, cl_kernel, released_kernels)
COUNT_RELEASE(count_release_program, clReleaseProgram, cl_program, released_programs)
COUNT_RELEASE(count_release_mem, clReleaseMemObject, cl_mem, released_buffers)
COUNT_RELEASE(count_release_context, clReleaseContext, cl_context, released_contexts)

static void *counting_proc(void *user, const char *name)
{
    const struct rig_own counted[] = {
        {"clBuildProgram", RIG_ADDRESS(count_build)},
        {"clCreateProgramWithSource", RIG_ADDRESS(count_program)},
        {"clCreateKernel", RIG_ADDRESS(count_kernel)},
        {"clCreateBuffer", RIG_ADDRESS(count_buffer)},
        {"clEnqueueNDRangeKernel", RIG_ADDRESS(meet_and_launch)},
        {"clEnqueueWriteBuffer", RIG_ADDRESS(write_now)},
        {"clEnqueueReadBuffer", RIG_ADDRESS(read_now)},
        {"clEnqueueReadBufferRect", RIG_ADDRESS(read_rows_now)},
        {"clReleaseKernel", RIG_ADDRESS(count_release_kernel)},
        {"clReleaseProgram", RIG_ADDRESS(count_release_program)},
        {"clReleaseMemObject", RIG_ADDRESS(count_release_mem)},
        {"clReleaseContext", RIG_ADDRESS(count_release_context)},
        {"clCreateUserEvent", RIG_ADDRESS(count_gate)},
        {"clSetUserEventStatus", RIG_ADDRESS(count_opened)},
    };
    (void)user;
    return rig_proc_or(counted, COUNT_OF(counted), name);
}

struct rig rig;

void open_device(void)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = counting_proc, .cache_mode = CLSLICE_CACHE_OFF};
    if (is_blocking)
        rig_lie = (struct rig_lie){.is_gpu = true, .vendor = "NVIDIA Corporation"};
    rig_open(&rig, &options);
}

void close_device(void)
{
    rig_close(&rig);
    ck_assert_uint_eq(counts.kernels, counts.released_kernels);
    ck_assert_uint_eq(counts.programs, counts.released_programs);
    ck_assert_uint_eq(counts.buffers, counts.released_buffers);
    ck_assert_uint_eq(counts.released_contexts, 1);
    /* One that never completes keeps NVIDIA's driver in the release of the context. */
    ck_assert_uint_eq(counts.gates, counts.opened_gates);
}
