/* SPDX-License-Identifier: MIT */
#include "runtime/saver.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { POLL_MILLISECONDS = 5 };

/* ---- One program ---- */

/* Size and bytes are asked for back to back: some drivers give another size each time. */
static unsigned char *binary_of(struct clslice_device *device, cl_program program, size_t *size)
{
    const struct cl_api *cl = &device->cl;
    *size = 0;
    if (cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) !=
            CL_SUCCESS ||
        *size == 0 || *size > ENTRY_BYTES_MAX)
        return NULL;
    unsigned char *bytes = calloc(1, *size);
    if (bytes && cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) !=
                     CL_SUCCESS) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static void save(struct clslice_device *device, struct program_slot *slot)
{
    size_t size;
    const char *reason = "the driver gives no binary";
    unsigned char *bytes = binary_of(device, slot->program, &size);
    const struct hash_part key = {slot->key, slot->key_bytes}, payload = {bytes, size};
    bool saved = bytes && cache_put(device->cache, &key, &payload, &reason);
    char name[HASH_TEXT_SIZE];
    struct hash digest = hash_of(&key, 1);
    hash_text(&digest, name);
    if (saved)
        device_log(device, LOG_CACHE, CLSLICE_LOG_INFO, "cache: SAVE %s, %zu bytes", name, size);
    else
        device_log(device, LOG_CACHE, CLSLICE_LOG_INFO, "cache: no SAVE %s (%s)", name, reason);
    atomic_fetch_add(saved ? &device->counters.saved : &device->counters.unsaved, 1);
    free(bytes);
}

/* What stands in the way of saving a slot's program. */
enum readiness { NOTHING_TO_DO, NOT_COMPLETE, READY };

static enum readiness readiness_of(struct clslice_device *device, struct program_slot *slot)
{
    cl_int state = CL_QUEUED;
    if (atomic_load_explicit(&slot->save, memory_order_acquire) != SAVE_USED)
        return NOTHING_TO_DO;
    cl_int code = device->cl.clGetEventInfo(slot->first_use, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                            sizeof state, &state, NULL);
    return code != CL_SUCCESS || state <= CL_COMPLETE ? READY : NOT_COMPLETE;
}

static void finish(struct clslice_device *device, struct program_slot *slot)
{
    save(device, slot);
    if (slot->first_use)
        device->cl.clReleaseEvent(slot->first_use);
    slot->first_use = NULL;
    free(slot->key);
    slot->key = NULL;
    atomic_store_explicit(&slot->save, SAVE_NOTHING, memory_order_release);
}

/* Saves one program. Returns READY where it did, else what the others wait for. */
static enum readiness save_next(struct clslice_device *device)
{
    enum readiness rest = NOTHING_TO_DO;
    for (struct program_slot *slot = atomic_load(&device->programs); slot; slot = slot->next) {
        enum readiness one = readiness_of(device, slot);
        if (one == READY) {
            finish(device, slot);
            return READY;
        }
        if (one == NOT_COMPLETE)
            rest = NOT_COMPLETE;
    }
    return rest;
}

/* Saves what was built and never used, for an alignment that did not occur: without the driver's code for
 * a first use, but a later process need not compile it. Done last, as it can wait, and not at all on a
 * device of which nothing was used: who only compiles asks for no binaries. */
static void save_unused(struct clslice_device *device)
{
    if (!atomic_load(&device->saver.used))
        return;
    for (struct program_slot *slot = atomic_load(&device->programs); slot; slot = slot->next) {
        unsigned built = SAVE_BUILT;
        if (atomic_compare_exchange_strong(&slot->save, &built, SAVE_NOTING))
            finish(device, slot);
    }
}

/* ---- The thread ---- */

static void wait_a_little(struct saver *saver)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POLL_MILLISECONDS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        ++until.tv_sec;
    }
    pthread_cond_timedwait(&saver->wake, &saver->lock, &until);
}

/* One pass, with the lock held except while it works. */
static enum readiness pass(struct clslice_device *device)
{
    struct saver *saver = &device->saver;
    bool unused = saver->asked_unused || saver->stopping;
    enum readiness rest;
    saver->asked = saver->asked_unused = false;
    saver->passing = true;
    pthread_mutex_unlock(&saver->lock);
    do
        rest = save_next(device);
    while (rest == READY);
    if (unused)
        save_unused(device);
    pthread_mutex_lock(&saver->lock);
    saver->passing = false;
    pthread_cond_broadcast(&saver->idle);
    return rest;
}

/* Polls events instead of waiting for them: waiting would flush a queue that is the host's to flush. */
static void *run(void *user)
{
    struct clslice_device *device = user;
    struct saver *saver = &device->saver;
    bool last = false;
    pthread_mutex_lock(&saver->lock);
    while (!last) {
        last = saver->stopping;
        enum readiness rest = pass(device);
        while (!last && !saver->asked && !saver->stopping && rest == NOTHING_TO_DO)
            pthread_cond_wait(&saver->wake, &saver->lock);
        if (!last && !saver->asked && !saver->stopping)
            wait_a_little(saver);
    }
    pthread_mutex_unlock(&saver->lock);
    return NULL;
}

static void stop(struct clslice_device *device)
{
    struct saver *saver = &device->saver;
    pthread_mutex_lock(&saver->lock);
    saver->stopping = true;
    pthread_cond_signal(&saver->wake);
    pthread_mutex_unlock(&saver->lock);
    pthread_join(saver->thread, NULL);
}

/* With the saver's lock held. A thread that cannot be had leaves the work to saver_flush. */
static void start(struct clslice_device *device)
{
    struct saver *saver = &device->saver;
    sigset_t all, before;
    if (saver->running || device->flags & CLSLICE_DEVICE_FLAG_NO_THREADS)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    saver->running = pthread_create(&saver->thread, NULL, run, device) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (saver->running)
        device->stop_saver = stop;
}

void saver_note(struct clslice_device *device, struct program_slot *slot, cl_event event)
{
    unsigned built = SAVE_BUILT;
    if (!atomic_compare_exchange_strong(&slot->save, &built, SAVE_NOTING))
        return;
    if (device->cl.clRetainEvent(event) != CL_SUCCESS) {
        atomic_store(&slot->save, SAVE_BUILT);
        return;
    }
    slot->first_use = event;
    atomic_store_explicit(&slot->save, SAVE_USED, memory_order_release);
    atomic_store(&device->saver.used, true);
    pthread_mutex_lock(&device->saver.lock);
    start(device);
    device->saver.asked = true;
    pthread_cond_signal(&device->saver.wake);
    pthread_mutex_unlock(&device->saver.lock);
}

static bool any_left(struct clslice_device *device)
{
    for (struct program_slot *slot = atomic_load(&device->programs); slot; slot = slot->next)
        if (atomic_load(&slot->save) == SAVE_USED)
            return true;
    return false;
}

/* Asks the thread for a pass that begins now, and waits for its end. */
static void ask_and_wait(struct saver *saver)
{
    while (saver->passing)
        pthread_cond_wait(&saver->idle, &saver->lock);
    saver->asked = saver->asked_unused = true;
    pthread_cond_signal(&saver->wake);
    while (saver->asked || saver->passing)
        pthread_cond_wait(&saver->idle, &saver->lock);
}

bool saver_flush(struct clslice_device *device)
{
    struct saver *saver = &device->saver;
    pthread_mutex_lock(&saver->lock);
    bool running = saver->running;
    if (running)
        ask_and_wait(saver);
    pthread_mutex_unlock(&saver->lock);
    if (!running) {
        /* Not the lock that saver_note takes: a dispatch must not wait for a driver's binary. */
        pthread_mutex_lock(&saver->flushing);
        while (save_next(device) == READY)
            ;
        save_unused(device);
        pthread_mutex_unlock(&saver->flushing);
    }
    return !any_left(device);
}
