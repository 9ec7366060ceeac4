/* SPDX-License-Identifier: MIT */
/*
 * test_host_memory [RUNS]: a driver that keeps copies of CL_MEM_USE_HOST_PTR memory, as OpenCL
 * allows, and brings them together with the original only when they are mapped, which clslice does
 * not do: its host memory is staged. Made of the machine's driver, each run on a device of its own.
 */
#include "conformance/case_words.h"
#include "support/harness.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { IN_COUNT = 64, OUT_COUNT = 32, STEP = 2, RUNS = 3 };

static const struct slice_case every_second =
    CASE("every second", FLOAT32, WHOLE(IN_COUNT), BY(STEP), OUT(OUT_COUNT));

/* What is copied: inputs, outputs, or both. */
static const cl_mem_flags directions[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
                                          CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY};
static cl_mem_flags copied;
static int wraps; /* buffers over host memory that were asked for */
static int runs = RUNS;

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
    RIG_REAL(clCreateBuffer, create);
    const cl_mem_flags in_place = CL_MEM_USE_HOST_PTR, copy = CL_MEM_COPY_HOST_PTR;
    wraps += (flags & in_place) != 0;
    if (flags & in_place && flags & copied)
        flags = (flags & ~in_place) | copy;
    return create(context, flags, size, host, code);
}

/* Without system SVM, under which no buffer is made over host memory. */
static void *proc_that_copies(void *user, const char *name)
{
    if (strcmp(name, "clSetKernelArgSVMPointer") == 0)
        return NULL;
    return strcmp(name, "clCreateBuffer") == 0 ? RIG_ADDRESS(create_buffer) : rig_proc(user, name);
}

static void open_device(struct rig *rig)
{
    clslice_device_options options = {.size = sizeof options, .get_proc = proc_that_copies};
    rig_open(rig, &options);
}

static void slice(const struct rig *rig)
{
    float in[IN_COUNT], out[OUT_COUNT];
    clslice_compiled_operator *compiled = rig_compile(rig, &every_second, NULL);
    for (int i = 0; i < IN_COUNT; ++i)
        in[i] = (float)i;
    memset(out, 0xEE, sizeof out);
    const clslice_binding from = rig_bind_host(in, 0, sizeof in);
    const clslice_binding to = rig_bind_host(out, 0, sizeof out);
    rig_run(rig, compiled, &from, &to);
    int right = 0;
    for (int i = 0; i < OUT_COUNT; ++i)
        right += out[i] == (float)(STEP * i);
    ck_assert_int_eq(right, OUT_COUNT);
    clslice_compiled_operator_release(compiled);
}

START_TEST(copied_host_memory_is_staged)
{
    copied = directions[(size_t)_i % COUNT_OF(directions)];
    struct rig rig;
    open_device(&rig);
    ck_assert_uint_eq(rig.info.host_memory, CLSLICE_HOST_MEMORY_STAGED);
    wraps = 0;
    slice(&rig);
    ck_assert_int_eq(wraps, 0);
    rig_close(&rig);
}
END_TEST

/* The same driver as it is, where it is one for a CPU: else the test above shows nothing. */
START_TEST(shared_host_memory_is_used_where_it_lies)
{
    struct rig rig;
    copied = 0;
    open_device(&rig);
    const bool is_cpu = rig.info.device_class == CLSLICE_CLASS_CPU;
    ck_assert_uint_eq(rig.info.host_memory,
                      is_cpu ? CLSLICE_HOST_MEMORY_USE_HOST_PTR : CLSLICE_HOST_MEMORY_STAGED);
    wraps = 0;
    slice(&rig);
    ck_assert_int_eq(wraps, is_cpu ? 2 : 0);
    rig_close(&rig);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        runs = atoi(argv[1]);
    Suite *suite = suite_create("host_memory");
    TCase *tcase = suite_case(suite, "in place");
    tcase_add_loop_test(tcase, copied_host_memory_is_staged, 0, runs * (int)COUNT_OF(directions));
    tcase_add_test(tcase, shared_host_memory_is_used_where_it_lies);
    return suite_run(suite);
}
