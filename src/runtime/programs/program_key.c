/* SPDX-License-Identifier: MIT */
#include "runtime/programs/program_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields in their order; the sources' texts follow. */
enum {
    FIELD_NAME,
    FIELD_OPTIONS,
    FIELD_DEVICE,
    FIELD_DRIVER,
    FIELD_DEVICE_VENDOR,
    FIELD_DEVICE_VERSION,
    FIELD_PLATFORM,
    FIELD_PLATFORM_VENDOR,
    FIELD_PLATFORM_VERSION,
    FIELD_STRINGS, /* a digest of all of the above, which may be cut */
    FIELD_NUMBERS,
    FIELD_UUID,
    FIELD_DRIVER_UUID,
    FIELD_CODEGEN,
    FIELD_COUNT
};

enum { LENGTH_BYTES = 4 };

static size_t bytes_of(const struct hash_part *fields, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i)
        bytes += LENGTH_BYTES + fields[i].length;
    return bytes;
}

static unsigned char *append(unsigned char *to, const struct hash_part *fields, size_t count)
{
    for (const struct hash_part *field = fields; field < fields + count; ++field) {
        for (int i = 0; i < LENGTH_BYTES; ++i)
            *to++ = (unsigned char)(field->length >> 8 * i);
        if (field->length > 0)
            memcpy(to, field->bytes, field->length);
        to += field->length;
    }
    return to;
}

struct program_key program_key_of(const struct found_device *about, const char *codegen,
                                  const char *name, const char *options,
                                  const struct hash_part *texts, size_t count)
{
    char numbers[64], strings[HASH_TEXT_SIZE];
    hash_text(&about->strings, strings);
    snprintf(numbers, sizeof numbers, "format %d vendor %u bits %u", ENTRY_FORMAT,
             (unsigned)about->vendor_id, (unsigned)about->address_bits);
    const char *const values[FIELD_COUNT] = {
        [FIELD_NAME] = name,
        [FIELD_OPTIONS] = options,
        [FIELD_DEVICE] = about->name,
        [FIELD_DRIVER] = about->driver,
        [FIELD_DEVICE_VENDOR] = about->vendor,
        [FIELD_DEVICE_VERSION] = about->version,
        [FIELD_PLATFORM] = about->platform_name,
        [FIELD_PLATFORM_VENDOR] = about->platform_vendor,
        [FIELD_PLATFORM_VERSION] = about->platform_version,
        [FIELD_STRINGS] = strings,
        [FIELD_NUMBERS] = numbers,
        [FIELD_UUID] = about->uuid,
        [FIELD_DRIVER_UUID] = about->driver_uuid,
        [FIELD_CODEGEN] = codegen,
    };
    struct hash_part fields[FIELD_COUNT];
    for (int i = 0; i < FIELD_COUNT; ++i)
        fields[i] = (struct hash_part){values[i], strlen(values[i])};
    size_t size = bytes_of(fields, FIELD_COUNT) + bytes_of(texts, count);
    unsigned char *bytes = malloc(size);
    if (bytes)
        append(append(bytes, fields, FIELD_COUNT), texts, count);
    return (struct program_key){bytes, bytes ? size : 0};
}

bool program_key_describe(const struct hash_part *key, struct text *text)
{
    const unsigned char *at = key->bytes;
    size_t left = key->length;
    for (int field = 0; field < FIELD_DEVICE_VENDOR; ++field) {
        size_t length = 0;
        if (left < LENGTH_BYTES)
            return false;
        for (int i = 0; i < LENGTH_BYTES; ++i)
            length |= (size_t)at[i] << 8 * i;
        at += LENGTH_BYTES;
        left -= LENGTH_BYTES;
        if (length > left)
            return false;
        text_append(text, "%s", field ? ", " : "");
        for (size_t i = 0; i < length; ++i) /* a key may hold anything */
            text_append(text, "%c", at[i] >= 0x20 && at[i] != 0x7F ? at[i] : '?');
        at += length;
        left -= length;
    }
    return true;
}
