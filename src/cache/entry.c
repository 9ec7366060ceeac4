/* SPDX-License-Identifier: MIT */
#include "cache/entry.h"

#include <string.h>

enum {
    AT_FORMAT = 8,
    AT_HEADER = 12,
    AT_KEY = 16,
    AT_PAYLOAD = 24,
    AT_DIGEST = 32,
    AT_CHECKSUM = 48
};

static const unsigned char magic[8] = {'c', 'l', 's', 'l', 'i', 'c', 'e', '\n'};

static void put(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static struct hash checksum(const unsigned char *header, const struct hash_part *key,
                            const struct hash_part *payload)
{
    const struct hash_part parts[] = {{header, AT_CHECKSUM}, *key, *payload};
    return hash_of(parts, 3);
}

void entry_header(unsigned char header[ENTRY_HEADER_BYTES], const struct hash_part *key,
                  const struct hash_part *payload)
{
    struct hash digest = hash_of(key, 1);
    memcpy(header, magic, sizeof magic);
    put(header + AT_FORMAT, ENTRY_FORMAT, 4);
    put(header + AT_HEADER, ENTRY_HEADER_BYTES, 4);
    put(header + AT_KEY, key->length, 8);
    put(header + AT_PAYLOAD, payload->length, 8);
    memcpy(header + AT_DIGEST, digest.byte, HASH_BYTES);
    struct hash sum = checksum(header, key, payload);
    memcpy(header + AT_CHECKSUM, sum.byte, HASH_BYTES);
}

static enum cache_outcome is(enum cache_outcome state, const char *why, const char **reason)
{
    *reason = why;
    return state;
}

/* Takes the bytes apart; the key is whichever the entry has. */
static enum cache_outcome take_apart(const unsigned char *bytes, uint64_t size,
                                     struct hash_part *key, struct hash_part *payload,
                                     const char **reason)
{
    if (size < ENTRY_HEADER_BYTES || size > ENTRY_BYTES_MAX)
        return is(CACHE_CORRUPT, "its size is not that of an entry", reason);
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return is(CACHE_CORRUPT, "it does not start like an entry", reason);
    if (get(bytes + AT_FORMAT, 4) != ENTRY_FORMAT)
        return is(CACHE_STALE, "it has a different format", reason);
    uint64_t room = size - ENTRY_HEADER_BYTES;
    uint64_t key_bytes = get(bytes + AT_KEY, 8), payload_bytes = get(bytes + AT_PAYLOAD, 8);
    if (get(bytes + AT_HEADER, 4) != ENTRY_HEADER_BYTES || key_bytes > room ||
        payload_bytes != room - key_bytes || payload_bytes == 0)
        return is(CACHE_CORRUPT, "its lengths do not add up to its size", reason);
    *key = (struct hash_part){bytes + ENTRY_HEADER_BYTES, (size_t)key_bytes};
    *payload = (struct hash_part){bytes + ENTRY_HEADER_BYTES + key_bytes, (size_t)payload_bytes};
    struct hash sum = checksum(bytes, key, payload);
    if (memcmp(bytes + AT_CHECKSUM, sum.byte, HASH_BYTES) != 0)
        return is(CACHE_CORRUPT, "its checksum does not match", reason);
    return is(CACHE_HIT, "", reason);
}

enum cache_outcome entry_parse(const unsigned char *bytes, uint64_t size,
                               const struct hash_part *key, struct hash_part *payload,
                               const char **reason)
{
    struct hash_part found;
    enum cache_outcome state = take_apart(bytes, size, &found, payload, reason);
    if (state == CACHE_HIT &&
        (found.length != key->length || memcmp(found.bytes, key->bytes, key->length) != 0))
        return is(CACHE_STALE, "it belongs to a different key", reason);
    return state;
}

void entry_key(const unsigned char *bytes, uint64_t size, struct hash_part *key,
               const char **reason)
{
    struct hash_part payload;
    if (take_apart(bytes, size, key, &payload, reason) != CACHE_HIT)
        *key = (struct hash_part){NULL, 0};
}
