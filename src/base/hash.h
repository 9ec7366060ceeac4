/* SPDX-License-Identifier: MIT */
/* XXH3 with 128 bits, for names and checksums of what the library itself wrote: it finds damage and
 * accidents, and keeps no adversary out. */
#ifndef CLSLICE_BASE_HASH_H
#define CLSLICE_BASE_HASH_H

#include <stddef.h>

enum { HASH_BYTES = 16, HASH_TEXT_SIZE = 2 * HASH_BYTES + 1 };

/* Big-endian, the same on every machine. */
struct hash {
    unsigned char byte[HASH_BYTES];
};

/* A piece of what is hashed. */
struct hash_part {
    const void *bytes;
    size_t length;
};

/* Of the parts' bytes one behind the other: where a part ends makes no difference. */
struct hash hash_of(const struct hash_part *parts, size_t count);

/* 32 lower-case hexadecimal digits and NUL. */
void hash_text(const struct hash *hash, char text[HASH_TEXT_SIZE]);

#endif
