/* SPDX-License-Identifier: MIT */
/* The OpenCL devices of the machine: offered to the host, opened once each and shared by its
 * sessions. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_DEVICES_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_DEVICES_H

#include "host.h"

#include <clslice/clslice.h>
#include <pthread.h>

/* The key of a device's metadata that holds its selector. */
#define SELECTOR_KEY "selector"

/* What sessions share a device by. */
struct device_key {
    char selector[256]; /* as CLSLICE_DEVICE */
    char cache[4352];   /* as CLSLICE_CACHE; empty: what that says */
};

struct devices {
    const struct host *host;  /* borrowed */
    pthread_mutex_t lock;     /* of what follows */
    struct open_device *open; /* owned */
};

/* Sessions hold references of their own. */
void devices_release(struct devices *devices);

/* The device that the key names. The caller releases it. Any thread. */
OrtStatus *devices_get(struct devices *devices, const struct device_key *key,
                       clslice_device **device);

/* One OrtEpDevice for each usable device, the one that CLSLICE_DEVICE picks first; the caller owns
 * them. All are bound to `hardware`: what the host finds of GPUs has no names in common with
 * OpenCL's. No OpenCL is none, and a line in the log; a CLSLICE_DEVICE that matches nothing is an
 * error. */
OrtStatus *devices_offer(struct devices *devices, OrtEpFactory *factory,
                         const OrtHardwareDevice *hardware, OrtEpDevice **offered, size_t most,
                         size_t *count);

#endif
