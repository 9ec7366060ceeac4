/* SPDX-License-Identifier: MIT */
#include "core/text.h"

#include <stdio.h>

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
    int added = vsnprintf(end, room, format, arguments);
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

void text_copy(char *to, uint64_t size, const char *from)
{
    struct text text = text_in(to, size);
    text_append(&text, "%s", from);
}
