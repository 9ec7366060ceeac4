/* SPDX-License-Identifier: MIT */
/*
 * One cache entry as bytes: a header, the whole key, the payload. Integers are little-endian.
 *
 *      0   8  magic
 *      8   4  format number
 *     12   4  bytes of the header
 *     16   8  bytes of the key
 *     24   8  bytes of the payload
 *     32  16  digest of the key
 *     48  16  checksum of everything else: bytes 0 to 47, the key, the payload
 *     64      the key, then the payload, then nothing
 */
#ifndef CLSLICE_CACHE_ENTRY_H
#define CLSLICE_CACHE_ENTRY_H

#include "base/hash.h"

#include <stdint.h>

enum { ENTRY_FORMAT = 1, ENTRY_HEADER_BYTES = 64 };

#define ENTRY_BYTES_MAX (UINT64_C(64) << 20)

/* What a lookup finds; an entry's bytes alone make it a hit, stale or corrupt. */
enum cache_outcome {
    CACHE_OFF,      /* there is no cache */
    CACHE_HIT,      /* the payload may be used */
    CACHE_MISS,     /* no entry, or one that could not be read */
    CACHE_STALE,    /* an entry of another format, or of another key under this name */
    CACHE_CORRUPT,  /* a damaged entry */
    CACHE_UNTRUSTED /* a folder or entry that someone else may have written */
};

/* Fills the header of an entry; both lengths together stay below ENTRY_BYTES_MAX. */
void entry_header(unsigned char header[ENTRY_HEADER_BYTES], const struct hash_part *key,
                  const struct hash_part *payload);

/* Judges bytes of any origin. On CACHE_HIT, `payload` points into them; else `reason` says
 * why. */
enum cache_outcome entry_parse(const unsigned char *bytes, uint64_t size,
                               const struct hash_part *key, struct hash_part *payload,
                               const char **reason);

/* The key of a whole entry of whatever key; else an empty one, and why. */
void entry_key(const unsigned char *bytes, uint64_t size, struct hash_part *key,
               const char **reason);

#endif
