/* SPDX-License-Identifier: MIT */
#include "devices.h"

#include "refuse.h"

#include <pthread.h>
#include <string.h>

enum { DEVICES_MAX = 16 }; /* selectors beyond them get a device for each call */

static struct {
    char selector[SELECTOR_SIZE];
    clslice_device *device; /* owned */
} devices[DEVICES_MAX];

static uint32_t device_count;
/* Of the two above; held while a device is made, or threads would make one each for a selector. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static clslice_device *find(const char *selector)
{
    for (uint32_t i = 0; i < device_count; ++i)
        if (strcmp(devices[i].selector, selector) == 0)
            return devices[i].device;
    return NULL;
}

static void keep(const char *selector, clslice_device *device)
{
    if (device_count == DEVICES_MAX)
        return;
    memcpy(devices[device_count].selector, selector, SELECTOR_SIZE);
    devices[device_count++].device = device;
    clslice_device_retain(device);
}

const char *devices_get(const char *selector, clslice_device **device, clslice_error *error)
{
    const clslice_device_options options = {.size = sizeof options,
                                            .selector = selector[0] ? selector : NULL};
    const char *kind = NULL;
    pthread_mutex_lock(&lock);
    *device = find(selector);
    if (*device)
        clslice_device_retain(*device);
    else if (!(kind = kind_of(clslice_device_create(&options, device, error))))
        keep(selector, *device);
    pthread_mutex_unlock(&lock);
    return kind;
}
