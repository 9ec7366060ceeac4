/* SPDX-License-Identifier: MIT */
/*
 * A cache entry of any origin. The first byte says what is done with the rest before it is judged:
 * bit 0 gives it a checksum that holds, bit 1 the magic, bit 2 lengths that add up, without which
 * no fuzzer gets behind the header; bit 3 takes it for a key alone.
 */
#include "cache/entry.h"
#include "fuzz.h"
#include "runtime/programs/program_key.h"

#include <string.h>

enum { FIX_CHECKSUM = 1, FIX_MAGIC = 2, FIX_LENGTHS = 4, KEY_ALONE = 8 };

enum { AT_PAYLOAD = 24, AT_DIGEST = 32, AT_CHECKSUM = 48 };

static void put(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; ++i)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void fix(unsigned char *bytes, size_t size, unsigned what)
{
    if (size < ENTRY_HEADER_BYTES)
        return;
    static const unsigned char start[16] = {'c',  'l', 's', 'l', 'i', 'c', 'e',
                                            '\n', 1,   0,   0,   0,   64};
    if (what & FIX_MAGIC)
        memcpy(bytes, start, sizeof start);
    if (what & FIX_LENGTHS) {
        uint64_t room = size - ENTRY_HEADER_BYTES, key = bytes[16] < room ? bytes[16] : room;
        put(bytes + 16, key);
        put(bytes + AT_PAYLOAD, room - key);
    }
    if (what & FIX_CHECKSUM) {
        const struct hash_part parts[] = {{bytes, AT_CHECKSUM},
                                          {bytes + ENTRY_HEADER_BYTES, size - ENTRY_HEADER_BYTES}};
        struct hash sum = hash_of(parts, 2);
        memcpy(bytes + AT_CHECKSUM, sum.byte, sizeof sum.byte);
    }
}

/* Whatever the key says, the words end in NUL, fit, and hold no control character. */
static void describe(const struct hash_part *key, size_t size)
{
    char *bytes = malloc(size);
    struct text text = text_in(bytes, size);
    program_key_describe(key, &text);
    EXPECT(memchr(bytes, '\0', size) != NULL);
    for (const char *at = bytes; *at; ++at)
        EXPECT((unsigned char)*at >= 0x20 && *at != 0x7F);
    free(bytes);
}

static void judge(const unsigned char *bytes, size_t size)
{
    struct hash_part key = {NULL, 99}, payload = {NULL, 0}, other = {"other", 5};
    const char *reason = NULL;
    entry_key(bytes, size, &key, &reason);
    EXPECT(reason != NULL);
    bool is_whole = reason[0] == '\0';
    EXPECT(is_whole || (key.bytes == NULL && key.length == 0));
    EXPECT(entry_parse(bytes, size, &other, &payload, &reason) != CACHE_HIT ||
           (key.length == other.length && memcmp(key.bytes, other.bytes, key.length) == 0));
    if (!is_whole || key.length == 0)
        return;
    EXPECT(entry_parse(bytes, size, &key, &payload, &reason) == CACHE_HIT);
    EXPECT(reason[0] == '\0' && payload.length > 0);
    EXPECT(key.bytes == bytes + ENTRY_HEADER_BYTES);
    EXPECT((const unsigned char *)payload.bytes == bytes + ENTRY_HEADER_BYTES + key.length);
    EXPECT(ENTRY_HEADER_BYTES + key.length + payload.length == size);
    unsigned char header[ENTRY_HEADER_BYTES];
    entry_header(header, &key, &payload);
    EXPECT(memcmp(header, bytes, AT_DIGEST) == 0);
    describe(&key, 1 + key.length % 700);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    unsigned what = data[0];
    unsigned char *bytes = malloc(size); /* one byte too long, else malloc(0) */
    if (!bytes)
        return 0;
    memcpy(bytes + 1, data + 1, size - 1);
    if (what & KEY_ALONE) {
        const struct hash_part key = {bytes + 1, size - 1};
        describe(&key, 512);
        describe(&key, 1 + size % 64);
    } else {
        fix(bytes + 1, size - 1, what);
        judge(bytes + 1, size - 1);
    }
    free(bytes);
    return 0;
}
