/* SPDX-License-Identifier: MIT */
/*
 * The exported functions. Each is a static function here, which checks its handles and structures and
 * calls one function below; the table holds the static ones, and the exported names are thin wrappers
 * over the same list, so that two versions of the library in one process never call each other.
 */
#include "base/structs.h"
#include "clslice/clslice.h"
#include "clslice/directml.h"
#include "core/feature.h"
#include "runtime/cache_care.h"
#include "runtime/dispatch.h"
#include "runtime/event.h"

#include <stddef.h>

/* ---- Checks ---- */

static int32_t null_pointer(clslice_error *error, const char *name)
{
    return status_fail(error, CLSLICE_E_POINTER, WHERE(.rule = CLSLICE_RULE_NULL_POINTER),
                       "%s must not be NULL", name);
}

/* Returns from the calling function unless the error structure can be used. */
#define CHECK_ERROR(error)               \
    do {                                 \
        if (!status_error_fits(error))   \
            return CLSLICE_E_INVALIDARG; \
    } while (0)

#define CHECK_POINTER(pointer, error)             \
    do {                                          \
        if (!(pointer))                           \
            return null_pointer(error, #pointer); \
    } while (0)

#define CHECK_STATUS(status)         \
    do {                             \
        int32_t status_ = (status);  \
        if (status_ != CLSLICE_S_OK) \
            return status_;          \
    } while (0)

#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)NULL)->field))

/* Where the structures ended in version 1: what every host has. Never to be changed. */
enum {
    FIRST_clslice_device_options = END_OF(clslice_device_options, cache_bytes),
    FIRST_clslice_compile_options = END_OF(clslice_compile_options, variant),
    FIRST_clslice_dispatch_desc = END_OF(clslice_dispatch_desc, reserved)
};

#define READ(type, to, from, error) \
    CHECK_STATUS(structs_read(to, sizeof(type), FIRST_##type, from, #type, error))

/* The same where the structure is optional: NULL reads as all 0. */
#define READ_OPTIONS(type, to, from, error) \
    do {                                    \
        if (from)                           \
            READ(type, to, from, error);    \
    } while (0)

/* Text in a caller's buffer, which may be NULL where it has no size. */
#define CHECK_TEXT(text, size, error)   \
    do {                                \
        if ((size) > 0)                 \
            CHECK_POINTER(text, error); \
    } while (0)

static int32_t tell_needed(const struct text *text, uint64_t *needed)
{
    if (needed)
        *needed = text->length + 1;
    return CLSLICE_S_OK;
}

/* ---- Devices ---- */

static int32_t device_enumerate_(const clslice_device_options *options, uint32_t index,
                                 clslice_device_info *info, clslice_error *error)
{
    clslice_device_options whole = {0};
    clslice_device_info found;
    CHECK_ERROR(error);
    CHECK_POINTER(info, error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    CHECK_STATUS(device_enumerate(&whole, index, &found, error));
    return structs_write(info, &found, sizeof found, "clslice_device_info", error);
}

static int32_t device_create_(const clslice_device_options *options, clslice_device **device,
                              clslice_error *error)
{
    clslice_device_options whole = {0};
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    return device_create(&whole, device, error);
}

static void device_retain_(clslice_device *device)
{
    if (device)
        device_retain(device);
}

static void device_release_(clslice_device *device)
{
    device_release(device);
}

static int32_t device_get_info_(const clslice_device *device, clslice_device_info *info,
                                clslice_error *error)
{
    clslice_device_info whole;
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(info, error);
    device_info(device, &whole);
    return structs_write(info, &whole, sizeof whole, "clslice_device_info", error);
}

static int32_t device_get_opencl_(const clslice_device *device, clslice_opencl_objects *objects,
                                  clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(objects, error);
    CHECK_STATUS(device_check_process(device, error));
    clslice_opencl_objects whole;
    device_opencl(device, &whole);
    return structs_write(objects, &whole, sizeof whole, "clslice_opencl_objects", error);
}

static void *device_get_proc_(const clslice_device *device, const char *name)
{
    return device && name ? device_proc(device, name) : NULL;
}

static int32_t device_check_feature_support_(const clslice_device *device, uint32_t feature,
                                             uint32_t query_size, const void *query,
                                             uint32_t support_size, void *support,
                                             clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(query, error);
    CHECK_POINTER(support, error);
    return feature_check(feature, query_size, query, support_size, support, error);
}

static int32_t device_get_build_log_(clslice_device *device, char *text, uint64_t size,
                                     uint64_t *needed, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_TEXT(text, size, error);
    CHECK_STATUS(device_check_process(device, error));
    struct text log = text_in(text, size);
    device_build_log(device, &log);
    return tell_needed(&log, needed);
}

/* ---- The program cache ---- */

static int32_t device_get_cache_counters_(const clslice_device *device,
                                          clslice_cache_counters *counters, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(counters, error);
    clslice_cache_counters whole;
    device_cache_counters(device, &whole);
    return structs_write(counters, &whole, sizeof whole, "clslice_cache_counters", error);
}

static int32_t cache_get_info_(const clslice_device_options *options, clslice_cache_info *info,
                               clslice_error *error)
{
    clslice_device_options whole = {0};
    clslice_cache_info found;
    CHECK_ERROR(error);
    CHECK_POINTER(info, error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    CHECK_STATUS(cache_info(&whole, &found, error));
    return structs_write(info, &found, sizeof found, "clslice_cache_info", error);
}

static int32_t cache_enumerate_(const clslice_device_options *options, uint32_t index,
                                clslice_cache_entry *entry, clslice_error *error)
{
    clslice_device_options whole = {0};
    clslice_cache_entry found;
    CHECK_ERROR(error);
    CHECK_POINTER(entry, error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    CHECK_STATUS(cache_entry_info(&whole, index, &found, error));
    return structs_write(entry, &found, sizeof found, "clslice_cache_entry", error);
}

static int32_t cache_clear_(const clslice_device_options *options, uint64_t *removed,
                            clslice_error *error)
{
    clslice_device_options whole = {0};
    CHECK_ERROR(error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    return cache_clear_all(&whole, removed, error);
}

/* ---- Operators ---- */

static int32_t operator_create_(clslice_device *device, const struct DML_OPERATOR_DESC *desc,
                                clslice_operator **op, clslice_error *error)
{
    CHECK_ERROR(error);
    if (op)
        CHECK_POINTER(device, error);
    if (device)
        CHECK_STATUS(device_check_process(device, error));
    return operator_create(device, desc, op, error);
}

static void operator_retain_(clslice_operator *op)
{
    if (op)
        operator_retain(op);
}

static void operator_release_(clslice_operator *op)
{
    operator_release(op);
}

static int32_t operator_get_alias_(const clslice_operator *op, clslice_alias *alias,
                                   clslice_error *error)
{
    clslice_alias whole;
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_POINTER(alias, error);
    operator_alias(op, &whole);
    return structs_write(alias, &whole, sizeof whole, "clslice_alias", error);
}

static int32_t operator_get_plan_(const clslice_operator *op,
                                  const clslice_compile_options *options, clslice_plan_info *info,
                                  clslice_error *error)
{
    clslice_compile_options whole = {0};
    clslice_plan_info found;
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_POINTER(info, error);
    READ_OPTIONS(clslice_compile_options, &whole, options, error);
    CHECK_STATUS(operator_plan_info(op, &whole, &found, error));
    return structs_write(info, &found, sizeof found, "clslice_plan_info", error);
}

static int32_t operator_describe_(const clslice_operator *op,
                                  const clslice_compile_options *options, char *text, uint64_t size,
                                  uint64_t *needed, clslice_error *error)
{
    clslice_compile_options whole = {0};
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_TEXT(text, size, error);
    READ_OPTIONS(clslice_compile_options, &whole, options, error);
    struct text words = text_in(text, size);
    CHECK_STATUS(operator_describe(op, &whole, &words, error));
    return tell_needed(&words, needed);
}

static int32_t operator_compile_(clslice_operator *op, const clslice_compile_options *options,
                                 clslice_compiled_operator **compiled, clslice_error *error)
{
    clslice_compile_options whole = {0};
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_POINTER(compiled, error);
    READ_OPTIONS(clslice_compile_options, &whole, options, error);
    return compiled_operator_create(op, &whole, compiled, error);
}

static void compiled_operator_retain_(clslice_compiled_operator *compiled)
{
    if (compiled)
        compiled_operator_retain(compiled);
}

static void compiled_operator_release_(clslice_compiled_operator *compiled)
{
    compiled_operator_release(compiled);
}

static int32_t compiled_operator_get_binding_properties_(const clslice_compiled_operator *compiled,
                                                         struct DML_BINDING_PROPERTIES *properties,
                                                         clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(compiled, error);
    CHECK_POINTER(properties, error);
    *properties = (DML_BINDING_PROPERTIES){0};
    return CLSLICE_S_OK;
}

static int32_t compiled_operator_get_info_(const clslice_compiled_operator *compiled,
                                           clslice_compiled_operator_info *info,
                                           clslice_error *error)
{
    clslice_compiled_operator_info whole;
    CHECK_ERROR(error);
    CHECK_POINTER(compiled, error);
    CHECK_POINTER(info, error);
    compiled_operator_info(compiled, &whole);
    return structs_write(info, &whole, sizeof whole, "clslice_compiled_operator_info", error);
}

/* ---- Dispatch ---- */

static int32_t dispatch_(clslice_compiled_operator *compiled, const clslice_dispatch_desc *desc,
                         struct _cl_event **event, clslice_error *error)
{
    clslice_dispatch_desc whole;
    CHECK_ERROR(error);
    CHECK_POINTER(compiled, error);
    CHECK_POINTER(desc, error);
    READ(clslice_dispatch_desc, &whole, desc, error);
    return dispatch(compiled, &whole, event, error);
}

static int32_t event_wait_(clslice_device *device, struct _cl_event *event, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(event, error);
    CHECK_STATUS(device_check_process(device, error));
    return event_wait(device, event, error);
}

static int32_t event_get_status_(clslice_device *device, struct _cl_event *event,
                                 clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(event, error);
    CHECK_STATUS(device_check_process(device, error));
    return event_get_status(device, event, error);
}

static void event_release_(clslice_device *device, struct _cl_event *event)
{
    if (device && event)
        event_release(device, event);
}

static int32_t device_finish_(clslice_device *device, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_STATUS(device_check_process(device, error));
    return device_finish(device, error);
}

/* ---- The exported names and the table ---- */

/* Every function of the ABI: WRAP(result, name, parameters, arguments), in the table's order. */
#define FUNCTIONS(WRAP, WRAP_VOID)                                                                 \
    WRAP(int32_t, device_enumerate,                                                                \
         (const clslice_device_options *options, uint32_t index, clslice_device_info *info,        \
          clslice_error *error),                                                                   \
         (options, index, info, error))                                                            \
    WRAP(int32_t, device_create,                                                                   \
         (const clslice_device_options *options, clslice_device **device, clslice_error *error),   \
         (options, device, error))                                                                 \
    WRAP_VOID(device_retain, (clslice_device * device), (device))                                  \
    WRAP_VOID(device_release, (clslice_device * device), (device))                                 \
    WRAP(int32_t, device_get_info,                                                                 \
         (const clslice_device *device, clslice_device_info *info, clslice_error *error),          \
         (device, info, error))                                                                    \
    WRAP(int32_t, device_get_opencl,                                                               \
         (const clslice_device *device, clslice_opencl_objects *objects, clslice_error *error),    \
         (device, objects, error))                                                                 \
    WRAP(void *, device_get_proc, (const clslice_device *device, const char *name),                \
         (device, name))                                                                           \
    WRAP(int32_t, device_check_feature_support,                                                    \
         (const clslice_device *device, uint32_t feature, uint32_t query_size, const void *query,  \
          uint32_t support_size, void *support, clslice_error *error),                             \
         (device, feature, query_size, query, support_size, support, error))                       \
    WRAP(int32_t, device_get_build_log,                                                            \
         (clslice_device * device, char *text, uint64_t size, uint64_t *needed,                    \
          clslice_error *error),                                                                   \
         (device, text, size, needed, error))                                                      \
    WRAP(int32_t, operator_create,                                                                 \
         (clslice_device * device, const struct DML_OPERATOR_DESC *desc, clslice_operator **op,    \
          clslice_error *error),                                                                   \
         (device, desc, op, error))                                                                \
    WRAP_VOID(operator_retain, (clslice_operator * op), (op))                                      \
    WRAP_VOID(operator_release, (clslice_operator * op), (op))                                     \
    WRAP(int32_t, operator_get_alias,                                                              \
         (const clslice_operator *op, clslice_alias *alias, clslice_error *error),                 \
         (op, alias, error))                                                                       \
    WRAP(int32_t, operator_get_plan,                                                               \
         (const clslice_operator *op, const clslice_compile_options *options,                      \
          clslice_plan_info *info, clslice_error *error),                                          \
         (op, options, info, error))                                                               \
    WRAP(int32_t, operator_describe,                                                               \
         (const clslice_operator *op, const clslice_compile_options *options, char *text,          \
          uint64_t size, uint64_t *needed, clslice_error *error),                                  \
         (op, options, text, size, needed, error))                                                 \
    WRAP(int32_t, operator_compile,                                                                \
         (clslice_operator * op, const clslice_compile_options *options,                           \
          clslice_compiled_operator **compiled, clslice_error *error),                             \
         (op, options, compiled, error))                                                           \
    WRAP_VOID(compiled_operator_retain, (clslice_compiled_operator * compiled), (compiled))        \
    WRAP_VOID(compiled_operator_release, (clslice_compiled_operator * compiled), (compiled))       \
    WRAP(int32_t, compiled_operator_get_binding_properties,                                        \
         (const clslice_compiled_operator *compiled, struct DML_BINDING_PROPERTIES *properties,    \
          clslice_error *error),                                                                   \
         (compiled, properties, error))                                                            \
    WRAP(int32_t, compiled_operator_get_info,                                                      \
         (const clslice_compiled_operator *compiled, clslice_compiled_operator_info *info,         \
          clslice_error *error),                                                                   \
         (compiled, info, error))                                                                  \
    WRAP(int32_t, dispatch,                                                                        \
         (clslice_compiled_operator * compiled, const clslice_dispatch_desc *desc,                 \
          struct _cl_event **event, clslice_error *error),                                         \
         (compiled, desc, event, error))                                                           \
    WRAP(int32_t, event_wait,                                                                      \
         (clslice_device * device, struct _cl_event * event, clslice_error * error),               \
         (device, event, error))                                                                   \
    WRAP(int32_t, event_get_status,                                                                \
         (clslice_device * device, struct _cl_event * event, clslice_error * error),               \
         (device, event, error))                                                                   \
    WRAP_VOID(event_release, (clslice_device * device, struct _cl_event * event), (device, event)) \
    WRAP(int32_t, device_get_cache_counters,                                                       \
         (const clslice_device *device, clslice_cache_counters *counters, clslice_error *error),   \
         (device, counters, error))                                                                \
    WRAP(int32_t, cache_get_info,                                                                  \
         (const clslice_device_options *options, clslice_cache_info *info, clslice_error *error),  \
         (options, info, error))                                                                   \
    WRAP(int32_t, cache_enumerate,                                                                 \
         (const clslice_device_options *options, uint32_t index, clslice_cache_entry *entry,       \
          clslice_error *error),                                                                   \
         (options, index, entry, error))                                                           \
    WRAP(int32_t, cache_clear,                                                                     \
         (const clslice_device_options *options, uint64_t *removed, clslice_error *error),         \
         (options, removed, error))                                                                \
    WRAP(int32_t, device_finish, (clslice_device * device, clslice_error * error), (device, error))

#define WRAP(result, name, parameters, arguments) \
    result clslice_##name parameters              \
    {                                             \
        return name##_ arguments;                 \
    }

#define WRAP_VOID(name, parameters, arguments) \
    void clslice_##name parameters             \
    {                                          \
        name##_ arguments;                     \
    }

FUNCTIONS(WRAP, WRAP_VOID)

#define MEMBER(result, name, parameters, arguments) .name = name##_,
#define MEMBER_VOID(name, parameters, arguments) .name = name##_,

const struct clslice_api *clslice_get_api(uint32_t abi)
{
    static const struct clslice_api api = {.size = sizeof api,
                                           .abi = CLSLICE_ABI_VERSION,
                                           .version = CLSLICE_VERSION_TEXT,
                                           FUNCTIONS(MEMBER, MEMBER_VOID)};
    return abi == CLSLICE_ABI_VERSION ? &api : NULL;
}
