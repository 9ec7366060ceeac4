/* SPDX-License-Identifier: MIT */
/* The machine: platforms, devices, faults, the record of calls, and what all objects share. */
#include "support/fake_cl/fake_cl_inside.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS_MAX = 1 << 16 };

struct fake_machine fake;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_object *objects;
static struct fake_call calls[CALLS_MAX];
static size_t call_count, counts[FAKE_FUNCTION_COUNT], device_lists;
static struct {
    enum fake_function function, over;
    unsigned left; /* calls until it fails; 0: none will */
    cl_int code;
} fault;
static char violation[256];

static const cl_int invalid_codes[FAKE_KIND_COUNT] = {
    [FAKE_CONTEXT] = CL_INVALID_CONTEXT, [FAKE_QUEUE] = CL_INVALID_COMMAND_QUEUE,
    [FAKE_MEM] = CL_INVALID_MEM_OBJECT,  [FAKE_PROGRAM] = CL_INVALID_PROGRAM,
    [FAKE_KERNEL] = CL_INVALID_KERNEL,   [FAKE_EVENT] = CL_INVALID_EVENT,
};

static struct _cl_platform_id platforms[FAKE_PLATFORMS_MAX] = {{0}, {1}};
static struct _cl_device_id devices[FAKE_DEVICES_MAX] = {{0}, {1}, {2}, {3}};

/* ---- The machine ---- */

static const struct fake_device usual_device = {
    .name = "Fake CPU",
    .vendor = "Fakes Ltd",
    .version = "OpenCL 1.2 fake",
    .driver = "7.0",
    .profile = "FULL_PROFILE",
    .extensions = "cl_khr_byte_addressable_store",
    .type = CL_DEVICE_TYPE_CPU,
    .vendor_id = 0xFA4E,
    .address_bits = 64,
    .compute_units = 2,
    .max_alloc_bytes = 1u << 30,
    .global_bytes = UINT64_C(4) << 30,
    .max_work_group_size = 1024,
    .parameter_bytes = 1024,
};

static void forget(void)
{
    pthread_mutex_lock(&lock);
    fake_drop_commands();
    for (struct fake_object *object = objects, *next; object; object = next) {
        next = object->next;
        if (object->refs + object->uses > 0)
            fake_destroy(object);
        free(object);
    }
    objects = NULL;
    call_count = device_lists = 0;
    memset(counts, 0, sizeof counts);
    fault.left = 0;
    fault.over = FAKE_ANY;
    violation[0] = '\0';
    pthread_mutex_unlock(&lock);
}

void fake_begin(void)
{
    forget();
    fake = (struct fake_machine){.platform_count = 1,
                                 .device_count = 1,
                                 .platform = {{"Fake Platform", "Fakes Ltd", "OpenCL 1.2 fake 7"}},
                                 .device = {usual_device},
                                 .build_log = "fake.cl:1: it does not please\nsecond line\n"};
}

void fake_lock(void)
{
    pthread_mutex_lock(&lock);
}

void fake_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void fake_wait(void)
{
    /* Commands run when someone calls, so what is pending now waits for another thread. */
    pthread_mutex_unlock(&lock);
    usleep(1000);
    pthread_mutex_lock(&lock);
}

cl_device_id fake_device_id(uint32_t index)
{
    return &devices[index];
}

/* ---- Functions by name ---- */

#define FAKE_ROW(result, name, parameters) {#name, (void (*)(void))fake_##name},
static const struct {
    const char *name;
    void (*function)(void);
} functions[FAKE_FUNCTION_COUNT] = {CL_REQUIRED(FAKE_ROW) CL_OPTIONAL(FAKE_ROW)};
#undef FAKE_ROW

const char *fake_function_name(enum fake_function function)
{
    return function < FAKE_FUNCTION_COUNT ? functions[function].name : "none";
}

void *fake_get_proc(void *user, const char *name)
{
    void *address = NULL;
    (void)user;
    if (fake.missing && strcmp(fake.missing, name) == 0)
        return NULL;
    for (size_t i = 0; i < FAKE_FUNCTION_COUNT; ++i)
        if (strcmp(functions[i].name, name) == 0)
            memcpy(&address, &functions[i].function, sizeof address);
    return address;
}

/* ---- Faults and the record ---- */

void fake_fail(enum fake_function function, unsigned nth, cl_int code)
{
    pthread_mutex_lock(&lock);
    fault.function = function;
    fault.over = FAKE_ANY;
    fault.left = nth;
    fault.code = code;
    pthread_mutex_unlock(&lock);
}

enum fake_function fake_fault_over(void)
{
    pthread_mutex_lock(&lock);
    enum fake_function over = fault.over;
    fault.left = 0;
    pthread_mutex_unlock(&lock);
    return over;
}

cl_int fake_enter(enum fake_function function, cl_uint what)
{
    pthread_mutex_lock(&lock);
    if (call_count < CALLS_MAX)
        calls[call_count++] = (struct fake_call){function, what, gettid()};
    ++counts[function];
    if (fault.left == 0 || (fault.function != FAKE_ANY && fault.function != function) ||
        --fault.left > 0)
        return CL_SUCCESS;
    fault.over = function;
    return fault.code;
}

cl_int fake_enter_with(enum fake_function function, cl_uint what, const void *handle,
                       enum fake_kind kind)
{
    cl_int code = fake_enter(function, what);
    return code == CL_SUCCESS && !fake_is(handle, kind) ? invalid_codes[kind] : code;
}

void fake_call_hook(void (*hook)(void *user))
{
    void *user = fake.hook_user;
    if (!hook)
        return;
    pthread_mutex_unlock(&lock);
    hook(user);
    pthread_mutex_lock(&lock);
}

cl_int fake_leave(cl_int code)
{
    pthread_mutex_unlock(&lock);
    return code;
}

void *fake_leave_made(void *object, cl_int code, cl_int *code_out)
{
    pthread_mutex_unlock(&lock);
    if (code_out)
        *code_out = code;
    return code == CL_SUCCESS ? object : NULL;
}

bool fake_call_at(size_t index, struct fake_call *call)
{
    pthread_mutex_lock(&lock);
    bool there = index < call_count;
    if (there)
        *call = calls[index];
    pthread_mutex_unlock(&lock);
    return there;
}

size_t fake_calls(void)
{
    pthread_mutex_lock(&lock);
    size_t count = call_count;
    pthread_mutex_unlock(&lock);
    return count;
}

size_t fake_count(enum fake_function function)
{
    pthread_mutex_lock(&lock);
    size_t count = counts[function];
    pthread_mutex_unlock(&lock);
    return count;
}

void fake_violate(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!violation[0])
        vsnprintf(violation, sizeof violation, format, arguments);
    va_end(arguments);
}

const char *fake_violation(void)
{
    pthread_mutex_lock(&lock);
    const char *text = violation;
    pthread_mutex_unlock(&lock);
    return text;
}

/* ---- What all objects share ---- */

static struct fake_object *gone(enum fake_kind kind)
{
    struct fake_object *object = objects;
    while (object && (object->kind != kind || object->refs + object->uses > 0))
        object = object->next;
    return object;
}

void *fake_object_new(enum fake_kind kind, size_t size)
{
    struct fake_object *object = fake.reuse_handles ? gone(kind) : NULL;
    struct fake_object *next = object ? object->next : objects;
    if (!object)
        /* Not malloc: tests make that fail for clslice alone. */
        objects = object = aligned_alloc(64, (size + 63) / 64 * 64);
    memset(object, 0, size);
    object->kind = kind;
    object->refs = 1;
    object->next = next;
    return object;
}

bool fake_is(const void *handle, enum fake_kind kind)
{
    const struct fake_object *object = objects;
    while (object && object != handle)
        object = object->next;
    if (object && object->kind == kind && object->refs == 0)
        fake_violate("use of a released object of kind %d", (int)kind);
    return object && object->kind == kind && object->refs > 0;
}

void fake_use(void *object)
{
    ++((struct fake_object *)object)->uses;
}

void fake_unuse(void *handle)
{
    struct fake_object *object = handle;
    if (--object->uses == 0 && object->refs == 0)
        fake_destroy(object);
}

cl_int fake_retain(enum fake_function function, void *handle, enum fake_kind kind)
{
    cl_int code = fake_enter_with(function, 0, handle, kind);
    if (code == CL_SUCCESS)
        ++((struct fake_object *)handle)->refs;
    return fake_leave(code);
}

cl_int fake_release(void *handle, enum fake_kind kind, cl_int injected)
{
    struct fake_object *object = handle;
    if (!fake_is(handle, kind)) {
        fake_violate("release of no object of kind %d", (int)kind);
        return invalid_codes[kind];
    }
    if (--object->refs == 0 && object->uses == 0)
        fake_destroy(object);
    return injected;
}

size_t fake_live_of(enum fake_kind kind)
{
    size_t live = 0;
    pthread_mutex_lock(&lock);
    for (const struct fake_object *object = objects; object; object = object->next)
        if (object->kind == kind || kind == FAKE_KIND_COUNT)
            live += object->refs;
    pthread_mutex_unlock(&lock);
    return live;
}

size_t fake_live(void)
{
    return fake_live_of(FAKE_KIND_COUNT);
}

/* ---- Platforms and devices ---- */

cl_int fake_answer(cl_int code, const struct fake_fact *facts, size_t count, cl_uint what,
                   size_t room, void *to, size_t *needed)
{
    if (code != CL_SUCCESS)
        return code;
    const struct fake_fact *fact = facts, *end = facts + count;
    while (fact < end && fact->what != what)
        ++fact;
    if (fact == end || (to && room < fact->size))
        return CL_INVALID_VALUE;
    if (to && fact->size > 0)
        memcpy(to, fact->value, fact->size);
    if (needed)
        *needed = fact->size;
    return CL_SUCCESS;
}

cl_int CL_API_CALL fake_clGetPlatformIDs(cl_uint room, cl_platform_id *ids, cl_uint *count)
{
    cl_int code = fake_enter(FAKE_clGetPlatformIDs, 0);
    if (code != CL_SUCCESS)
        return fake_leave(code);
    for (cl_uint i = 0; ids && i < room && i < fake.platform_count; ++i)
        ids[i] = &platforms[i];
    if (count)
        *count = fake.platform_count;
    return fake_leave(fake.platform_count > 0 ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR);
}

cl_int CL_API_CALL fake_clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t room,
                                          void *to, size_t *needed)
{
    cl_int code = fake_enter(FAKE_clGetPlatformInfo, what);
    const struct fake_platform *platform = &fake.platform[id->index];
    const struct fake_fact facts[] = {TEXT_FACT(CL_PLATFORM_NAME, platform->name),
                                      TEXT_FACT(CL_PLATFORM_VENDOR, platform->vendor),
                                      TEXT_FACT(CL_PLATFORM_VERSION, platform->version)};
    return fake_leave(fake_answer(code, facts, COUNT_OF(facts), what, room, to, needed));
}

cl_int CL_API_CALL fake_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                                       cl_device_id *ids, cl_uint *count)
{
    cl_int code = fake_enter(FAKE_clGetDeviceIDs, (cl_uint)type);
    cl_uint found = 0;
    if (code != CL_SUCCESS)
        return fake_leave(code);
    cl_uint all = fake.device_count + (device_lists++ > 0 ? fake.devices_appear : 0);
    for (cl_uint i = 0; i < all; ++i)
        if (fake.device[i].platform == platform->index && (fake.device[i].type & type)) {
            if (ids && found < room)
                ids[found] = &devices[i];
            ++found;
        }
    if (count)
        *count = found;
    return fake_leave(found > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
}

static bool is_device(cl_device_id id)
{
    for (uint32_t i = 0; i < FAKE_DEVICES_MAX; ++i)
        if (id == fake_device_id(i))
            return true;
    return false;
}

cl_int CL_API_CALL fake_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t room, void *to,
                                        size_t *needed)
{
    static const cl_bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, is_there = CL_TRUE;
    static const cl_device_local_mem_type local_type = CL_GLOBAL;
    cl_int code = fake_enter(FAKE_clGetDeviceInfo, what);
    if (code == CL_SUCCESS && !is_device(id))
        code = CL_INVALID_DEVICE;
    if (code != CL_SUCCESS)
        return fake_leave(code);
    const struct fake_device *device = &fake.device[id->index];
    cl_platform_id platform = &platforms[device->platform];
    const cl_bool is_unified = device->unified_memory;
    const size_t items[3] = {device->max_work_group_size, device->max_work_group_size, 64};
    const struct fake_fact facts[] = {
        TEXT_FACT(CL_DEVICE_NAME, device->name),
        TEXT_FACT(CL_DEVICE_VENDOR, device->vendor),
        TEXT_FACT(CL_DEVICE_VERSION, device->version),
        TEXT_FACT(CL_DRIVER_VERSION, device->driver),
        TEXT_FACT(CL_DEVICE_PROFILE, device->profile),
        TEXT_FACT(CL_DEVICE_EXTENSIONS, device->extensions),
        FACT(CL_DEVICE_TYPE, device->type),
        FACT(CL_DEVICE_PLATFORM, platform),
        FACT(CL_DEVICE_ADDRESS_BITS, device->address_bits),
        FACT(CL_DEVICE_MAX_COMPUTE_UNITS, device->compute_units),
        FACT(CL_DEVICE_VENDOR_ID, device->vendor_id),
        FACT(CL_DEVICE_MAX_WORK_GROUP_SIZE, device->max_work_group_size),
        FACT(CL_DEVICE_MAX_PARAMETER_SIZE, device->parameter_bytes),
        FACT(CL_DEVICE_MAX_WORK_ITEM_SIZES, items),
        FACT(CL_DEVICE_MAX_MEM_ALLOC_SIZE, device->max_alloc_bytes),
        FACT(CL_DEVICE_GLOBAL_MEM_SIZE, device->global_bytes),
        FACT(CL_DEVICE_HOST_UNIFIED_MEMORY, is_unified),
        FACT(CL_DEVICE_ENDIAN_LITTLE, is_little),
        FACT(CL_DEVICE_AVAILABLE, is_there),
        FACT(CL_DEVICE_COMPILER_AVAILABLE, is_there),
        FACT(CL_DEVICE_LOCAL_MEM_TYPE, local_type),
        FACT(CL_DEVICE_SVM_CAPABILITIES, device->svm),
        FACT(CL_DEVICE_UUID_KHR, device->uuid),
        FACT(CL_DRIVER_UUID_KHR, device->driver_uuid),
    };
    return fake_leave(fake_answer(code, facts, COUNT_OF(facts), what, room, to, needed));
}

size_t fake_group_size(cl_device_id device)
{
    const struct fake_device *about = &fake.device[device->index];
    return about->kernel_group_size ? about->kernel_group_size : about->max_work_group_size;
}
