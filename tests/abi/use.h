/* SPDX-License-Identifier: MIT */
/* One small slice through a table of functions: every second byte, backwards. */
#ifndef CLSLICE_TESTS_ABI_USE_H
#define CLSLICE_TESTS_ABI_USE_H

#include "clslice/clslice.h"

#include <stdbool.h>

enum { USE_IN = 64, USE_OUT = 32 };

struct use {
    const struct clslice_api *api; /* borrowed */
    clslice_device *device;
    clslice_operator *op;
    clslice_compiled_operator *compiled;
    struct _cl_event *event;
    unsigned char in[USE_IN], out[USE_OUT];
    clslice_error error;
};

/* Each returns false where a call failed: `error` tells of it. */
bool use_create(struct use *use, const struct clslice_api *api,
                const clslice_device_options *options, unsigned char seed);
bool use_dispatch(struct use *use);
bool use_wait(struct use *use);

bool use_is_right(const struct use *use);
void use_release(struct use *use);

#endif
