/* SPDX-License-Identifier: MIT */
#include "runtime/config.h"

#include <stdlib.h>
#include <string.h>

static const char *variable(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

/* Whether a comma-separated list holds the topic. */
static bool lists(const char *list, const char *topic)
{
    size_t length = strlen(topic);
    while (list) {
        const char *comma = strchr(list, ',');
        size_t item = comma ? (size_t)(comma - list) : strlen(list);
        if (item == length && memcmp(list, topic, length) == 0)
            return true;
        list = comma ? comma + 1 : NULL;
    }
    return false;
}

struct config config_read(bool ignore_environment)
{
    if (ignore_environment)
        return (struct config){0};
    const char *verbose = variable("CLSLICE_VERBOSE");
    /* Unset and empty differ for the driver lists: PoCL's empty list means no device at all. */
    return (struct config){
        .device = variable("CLSLICE_DEVICE"),
        .opencl = variable("CLSLICE_OPENCL"),
        .build_options = variable("CLSLICE_BUILD_OPTIONS"),
        .verbose_device = lists(verbose, "1") || lists(verbose, "device"),
        .icd_vendors = secure_getenv("OCL_ICD_VENDORS"),
        .pocl_devices = secure_getenv("POCL_DEVICES"),
        .cuda_devices = secure_getenv("CUDA_VISIBLE_DEVICES"),
        .rocr_devices = secure_getenv("ROCR_VISIBLE_DEVICES"),
    };
}
