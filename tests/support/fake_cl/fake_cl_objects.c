/* SPDX-License-Identifier: MIT */
/* The fake's contexts, queues and buffers. */
#include "support/fake_cl/fake_cl_inside.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

void fake_destroy(struct fake_object *object)
{
    struct _cl_mem *mem = (void *)object;
    struct _cl_program *program = (void *)object;
    if (object->kind == FAKE_MEM) {
        if (mem->bytes != mem->host)
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
    return fake_retain(FAKE_clRetainContext, context, FAKE_CONTEXT);
}

cl_int CL_API_CALL fake_clReleaseContext(cl_context context)
{
    cl_int code = fake_enter(FAKE_clReleaseContext, 0);
    return fake_leave(fake_release(context, FAKE_CONTEXT, code));
}

cl_int CL_API_CALL fake_clGetContextInfo(cl_context context, cl_context_info what, size_t room,
                                         void *to, size_t *needed)
{
    cl_int code = fake_enter_with(FAKE_clGetContextInfo, what, context, FAKE_CONTEXT);
    if (code != CL_SUCCESS)
        return fake_leave(code);
    const struct fake_fact fact = {CL_CONTEXT_DEVICES, context->devices,
                                   context->device_count * sizeof(cl_device_id)};
    return fake_leave(fake_answer(code, &fact, 1, what, room, to, needed));
}

cl_command_queue CL_API_CALL fake_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue_properties properties,
                                                       cl_int *code_out)
{
    cl_int code = fake_enter_with(FAKE_clCreateCommandQueue, 0, context, FAKE_CONTEXT);
    cl_command_queue queue = NULL;
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
    return fake_retain(FAKE_clRetainCommandQueue, queue, FAKE_QUEUE);
}

cl_int CL_API_CALL fake_clReleaseCommandQueue(cl_command_queue queue)
{
    cl_int code = fake_enter(FAKE_clReleaseCommandQueue, 0);
    code = fake_release(queue, FAKE_QUEUE, code);
    queue->flushed = UINT64_MAX; /* a release flushes */
    fake_pump();
    return fake_leave(code);
}

cl_int CL_API_CALL fake_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what,
                                              size_t room, void *to, size_t *needed)
{
    cl_int code = fake_enter_with(FAKE_clGetCommandQueueInfo, what, queue, FAKE_QUEUE);
    if (code != CL_SUCCESS)
        return fake_leave(code);
    const struct fake_fact facts[] = {FACT(CL_QUEUE_CONTEXT, queue->context),
                                      FACT(CL_QUEUE_DEVICE, queue->device),
                                      FACT(CL_QUEUE_PROPERTIES, queue->properties)};
    return fake_leave(fake_answer(code, facts, COUNT_OF(facts), what, room, to, needed));
}

cl_context fake_context_of(cl_command_queue queue)
{
    return queue->context;
}

/* ---- Buffers ---- */

cl_mem CL_API_CALL fake_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                       void *host, cl_int *code_out)
{
    cl_int code = fake_enter_with(FAKE_clCreateBuffer, 0, context, FAKE_CONTEXT);
    cl_mem mem = NULL;
    if (code == CL_SUCCESS && (size == 0 || size > fake.device[0].max_alloc_bytes))
        code = CL_INVALID_BUFFER_SIZE;
    if (code == CL_SUCCESS && !host != !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        code = CL_INVALID_HOST_PTR;
    if (code == CL_SUCCESS) {
        mem = fake_object_new(FAKE_MEM, sizeof *mem);
        mem->context = context;
        mem->flags = flags;
        mem->size = size;
        mem->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
        mem->bytes = mem->host && !(flags & fake.copies_host_memory)
                         ? mem->host
                         : aligned_alloc(64, (size + 63) / 64 * 64);
        if (!host)
            memset(mem->bytes, 0xC7, size); /* nothing that a test expects */
        else if (mem->bytes != host)
            memcpy(mem->bytes, host, size);
    }
    return fake_leave_made(mem, code, code_out);
}

/* The buffer's own bytes: nobody unmaps them. */
void *CL_API_CALL fake_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                          cl_map_flags flags, size_t offset, size_t size,
                                          cl_uint count, const cl_event *waits, cl_event *event,
                                          cl_int *code_out)
{
    cl_int code = fake_enter_with(FAKE_clEnqueueMapBuffer, 0, queue, FAKE_QUEUE);
    (void)flags, (void)waits;
    if (code == CL_SUCCESS && !fake_is(mem, FAKE_MEM))
        code = CL_INVALID_MEM_OBJECT;
    if (code == CL_SUCCESS && (offset > mem->size || size > mem->size - offset))
        code = CL_INVALID_VALUE;
    if (!blocking || count > 0 || event)
        fake_violate("a map that does not block, or waits");
    return fake_leave_made(code == CL_SUCCESS ? mem->bytes + offset : NULL, code, code_out);
}

cl_int CL_API_CALL fake_clReleaseMemObject(cl_mem mem)
{
    cl_int code = fake_enter(FAKE_clReleaseMemObject, 0);
    return fake_leave(fake_release(mem, FAKE_MEM, code));
}

cl_int CL_API_CALL fake_clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t room, void *to,
                                           size_t *needed)
{
    static const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    static const cl_mem parent = NULL;
    static const size_t offset = 0;
    cl_int code = fake_enter_with(FAKE_clGetMemObjectInfo, what, mem, FAKE_MEM);
    if (code != CL_SUCCESS)
        return fake_leave(code);
    const struct fake_fact facts[] = {FACT(CL_MEM_TYPE, type),
                                      FACT(CL_MEM_CONTEXT, mem->context),
                                      FACT(CL_MEM_FLAGS, mem->flags),
                                      FACT(CL_MEM_SIZE, mem->size),
                                      FACT(CL_MEM_ASSOCIATED_MEMOBJECT, parent),
                                      FACT(CL_MEM_OFFSET, offset),
                                      FACT(CL_MEM_HOST_PTR, mem->host)};
    return fake_leave(fake_answer(code, facts, COUNT_OF(facts), what, room, to, needed));
}

unsigned char *fake_bytes(cl_mem mem)
{
    return mem->bytes;
}
