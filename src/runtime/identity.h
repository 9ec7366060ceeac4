/* SPDX-License-Identifier: MIT */
/* Everything that a program's binary depends on, as the bytes of a cache key: fields with their lengths
 * in front, so that no two lists of fields give the same bytes. */
#ifndef RUNTIME_IDENTITY_H
#define RUNTIME_IDENTITY_H

#include "runtime/device.h"
#include "runtime/entry.h"

/* What is compiled. */
struct identity_source {
    const char *name;              /* of the variant, for people */
    const struct hash_part *texts; /* of OpenCL C */
    size_t count;
    const char *options; /* of the compiler, whole */
};

struct identity {
    unsigned char *bytes; /* owned by whoever got it; NULL: out of memory */
    size_t length;
};

/* The key of a source on a device. `codegen`: what else changes the driver's code. */
struct identity identity_of(const struct found_device *about, const char *codegen,
                            const struct identity_source *source);

/* What a key's bytes say, in one line for people: name, options, device, driver. False where they are no
 * key of this format. */
bool identity_describe(const struct hash_part *key, struct text *text);

#endif
