/* SPDX-License-Identifier: MIT */
/* Texts in buffers of any size: that is the first byte; NULs cut the rest into pieces. */
#include "base/text.h"
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

enum { INPUT_MAX = 4096 };

/* Whether every lead byte has its continuation bytes and none stands alone. */
static bool is_utf8(const char *text, uint64_t length)
{
    uint64_t wanted = 0;
    for (uint64_t i = 0; i < length; ++i) {
        unsigned char byte = (unsigned char)text[i];
        if (((byte & 0xC0) == 0x80) != (wanted > 0))
            return false;
        if (wanted > 0)
            --wanted;
        else
            wanted = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    }
    return wanted == 0;
}

static void check(const char *bytes, size_t size, const char *whole, size_t length)
{
    size_t kept = size ? strnlen(bytes, size) : 0;
    EXPECT(size == 0 || kept < size);
    EXPECT(memcmp(bytes, whole, kept) == 0);
    EXPECT(length < size ? kept == length : size == 0 || kept + 4 >= size);
    EXPECT(size == 0 || !is_utf8(whole, length) || is_utf8(bytes, kept));
}

/* One line of UTF-8; as it was, where it was one. */
static void check_line(const char *line, size_t size, const char *whole, size_t length)
{
    size_t kept = strnlen(line, size);
    bool was_line = is_utf8(whole, length);
    EXPECT(kept < size && is_utf8(line, kept));
    for (size_t i = 0; i < kept; ++i)
        EXPECT((unsigned char)line[i] >= 0x20 && line[i] != 0x7F);
    for (size_t i = 0; i < length; ++i) /* characters beyond ASCII are left to the unit test */
        was_line = was_line && (unsigned char)whole[i] >= 0x20 && (unsigned char)whole[i] < 0x7F;
    EXPECT(!was_line || memcmp(line, whole, kept) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char whole[INPUT_MAX + 1] = "", input[INPUT_MAX + 1];
    if (size == 0 || size > INPUT_MAX)
        return 0;
    memcpy(input, data, size);
    input[size] = '\0';
    size_t room = data[0], length = 0;
    char *bytes = malloc(room + (room == 0)), *copy = malloc(room + (room == 0));
    struct text text = text_in(room ? bytes : NULL, room);
    for (size_t at = 1; at < size; at += strlen(input + at) + 1) {
        text_append(&text, "%s", input + at);
        memcpy(whole + length, input + at, strlen(input + at) + 1);
        length += strlen(input + at);
        EXPECT(text.length == length);
    }
    check(bytes, room, whole, length);
    if (room > 0) {
        text_copy(copy, room, whole);
        check_line(copy, room, whole, length);
    }
    free(copy);
    free(bytes);
    return 0;
}
