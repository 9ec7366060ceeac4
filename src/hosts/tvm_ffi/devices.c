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
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the two above */

/* The caller's to release; NULL where there is none. */
static clslice_device *find(const char *selector)
{
    clslice_device *found = NULL;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < device_count && !found; ++i)
        if (strcmp(devices[i].selector, selector) == 0)
            found = devices[i].device;
    if (found)
        clslice_device_retain(found);
    pthread_mutex_unlock(&lock);
    return found;
}

/* Of two threads that come with a device each for one selector, find knows the first. */
static void keep(const char *selector, clslice_device *device)
{
    pthread_mutex_lock(&lock);
    if (device_count < DEVICES_MAX) {
        memcpy(devices[device_count].selector, selector, SELECTOR_SIZE);
        devices[device_count++].device = device;
        clslice_device_retain(device);
    }
    pthread_mutex_unlock(&lock);
}

const char *devices_get(const char *selector, clslice_device **device, clslice_error *error)
{
    /* A thread of the device's own would still run when the process ends, of which nobody tells. */
    const clslice_device_options options = {.size = sizeof options,
                                            .flags = CLSLICE_DEVICE_FLAG_NO_THREADS,
                                            .selector = selector[0] ? selector : NULL};
    *device = find(selector);
    if (*device)
        return NULL;
    const char *kind = kind_of(clslice_device_create(&options, device, error));
    if (!kind)
        keep(selector, *device);
    return kind;
}
