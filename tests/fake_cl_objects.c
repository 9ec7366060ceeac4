/* SPDX-License-Identifier: MIT */
/* The fake's contexts, queues, buffers, programs and kernels. */
#include "fake_cl_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BINARY_HEAD "fake binary\n"

enum { BINARY_SIZE = 1500, BINARY_GROWTH = 36 };

static size_t builds; /* since the process began */

void fake_destroy(struct fake_object *object)
{
    struct _cl_mem *mem = (void *)object;
    struct _cl_program *program = (void *)object;
    if (object->kind == FAKE_MEM) {
        if (!(mem->flags & CL_MEM_USE_HOST_PTR))
            free(mem->bytes);
        mem->bytes = NULL;
    } else if (object->kind == FAKE_PROGRAM) {
        free(program->text);
        program->text = NULL;
    }
}

/* ---- Contexts and queues ---- */

cl_context CL_API_CALL fake_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                            const cl_device_id *devices,
                                            void(CL_CALLBACK *tell)(const char *, const void *,
                                                                    size_t, void *),
                                            void *user, cl_int *code_out)
{
    cl_int code = fake_enter(FAKE_clCreateContext, 0);
    cl_context context = NULL;
    (void)properties, (void)tell, (void)user;
    if (code == CL_SUCCESS) {
        context = fake_object_new(FAKE_CONTEXT, sizeof *context);
        context->device_count = count;
        memcpy(context->devices, devices, count * sizeof *devices);
    }
    return fake_leave_made(context, code, code_out);
}

cl_int CL_API_CALL fake_clRetainContext(cl_context context)
{
    cl_int code = fake_enter(FAKE_clRetainContext, 0);
    return fake_leave(code ? code : fake_retain(context, FAKE_CONTEXT, CL_INVALID_CONTEXT));
}

cl_int CL_API_CALL fake_clReleaseContext(cl_context context)
{
    cl_int code = fake_enter(FAKE_clReleaseContext, 0);
    return fake_leave(fake_release(context, FAKE_CONTEXT, CL_INVALID_CONTEXT, code));
}

cl_int CL_API_CALL fake_clGetContextInfo(cl_context context, cl_context_info what, size_t room,
                                         void *to, size_t *needed)
{
    cl_int code = fake_enter(FAKE_clGetContextInfo, what);
    if (code == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        code = CL_INVALID_CONTEXT;
    if (code == CL_SUCCESS)
        code = what == CL_CONTEXT_DEVICES
                   ? fake_answer(context->devices, context->device_count * sizeof(cl_device_id), room,
                                 to, needed)
                   : CL_INVALID_VALUE;
    return fake_leave(code);
}

cl_command_queue CL_API_CALL fake_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue_properties properties,
                                                       cl_int *code_out)
{
    cl_int code = fake_enter(FAKE_clCreateCommandQueue, 0);
    cl_command_queue queue = NULL;
    if (code == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        code = CL_INVALID_CONTEXT;
    if (code == CL_SUCCESS) {
        queue = fake_object_new(FAKE_QUEUE, sizeof *queue);
        queue->context = context;
        queue->device = device;
        queue->properties = properties;
    }
    return fake_leave_made(queue, code, code_out);
}

cl_int CL_API_CALL fake_clRetainCommandQueue(cl_command_queue queue)
{
    cl_int code = fake_enter(FAKE_clRetainCommandQueue, 0);
    return fake_leave(code ? code : fake_retain(queue, FAKE_QUEUE, CL_INVALID_COMMAND_QUEUE));
}

cl_int CL_API_CALL fake_clReleaseCommandQueue(cl_command_queue queue)
{
    cl_int code = fake_enter(FAKE_clReleaseCommandQueue, 0);
    code = fake_release(queue, FAKE_QUEUE, CL_INVALID_COMMAND_QUEUE, code);
    queue->flushed = UINT64_MAX; /* a release flushes */
    fake_pump();
    return fake_leave(code);
}

cl_int CL_API_CALL fake_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what,
                                              size_t room, void *to, size_t *needed)
{
    cl_int code = fake_enter(FAKE_clGetCommandQueueInfo, what);
    if (code == CL_SUCCESS && !fake_is(queue, FAKE_QUEUE))
        code = CL_INVALID_COMMAND_QUEUE;
    if (code == CL_SUCCESS)
        code = what == CL_QUEUE_CONTEXT  ? fake_answer(&queue->context, sizeof queue->context, room,
                                                       to, needed)
               : what == CL_QUEUE_DEVICE ? fake_answer(&queue->device, sizeof queue->device, room, to,
                                                       needed)
               : what == CL_QUEUE_PROPERTIES ? fake_answer(&queue->properties,
                                                           sizeof queue->properties, room, to, needed)
                                             : CL_INVALID_VALUE;
    return fake_leave(code);
}

cl_context fake_context_of(cl_command_queue queue)
{
    return queue->context;
}

/* ---- Buffers ---- */

cl_mem CL_API_CALL fake_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                       cl_int *code_out)
{
    cl_int code = fake_enter(FAKE_clCreateBuffer, 0);
    cl_mem mem = NULL;
    if (code == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        code = CL_INVALID_CONTEXT;
    if (code == CL_SUCCESS && (size == 0 || size > fake.device[0].max_alloc_bytes))
        code = CL_INVALID_BUFFER_SIZE;
    if (code == CL_SUCCESS && !host != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        code = CL_INVALID_HOST_PTR;
    if (code == CL_SUCCESS) {
        mem = fake_object_new(FAKE_MEM, sizeof *mem);
        mem->context = context;
        mem->flags = flags;
        mem->size = size;
        mem->bytes = flags & CL_MEM_USE_HOST_PTR ? host : aligned_alloc(64, (size + 63) / 64 * 64);
        if (!(flags & CL_MEM_USE_HOST_PTR))
            memset(mem->bytes, 0xC7, size); /* nothing that a test expects */
        if (flags & CL_MEM_COPY_HOST_PTR)
            memcpy(mem->bytes, host, size);
    }
    return fake_leave_made(mem, code, code_out);
}

cl_int CL_API_CALL fake_clReleaseMemObject(cl_mem mem)
{
    cl_int code = fake_enter(FAKE_clReleaseMemObject, 0);
    return fake_leave(fake_release(mem, FAKE_MEM, CL_INVALID_MEM_OBJECT, code));
}

cl_int CL_API_CALL fake_clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t room, void *to,
                                           size_t *needed)
{
    cl_int code = fake_enter(FAKE_clGetMemObjectInfo, what);
    const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    const cl_mem parent = NULL;
    const size_t offset = 0;
    if (code == CL_SUCCESS && !fake_is(mem, FAKE_MEM))
        code = CL_INVALID_MEM_OBJECT;
    if (code != CL_SUCCESS)
        return fake_leave(code);
    void *host = mem->flags & CL_MEM_USE_HOST_PTR ? mem->bytes : NULL;
    const struct {
        cl_mem_info what;
        const void *value;
        size_t size;
    } answers[] = {{CL_MEM_TYPE, &type, sizeof type},
                   {CL_MEM_CONTEXT, &mem->context, sizeof mem->context},
                   {CL_MEM_FLAGS, &mem->flags, sizeof mem->flags},
                   {CL_MEM_SIZE, &mem->size, sizeof mem->size},
                   {CL_MEM_ASSOCIATED_MEMOBJECT, &parent, sizeof parent},
                   {CL_MEM_OFFSET, &offset, sizeof offset},
                   {CL_MEM_HOST_PTR, &host, sizeof host}};
    code = CL_INVALID_VALUE;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i)
        if (answers[i].what == what)
            code = fake_answer(answers[i].value, answers[i].size, room, to, needed);
    return fake_leave(code);
}

unsigned char *fake_bytes(cl_mem mem)
{
    return mem->bytes;
}

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
static size_t source_ends[4];
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
    cl_int code = fake_enter(FAKE_clCreateProgramWithSource, 0);
    cl_program program = NULL;
    size_t length = 0;
    if (code == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        code = CL_INVALID_CONTEXT;
    for (source_count = 0; source_count < count && source_count < 4; ++source_count) {
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
    cl_int code = fake_enter(FAKE_clCreateProgramWithBinary, 0), status = CL_SUCCESS;
    cl_program program = NULL;
    (void)devices;
    if (code == CL_SUCCESS && (!fake_is(context, FAKE_CONTEXT) || count != 1))
        code = CL_INVALID_CONTEXT;
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

/* Takes "kernel void NAME(" out of a source. */
static void find_kernels(cl_program program)
{
    const char *at = program->text;
    program->name_count = 0;
    while ((at = strstr(at, "kernel")) && program->name_count < FAKE_NAMES) {
        char name[FAKE_NAME_SIZE];
        at += strlen("kernel");
        if (sscanf(at, " void %31[a-z_0-9](", name) == 1)
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
    program->element_size = size ? (uint32_t)strtoul(size + strlen("-DELEMENT_SIZE="), NULL, 10) : 4;
    program->built = true;
    return CL_SUCCESS;
}

cl_int CL_API_CALL fake_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                       const char *options,
                                       void(CL_CALLBACK *tell)(cl_program, void *), void *user)
{
    cl_int code = fake_enter(FAKE_clBuildProgram, 0);
    void (*hook)(void *) = fake.on_build;
    void *hook_user = fake.hook_user;
    (void)count, (void)devices, (void)tell, (void)user;
    if (hook) {
        fake_unlock();
        hook(hook_user);
        fake_lock();
    }
    if (code == CL_SUCCESS && !fake_is(program, FAKE_PROGRAM))
        code = CL_INVALID_PROGRAM;
    if (code == CL_SUCCESS)
        code = finish_build(program, options);
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
    cl_int code = fake_enter(FAKE_clGetProgramBuildInfo, what);
    (void)device;
    if (code == CL_SUCCESS && !fake_is(program, FAKE_PROGRAM))
        code = CL_INVALID_PROGRAM;
    if (code == CL_SUCCESS)
        code = what == CL_PROGRAM_BUILD_LOG
                   ? fake_answer(fake.build_log, strlen(fake.build_log) + 1, room, to, needed)
                   : CL_INVALID_VALUE;
    return fake_leave(code);
}

static void write_binary(const struct _cl_program *program, char *to, size_t size)
{
    int at = snprintf(to, size, BINARY_HEAD "%s\n", program->options);
    for (uint32_t i = 0; i < program->name_count; ++i)
        at += snprintf(to + at, size - (size_t)at, "%s\n", program->names[i]);
    memset(to + at, program->enqueued ? 'S' : 'G', size - (size_t)at);
}

static cl_int answer_program(cl_program program, cl_program_info what, size_t room, void *to,
                             size_t *needed)
{
    static const size_t huge = (size_t)1 << 40;
    char **binaries = to;
    switch (what) {
    case CL_PROGRAM_BINARY_SIZES:
        program->told = fake.answer == FAKE_GIVES_EMPTY_BINARY ? 0
                        : fake.answer == FAKE_GIVES_OTHER_SIZE && program->told > 0
                            ? program->told + BINARY_GROWTH
                            : BINARY_SIZE;
        return fake_answer(fake.answer == FAKE_GIVES_HUGE_BINARY ? &huge : &program->told,
                           sizeof program->told, room, to, needed);
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
    cl_int code = fake_enter(FAKE_clGetProgramInfo, what);
    void (*hook)(void *) = what == CL_PROGRAM_BINARY_SIZES ? fake.on_query : NULL;
    void *hook_user = fake.hook_user;
    if (hook) {
        fake_unlock();
        hook(hook_user);
        fake_lock();
    }
    if (code == CL_SUCCESS && !fake_is(program, FAKE_PROGRAM))
        code = CL_INVALID_PROGRAM;
    if (code == CL_SUCCESS)
        code = answer_program(program, what, room, to, needed);
    return fake_leave(code);
}

cl_int CL_API_CALL fake_clReleaseProgram(cl_program program)
{
    cl_int code = fake_enter(FAKE_clReleaseProgram, 0);
    return fake_leave(fake_release(program, FAKE_PROGRAM, CL_INVALID_PROGRAM, code));
}

/* ---- Kernels ---- */

cl_kernel CL_API_CALL fake_clCreateKernel(cl_program program, const char *name, cl_int *code_out)
{
    cl_int code = fake_enter(FAKE_clCreateKernel, 0);
    cl_kernel kernel = NULL;
    if (code == CL_SUCCESS && !fake_is(program, FAKE_PROGRAM))
        code = CL_INVALID_PROGRAM;
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
        fake_use(program); /* like OpenCL's own: it outlives the caller's reference */
    }
    return fake_leave_made(kernel, code, code_out);
}

cl_int CL_API_CALL fake_clReleaseKernel(cl_kernel kernel)
{
    cl_int code = fake_enter(FAKE_clReleaseKernel, 0);
    bool last = fake_is(kernel, FAKE_KERNEL) && kernel->object.refs == 1;
    code = fake_release(kernel, FAKE_KERNEL, CL_INVALID_KERNEL, code);
    if (last)
        fake_unuse(kernel->program);
    return fake_leave(code);
}

static cl_int set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                      bool is_address)
{
    static const size_t sizes[FAKE_ARGS] = {sizeof(cl_mem), sizeof(cl_mem), sizeof(cl_ulong),
                                            sizeof(cl_ulong), sizeof(struct walk)};
    if (!fake_is(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    if (index >= FAKE_ARGS)
        return CL_INVALID_ARG_INDEX;
    if (size != sizes[index])
        return CL_INVALID_ARG_SIZE;
    struct fake_arg *arg = &kernel->args[index];
    memcpy(&arg->value, value, size);
    if (index < 2 && !is_address && !fake_is(arg->value.mem, FAKE_MEM))
        return CL_INVALID_MEM_OBJECT;
    arg->set = true;
    arg->is_address = is_address;
    arg->size = size;
    arg->thread = gettid();
    return CL_SUCCESS;
}

cl_int CL_API_CALL fake_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
    cl_int code = fake_enter(FAKE_clSetKernelArg, index);
    return fake_leave(code ? code : set_arg(kernel, index, size, value, false));
}

cl_int CL_API_CALL fake_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index,
                                                 const void *address)
{
    cl_int code = fake_enter(FAKE_clSetKernelArgSVMPointer, index);
    return fake_leave(code ? code : set_arg(kernel, index, sizeof address, &address, true));
}

cl_int CL_API_CALL fake_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                 cl_kernel_work_group_info what, size_t room,
                                                 void *to, size_t *needed)
{
    cl_int code = fake_enter(FAKE_clGetKernelWorkGroupInfo, what);
    if (code == CL_SUCCESS && !fake_is(kernel, FAKE_KERNEL))
        code = CL_INVALID_KERNEL;
    const struct fake_device *about = &fake.device[device->index];
    size_t most = about->kernel_group_size ? about->kernel_group_size : about->max_work_group_size;
    if (code == CL_SUCCESS)
        code = what == CL_KERNEL_WORK_GROUP_SIZE ? fake_answer(&most, sizeof most, room, to, needed)
                                                 : CL_INVALID_VALUE;
    return fake_leave(code);
}
