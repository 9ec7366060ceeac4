/* SPDX-License-Identifier: MIT */
/* The fake's programs and kernels. */
#include "runtime/programs/kernels.h"
#include "support/fake_cl/fake_cl_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BINARY_HEAD "fake binary\n"

enum { BINARY_SIZE = 1500, BINARY_GROWTH = 36, SOURCES_MOST = 8 };

static size_t builds; /* since the process began */

_Thread_local bool fake_is_compiling;

/* ---- Programs ---- */

static cl_program new_program(cl_context context, bool from_binary, const char *text, size_t length)
{
    cl_program program = fake_object_new(FAKE_PROGRAM, sizeof *program);
    program->context = context;
    program->from_binary = from_binary;
    program->text = aligned_alloc(64, (length + 64) / 64 * 64);
    program->length = length;
    memcpy(program->text, text, length);
    program->text[length] = '\0';
    return program;
}

static char source[1 << 18];
static size_t source_ends[SOURCES_MOST];
static uint32_t source_count;

const char *fake_source(uint32_t index, size_t *length)
{
    if (index >= source_count)
        return NULL;
    size_t start = index ? source_ends[index - 1] : 0;
    *length = source_ends[index] - start;
    return source + start;
}

cl_program CL_API_CALL fake_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                      const char **texts, const size_t *lengths,
                                                      cl_int *code_out)
{
    cl_int code = fake_enter_with(FAKE_clCreateProgramWithSource, 0, context, FAKE_CONTEXT);
    cl_program program = NULL;
    size_t length = 0;
    if (count > SOURCES_MOST)
        fake_violate("%u sources: the fake has room for %d", count, SOURCES_MOST);
    for (source_count = 0; source_count < count && source_count < SOURCES_MOST; ++source_count) {
        size_t i = source_count;
        memcpy(source + length, texts[i], lengths[i]);
        length += lengths[i];
        source_ends[i] = length;
    }
    if (code == CL_SUCCESS)
        program = new_program(context, false, source, length);
    return fake_leave_made(program, code, code_out);
}

cl_program CL_API_CALL fake_clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                      const cl_device_id *devices,
                                                      const size_t *lengths,
                                                      const unsigned char **binaries,
                                                      cl_int *statuses, cl_int *code_out)
{
    cl_int code = fake_enter_with(FAKE_clCreateProgramWithBinary, 0, context, FAKE_CONTEXT);
    cl_int status = CL_SUCCESS;
    cl_program program = NULL;
    (void)devices;
    if (code == CL_SUCCESS && count != 1)
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS && (lengths[0] < sizeof BINARY_HEAD ||
                               memcmp(binaries[0], BINARY_HEAD, sizeof BINARY_HEAD - 1) != 0)) {
        fake_violate("a damaged binary of %zu bytes reached the driver", lengths[0]);
        code = status = CL_INVALID_BINARY;
    }
    if (code == CL_SUCCESS && fake.binaries == FAKE_REFUSES_BINARY)
        code = status = CL_INVALID_BINARY;
    if (fake.binaries == FAKE_BAD_BINARY_STATUS)
        status = CL_INVALID_BINARY;
    if (code == CL_SUCCESS)
        program = new_program(context, true, (const char *)binaries[0], lengths[0]);
    if (statuses)
        statuses[0] = status;
    return fake_leave_made(program, code, code_out);
}

/* Takes "kernel void NAME(" out of a source, perhaps with an attribute's macro before "void". */
static void find_kernels(cl_program program)
{
    const char *at = program->text;
    program->name_count = 0;
    while ((at = strstr(at, "kernel")) && program->name_count < FAKE_NAMES) {
        char name[FAKE_NAME_SIZE];
        at += strlen("kernel");
        if (sscanf(at, " void %31[a-z_0-9](", name) == 1 ||
            sscanf(at, " %*[A-Z_] void %31[a-z_0-9](", name) == 1)
            memcpy(program->names[program->name_count++], name, sizeof name);
    }
}

/* Takes options and kernels out of a binary, which was compiled with its own options. */
static void read_binary(cl_program program)
{
    char *at = program->text + strlen(BINARY_HEAD);
    at[strcspn(at, "\n")] = '\0';
    snprintf(program->options, sizeof program->options, "%s", at);
    at += strlen(at) + 1;
    program->name_count = 0;
    while (fake.binaries != FAKE_BINARY_WITHOUT_KERNEL && program->name_count < FAKE_NAMES &&
           sscanf(at, "%31[a-z_0-9]", program->names[program->name_count]) == 1)
        at += strlen(program->names[program->name_count++]) + 1;
}

static cl_int finish_build(cl_program program, const char *options)
{
    if (program->from_binary) {
        if (fake.binaries == FAKE_BUILD_OF_BINARY_FAILS)
            return CL_BUILD_PROGRAM_FAILURE;
        read_binary(program);
    } else {
        ++builds;
        if (fake.build_failures > 0) {
            --fake.build_failures;
            return fake.build_code ? fake.build_code : CL_BUILD_PROGRAM_FAILURE;
        }
        find_kernels(program);
        snprintf(program->options, sizeof program->options, "%s", options);
    }
    const char *size = strstr(program->options, "-DELEMENT_SIZE=");
    program->element_size =
        size ? (uint32_t)strtoul(size + strlen("-DELEMENT_SIZE="), NULL, 10) : 4;
    program->built = true;
    return CL_SUCCESS;
}

cl_int CL_API_CALL fake_clBuildProgram(cl_program program, cl_uint count,
                                       const cl_device_id *devices, const char *options,
                                       void(CL_CALLBACK *tell)(cl_program, void *), void *user)
{
    cl_int code = fake_enter_with(FAKE_clBuildProgram, 0, program, FAKE_PROGRAM);
    (void)tell, (void)user;
    fake_call_hook(fake.on_build);
    if (code == CL_SUCCESS && count != 1)
        code = CL_INVALID_DEVICE;
    if (code == CL_SUCCESS)
        code = finish_build(program, options);
    if (code == CL_SUCCESS)
        program->device = devices[0];
    return fake_leave(code);
}

size_t fake_builds(void)
{
    fake_lock();
    size_t count = builds;
    fake_unlock();
    return count;
}

cl_int CL_API_CALL fake_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                              cl_program_build_info what, size_t room, void *to,
                                              size_t *needed)
{
    cl_int code = fake_enter_with(FAKE_clGetProgramBuildInfo, what, program, FAKE_PROGRAM);
    const struct fake_fact fact = TEXT_FACT(CL_PROGRAM_BUILD_LOG, fake.build_log);
    (void)device;
    return fake_leave(fake_answer(code, &fact, 1, what, room, to, needed));
}

static void write_binary(const struct _cl_program *program, char *to, size_t size)
{
    int at = snprintf(to, size, BINARY_HEAD "%s\n", program->options);
    for (uint32_t i = 0; i < program->name_count; ++i)
        at += snprintf(to + at, size - (size_t)at, "%s\n", program->names[i]);
    memset(to + at, program->ran ? 'S' : 'G', size - (size_t)at);
}

static cl_int answer_program(cl_program program, cl_program_info what, size_t room, void *to,
                             size_t *needed)
{
    static const size_t huge = (size_t)1 << 30;
    const struct fake_fact fact = {CL_PROGRAM_BINARY_SIZES,
                                   fake.answer == FAKE_GIVES_HUGE_BINARY ? &huge : &program->told,
                                   sizeof program->told};
    char **binaries = to;
    switch (what) {
    case CL_PROGRAM_BINARY_SIZES:
        program->told = fake.answer == FAKE_GIVES_EMPTY_BINARY ? 0
                        : fake.answer == FAKE_GIVES_OTHER_SIZE && program->told > 0
                            ? program->told + BINARY_GROWTH
                            : BINARY_SIZE;
        return fake_answer(CL_SUCCESS, &fact, 1, what, room, to, needed);
    case CL_PROGRAM_BINARIES:
        if (room != sizeof(char *))
            fake_violate("CL_PROGRAM_BINARIES with size %zu", room);
        if (program->told > 0 && binaries[0])
            write_binary(program, binaries[0], program->told);
        return CL_SUCCESS;
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL fake_clGetProgramInfo(cl_program program, cl_program_info what, size_t room,
                                         void *to, size_t *needed)
{
    cl_int code = fake_enter_with(FAKE_clGetProgramInfo, what, program, FAKE_PROGRAM);
    if (!fake_is_compiling)
        fake_violate("a binary is asked for outside of a compile");
    fake_call_hook(what == CL_PROGRAM_BINARY_SIZES ? fake.on_query : NULL);
    if (code == CL_SUCCESS)
        code = answer_program(program, what, room, to, needed);
    return fake_leave(code);
}

cl_int CL_API_CALL fake_clReleaseProgram(cl_program program)
{
    cl_int code = fake_enter(FAKE_clReleaseProgram, 0);
    return fake_leave(fake_release(program, FAKE_PROGRAM, code));
}

/* ---- Kernels ---- */

cl_kernel CL_API_CALL fake_clCreateKernel(cl_program program, const char *name, cl_int *code_out)
{
    cl_int code = fake_enter_with(FAKE_clCreateKernel, 0, program, FAKE_PROGRAM);
    cl_kernel kernel = NULL;
    if (code == CL_SUCCESS && !program->built)
        code = CL_INVALID_PROGRAM_EXECUTABLE;
    bool there = false;
    for (uint32_t i = 0; code == CL_SUCCESS && i < program->name_count; ++i)
        there |= strcmp(program->names[i], name) == 0;
    if (code == CL_SUCCESS && !there)
        code = CL_INVALID_KERNEL_NAME;
    if (code == CL_SUCCESS) {
        kernel = fake_object_new(FAKE_KERNEL, sizeof *kernel);
        kernel->program = program;
        kernel->walk_is_mem = strstr(name, "_cpu") != NULL;
        const char *words = strstr(program->options, " -DFEW_WORDS=");
        kernel->arg_count = words ? 4 : strstr(program->options, " -DBATCH") ? 7 : 3;
        kernel->few_words = words ? (uint32_t)strtoul(strchr(words, '=') + 1, NULL, 10) : 0;
        fake_use(program); /* like OpenCL's own: it outlives the caller's reference */
    }
    return fake_leave_made(kernel, code, code_out);
}

cl_int CL_API_CALL fake_clReleaseKernel(cl_kernel kernel)
{
    cl_int code = fake_enter(FAKE_clReleaseKernel, 0);
    bool last = fake_is(kernel, FAKE_KERNEL) && kernel->object.refs == 1;
    code = fake_release(kernel, FAKE_KERNEL, code);
    if (last)
        fake_unuse(kernel->program);
    return fake_leave(code);
}

void fake_kernel_begin(cl_kernel kernel)
{
    if (!fake_is(kernel, FAKE_KERNEL))
        return;
    if (kernel->user != 0 && kernel->user != gettid())
        fake_violate("a kernel is in use by two threads");
    kernel->user = gettid();
}

void fake_kernel_end(cl_kernel kernel)
{
    if (fake_is(kernel, FAKE_KERNEL))
        kernel->user = 0;
}

/* Of an argument by value; 0 for a buffer. */
static size_t size_of_value(const struct _cl_kernel *kernel, cl_uint index)
{
    if (index == KERNEL_ARG_BATCH)
        return sizeof(struct batch);
    if (index == KERNEL_ARG_FEW && kernel->few_words > 0)
        return offsetof(struct few_items, word) + (size_t)(kernel->few_words + 1) / 2 * 8;
    return index == 2 && !kernel->walk_is_mem ? sizeof(struct walk) : 0;
}

static cl_int set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                      bool is_address)
{
    if (!fake_is(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    fake_kernel_begin(kernel);
    if (index >= (cl_uint)kernel->arg_count)
        return CL_INVALID_ARG_INDEX;
    size_t value_size = size_of_value(kernel, index);
    bool is_mem = value_size == 0 && !is_address;
    if (size != (value_size > 0 ? value_size : sizeof(cl_mem)))
        return CL_INVALID_ARG_SIZE;
    struct fake_arg *arg = &kernel->args[index];
    memcpy(&arg->value, value, size);
    if (is_mem && !fake_is(arg->value.mem, FAKE_MEM))
        return CL_INVALID_MEM_OBJECT;
    bool may_be_written = index == KERNEL_ARG_SIDES + 1 || index == KERNEL_ARG_TABLES + 2;
    if (is_mem && may_be_written && arg->value.mem->flags & CL_MEM_READ_ONLY)
        fake_violate("argument %u, which a kernel may write, is read-only", index);
    arg->set = true;
    arg->is_mem = is_mem;
    arg->was_address = arg->was_address || is_address;
    arg->size = size;
    return CL_SUCCESS;
}

static cl_int leave_arg(cl_kernel kernel, cl_int code)
{
    if (code != CL_SUCCESS)
        fake_kernel_end(kernel);
    return fake_leave(code);
}

cl_int CL_API_CALL fake_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
    cl_int code = fake_enter(FAKE_clSetKernelArg, index);
    return leave_arg(kernel, code ? code : set_arg(kernel, index, size, value, false));
}

cl_int CL_API_CALL fake_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index,
                                                 const void *address)
{
    cl_int code = fake_enter(FAKE_clSetKernelArgSVMPointer, index);
    return leave_arg(kernel, code ? code : set_arg(kernel, index, sizeof address, &address, true));
}

cl_int CL_API_CALL fake_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                 cl_kernel_work_group_info what, size_t room,
                                                 void *to, size_t *needed)
{
    cl_int code = fake_enter_with(FAKE_clGetKernelWorkGroupInfo, what, kernel, FAKE_KERNEL);
    const size_t most = fake_group_size(device);
    const struct fake_fact fact = FACT(CL_KERNEL_WORK_GROUP_SIZE, most);
    return fake_leave(fake_answer(code, &fact, 1, what, room, to, needed));
}
