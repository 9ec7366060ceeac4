/* SPDX-License-Identifier: MIT */
#include "runtime/device.h"

#include "base/checked.h"
#include "opencl/device_select.h"

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAGING_BYTES_MIN UINT64_C(4096)
#define STAGING_BYTES_DEFAULT (UINT64_C(256) << 20)
/* Traffic that the caches hold for each compute unit, as measured where two share 32 MiB. Of less,
 * writes that go past the caches may be 8 times slower; of more, those that do not are two thirds
 * as fast. What drivers report is no help: one cache of many, or one that is shared with other
 * machines. */
#define UNIT_CACHE_BYTES (UINT64_C(6) << 20)

enum { CPU_LINE = 64, GPU_SECTOR = 32 }; /* bytes; NVIDIA's sectors stand for all GPUs */

enum { KNOWN_FLAGS = CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT | CLSLICE_DEVICE_FLAG_STRICT_DIRECTML };

/* ---- Options ---- */

static int32_t option_fail(clslice_error *error, int32_t status, uint64_t value, const char *text)
{
    return status_fail(error, status, WHERE(.rule = CLSLICE_RULE_OPTION, .value = {value}),
                       "clslice_device_options.%s", text);
}

int32_t device_read_options(const clslice_device_options *o, struct environment *environment,
                            clslice_error *error)
{
    if (o->flags & ~(uint32_t)KNOWN_FLAGS)
        return option_fail(error, CLSLICE_E_NOTIMPL, o->flags, "flags has unknown bits");
    if (o->reserved)
        return option_fail(error, CLSLICE_E_NOTIMPL, o->reserved, "reserved must be 0");
    if (o->cache_mode > CLSLICE_CACHE_REFRESH)
        return option_fail(error, CLSLICE_E_NOTIMPL, o->cache_mode,
                           "cache_mode must be a CLSLICE_CACHE_ constant");
    if (o->cache_path && o->cache_path[0] != '/')
        return option_fail(error, CLSLICE_E_INVALIDARG, 0, "cache_path must be an absolute path");
    if (o->staging_bytes && o->staging_bytes < STAGING_BYTES_MIN)
        return option_fail(error, CLSLICE_E_INVALIDARG, o->staging_bytes,
                           "staging_bytes must be 0 or at least 4096");
    if (o->context && o->selector)
        return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                           "selector must be NULL if context is set: the context determines "
                           "the device");
    if (o->device_id && o->selector)
        return option_fail(
            error, CLSLICE_E_INVALIDARG, 0,
            "selector must be NULL if device_id is set: device_id selects the device");
    if (o->queue && !o->context)
        return option_fail(
            error, CLSLICE_E_INVALIDARG, 0,
            "context is NULL, but queue is set: set context to the context of queue");
    *environment = environment_read(o->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT);
    return CLSLICE_S_OK;
}

/* ---- OpenCL ---- */

static int32_t fork_fail(pid_t used, clslice_error *error)
{
    pid_t here = getpid();
    return status_fail(
        error, CLSLICE_E_UNEXPECTED,
        WHERE(.rule = CLSLICE_RULE_FORKED, .value = {(uint64_t)used, (uint64_t)here}),
        "process %ld has used OpenCL and this is its child %ld: OpenCL does not "
        "survive fork; use it only in child processes or start them with exec",
        (long)used, (long)here);
}

/* OpenCL's functions, for whoever is about to use them. */
static int32_t load(struct cl_api *cl, const clslice_device_options *options,
                    const struct environment *environment, clslice_error *error)
{
    /* Before the loader is opened: the dynamic linker ends a child that was forked while another
     * thread was inside dlopen. */
    const struct fork_guard *owner = fork_guard_opencl_owner();
    if (owner && !fork_guard_is_here(owner))
        return fork_fail(owner->id, error);
    int32_t status =
        cl_api_load(cl, options->get_proc, options->get_proc_user, environment->opencl, error);
    if (status != CLSLICE_S_OK)
        return status;
    owner = fork_guard_opencl_claim();
    if (!owner)
        return status_out_of_memory(error, "a device");
    return fork_guard_is_here(owner) ? CLSLICE_S_OK : fork_fail(owner->id, error);
}

/* A device that the host names by OpenCL's handle. */
static int32_t take_device(struct clslice_device *device, cl_device_id id, clslice_error *error)
{
    enumerate_describe(&device->cl, id, &device->about);
    device_select_selector_of(&device->cl, id, device->selector);
    if (device->about.unusable[0])
        return status_fail(
            error, CLSLICE_DXGI_ERROR_UNSUPPORTED, WHERE(.rule = CLSLICE_RULE_DEVICE_UNSUPPORTED),
            "clslice cannot use \"%s\": %s", device->about.name, device->about.unusable);
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
        return option_fail(
            error, CLSLICE_E_INVALIDARG, count,
            "device_id is NULL, but the context has several devices: set device_id to one of them");
    if (!member)
        return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                           "device_id is not a device of the context");
    return take_device(device, id, error);
}

static int32_t find(struct clslice_device *device, const clslice_device_options *options,
                    const struct environment *environment, clslice_error *error)
{
    if (options->context)
        return find_in_context(device, options, error);
    if (options->device_id) {
        int32_t status = take_device(device, options->device_id, error);
        return device->about.platform ? status
                                      : option_fail(error, CLSLICE_E_INVALIDARG, 0,
                                                    "device_id is not a valid OpenCL device");
    }
    return device_select(&device->cl, options, environment, &device->about, device->selector,
                         error);
}

/* The host's, else one of our own. */
static int32_t take_context(struct clslice_device *device, cl_context given, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)device->about.platform, 0};
    cl_int code = CL_SUCCESS;
    if (given && (code = cl->clRetainContext(given)) != CL_SUCCESS)
        return cl_fail(error, "clRetainContext", code, NULL);
    device->context =
        given ? given : cl->clCreateContext(properties, 1, &device->about.id, NULL, NULL, &code);
    return device->context ? CLSLICE_S_OK : cl_fail(error, "clCreateContext", code, NULL);
}

static int32_t make_queue(struct clslice_device *device, clslice_error *error)
{
    cl_int code;
    device->own_queue = true;
    device->queue = device->cl.clCreateCommandQueue(device->context, device->about.id, 0, &code);
    return device->queue ? CLSLICE_S_OK : cl_fail(error, "clCreateCommandQueue", code, NULL);
}

static int32_t take_queue(struct clslice_device *device, cl_command_queue given,
                          clslice_error *error)
{
    bool is_ours;
    cl_int code = device_has_queue(device, given, &is_ours);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clGetCommandQueueInfo", code,
                       "is clslice_device_options.queue valid?");
    if (!is_ours)
        return option_fail(error, CLSLICE_E_INVALIDARG, 0,
                           "queue belongs to a different context or device");
    code = device->cl.clRetainCommandQueue(given);
    if (code != CL_SUCCESS)
        return cl_fail(error, "clRetainCommandQueue", code, NULL);
    device->queue = given;
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
    log_append(&device->log, LOG_DEVICE, CLSLICE_LOG_INFO,
               "\"%s\" cannot use host memory in place: clslice copies it", device->about.name);
}

/* Of the host's CPU: one that is an OpenCL device is taken to be this one. */
#if defined __x86_64__ || defined __i386__
static bool picks(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSSE3;
}

static bool is_intel(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx;
}
#else
static bool picks(void)
{
    return false;
}

static bool is_intel(void)
{
    return false;
}
#endif

static void settle(struct clslice_device *device, const clslice_device_options *options)
{
    const struct found_device *about = &device->about;
    device->limits =
        (struct plan_limits){.cpu = device_select_is_cpu(about) && !about->loops_end_early,
                             .compute_units = about->compute_units,
                             .line_bytes = device_select_is_cpu(about) ? CPU_LINE : GPU_SECTOR,
                             .max_work_group_size = about->max_work_group_size,
                             .local_bytes = about->local_bytes,
                             .cache_bytes = about->compute_units * UNIT_CACHE_BYTES,
                             .picks = picks(),
                             .intel = is_intel()};
    settle_host_memory(device);
    uint64_t staging = options->staging_bytes ? options->staging_bytes : STAGING_BYTES_DEFAULT;
    device->staging.buffer_bytes =
        clamp(staging / STAGING_POOL_SETS / 2, 0, about->max_alloc_bytes);
}

static struct clslice_device *allocate(const clslice_device_options *options,
                                       const struct environment *environment)
{
    struct clslice_device *device = malloc(sizeof *device);
    if (!device)
        return NULL;
    *device = (struct clslice_device){
        .references = 1,
        .process = fork_guard_here(),
        .flags = options->flags,
        .log = {.write = options->log,
                .user = options->log_user,
                .stderr_topics = (environment->verbose_device ? LOG_DEVICE : 0) |
                                 (environment->verbose_cache ? LOG_CACHE : 0)},
        .programs.lock = PTHREAD_MUTEX_INITIALIZER,
        .held.lock = PTHREAD_MUTEX_INITIALIZER,
        .staging.lock = PTHREAD_MUTEX_INITIALIZER,
        .origins.lock = PTHREAD_MUTEX_INITIALIZER};
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
    struct environment environment;
    int32_t status = device_read_options(options, &environment, error);
    if (status != CLSLICE_S_OK)
        return status;
    struct clslice_device *device = allocate(options, &environment);
    if (!device)
        return status_out_of_memory(error, "a device");
    status = load(&device->cl, options, &environment, error);
    if (status == CLSLICE_S_OK)
        status = find(device, options, &environment, error);
    if (status == CLSLICE_S_OK)
        status = take_context(device, options->context, error);
    if (status == CLSLICE_S_OK)
        status =
            options->queue ? take_queue(device, options->queue, error) : make_queue(device, error);
    if (status != CLSLICE_S_OK) {
        device_release(device);
        return status;
    }
    settle(device, options);
    log_append(&device->log, LOG_DEVICE, CLSLICE_LOG_INFO,
               "device \"%s\" of \"%s\", driver %s, selector \"%s\"", device->about.name,
               device->about.platform_name, device->about.driver, device->selector);
    program_cache_open(&device->cache, options, &environment, &device->about,
                       device->shared_context, &device->log);
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
    program_store_release(&device->programs, cl);
    held_events_release(&device->held, cl);
    staging_pool_release(&device->staging, cl);
    origins_pool_release(&device->origins, cl);
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
    fork_guard_release(&device->process);
    program_cache_release(&device->cache);
    free(device->build_options);
    free(device);
}

int32_t device_check_process(const struct clslice_device *device, clslice_error *error)
{
    return fork_guard_is_here(&device->process) ? CLSLICE_S_OK
                                                : fork_fail(device->process.id, error);
}

cl_int device_has_queue(const struct clslice_device *device, cl_command_queue queue, bool *has)
{
    cl_context context = NULL;
    cl_device_id id = NULL;
    cl_int code =
        device->cl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = device->cl.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
    *has = code == CL_SUCCESS && context == device->context && id == device->about.id;
    return code;
}

/* ---- Finishing and telling ---- */

int32_t device_finish(struct clslice_device *device, clslice_error *error)
{
    cl_int code = device->cl.clFinish(device->queue);
    return code == CL_SUCCESS ? CLSLICE_S_OK : cl_fail(error, "clFinish", code, NULL);
}

void device_opencl(const struct clslice_device *device, clslice_opencl_objects *objects)
{
    *objects = (clslice_opencl_objects){.size = sizeof *objects,
                                        .platform = device->about.platform,
                                        .device_id = device->about.id,
                                        .context = device->context,
                                        .queue = device->queue};
}

void *device_proc(const struct clslice_device *device, const char *name)
{
    return device->cl.get_proc(device->cl.user, name);
}

void device_info(const struct clslice_device *device, clslice_device_info *info)
{
    device_select_info(&device->cl, &device->about, device->selector, info);
    info->host_memory = device->host_memory;
}

int32_t device_enumerate(const clslice_device_options *options, uint32_t index,
                         clslice_device_info *info, clslice_error *error)
{
    struct cl_api cl;
    struct environment environment;
    int32_t status = device_read_options(options, &environment, error);
    if (status == CLSLICE_S_OK)
        status = load(&cl, options, &environment, error);
    return status == CLSLICE_S_OK ? device_select_info_at(&cl, &environment, index, info, error)
                                  : status;
}
