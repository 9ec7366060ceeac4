/* SPDX-License-Identifier: MIT */
/* Everything that a program's binary depends on, as the bytes of a cache key: fields with their
 * lengths in front, so that no two lists of fields give the same bytes. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_PROGRAM_KEY_H
#define CLSLICE_RUNTIME_PROGRAMS_PROGRAM_KEY_H

#include "cache/entry.h"
#include "runtime/device.h"

struct program_key {
    unsigned char *bytes; /* owned by whoever got it; NULL: out of memory */
    size_t length;
};

/* The key of a program on a device. `codegen`: what else changes the driver's code; `name`: of the
 * variant, for people; `options`: of the compiler, whole; `texts`: `count` of OpenCL C. */
struct program_key program_key_of(const struct found_device *about, const char *codegen,
                                  const char *name, const char *options,
                                  const struct hash_part *texts, size_t count);

/* What a key's bytes say, in one line for people: name, options, device, driver. False where they
 * are no key of this format. */
bool program_key_describe(const struct hash_part *key, struct text *text);

#endif
