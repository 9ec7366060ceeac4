/* SPDX-License-Identifier: MIT */
#include "runtime/staging.h"

#include "base/checked.h"

#include <stdlib.h>

/* Launches take less, unless they are behind something of the host's. */
enum { CATCH_UP_MS = 1000 };

/* ---- The pool ---- */

/* Forgets a last use that is over, well or not: what comes next need not wait for it. */
static void forget_finished(struct clslice_device *device, struct staging_set *set)
{
    if (!set->last || !cl_has_ended(&device->cl, set->last))
        return;
    device->cl.clReleaseEvent(set->last);
    set->last = NULL;
}

/* Whether the buffers may be used by the chain's next command: it is ordered behind their last
 * use by the chain, by the queue or by the event. Not by that of a use which may fail for
 * reasons of its caller's, for then the chain would fail, too; and another queue may never be
 * flushed. */
static bool is_free(const struct staging_set *set, const struct event_chain *chain)
{
    return !set->last || set->last == chain->last ||
           (set->queue == chain->queue && (chain->in_order || !set->waits));
}

/* Makes a buffer hold at least `bytes`; commands that use a replaced one keep it alive. */
static int32_t grow(struct clslice_device *device, struct staging_buffer *buffer, uint64_t bytes,
                    clslice_error *error)
{
    if (bytes <= buffer->bytes)
        return CLSLICE_S_OK;
    uint64_t size = 4096;
    while (size < bytes)
        size *= 2;
    if (size > device->staging.buffer_bytes)
        size = bytes;
    if (buffer->mem)
        device->cl.clReleaseMemObject(buffer->mem);
    cl_int code;
    cl_mem mem =
        device->cl.clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
    *buffer = (struct staging_buffer){mem, mem ? size : 0};
    return mem ? CLSLICE_S_OK
               : cl_fail(error, "clCreateBuffer", code, "staging host memory needs device memory");
}

int32_t staging_take(struct clslice_device *device, const struct event_chain *chain,
                     uint64_t in_bytes, uint64_t out_bytes, struct staging_set *spare,
                     struct staging_set **taken, clslice_error *error)
{
    struct staging_pool *pool = &device->staging;
    struct staging_set *set = spare;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < STAGING_POOL_SETS && set == spare; ++i) {
        forget_finished(device, &pool->set[i]);
        if (is_free(&pool->set[i], chain))
            set = &pool->set[i];
    }
    if (set != spare) {
        /* The next to ask looks at the other sets first. */
        struct staging_set first = *set;
        for (; set < &pool->set[STAGING_POOL_SETS - 1]; ++set)
            *set = set[1];
        *set = first;
    }
    int32_t status = grow(device, &set->in, in_bytes, error);
    if (status == CLSLICE_S_OK)
        status = grow(device, &set->out, out_bytes, error);
    *taken = set;
    if (status != CLSLICE_S_OK)
        pthread_mutex_unlock(&pool->lock);
    return status;
}

/* The chain's last step is the set's last use. */
static void note_use(struct clslice_device *device, const struct event_chain *chain,
                     struct staging_set *set)
{
    if (!chain->last)
        return;
    if (device->cl.clRetainEvent(chain->last) != CL_SUCCESS) {
        /* In use until nobody knows when: not to be reused. */
        staging_pool_empty_set(set, &device->cl);
        return;
    }
    if (set->last) /* in order, it may not have ended */
        held_events_add(&device->held, &device->cl, set->last);
    set->last = chain->last;
    set->queue = chain->queue;
    set->waits = chain->count > 0;
}

void staging_return(struct clslice_device *device, const struct event_chain *chain,
                    struct staging_set *set)
{
    note_use(device, chain, set);
    pthread_mutex_unlock(&device->staging.lock);
}

/* ---- In ---- */

int32_t staging_write(struct event_chain *chain, struct staging_set *set, const void *from,
                      uint64_t size, clslice_error *error)
{
    event_chain_prepare(chain, set->last);
    cl_int code =
        chain->cl->clEnqueueWriteBuffer(chain->queue, set->in.mem, CL_FALSE, 0, (size_t)size, from,
                                        chain->wait_count, chain->waits, &chain->next);
    return event_chain_advance(chain, "clEnqueueWriteBuffer", code, error);
}

/* ---- Out ---- */

static int32_t read_bytes(struct event_chain *chain, cl_mem from, uint64_t at, uint64_t size,
                          unsigned char *to, clslice_error *error)
{
    event_chain_prepare(chain, NULL);
    cl_int code =
        chain->cl->clEnqueueReadBuffer(chain->queue, from, CL_FALSE, (size_t)at, (size_t)size, to,
                                       chain->wait_count, chain->waits, &chain->next);
    return event_chain_advance(chain, "clEnqueueReadBuffer", code, error);
}

/* Runs of one dimension, or of two where is_plane. */
static int32_t read_rectangle(struct event_chain *chain, cl_mem from, uint64_t at,
                              const struct runs *runs, uint32_t rank, unsigned char *to,
                              clslice_error *error)
{
    const size_t line = (size_t)runs_bytes(runs, 1), step = (size_t)runs->step[0];
    const size_t origin[3] = {0, 0, (size_t)at / line}, start[3] = {0, 0, 0};
    const size_t region[3] = {(size_t)runs->bytes, (size_t)runs->count[0],
                              rank > 1 ? (size_t)runs->count[1] : 1};
    const size_t slice = rank > 1 ? (size_t)runs->step[1] : 0;
    event_chain_prepare(chain, NULL);
    cl_int code = chain->cl->clEnqueueReadBufferRect(
        chain->queue, from, CL_FALSE, origin, start, region, (size_t)runs->bytes, line, step, slice,
        to, chain->wait_count, chain->waits, &chain->next);
    return event_chain_advance(chain, "clEnqueueReadBufferRect", code, error);
}

/* OpenCL's rule for the pitches of a rectangle's slices and rows. */
static bool is_plane(const struct runs *runs)
{
    return runs->step[1] % runs->step[0] == 0 && runs->step[1] / runs->step[0] >= runs->count[0];
}

/* The runs of the first `rank` dimensions, which lie at byte `at` of the buffer. */
static int32_t read_runs(struct event_chain *chain, cl_mem from, uint64_t at,
                         const struct runs *runs, uint32_t rank, unsigned char *to,
                         clslice_error *error)
{
    if (rank == 0)
        return read_bytes(chain, from, at, runs->bytes, to, error);
    if (rank == 1 || (rank == 2 && is_plane(runs)))
        return read_rectangle(chain, from, at, runs, rank, to, error);
    uint64_t bytes = runs_bytes(runs, rank - 1);
    int32_t status = CLSLICE_S_OK;
    for (uint64_t n = 0; status == CLSLICE_S_OK && n < runs->count[rank - 1]; ++n)
        status = read_runs(chain, from, at + n * bytes, runs, rank - 1,
                           to + n * runs->step[rank - 1], error);
    return status;
}

/* ---- Out, by the calling thread ---- */

/* All of them, which the bounce has room for. */
static int32_t read_and_scatter(struct event_chain *chain, cl_mem from, uint64_t at,
                                const struct runs *runs, uint32_t rank, unsigned char *to,
                                clslice_error *error)
{
    unsigned char *bounce = chain->device->staging.bounce;
    cl_int state;
    int32_t status = read_bytes(chain, from, at, runs_bytes(runs, rank), bounce, error);
    if (status == CLSLICE_S_OK)
        status = cl_wait(chain->cl, chain->last, &state, error);
    if (status == CLSLICE_S_OK && state == CL_COMPLETE) /* else the event tells */
        runs_scatter(runs, rank, bounce, to);
    return status;
}

/* As read_runs does, in as large parts as the bounce has room for. */
static int32_t read_parts(struct event_chain *chain, cl_mem from, uint64_t at,
                          const struct runs *runs, uint32_t rank, unsigned char *to,
                          clslice_error *error)
{
    if (rank == 0)
        return read_bytes(chain, from, at, runs->bytes, to, error);
    uint64_t bytes = runs_bytes(runs, rank - 1), most = STAGING_POOL_BOUNCE / bytes;
    int32_t status = CLSLICE_S_OK;
    struct runs part = *runs;
    for (uint64_t n = 0; status == CLSLICE_S_OK && n < runs->count[rank - 1];
         n += part.count[rank - 1]) {
        part.count[rank - 1] = clamp(runs->count[rank - 1] - n, 1, most > 0 ? most : 1);
        unsigned char *start = to + n * runs->step[rank - 1];
        status = most > 0 ? read_and_scatter(chain, from, at + n * bytes, &part, rank, start, error)
                          : read_parts(chain, from, at + n * bytes, runs, rank - 1, start, error);
    }
    return status;
}

/* Whether all before the read ends now. Where it does not, it may wait for what the host ends after
 * this dispatch: an event of the caller's, or one that an earlier command in the queue is
 * behind. */
static bool catches_up(struct event_chain *chain)
{
    if (chain->is_behind)
        return false;
    for (cl_uint i = 0; i < chain->count; ++i)
        if (!cl_has_ended(chain->cl, chain->list[EVENT_CHAIN_OWN_WAITS + i]))
            return false;
    chain->cl->clFlush(chain->queue);
    chain->is_behind = !cl_ends_within(chain->cl, chain->last, CATCH_UP_MS);
    return !chain->is_behind;
}

int32_t staging_read(struct event_chain *chain, struct staging_set *set, uint64_t at,
                     const struct runs *runs, unsigned char *to, clslice_error *error)
{
    struct clslice_device *device = chain->device;
    if (runs->rank == 0 || !device->about.copies_block || !catches_up(chain))
        return read_runs(chain, set->out.mem, at, runs, runs->rank, to, error);
    if (!device->staging.bounce && !(device->staging.bounce = malloc(STAGING_POOL_BOUNCE)))
        return status_out_of_memory(error, "the elements of an output with gaps");
    return read_parts(chain, set->out.mem, at, runs, runs->rank, to, error);
}
