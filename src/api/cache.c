/* SPDX-License-Identifier: MIT */
#include "api/checks.h"
#include "base/status.h"
#include "cache/cache_location.h"
#include "runtime/cache_care.h"
#include "runtime/device.h"

int32_t clslice_device_get_cache_counters(const clslice_device *device,
                                          clslice_cache_counters *counters, clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(device, error);
    CHECK_POINTER(counters, error);
    clslice_cache_counters whole;
    program_cache_count(&device->cache, &whole);
    return structs_write(counters, &whole, sizeof whole, "clslice_cache_counters", error);
}

int32_t clslice_cache_get_info(const clslice_device_options *options, clslice_cache_info *info,
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

int32_t clslice_cache_enumerate(const clslice_device_options *options, uint32_t index,
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

int32_t clslice_cache_clear(const clslice_device_options *options, uint64_t *removed,
                            clslice_error *error)
{
    clslice_device_options whole = {0};
    CHECK_ERROR(error);
    READ_OPTIONS(clslice_device_options, &whole, options, error);
    return cache_clear_all(&whole, removed, error);
}

int32_t clslice_parse_cache(const char *text, uint32_t *mode, const char **path,
                            clslice_error *error)
{
    uint32_t found_mode;
    const char *found_path;
    CHECK_ERROR(error);
    CHECK_POINTER(text, error);
    CHECK_POINTER(mode, error);
    CHECK_POINTER(path, error);
    if (!cache_location_parse(text, &found_mode, &found_path))
        return status_fail(
            error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_OPTION),
            "\"%.200s\": expected off, default, ro, refresh, ro=PATH, refresh=PATH or "
            "PATH; a path must be absolute",
            text);
    *mode = found_mode;
    *path = found_path;
    return CLSLICE_S_OK;
}

int32_t clslice_parse_bytes(const char *text, uint64_t *bytes, clslice_error *error)
{
    uint64_t found;
    CHECK_ERROR(error);
    CHECK_POINTER(text, error);
    CHECK_POINTER(bytes, error);
    if (!cache_location_parse_bytes(text, &found))
        return status_fail(error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_OPTION),
                           "\"%.200s\": expected none or a number of bytes, which may end in K, M "
                           "or G",
                           text);
    *bytes = found;
    return CLSLICE_S_OK;
}
