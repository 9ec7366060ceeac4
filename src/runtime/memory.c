/* SPDX-License-Identifier: MIT */
#include "runtime/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- Asking ---- */

static cl_int ask(const struct cl_api *cl, cl_mem mem, struct memory *memory)
{
    cl_mem parent = NULL;
    size_t offset = 0;
    void *host = NULL;
    const struct {
        cl_mem_info what;
        void *value;
        size_t size;
    } queries[] = {{CL_MEM_TYPE, &memory->type, sizeof memory->type},
                   {CL_MEM_CONTEXT, &memory->context, sizeof memory->context},
                   {CL_MEM_FLAGS, &memory->flags, sizeof memory->flags},
                   {CL_MEM_SIZE, &memory->size, sizeof memory->size},
                   {CL_MEM_ASSOCIATED_MEMOBJECT, &parent, sizeof parent},
                   {CL_MEM_OFFSET, &offset, sizeof offset},
                   {CL_MEM_HOST_PTR, &host, sizeof host}};
    *memory = (struct memory){0};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; ++i) {
        cl_int code =
            cl->clGetMemObjectInfo(mem, queries[i].what, queries[i].size, queries[i].value, NULL);
        if (code != CL_SUCCESS || memory->type != CL_MEM_OBJECT_BUFFER)
            return code;
    }
    memory->root = parent ? parent : mem;
    memory->root_offset = parent ? offset : 0;
    memory->host_ptr = memory->flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    return CL_SUCCESS;
}

/* ---- When OpenCL tells ---- */

/* Of the asker and of OpenCL's call, whose last one frees it. */
struct notice {
    atomic_uint holders;
    atomic_bool in_time;
    pthread_t asker;
};

static void let_go(struct notice *notice)
{
    if (atomic_fetch_sub(&notice->holders, 1) == 1)
        free(notice);
}

/* On the thread that releases: before the release returns, not by chance. */
static void CL_CALLBACK take_notice(cl_mem mem, void *user)
{
    struct notice *notice = user;
    (void)mem;
    atomic_store(&notice->in_time, pthread_equal(notice->asker, pthread_self()) != 0);
    let_go(notice);
}

bool memory_is_told_in_time(const struct cl_api *cl, cl_context context)
{
    cl_int code;
    struct notice *notice = cl->clSetMemObjectDestructorCallback ? malloc(sizeof *notice) : NULL;
    if (!notice)
        return false;
    atomic_init(&notice->holders, 1);
    atomic_init(&notice->in_time, false);
    notice->asker = pthread_self();
    cl_mem mem = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, 1, NULL, &code);
    if (mem) {
        atomic_fetch_add(&notice->holders, 1);
        if (cl->clSetMemObjectDestructorCallback(mem, take_notice, notice) != CL_SUCCESS)
            let_go(notice);
        cl->clReleaseMemObject(mem);
    }
    bool in_time = atomic_load(&notice->in_time);
    let_go(notice);
    return in_time;
}

/* ---- Keeping ----
 *
 * An entry is emptied by nothing but its object's own destruction, of which OpenCL tells before the handle
 * can come back as another object's. So whoever holds a living cl_mem finds its facts or none, and they
 * stand still while he reads them. A handle is looked for in every place of its bucket, so one that was
 * emptied hides no other; what finds no empty place is asked anew each time.
 *
 * Static, because OpenCL may tell of a destruction when the device is long released, or at exit.
 */

enum { BUCKET_BITS = 7, WAYS = 8 /* whose handles share a cache line */ };

static struct bucket {
    _Alignas(64) _Atomic(cl_mem) mem[WAYS]; /* NULL: empty. Orders the access to `memory`. */
    struct memory memory[WAYS];
} buckets[1 << BUCKET_BITS];

/* Set by the one thread that inserts. Others go on without: they have asked for themselves. */
static atomic_flag inserting = ATOMIC_FLAG_INIT;
static uint64_t last_serial; /* of that thread */

static struct bucket *bucket_of(cl_mem mem)
{
    /* Fibonacci hashing: the factor is 2^64 over the golden ratio. */
    uint64_t hash = (uint64_t)(uintptr_t)mem * UINT64_C(0x9E3779B97F4A7C15);
    return &buckets[hash >> (64 - BUCKET_BITS)];
}

/* Where `mem` stands, NULL being an empty place; WAYS where it does not. */
static int way_of(struct bucket *bucket, cl_mem mem)
{
    int way = 0;
    while (way < WAYS && atomic_load_explicit(&bucket->mem[way], memory_order_acquire) != mem)
        ++way;
    return way;
}

/* On any thread of the driver's. `place` tells the object: layers in front of a driver may know it by
 * another handle. */
static void CL_CALLBACK forget(cl_mem mem, void *place)
{
    (void)mem;
    atomic_store_explicit((_Atomic(cl_mem) *)place, NULL, memory_order_release);
}

/* Keeps the facts of an object that the caller holds: `forget` cannot come before this has returned. */
static void keep(const struct cl_api *cl, cl_mem mem, struct memory *memory)
{
    struct bucket *bucket = bucket_of(mem);
    if (!cl->clSetMemObjectDestructorCallback ||
        atomic_flag_test_and_set_explicit(&inserting, memory_order_acquire))
        return;
    int way = way_of(bucket, NULL);
    bool is_kept = way_of(bucket, mem) < WAYS; /* by a thread that was faster */
    if (way < WAYS && !is_kept &&
        cl->clSetMemObjectDestructorCallback(mem, forget, &bucket->mem[way]) == CL_SUCCESS) {
        memory->serial = ++last_serial;
        bucket->memory[way] = *memory;
        atomic_store_explicit(&bucket->mem[way], mem, memory_order_release);
    }
    atomic_flag_clear_explicit(&inserting, memory_order_release);
}

cl_int memory_of(const struct cl_api *cl, cl_mem mem, cl_context told, struct memory *memory)
{
    if (!told)
        return ask(cl, mem, memory);
    struct bucket *bucket = bucket_of(mem);
    int way = way_of(bucket, mem);
    if (way < WAYS) {
        *memory = bucket->memory[way];
        return CL_SUCCESS;
    }
    cl_int code = ask(cl, mem, memory);
    if (code == CL_SUCCESS && memory->type == CL_MEM_OBJECT_BUFFER && memory->context == told)
        keep(cl, mem, memory);
    return code;
}
