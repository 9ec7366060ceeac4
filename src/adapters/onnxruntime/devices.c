/* SPDX-License-Identifier: MIT */
#include "devices.h"

#include <stdlib.h>
#include <string.h>

struct open_device {
    struct open_device *next;
    clslice_device *device; /* owned */
    struct device_key key;
};

void devices_release(struct devices *devices)
{
    for (struct open_device *open = devices->open, *next; open; open = next) {
        next = open->next;
        clslice_device_release(open->device);
        free(open);
    }
    pthread_mutex_destroy(&devices->lock);
}

/* Under the lock. Takes the device, also where it fails. */
static OrtStatus *keep(struct devices *devices, const struct device_key *key,
                       clslice_device *device)
{
    struct open_device *open = malloc(sizeof *open);
    if (!open) {
        clslice_device_release(device);
        return host_error(devices->host, ORT_FAIL, "out of memory for a device");
    }
    *open = (struct open_device){devices->open, device, *key};
    devices->open = open;
    return NULL;
}

/* Under the lock. */
static OrtStatus *open_device(struct devices *devices, const struct device_key *key,
                              clslice_device **device)
{
    clslice_device_options options = {.size = sizeof options, .selector = key->selector};
    clslice_error error = {.size = sizeof error};
    if (clslice_parse_cache(key->cache, &options.cache_mode, &options.cache_path, &error) !=
        CLSLICE_S_OK)
        return host_error(devices->host, ORT_INVALID_ARGUMENT, "option cache = %s", error.text);
    if (clslice_device_create(&options, device, &error) != CLSLICE_S_OK)
        return host_error(devices->host, ORT_EP_FAIL, "%s", error.text);
    return keep(devices, key, *device);
}

static clslice_device *find(const struct devices *devices, const struct device_key *key)
{
    for (const struct open_device *open = devices->open; open; open = open->next)
        if (strcmp(open->key.selector, key->selector) == 0 &&
            strcmp(open->key.cache, key->cache) == 0)
            return open->device;
    return NULL;
}

OrtStatus *devices_get(struct devices *devices, const struct device_key *key,
                       clslice_device **device)
{
    OrtStatus *status = NULL;
    /* Held while a device is opened: of several sessions that want it, one does. */
    pthread_mutex_lock(&devices->lock);
    *device = find(devices, key);
    if (!*device)
        status = open_device(devices, key, device);
    if (!status)
        clslice_device_retain(*device);
    pthread_mutex_unlock(&devices->lock);
    return status;
}

/* The device that CLSLICE_DEVICE picks, opened: what its selector means is known to the library
 * alone. NULL without an error where there is no device to be had, or none is wanted. */
static OrtStatus *open_first(struct devices *devices, clslice_device_info *info)
{
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    struct device_key key = {0};
    int32_t result = clslice_device_create(NULL, &device, &error);
    if (result == CLSLICE_S_OK)
        result = clslice_device_get_info(device, info, &error);
    if (result != CLSLICE_S_OK) {
        clslice_device_release(device);
        if (error.rule == CLSLICE_RULE_SELECTOR_SYNTAX ||
            error.rule == CLSLICE_RULE_SELECTOR_NO_MATCH)
            return host_error(devices->host, ORT_EP_FAIL, "%s", error.text);
        host_log(devices->host, ORT_LOGGING_LEVEL_WARNING, "clslice offers no device: %s",
                 error.text);
        return NULL;
    }
    memcpy(key.selector, info->selector, sizeof key.selector);
    pthread_mutex_lock(&devices->lock);
    OrtStatus *status = keep(devices, &key, device);
    pthread_mutex_unlock(&devices->lock);
    return status;
}

/* Appends it to what is offered. */
static OrtStatus *offer(const struct host *host, OrtEpFactory *factory,
                        const OrtHardwareDevice *hardware, const clslice_device_info *info,
                        OrtEpDevice **offered, size_t *count)
{
    OrtKeyValuePairs *metadata = NULL;
    host->api->CreateKeyValuePairs(&metadata);
    host->api->AddKeyValuePair(metadata, SELECTOR_KEY, info->selector);
    host->api->AddKeyValuePair(metadata, "name", info->name);
    host->api->AddKeyValuePair(metadata, "platform", info->platform);
    host->api->AddKeyValuePair(metadata, "type", info->type);
    host->api->AddKeyValuePair(metadata, "driver", info->driver);
    OrtStatus *status =
        host->ep->CreateEpDevice(factory, hardware, metadata, NULL, &offered[*count]);
    if (!status)
        ++*count;
    host->api->ReleaseKeyValuePairs(metadata);
    return status;
}

OrtStatus *devices_offer(struct devices *devices, OrtEpFactory *factory,
                         const OrtHardwareDevice *hardware, OrtEpDevice **offered, size_t most,
                         size_t *count)
{
    clslice_device_info first = {.size = sizeof first}, info = {.size = sizeof info};
    *count = 0;
    OrtStatus *status = open_first(devices, &first);
    if (status || !first.selector[0] || most == 0)
        return status;
    status = offer(devices->host, factory, hardware, &first, offered, count);
    for (uint32_t i = 0; !status && *count < most; ++i) {
        if (clslice_device_enumerate(NULL, i, &info, NULL) != CLSLICE_S_OK)
            break;
        if (info.usable && strcmp(info.selector, first.selector) != 0)
            status = offer(devices->host, factory, hardware, &info, offered, count);
    }
    return status;
}
