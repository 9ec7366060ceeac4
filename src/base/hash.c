/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct hash hash_of(const struct hash_part *parts, size_t count)
{
    XXH3_state_t state;
    XXH128_canonical_t canonical;
    struct hash hash;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; ++i)
        XXH3_128bits_update(&state, parts[i].bytes, parts[i].length);
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
    memcpy(hash.byte, canonical.digest, HASH_BYTES);
    return hash;
}

void hash_text(const struct hash *hash, char text[HASH_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < HASH_BYTES; ++i) {
        *text++ = digits[hash->byte[i] >> 4];
        *text++ = digits[hash->byte[i] & 15];
    }
    *text = '\0';
}
