/* SPDX-License-Identifier: MIT */
/* Text built in a caller's buffer of any size: what does not fit is cut between UTF-8 characters,
 * and the whole length is known all the same. */
#ifndef CLSLICE_BASE_TEXT_H
#define CLSLICE_BASE_TEXT_H

#include <stdarg.h>
#include <stdint.h>

struct text {
    char *bytes;     /* borrowed; NULL where capacity is 0 */
    uint64_t size;   /* capacity with NUL */
    uint64_t length; /* of the whole text without NUL; may exceed the capacity */
};

/* An empty text in `size` bytes; the buffer is a string from here on. */
struct text text_in(char *bytes, uint64_t size);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_append(struct text *text, const char *format, ...);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 0)))
#endif
void text_append_v(struct text *text, const char *format, va_list arguments);

/*
 * Makes the text one line of UTF-8, whatever was appended: each byte that is not part of a UTF-8
 * character, of a control character or of a line's or paragraph's end becomes "\xHH". What an
 * earlier cut has dropped counts in `length` as it was.
 */
void text_escape(struct text *text);

/* Copies a string into a fixed array as one line of UTF-8, cut between characters. */
void text_copy(char *to, uint64_t size, const char *from);

#endif
