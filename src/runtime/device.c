/* SPDX-License-Identifier: MIT */
#include "runtime/device.h"

#include "base/host_cpu.h"
#include "opencl/device_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGING_BYTES_DEFAULT (UINT64_C(256) << 20)
#define STAGING_BYTES_MIN UINT64_C(4096)

enum { CPU_LINE = 64, GPU_SECTOR = 32 }; /* bytes; NVIDIA's sectors stand for all GPUs */

enum { KNOWN_FLAGS = CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT | CLSLICE_DEVICE_FLAG_STRICT_DIRECTML };

/* ---- Options ---- */

static int32_t option_fail(clslice_error *error, int32_t status, uint64_t value, const char *text)
{
    return status_fail(error, status, WHERE(.rule = CLSLICE_RULE_OPTION, .value = {value}),
                       "clslice_device_options.%s", text);
}

static int32_t check_options(const clslice_device_options *o, clslice_error *error)
{
    if (o->flags & ~(uint32_t)KNOWN_FLAGS)
        return option_fail(error, CLSLICE_E_INVALIDARG, o->flags, "flags has unknown bits");
    if (o->reserved)
        return option_fail(error, CLSLICE_E_INVALIDARG, o->reserved, "reserved must be 0");
    if (o->cache_mode > CLSLICE_CACHE_REFRESH)
        return option_fail(error, CLSLICE_E_INVALIDARG, o->cache_mode,
                           "cache_mode must be a CLSLICE_CACHE_ constant");
    if (o->cache_path && o->cache_path[0] != '/')
        return option_fail(error, CLSLICE_E_INVALIDARG, 0, "cache_path must be an absolute path");
    if (o->staging_bytes && o->staging_bytes < STAGING_BYTES_MIN)
        return option_fail(error, CLSLICE_E_INVALIDARG, o->staging_bytes,
                           "staging_bytes must be 0 or at least 4096");
    if (o->context && o->selector)
        return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                           "selector must be NULL where context is given: the context has its "
                           "device");
    if (!o->context && (o->device_id || o->queue))
        return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                           "context is NULL: device_id and queue need it");
    return CLSLICE_S_OK;
}

/* ---- Logging ---- */

void device_log(const struct clslice_device *device, uint32_t topic, uint32_t level,
                const char *format, ...)
{
    if (!device->log && !(device->stderr_topics & topic))
        return;
    char line[1024];
    struct text text = text_in(line, sizeof line);
    va_list arguments;
    va_start(arguments, format);
    text_append_v(&text, format, arguments);
    va_end(arguments);
    text_escape(&text);
    if (device->log)
        device->log(device->log_user, level, line);
    else
        fprintf(stderr, "clslice: %s%s\n", level == CLSLICE_LOG_WARNING ? "warning: " : "", line);
}

/* ---- OpenCL ---- */

static int32_t fork_fail(pid_t used, clslice_error *error)
{
    pid_t here = getpid();
    return status_fail(
        error, CLSLICE_E_UNEXPECTED,
        WHERE(.rule = CLSLICE_RULE_FORKED, .value = {(uint64_t)used, (uint64_t)here}),
        "process %ld has used OpenCL and this is its child %ld: OpenCL does not "
        "survive fork, use it in children alone or start them with exec",
        (long)used, (long)here);
}

/* OpenCL's functions, for whoever is about to use them. */
static int32_t load(struct cl_api *cl, const clslice_device_options *options,
                    const struct environment *environment, clslice_error *error)
{
    int32_t status =
        cl_api_load(cl, options->get_proc, options->get_proc_user, environment->opencl, error);
    if (status != CLSLICE_S_OK)
        return status;
    pid_t used = fork_guard_opencl_process();
    return used == getpid() ? CLSLICE_S_OK : fork_fail(used, error);
}

static int32_t make_objects(struct clslice_device *device, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_int code;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)device->about.platform, 0};
    device->context = cl->clCreateContext(properties, 1, &device->about.id, NULL, NULL, &code);
    if (!device->context)
        return cl_fail(error, "clCreateContext", code, NULL);
    device->queue = cl->clCreateCommandQueue(device->context, device->about.id, 0, &code);
    if (!device->queue)
        return cl_fail(error, "clCreateCommandQueue", code, NULL);
    device->own_queue = true;
    return CLSLICE_S_OK;
}

/* The device of a host's context: the one it names, or the only one. */
static int32_t find_in_context(struct clslice_device *device, const clslice_device_options *options,
                               clslice_error *error)
{
    enum { DEVICES_MAX = 64 };
    cl_device_id ids[DEVICES_MAX] = {NULL};
    size_t size = 0;
    cl_int code =
        device->cl.clGetContextInfo(options->context, CL_CONTEXT_DEVICES, sizeof ids, ids, &size);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetContextInfo", code, "is clslice_device_options.context valid?");
    size_t count = size / sizeof ids[0];
    device->shared_context = count > 1;
    cl_device_id id = options->device_id ? options->device_id : ids[0];
    bool member = false;
    for (size_t i = 0; i < count; ++i)
        member |= ids[i] == id;
    if (!options->device_id && count != 1)
        return option_fail(error, CLSLICE_E_INVALIDARG, count,
                           "device_id is NULL, but the context has several devices: name one");
    if (!member)
        return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                           "device_id is not a device of the context");
    enumerate_describe(&device->cl, id, &device->about);
    device_select_selector_of(&device->cl, id, device->selector);
    if (device->about.unusable[0])
        return status_fail(
            error, CLSLICE_DXGI_ERROR_UNSUPPORTED, WHERE(.rule = CLSLICE_RULE_DEVICE_UNSUPPORTED),
            "clslice cannot use \"%s\": %s", device->about.name, device->about.unusable);
    return CLSLICE_S_OK;
}

static int32_t take_objects(struct clslice_device *device, const clslice_device_options *options,
                            clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_context context = NULL;
    cl_device_id id = NULL;
    cl_int code = CL_SUCCESS;
    if (options->queue) {
        code = cl->clGetCommandQueueInfo(options->queue, CL_QUEUE_CONTEXT, sizeof context, &context,
                                         NULL);
        if (code == CL_SUCCESS)
            code = cl->clGetCommandQueueInfo(options->queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
        if (code != CL_SUCCESS)
            return cl_fail(error, "clGetCommandQueueInfo", code,
                           "is clslice_device_options.queue valid?");
        if (context != options->context || id != device->about.id)
            return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                               "queue belongs to another context or device");
        code = cl->clRetainCommandQueue(options->queue);
        if (code != CL_SUCCESS)
            return cl_fail(error, "clRetainCommandQueue", code, NULL);
        device->queue = options->queue;
    } else {
        device->queue = cl->clCreateCommandQueue(options->context, device->about.id, 0, &code);
        if (!device->queue)
            return cl_fail(error, "clCreateCommandQueue", code, NULL);
        device->own_queue = true;
    }
    code = cl->clRetainContext(options->context);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clRetainContext", code, NULL);
    device->context = options->context;
    return CLSLICE_S_OK;
}

/* ---- Creating ---- */

/* What the device's type suggests, where the device bears it out. */
static void settle_host_memory(struct clslice_device *device)
{
    device->host_memory = device_select_host_memory(&device->cl, &device->about);
    if (device->host_memory != CLSLICE_HOST_MEMORY_USE_HOST_PTR ||
        host_memory_is_shared(&device->cl, device->context, device->about.id, device->probed))
        return;
    device->host_memory = CLSLICE_HOST_MEMORY_STAGED;
    device_log(device, LOG_DEVICE, CLSLICE_LOG_INFO,
               "\"%s\" does not work on host memory where it lies: it is copied",
               device->about.name);
}

static void settle(struct clslice_device *device, const clslice_device_options *options)
{
    const struct found_device *about = &device->about;
    device->limits =
        (struct plan_limits){.cpu = device_select_is_cpu(about),
                             .compute_units = about->compute_units,
                             .line_bytes = device_select_is_cpu(about) ? CPU_LINE : GPU_SECTOR,
                             .max_work_group_size = about->max_work_group_size,
                             .local_bytes = about->local_bytes};
    settle_host_memory(device);
    uint64_t staging = options->staging_bytes ? options->staging_bytes : STAGING_BYTES_DEFAULT;
    device->staging_bytes = staging / STAGING_SETS / 2;
    if (device->staging_bytes > about->max_alloc_bytes)
        device->staging_bytes = about->max_alloc_bytes;
}

static bool is_slot_of(const struct program_slot *slot, const struct program_spec *key)
{
    const struct plan_pattern *a = &slot->of.pattern, *b = &key->pattern;
    return slot->of.variant == key->variant && slot->of.width == key->width &&
           slot->of.index_bits == key->index_bits && a->pitch == b->pitch && a->count == b->count &&
           a->step == b->step;
}

struct program_slot *device_slot(struct clslice_device *device, const struct program_spec *key)
{
    pthread_mutex_lock(&device->programs_lock);
    struct program_slot *slot = device->programs;
    while (slot && !is_slot_of(slot, key))
        slot = slot->next;
    if (!slot && (slot = calloc(1, sizeof *slot))) {
        slot->next = device->programs;
        slot->of = *key;
        pthread_mutex_init(&slot->lock, NULL);
        device->programs = slot;
    }
    pthread_mutex_unlock(&device->programs_lock);
    return slot;
}

static void init_locks(struct clslice_device *device)
{
    pthread_mutex_init(&device->log_lock, NULL);
    pthread_mutex_init(&device->staging_lock, NULL);
    held_init(&device->held);
    pthread_mutex_init(&device->programs_lock, NULL);
}

static void destroy_locks(struct clslice_device *device)
{
    pthread_mutex_destroy(&device->programs_lock);
    held_destroy(&device->held);
    pthread_mutex_destroy(&device->staging_lock);
    pthread_mutex_destroy(&device->log_lock);
}

/* `cpu` NULL: its code does not depend on this machine's processor. */
static void append_codegen(const struct clslice_device *device, const char *cpu, struct text *text)
{
    if (cpu)
        text_append(text, "processor %s\n", cpu);
    if (!(device->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT))
        environment_append_codegen(text);
}

/* NULL: out of memory. */
static char *read_codegen(const struct clslice_device *device)
{
    char digest[HASH_TEXT_SIZE], *cpu = NULL;
    struct text needed = text_in(NULL, 0);
    if (device->about.type & CL_DEVICE_TYPE_CPU) {
        struct hash hash = host_cpu();
        hash_text(&hash, cpu = digest);
    }
    append_codegen(device, cpu, &needed);
    char *whole = malloc((size_t)needed.length + 1);
    struct text text = text_in(whole, whole ? needed.length + 1 : 0);
    if (whole)
        append_codegen(device, cpu, &text);
    return whole;
}

/* A cache that cannot be had is off, with a warning where the user asked for it otherwise. */
static void open_cache(struct clslice_device *device, const clslice_device_options *options,
                       const struct environment *environment)
{
    struct cache_location place;
    cache_location_find(options, environment, &place);
    if (place.warning[0])
        device_log(device, LOG_CACHE | LOG_DEVICE, CLSLICE_LOG_WARNING, "%s", place.warning);
    /* In a shared context, a program has a binary for each device, and all but ours unbuilt. Without its
     * whole identity, a device could be taken for another. */
    if (place.on && !device->shared_context && device->about.is_identified)
        device->codegen = read_codegen(device);
    if (device->codegen)
        device->cache = cache_create(place.folder, place.mode, place.max_bytes);
    device_log(device, LOG_CACHE, CLSLICE_LOG_INFO, "cache: %s",
               device->cache ? cache_folder(device->cache) : "off");
}

static struct clslice_device *allocate(const clslice_device_options *options,
                                       const struct environment *environment)
{
    struct clslice_device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    atomic_init(&device->references, 1);
    device->process = fork_guard_here();
    device->flags = options->flags;
    device->log = options->log;
    device->log_user = options->log_user;
    device->stderr_topics = (environment->verbose_device ? LOG_DEVICE : 0) |
                            (environment->verbose_cache ? LOG_CACHE : 0);
    init_locks(device);
    const char *build =
        options->build_options ? options->build_options : environment->build_options;
    device->build_options = strdup(build ? build : "");
    if (device->build_options)
        return device;
    device_release(device);
    return NULL;
}

int32_t device_create(const clslice_device_options *options, struct clslice_device **made,
                      clslice_error *error)
{
    int32_t status = check_options(options, error);
    if (status != CLSLICE_S_OK)
        return status;
    struct environment environment =
        environment_read(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT);
    struct clslice_device *device = allocate(options, &environment);
    if (!device)
        return status_fail(error, CLSLICE_E_OUTOFMEMORY, WHERE(.rule = CLSLICE_RULE_MEMORY),
                           "out of memory for a device");
    status = load(&device->cl, options, &environment, error);
    if (status == CLSLICE_S_OK)
        status = options->context ? find_in_context(device, options, error)
                                  : device_select(&device->cl, options, &environment,
                                                  &device->about, device->selector, error);
    if (status == CLSLICE_S_OK)
        status =
            options->context ? take_objects(device, options, error) : make_objects(device, error);
    if (status != CLSLICE_S_OK) {
        device_release(device);
        return status;
    }
    settle(device, options);
    device_log(device, LOG_DEVICE, CLSLICE_LOG_INFO,
               "device \"%s\" of \"%s\", driver %s, selector \"%s\"", device->about.name,
               device->about.platform_name, device->about.driver, device->selector);
    open_cache(device, options, &environment);
    *made = device;
    return CLSLICE_S_OK;
}

void device_retain(struct clslice_device *device)
{
    atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
}

static void release_objects(struct clslice_device *device)
{
    const struct cl_api *cl = &device->cl;
    for (struct program_slot *slot = device->programs, *next; slot; slot = next) {
        next = slot->next;
        if (slot->program)
            cl->clReleaseProgram(slot->program);
        pthread_mutex_destroy(&slot->lock);
        free(slot);
    }
    held_release(&device->held, cl);
    for (int i = 0; i < STAGING_SETS; ++i) {
        struct staging_set *set = &device->staging[i];
        if (set->last)
            cl_release_ended(cl, set->last);
        if (set->in)
            cl->clReleaseMemObject(set->in);
        if (set->out)
            cl->clReleaseMemObject(set->out);
    }
    if (device->queue)
        cl->clReleaseCommandQueue(device->queue);
    if (device->context)
        cl->clReleaseContext(device->context);
}

void device_release(struct clslice_device *device)
{
    if (!device || !fork_guard_is_here(&device->process) ||
        atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) != 1)
        return;
    release_objects(device);
    destroy_locks(device);
    fork_guard_release(&device->process);
    cache_release(device->cache);
    free(device->codegen);
    free(device->bounce);
    free(device->build_log);
    free(device->build_options);
    free(device);
}

int32_t device_check_process(const struct clslice_device *device, clslice_error *error)
{
    return fork_guard_is_here(&device->process) ? CLSLICE_S_OK
                                                : fork_fail(device->process.id, error);
}

/* ---- Telling ---- */

void device_info(const struct clslice_device *device, clslice_device_info *info)
{
    device_select_info(&device->cl, &device->about, device->selector, info);
    info->host_memory = device->host_memory;
}

int32_t device_enumerate(const clslice_device_options *options, uint32_t index,
                         clslice_device_info *info, clslice_error *error)
{
    int32_t status = check_options(options, error);
    if (status != CLSLICE_S_OK)
        return status;
    struct environment environment =
        environment_read(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT);
    struct cl_api cl;
    status = load(&cl, options, &environment, error);
    return status == CLSLICE_S_OK ? device_select_info_at(&cl, &environment, index, info, error)
                                  : status;
}

int32_t device_cache_of(const clslice_device_options *options, struct cache_location *place,
                        struct cache **cache, clslice_error *error)
{
    int32_t status = check_options(options, error);
    if (status != CLSLICE_S_OK)
        return status;
    struct environment environment =
        environment_read(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT);
    cache_location_find(options, &environment, place);
    *cache = place->on ? cache_create(place->folder, place->mode, place->max_bytes) : NULL;
    if (place->on && !*cache)
        return status_fail(error, CLSLICE_E_OUTOFMEMORY, WHERE(.rule = CLSLICE_RULE_MEMORY),
                           "out of memory for the cache");
    return CLSLICE_S_OK;
}
