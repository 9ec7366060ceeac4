/* SPDX-License-Identifier: MIT */
#include "cli/formats/dtype.h"

#include <string.h>

enum { SHOWN = 60 }; /* bytes of a descr */

/* Latin-1's characters take one byte or two in UTF-8. Those that a terminal obeys become '?'. */
static char *append(char *at, unsigned char c, bool is_utf8)
{
    if (c < ' ' || c == 0x7F || (!is_utf8 && c >= 0x80 && c < 0xA0)) {
        *at++ = '?';
    } else if (c < 0x80 || is_utf8) {
        *at++ = (char)c;
    } else {
        *at++ = (char)(0xC0 | c >> 6);
        *at++ = (char)(0x80 | (c & 0x3F));
    }
    return at;
}

void dtype_text(const struct dtype *dtype, char text[DTYPE_TEXT_SIZE])
{
    const unsigned char *descr = (const unsigned char *)dtype->descr;
    size_t shown = dtype->length < SHOWN ? dtype->length : SHOWN;

    /* Whole characters. */
    while (dtype->is_utf8 && shown > 0 && shown < dtype->length && (descr[shown] & 0xC0) == 0x80)
        --shown;
    for (size_t i = 0; i < shown; ++i)
        text = append(text, descr[i], dtype->is_utf8);
    strcpy(text, shown < dtype->length ? "..." : "");
}

uint32_t dtype_width(const struct dtype *dtype)
{
    uint32_t width = 8;

    while (dtype->bytes % width != 0)
        width /= 2;
    return width;
}
