/* SPDX-License-Identifier: MIT */
#include "runtime/origins.h"

#include "base/checked.h"

#include <stdlib.h>

enum { ROOM_LEAST = 1024 };

/* ---- Buffers ---- */

/* Whether kernels read what the host has written, so that nothing need be copied. */
static bool is_in_place(const struct clslice_device *device)
{
    return device->host_memory != CLSLICE_HOST_MEMORY_STAGED;
}

/* Through a queue of its own: in the caller's, a map would wait for what is before it. */
static int32_t map_pinned(struct clslice_device *device, struct origins_buffer *buffer,
                          size_t bytes, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_int code;
    cl_command_queue queue = cl->clCreateCommandQueue(device->context, device->about.id, 0, &code);
    if (!queue)
        return cl_fail(error, "clCreateCommandQueue", code, NULL);
    buffer->host = cl->clEnqueueMapBuffer(queue, buffer->pinned, CL_TRUE, CL_MAP_WRITE, 0, bytes, 0,
                                          NULL, NULL, &code);
    cl->clReleaseCommandQueue(queue);
    return buffer->host ? CLSLICE_S_OK : cl_fail(error, "clEnqueueMapBuffer", code, NULL);
}

static int32_t make_mem(struct clslice_device *device, cl_mem_flags flags, uint64_t count,
                        void *host, cl_mem *mem, clslice_error *error)
{
    cl_int code;
    *mem = device->cl.clCreateBuffer(device->context, flags,
                                     (size_t)count * sizeof(struct batch_origin), host, &code);
    return *mem ? CLSLICE_S_OK
                : cl_fail(error, "clCreateBuffer", code, "a batch needs 16 bytes for each item");
}

/* Gives the buffer another `mem`; commands that use the one before keep it. */
static int32_t change_mem(struct clslice_device *device, struct origins_buffer *buffer,
                          cl_mem_flags flags, uint64_t count, void *host, clslice_error *error)
{
    if (buffer->mem)
        device->cl.clReleaseMemObject(buffer->mem);
    int32_t status = make_mem(device, flags, count, host, &buffer->mem, error);
    buffer->mem_room = status == CLSLICE_S_OK ? count : 0;
    return status;
}

static int32_t need_mem(struct clslice_device *device, struct origins_buffer *buffer,
                        uint64_t count, clslice_error *error)
{
    return count <= buffer->mem_room
               ? CLSLICE_S_OK
               : change_mem(device, buffer, CL_MEM_READ_WRITE, buffer->room, NULL, error);
}

static int32_t make_host(struct clslice_device *device, struct origins_buffer *buffer,
                         clslice_error *error)
{
    size_t bytes = (size_t)buffer->room * sizeof *buffer->host;
    if (is_in_place(device)) {
        buffer->host = malloc(bytes);
        return buffer->host ? CLSLICE_S_OK : status_out_of_memory(error, "the items of a batch");
    }
    int32_t status =
        make_mem(device, CL_MEM_ALLOC_HOST_PTR, buffer->room, NULL, &buffer->pinned, error);
    if (status == CLSLICE_S_OK)
        status = map_pinned(device, buffer, bytes, error);
    if (status != CLSLICE_S_OK && buffer->pinned) {
        device->cl.clReleaseMemObject(buffer->pinned);
        buffer->pinned = NULL;
    }
    return status;
}

int32_t origins_need_host(struct clslice_device *device, struct origins_buffer *buffer,
                          bool with_places, clslice_error *error)
{
    if (with_places && !buffer->places)
        buffer->places = malloc((size_t)buffer->room * sizeof *buffer->places);
    if (with_places && !buffer->places)
        return status_out_of_memory(error, "the items of a batch");
    return buffer->host ? CLSLICE_S_OK : make_host(device, buffer, error);
}

/* Takes one of at least that room whose commands have ended out of the pool; NULL: there is
 * none. */
static struct origins_buffer *find(struct clslice_device *device, uint64_t room)
{
    struct origins_buffer **at = &device->origins.first;
    while (*at && ((*at)->room < room || ((*at)->last && !cl_has_ended(&device->cl, (*at)->last))))
        at = &(*at)->next;
    struct origins_buffer *found = *at;
    if (!found)
        return NULL;
    *at = found->next;
    --device->origins.count;
    return found;
}

uint64_t origins_most(const struct clslice_device *device)
{
    uint64_t most = ROOM_LEAST;
    while (most <= device->about.max_alloc_bytes / sizeof(struct batch_origin) / 2)
        most *= 2;
    return most;
}

int32_t origins_take(struct clslice_device *device, uint64_t count, struct origins_buffer **taken,
                     clslice_error *error)
{
    uint64_t room = ROOM_LEAST;
    while (room < count)
        room *= 2;
    pthread_mutex_lock(&device->origins.lock);
    struct origins_buffer *buffer = find(device, room);
    pthread_mutex_unlock(&device->origins.lock);
    if (!buffer && !(buffer = calloc(1, sizeof *buffer)))
        return status_out_of_memory(error, "the items of a batch");
    if (buffer->last)
        device->cl.clReleaseEvent(buffer->last);
    buffer->last = NULL;
    buffer->room = buffer->room > 0 ? buffer->room : room;
    *taken = buffer;
    return CLSLICE_S_OK;
}

/* Whether it is kept, for the next to come. */
static bool keep(struct origins_pool *pool, struct origins_buffer *buffer)
{
    pthread_mutex_lock(&pool->lock);
    bool is_kept = buffer->room <= ORIGINS_POOL_ROOM && pool->count < ORIGINS_POOL_MOST;
    if (is_kept) {
        buffer->next = pool->first;
        pool->first = buffer;
        ++pool->count;
    }
    pthread_mutex_unlock(&pool->lock);
    return is_kept;
}

void origins_return(const struct event_chain *chain, struct origins_buffer *buffer)
{
    struct clslice_device *device = chain->device;
    buffer->last = chain->last;
    if (chain->last && chain->cl->clRetainEvent(chain->last) != CL_SUCCESS)
        origins_buffer_release_behind(buffer, &device->cl);
    else if (!keep(&device->origins, buffer))
        origins_buffer_release(buffer, &device->cl);
}

/* ---- To the device ---- */

int32_t origins_bring(struct event_chain *chain, struct origins_buffer *buffer, uint64_t first,
                      uint64_t count, clslice_error *error)
{
    struct clslice_device *device = chain->device;
    struct batch_origin *from = buffer->host + first;
    if (!buffer->pinned)
        return change_mem(device, buffer, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count, from,
                          error);
    int32_t status = need_mem(device, buffer, count, error);
    if (status != CLSLICE_S_OK)
        return status;
    event_chain_prepare(chain, NULL);
    cl_int code = chain->cl->clEnqueueWriteBuffer(chain->queue, buffer->mem, CL_FALSE, 0,
                                                  (size_t)count * sizeof *from, from,
                                                  chain->wait_count, chain->waits, &chain->next);
    return event_chain_advance(chain, "clEnqueueWriteBuffer", code, error);
}

int32_t origins_need(struct clslice_device *device, struct origins_buffer *buffer,
                     clslice_error *error)
{
    return need_mem(device, buffer, 1, error);
}

struct item_tables origins_tables(const struct origins_buffer *buffer)
{
    const struct kernel_memory table = {buffer->mem, NULL};
    return (struct item_tables){.index = table, .batch = batch_of_origins()};
}
