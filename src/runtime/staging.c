/* SPDX-License-Identifier: MIT */
#include "runtime/staging.h"

/* ---- The pool ---- */

/* Forgets a last use that is over, well or not: what comes next need not wait for it. */
static void forget_finished(struct clslice_device *device, struct staging_set *set)
{
    cl_int state = CL_QUEUED;
    if (!set->last ||
        device->cl.clGetEventInfo(set->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                  &state, NULL) != CL_SUCCESS ||
        state > CL_COMPLETE)
        return;
    device->cl.clReleaseEvent(set->last);
    set->last = NULL;
}

/* Whether the buffers may be used by commands of this queue: a later command of the same queue is
 * ordered by it or by the event; another queue may never be flushed, so its use must be over. */
static bool is_free(const struct staging_set *set, const struct chain *chain)
{
    return !set->last || set->queue == chain->queue;
}

/* Makes a buffer hold at least `bytes`; commands that use a replaced one keep it alive. */
static int32_t grow(struct clslice_device *device, cl_mem *mem, uint64_t *has, uint64_t bytes,
                    clslice_error *error)
{
    if (bytes <= *has)
        return CLSLICE_S_OK;
    uint64_t size = 4096;
    while (size < bytes)
        size *= 2;
    if (size > device->staging_bytes)
        size = bytes;
    if (*mem)
        device->cl.clReleaseMemObject(*mem);
    cl_int code;
    *has = 0;
    *mem = device->cl.clCreateBuffer(device->context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
    if (!*mem)
        return cl_fail(error, "clCreateBuffer", code, "staging host memory needs device memory");
    *has = size;
    return CLSLICE_S_OK;
}

void staging_release(struct clslice_device *device, struct staging_set *set)
{
    if (set->last)
        device->cl.clReleaseEvent(set->last);
    if (set->in)
        device->cl.clReleaseMemObject(set->in);
    if (set->out)
        device->cl.clReleaseMemObject(set->out);
    *set = (struct staging_set){0};
}

int32_t staging_take(struct clslice_device *device, const struct chain *chain, uint64_t in_bytes,
                     uint64_t out_bytes, struct staging_set *spare, struct staging_set **taken,
                     clslice_error *error)
{
    struct staging_set *set = spare;
    for (int i = 0; i < STAGING_SETS && set == spare; ++i) {
        forget_finished(device, &device->staging[i]);
        if (is_free(&device->staging[i], chain))
            set = &device->staging[i];
    }
    if (set != spare) {
        /* The next to ask looks at the other sets first. */
        struct staging_set first = *set;
        for (; set < &device->staging[STAGING_SETS - 1]; ++set)
            *set = set[1];
        *set = first;
    }
    int32_t status = grow(device, &set->in, &set->in_bytes, in_bytes, error);
    if (status == CLSLICE_S_OK)
        status = grow(device, &set->out, &set->out_bytes, out_bytes, error);
    *taken = set;
    return status;
}

void staging_return(struct clslice_device *device, const struct chain *chain,
                    struct staging_set *set)
{
    if (!chain->last)
        return;
    if (device->cl.clRetainEvent(chain->last) != CL_SUCCESS) {
        staging_release(device, set); /* in use until nobody knows when: not to be reused */
        return;
    }
    if (set->last)
        device->cl.clReleaseEvent(set->last);
    set->last = chain->last;
    set->queue = chain->queue;
}

/* ---- In ---- */

int32_t staging_write(struct chain *chain, struct staging_set *set, const void *from, uint64_t size,
                      clslice_error *error)
{
    cl_event event;
    chain_prepare(chain, set->last);
    cl_int code = chain->cl->clEnqueueWriteBuffer(chain->queue, set->in, CL_FALSE, 0, (size_t)size,
                                                  from, chain->wait_count,
                                                  chain->wait_count ? chain->waits : NULL, &event);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clEnqueueWriteBuffer", code, NULL);
    chain_advance(chain, event);
    return CLSLICE_S_OK;
}

/* ---- Out ---- */

/* The addressed bytes of a box: runs of `run` bytes on a lattice. */
struct runs {
    uint64_t run;
    uint32_t rank; /* dimensions outside the run, the innermost first */
    uint64_t count[TENSOR_RANK_MAX];
    uint64_t step[TENSOR_RANK_MAX]; /* bytes */
};

static struct runs runs_of(const struct plan *plan, const struct plan_box *box)
{
    struct runs runs = {.run = plan->width};
    for (uint32_t i = plan->rank; i-- > 0;) {
        uint64_t step = (uint64_t)plan->dim[i].out_stride * plan->width;
        if (box->size[i] == 1)
            continue;
        if (runs.rank == 0 && step == runs.run) {
            runs.run *= box->size[i];
        } else {
            runs.count[runs.rank] = box->size[i];
            runs.step[runs.rank++] = step;
        }
    }
    return runs;
}

static int32_t read_bytes(struct chain *chain, cl_mem from, uint64_t at, uint64_t size,
                          unsigned char *to, clslice_error *error)
{
    cl_event event;
    chain_prepare(chain, NULL);
    cl_int code = chain->cl->clEnqueueReadBuffer(chain->queue, from, CL_FALSE, (size_t)at,
                                                 (size_t)size, to, chain->wait_count,
                                                 chain->wait_count ? chain->waits : NULL, &event);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clEnqueueReadBuffer", code, NULL);
    chain_advance(chain, event);
    return CLSLICE_S_OK;
}

/* Rows of `run` bytes, `step` apart. */
static int32_t read_rows(struct chain *chain, cl_mem from, uint64_t at, uint64_t run, uint64_t step,
                         uint64_t count, unsigned char *to, clslice_error *error)
{
    const size_t origin[3] = {(size_t)(at % step), (size_t)(at / step), 0}, start[3] = {0, 0, 0};
    const size_t region[3] = {(size_t)run, (size_t)count, 1};
    cl_event event;
    chain_prepare(chain, NULL);
    cl_int code = chain->cl->clEnqueueReadBufferRect(
        chain->queue, from, CL_FALSE, origin, start, region, (size_t)step, 0, (size_t)step, 0, to,
        chain->wait_count, chain->wait_count ? chain->waits : NULL, &event);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clEnqueueReadBufferRect", code, NULL);
    chain_advance(chain, event);
    return CLSLICE_S_OK;
}

/* The innermost dimension of runs from one start. A rectangle where there is one; some drivers want its
 * last row, too, to have a whole step of the buffer behind it, so that row is read by itself. */
static int32_t read_line(struct chain *chain, cl_mem from, const struct runs *runs, uint64_t at,
                         unsigned char *base, clslice_error *error)
{
    uint64_t count = runs->rank > 0 ? runs->count[0] : 1;
    uint64_t step = runs->rank > 0 ? runs->step[0] : runs->run;
    bool whole_rows = at % step + runs->run <= step;
    uint64_t together = count > 2 && whole_rows ? count - 1 : 0;
    int32_t status = CLSLICE_S_OK;
    if (together > 0)
        status = read_rows(chain, from, at, runs->run, step, together, base + at, error);
    for (uint64_t n = together; status == CLSLICE_S_OK && n < count; ++n)
        status = read_bytes(chain, from, at + n * step, runs->run, base + at + n * step, error);
    return status;
}

int32_t staging_read(struct chain *chain, struct staging_set *set, const struct plan *plan,
                     const struct plan_box *box, const struct launch *launch, unsigned char *to,
                     clslice_error *error)
{
    struct runs runs = runs_of(plan, box);
    uint64_t lines = 1, start = (launch->walk.out_first - launch->out_low) * plan->width;
    unsigned char *base = to + launch->out_low * plan->width;
    int32_t status = CLSLICE_S_OK;
    for (uint32_t i = 1; i < runs.rank; ++i)
        lines *= runs.count[i];
    for (uint64_t n = 0; status == CLSLICE_S_OK && n < lines; ++n) {
        uint64_t at = start, rest = n;
        for (uint32_t i = 1; i < runs.rank; rest /= runs.count[i++])
            at += rest % runs.count[i] * runs.step[i];
        status = read_line(chain, set->out, &runs, at, base, error);
    }
    return status;
}
