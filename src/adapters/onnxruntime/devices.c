/* SPDX-License-Identifier: MIT */
#include "devices.h"

#include <stdlib.h>
#include <string.h>

struct open_device {
    struct open_device *next;
    clslice_device *device; /* owned */
    char *selector;         /* owned */
    char *cache;            /* owned */
};

void devices_init(struct devices *devices, const struct host *host)
{
    devices->host = host;
    devices->open = NULL;
    pthread_mutex_init(&devices->lock, NULL);
}

static void release_open(struct open_device *open)
{
    clslice_device_release(open->device);
    free(open->selector);
    free(open->cache);
    free(open);
}

void devices_release(struct devices *devices)
{
    for (struct open_device *open = devices->open, *next; open; open = next) {
        next = open->next;
        release_open(open);
    }
    pthread_mutex_destroy(&devices->lock);
}

/* As CLSLICE_CACHE: a word, WORD=PATH, or the path of a folder. */
static bool parse_cache(const char *text, clslice_device_options *options)
{
    static const struct {
        const char *word;
        uint32_t mode;
        bool takes_path;
    } words[] = {
        {"", CLSLICE_CACHE_DEFAULT, false},    {"off", CLSLICE_CACHE_OFF, false},
        {"0", CLSLICE_CACHE_OFF, false},       {"default", CLSLICE_CACHE_READ_WRITE, false},
        {"ro", CLSLICE_CACHE_READ_ONLY, true}, {"refresh", CLSLICE_CACHE_REFRESH, true},
    };
    const size_t length = strcspn(text, "=");
    if (*text == '/') {
        options->cache_mode = CLSLICE_CACHE_READ_WRITE;
        options->cache_path = text;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (strlen(words[i].word) != length || strncmp(words[i].word, text, length) != 0)
            continue;
        options->cache_mode = words[i].mode;
        options->cache_path = text[length] ? text + length + 1 : NULL;
        return !options->cache_path || (words[i].takes_path && *options->cache_path == '/');
    }
    return false;
}

static OrtStatus *open_device(const struct host *host, const char *selector, const char *cache,
                              clslice_device **device)
{
    clslice_device_options options = {.size = sizeof options, .selector = selector};
    clslice_error error = {.size = sizeof error};
    if (!parse_cache(cache, &options))
        return host_error(
            host, ORT_INVALID_ARGUMENT,
            "option cache = '%s': give off, default, ro, refresh, ro=PATH, refresh=PATH "
            "or PATH; a path must be absolute",
            cache);
    if (clslice_device_create(&options, device, &error) != CLSLICE_S_OK)
        return host_error(host, ORT_EP_FAIL, "%s", error.text);
    return NULL;
}

/* Under the lock. Takes the device. False: out of memory, and it is the caller's still. */
static bool keep(struct devices *devices, const char *selector, const char *cache,
                 clslice_device *device)
{
    struct open_device *open = calloc(1, sizeof *open);
    if (!open)
        return false;
    open->selector = strdup(selector);
    open->cache = strdup(cache);
    if (!open->selector || !open->cache) {
        release_open(open);
        return false;
    }
    open->device = device;
    open->next = devices->open;
    devices->open = open;
    return true;
}

static clslice_device *find(const struct devices *devices, const char *selector, const char *cache)
{
    for (const struct open_device *open = devices->open; open; open = open->next)
        if (strcmp(open->selector, selector) == 0 && strcmp(open->cache, cache) == 0)
            return open->device;
    return NULL;
}

OrtStatus *devices_get(struct devices *devices, const char *selector, const char *cache,
                       clslice_device **device)
{
    OrtStatus *status = NULL;
    /* Held while a device is opened: of several sessions that want it, one does. */
    pthread_mutex_lock(&devices->lock);
    *device = find(devices, selector, cache);
    if (!*device) {
        status = open_device(devices->host, selector, cache, device);
        if (!status && !keep(devices, selector, cache, *device)) {
            clslice_device_release(*device);
            status = host_error(devices->host, ORT_FAIL, "out of memory for a device");
        }
    }
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
    if (clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK) {
        if (error.rule == CLSLICE_RULE_SELECTOR_SYNTAX ||
            error.rule == CLSLICE_RULE_SELECTOR_NO_MATCH)
            return host_error(devices->host, ORT_EP_FAIL, "%s", error.text);
        host_log(devices->host, ORT_LOGGING_LEVEL_WARNING, "clslice offers no device: %s",
                 error.text);
        return NULL;
    }
    pthread_mutex_lock(&devices->lock);
    const bool is_kept = clslice_device_get_info(device, info, &error) == CLSLICE_S_OK &&
                         keep(devices, info->selector, "", device);
    pthread_mutex_unlock(&devices->lock);
    if (is_kept)
        return NULL;
    clslice_device_release(device);
    return host_error(devices->host, ORT_FAIL, "out of memory for a device");
}

static OrtStatus *offer(const struct host *host, OrtEpFactory *factory,
                        const OrtHardwareDevice *hardware, const clslice_device_info *info,
                        OrtEpDevice **offered)
{
    OrtKeyValuePairs *metadata = NULL;
    host->api->CreateKeyValuePairs(&metadata);
    host->api->AddKeyValuePair(metadata, SELECTOR_KEY, info->selector);
    host->api->AddKeyValuePair(metadata, "name", info->name);
    host->api->AddKeyValuePair(metadata, "platform", info->platform);
    host->api->AddKeyValuePair(metadata, "type", info->type);
    host->api->AddKeyValuePair(metadata, "driver", info->driver);
    OrtStatus *status = host->ep->CreateEpDevice(factory, hardware, metadata, NULL, offered);
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
    status = offer(devices->host, factory, hardware, &first, &offered[0]);
    if (status)
        return status;
    *count = 1;
    for (uint32_t i = 0; !status && *count < most; ++i) {
        if (clslice_device_enumerate(NULL, i, &info, NULL) != CLSLICE_S_OK)
            break;
        if (!info.usable || strcmp(info.selector, first.selector) == 0)
            continue;
        status = offer(devices->host, factory, hardware, &info, &offered[*count]);
        if (!status)
            ++*count;
    }
    return status;
}
