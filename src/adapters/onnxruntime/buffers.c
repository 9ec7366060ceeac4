/* SPDX-License-Identifier: MIT */
#include "buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

/* Declares `call`, the device's function of that name. */
#define CALL(device, name, call) \
    __typeof__(&name) call;      \
    memcpy(&(call), &(void *){clslice_device_get_proc(device, #name)}, sizeof(call))

static int32_t check(cl_int code, const char *call, clslice_error *error)
{
    if (code == CL_SUCCESS)
        return CLSLICE_S_OK;
    const bool lacks_memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                              code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
    error->status = lacks_memory ? CLSLICE_E_OUTOFMEMORY : CLSLICE_E_FAIL;
    error->opencl = code;
    snprintf(error->text, sizeof error->text, "%s returned %d", call, code);
    return error->status;
}

/* ---- Pairs ---- */

static void release_one(clslice_device *device, struct _cl_mem *mem)
{
    CALL(device, clReleaseMemObject, release_mem);
    if (mem)
        release_mem(mem);
}

static void release(clslice_device *device, const struct pair *pair)
{
    clslice_opencl_objects objects = {.size = sizeof objects};
    /* In a child of fork they are not ours. */
    if (clslice_device_get_opencl(device, &objects, NULL) != CLSLICE_S_OK)
        return;
    release_one(device, pair->in);
    release_one(device, pair->out);
}

static struct pair exchange(struct memory *memory, const struct pair *pair)
{
    pthread_mutex_lock(&memory->lock);
    const struct pair old = memory->pair;
    memory->pair = *pair;
    pthread_mutex_unlock(&memory->lock);
    return old;
}

/* A buffer of at least so many bytes: the one that there is, or another. What failed in between is
 * released with the rest. */
static int32_t grow(clslice_device *device, struct _cl_context *context, cl_mem_flags flags,
                    uint64_t bytes, struct _cl_mem **mem, uint64_t *had, clslice_error *error)
{
    cl_int code = CL_SUCCESS;
    if (*mem && *had >= bytes)
        return CLSLICE_S_OK;
    release_one(device, *mem);
    CALL(device, clCreateBuffer, create_mem);
    *mem = create_mem(context, flags, bytes, NULL, &code);
    *had = *mem ? bytes : 0;
    return check(code, "clCreateBuffer", error);
}

void memory_release(struct memory *memory)
{
    release(memory->device, &memory->pair);
    pthread_mutex_destroy(&memory->lock);
}

/* ---- A run's ---- */

int32_t buffers_open(struct buffers *buffers, struct memory *memory, uint64_t in_bytes,
                     uint64_t out_bytes, size_t most, clslice_error *error)
{
    const struct pair none = {0};
    clslice_opencl_objects objects = {.size = sizeof objects};
    *buffers = (struct buffers){.memory = memory, .pair = exchange(memory, &none)};
    int32_t result = clslice_device_get_opencl(memory->device, &objects, error);
    if (result != CLSLICE_S_OK)
        return result;
    buffers->queue = objects.queue;
    buffers->events = calloc(most, sizeof *buffers->events);
    if (!buffers->events)
        return check(CL_OUT_OF_HOST_MEMORY, "calloc", error);
    struct pair *pair = &buffers->pair;
    result = grow(memory->device, objects.context, CL_MEM_READ_ONLY, in_bytes, &pair->in,
                  &pair->in_bytes, error);
    if (result == CLSLICE_S_OK)
        result = grow(memory->device, objects.context, CL_MEM_READ_WRITE, out_bytes, &pair->out,
                      &pair->out_bytes, error);
    return result;
}

void buffers_close(struct buffers *buffers)
{
    clslice_device *device = buffers->memory->device;
    const struct pair *pair = &buffers->pair;
    const bool is_kept =
        buffers->is_done && pair->in_bytes + pair->out_bytes <= buffers->memory->kept_bytes;
    const struct pair left = is_kept ? exchange(buffers->memory, pair) : *pair;
    release(device, &left);
    for (size_t i = 0; i < buffers->count; ++i)
        clslice_event_release(device, buffers->events[i]);
    free(buffers->events);
}

struct _cl_event **buffers_event(struct buffers *buffers)
{
    return &buffers->events[buffers->count++];
}

int32_t buffers_write(struct buffers *buffers, const void *from, uint64_t bytes,
                      clslice_error *error)
{
    CALL(buffers->memory->device, clEnqueueWriteBuffer, write);
    return check(write(buffers->queue, buffers->pair.in, CL_FALSE, 0, bytes, from, 0, NULL,
                       buffers_event(buffers)),
                 "clEnqueueWriteBuffer", error);
}

int32_t buffers_read(struct buffers *buffers, uint64_t offset, uint64_t bytes, void *to,
                     clslice_error *error)
{
    CALL(buffers->memory->device, clEnqueueReadBuffer, read);
    return check(read(buffers->queue, buffers->pair.out, CL_FALSE, offset, bytes, to, 0, NULL,
                      buffers_event(buffers)),
                 "clEnqueueReadBuffer", error);
}

int32_t buffers_wait(struct buffers *buffers, clslice_error *error)
{
    int32_t result = CLSLICE_S_OK;
    for (size_t i = 0; result == CLSLICE_S_OK && i < buffers->count; ++i)
        result = clslice_event_wait(buffers->memory->device, buffers->events[i], error);
    buffers->is_done = result == CLSLICE_S_OK;
    return result;
}
