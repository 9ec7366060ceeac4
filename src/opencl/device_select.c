/* SPDX-License-Identifier: MIT */
#include "opencl/device_select.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { HINTS_MAX = 1024 };

/* What hides devices from every OpenCL program, as the end of an error's text. */
static void append_hints(char hints[HINTS_MAX], const struct environment *environment,
                         const struct found_devices *found)
{
    bool no_device = found->count == 0;
    bool no_pocl = strstr(found->deviceless, "Portable Computing Language") != NULL;
    const struct {
        const char *name, *value;
        bool matters;
    } notes[] = {{"OCL_ICD_VENDORS", environment->icd_vendors, no_device},
                 {"POCL_DEVICES", environment->pocl_devices, true},
                 {"POCL_CACHE_DIR", environment->pocl_cache, no_pocl},
                 {"HOME", environment->home, no_pocl && !environment->pocl_cache},
                 {"CUDA_VISIBLE_DEVICES", environment->cuda_devices, true},
                 {"ROCR_VISIBLE_DEVICES", environment->rocr_devices, true}};
    struct text text = text_in(hints, HINTS_MAX);
    if (no_pocl)
        text_append(&text, "; PoCL has no device unless it can write to its cache folder: set "
                           "POCL_CACHE_DIR to a folder that it can write to");
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i)
        if (notes[i].value && notes[i].matters)
            text_append(&text, "; note %s=\"%s\"", notes[i].name, notes[i].value);
}

static int32_t check_found(const struct found_devices *found, const struct environment *environment,
                           clslice_error *error)
{
    char hints[HINTS_MAX];
    append_hints(hints, environment, found);
    if (found->platform_count == 0)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_NO_PLATFORM),
                           "the OpenCL loader finds no platform: install a driver (ICD) such as "
                           "pocl-opencl-icd%s",
                           hints);
    if (found->count == 0)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_NO_DEVICE, .value = {found->platform_count}),
                           "no OpenCL platform has a device (%" PRIu32 " without: %s)%s",
                           found->platform_count, found->deviceless, hints);
    return CLSLICE_S_OK;
}

static int32_t pick(const clslice_device_options *options, const struct environment *environment,
                    const struct found_devices *found, uint32_t *index, clslice_error *error)
{
    char hints[HINTS_MAX];
    append_hints(hints, environment, found);
    bool by_variable = !options->selector && environment->device;
    const char *selector = by_variable ? environment->device : options->selector;
    return selector_pick(selector && *selector ? selector : "auto",
                         by_variable ? "CLSLICE_DEVICE" : "device", hints, found, index, error);
}

int32_t device_select(const struct cl_api *cl, const clslice_device_options *options,
                      const struct environment *environment, struct found_device *about,
                      char selector[SELECTOR_MAX], clslice_error *error)
{
    struct found_devices found;
    uint32_t index = 0;
    int32_t status = enumerate_devices(cl, &found, error);
    if (status != CLSLICE_S_OK)
        return status;
    status = check_found(&found, environment, error);
    if (status == CLSLICE_S_OK)
        status = pick(options, environment, &found, &index, error);
    if (status == CLSLICE_S_OK) {
        *about = found.device[index];
        selector_of(&found, index, selector);
    }
    enumerate_release(&found);
    return status;
}

void device_select_selector_of(const struct cl_api *cl, cl_device_id id,
                               char selector[SELECTOR_MAX])
{
    struct found_devices found;
    selector[0] = '\0';
    if (enumerate_devices(cl, &found, NULL) != CLSLICE_S_OK)
        return;
    for (uint32_t i = 0; i < found.count; ++i)
        if (found.device[i].id == id)
            selector_of(&found, i, selector);
    enumerate_release(&found);
}

/* ---- Telling ---- */

bool device_select_is_cpu(const struct found_device *about)
{
    return (about->type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) == 0;
}

static uint32_t class_of(const struct found_device *about)
{
    return about->type & CL_DEVICE_TYPE_GPU           ? CLSLICE_CLASS_GPU
           : about->type & CL_DEVICE_TYPE_ACCELERATOR ? CLSLICE_CLASS_ACCELERATOR
                                                      : CLSLICE_CLASS_CPU;
}

uint32_t device_select_host_memory(const struct cl_api *cl, const struct found_device *about)
{
    if (about->system_svm && cl->clSetKernelArgSVMPointer)
        return CLSLICE_HOST_MEMORY_SYSTEM_SVM;
    return device_select_is_cpu(about) ? CLSLICE_HOST_MEMORY_USE_HOST_PTR
                                       : CLSLICE_HOST_MEMORY_STAGED;
}

void device_select_info(const struct cl_api *cl, const struct found_device *about,
                        const char *selector, clslice_device_info *info)
{
    memset(info, 0, sizeof *info);
    info->size = sizeof *info;
    info->device_class = class_of(about);
    info->usable = about->unusable[0] == '\0';
    info->vendor_id = about->vendor_id;
    info->compute_units = about->compute_units;
    info->address_bits = about->address_bits;
    info->host_memory = device_select_host_memory(cl, about);
    info->unified_memory = about->unified_memory;
    info->max_work_group_size = about->max_work_group_size;
    info->max_alloc_bytes = about->max_alloc_bytes;
    info->global_bytes = about->global_bytes;
    info->local_bytes = about->local_bytes;
    info->device_id = about->id;
    text_copy(info->selector, sizeof info->selector, selector);
    text_copy(info->name, sizeof info->name, about->name);
    text_copy(info->platform, sizeof info->platform, about->platform_name);
    text_copy(info->version, sizeof info->version, about->version);
    text_copy(info->driver, sizeof info->driver, about->driver);
    selector_type_of(about, info->type, sizeof info->type);
    text_copy(info->unusable_reason, sizeof info->unusable_reason, about->unusable);
}

int32_t device_select_info_at(const struct cl_api *cl, const struct environment *environment,
                              uint32_t index, clslice_device_info *info, clslice_error *error)
{
    struct found_devices found;
    int32_t status = enumerate_devices(cl, &found, error);
    if (status != CLSLICE_S_OK)
        return status;
    if (found.platform_count == 0) {
        status = check_found(&found, environment, error);
    } else if (index >= found.count) {
        status = status_fail(error, CLSLICE_DXGI_ERROR_NOT_FOUND,
                             WHERE(.rule = CLSLICE_RULE_NO_DEVICE, .value = {index, found.count}),
                             "there is no device %" PRIu32 ": the number of devices is %" PRIu32,
                             index, found.count);
    } else {
        char selector[SELECTOR_MAX];
        selector_of(&found, index, selector);
        device_select_info(cl, &found.device[index], selector, info);
    }
    enumerate_release(&found);
    return status;
}
