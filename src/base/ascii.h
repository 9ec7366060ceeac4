/* SPDX-License-Identifier: MIT */
/* Characters of ASCII, whatever locale the host has set: other bytes belong to no class and have
 * one case. */
#ifndef CLSLICE_BASE_ASCII_H
#define CLSLICE_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_hexadecimal(char c)
{
    return ascii_is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
}

static inline bool ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether two pieces of text of one length are the same but for case. */
static inline bool ascii_same(const char *a, const char *b, size_t length)
{
    size_t i = 0;
    while (i < length && ascii_lower(a[i]) == ascii_lower(b[i]))
        ++i;
    return i == length;
}

#endif
