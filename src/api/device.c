/* SPDX-License-Identifier: MIT */
#include "api/checks.h"
#include "core/feature.h"
#include "runtime/event.h"

int32_t clslice_device_enumerate(const clslice_device_options *options, uint32_t index,
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

int32_t clslice_device_create(const clslice_device_options *options, clslice_device **device,
                              clslice_error *error)
{
    clslice_device_options whole = {0};
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    return device_create(&whole, device, error);
}

void clslice_device_retain(clslice_device *device)
{
    if (device)
        device_retain(device);
}

void clslice_device_release(clslice_device *device)
{
    device_release(device);
}

int32_t clslice_device_get_info(const clslice_device *device, clslice_device_info *info,
                                clslice_error *error)
{
    clslice_device_info whole;
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(info, error);
    device_info(device, &whole);
    return structs_write(info, &whole, sizeof whole, "clslice_device_info", error);
}

int32_t clslice_device_get_opencl(const clslice_device *device, clslice_opencl_objects *objects,
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

void *clslice_device_get_proc(const clslice_device *device, const char *name)
{
    return device && name ? device_proc(device, name) : NULL;
}

int32_t clslice_device_check_feature_support(const clslice_device *device, uint32_t feature,
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

int32_t clslice_device_get_build_log(clslice_device *device, char *text, uint64_t size,
                                     uint64_t *needed, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_TEXT(text, size, error);
    CHECK_STATUS(device_check_process(device, error));
    struct text log = text_in(text, size);
    program_store_get_log(&device->programs, &log);
    return checks_tell_needed(&log, needed);
}

int32_t clslice_device_finish(clslice_device *device, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_STATUS(device_check_process(device, error));
    return device_finish(device, error);
}
