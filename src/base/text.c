/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct text text_in(char *bytes, uint64_t size)
{
    if (size > 0)
        bytes[0] = '\0';
    return (struct text){bytes, size, 0};
}

/* Ends a cut string before the character that the cut went through. */
static void drop_partial_character(char *bytes, uint64_t length)
{
    uint64_t start = length;
    while (start > 0 && ((unsigned char)bytes[start - 1] & 0xC0) == 0x80)
        --start;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)bytes[start - 1];
    uint64_t wants = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < wants)
        bytes[start - 1] = '\0';
}

void text_append_v(struct text *text, const char *format, va_list arguments)
{
    uint64_t room = text->length < text->size ? text->size - text->length : 0;
    char *end = room > 0 ? text->bytes + text->length : NULL;
    int added = vsnprintf(end, room < SIZE_MAX ? (size_t)room : SIZE_MAX, format, arguments);
    if (added < 0)
        return;
    text->length += (uint64_t)added;
    if (room > 0 && (uint64_t)added >= room)
        drop_partial_character(text->bytes, text->size - 1);
}

void text_append(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_append_v(text, format, arguments);
    va_end(arguments);
}

/* ---- One line ---- */

enum { ESCAPE_BYTES = 4, CHARACTER_BYTES = 4 };

/* Bytes of the UTF-8 character that the string begins with, and its number; 0 where it begins with
 * none. */
static uint64_t read_character(const unsigned char *at, uint32_t *number)
{
    static const uint32_t least[CHARACTER_BYTES + 1] = {0, 0, 0x80, 0x800, 0x10000};
    uint64_t bytes = *at < 0x80 ? 1 : *at < 0xC0 ? 0 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
    if (bytes == 0 || *at >= 0xF8)
        return 0;
    *number = bytes == 1 ? *at : *at & (0x7Fu >> bytes);
    for (uint64_t i = 1; i < bytes; ++i) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        *number = *number << 6 | (at[i] & 0x3Fu);
    }
    bool is_surrogate = *number >= 0xD800 && *number <= 0xDFFF;
    return *number < least[bytes] || *number > 0x10FFFF || is_surrogate ? 0 : bytes;
}

/* The same for a character that stays as it is in a line: no control character and no end of a
 * line. */
static uint64_t plain_character(const unsigned char *at)
{
    uint32_t number = 0;
    uint64_t bytes = read_character(at, &number);
    bool is_control = number < 0x20 || (number >= 0x7F && number < 0xA0);
    return is_control || number == 0x2028 || number == 0x2029 ? 0 : bytes;
}

/* Writes what stands for the first character, and returns how many bytes that was made of. */
static uint64_t put_character(unsigned char **to, const unsigned char *from)
{
    static const char digits[] = "0123456789ABCDEF";
    uint64_t bytes = plain_character(from);
    unsigned char byte = *from;
    if (bytes > 0) {
        memmove(*to, from, (size_t)bytes);
        *to += bytes;
        return bytes;
    }
    *(*to)++ = '\\';
    *(*to)++ = 'x';
    *(*to)++ = (unsigned char)digits[byte >> 4];
    *(*to)++ = (unsigned char)digits[byte & 0xF];
    return 1;
}

void text_escape(struct text *text)
{
    uint64_t whole = 0, taken = 0, fits = 0;
    if (text->size == 0)
        return;
    unsigned char *bytes = (unsigned char *)text->bytes;
    uint64_t kept = strlen(text->bytes);
    for (uint64_t i = 0; i < kept;) {
        uint64_t plain = plain_character(bytes + i);
        i += plain ? plain : 1;
        whole += plain ? plain : ESCAPE_BYTES;
        if (whole < text->size) {
            taken = i;
            fits = whole;
        }
    }
    text->length += whole - kept;
    if (whole == kept)
        return;
    /* From the end of the buffer: what is written never reaches what is still to be read. */
    unsigned char *to = bytes, *from = bytes + text->size - taken - 1;
    memmove(from, bytes, (size_t)taken);
    from[taken] = '\0';
    while (to < bytes + fits)
        from += put_character(&to, from);
    *to = '\0';
}

void text_copy(char *to, uint64_t size, const char *from)
{
    struct text text = text_in(to, size);
    text_append(&text, "%s", from);
    text_escape(&text);
}
