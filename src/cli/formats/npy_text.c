/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy_text.h"

#include "conformance/problem.h"

#include <string.h>

enum { EXCERPT = 32 }; /* bytes of the header that an error shows */

bool npy_text_damaged(const struct npy_text *text, const char *expected)
{
    size_t left = text->length - text->at;
    int shown = (int)(left < EXCERPT ? left : EXCERPT);

    return problem_set(text->problem,
                       "%s: damaged .npy header: %s expected at character %zu, found '%.*s'; "
                       "save the file again with numpy.save",
                       text->path, expected, text->at + 1, shown, text->text + text->at);
}

int npy_text_peek(struct npy_text *text)
{
    while (text->at < text->length && text->text[text->at] != '\0' &&
           strchr(" \t\n\r\f", text->text[text->at]))
        ++text->at;
    return text->at < text->length ? (unsigned char)text->text[text->at] : -1;
}

bool npy_text_take(struct npy_text *text, char wanted)
{
    if (npy_text_peek(text) != (unsigned char)wanted)
        return false;
    ++text->at;
    return true;
}

bool npy_text_take_word(struct npy_text *text, const char *word)
{
    size_t length = strlen(word);

    npy_text_peek(text);
    if (text->length - text->at < length || memcmp(text->text + text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

bool npy_text_take_string(struct npy_text *text, const char **string, size_t *length,
                          const char *expected)
{
    int quote = npy_text_peek(text);
    size_t end = text->at + 1;

    if (quote != '\'' && quote != '"')
        return npy_text_damaged(text, expected);
    while (end < text->length && (unsigned char)text->text[end] >= ' ' && text->text[end] != quote)
        end += text->text[end] == '\\' ? 2 : 1;
    if (end >= text->length || text->text[end] != quote)
        return npy_text_damaged(text, expected);
    *string = text->text + text->at + 1;
    *length = end - text->at - 1;
    text->at = end + 1;
    return true;
}

/* Python 2's suffix L is accepted. */
bool npy_text_take_size(struct npy_text *text, uint64_t *size)
{
    size_t start;

    if (npy_text_peek(text) == '-')
        return npy_text_damaged(text, "a size that is not negative");
    start = text->at;
    *size = 0;
    while (text->at < text->length && text->text[text->at] >= '0' && text->text[text->at] <= '9') {
        uint64_t digit = (uint64_t)(text->text[text->at] - '0');

        if (*size > (UINT64_MAX - digit) / 10) {
            text->at = start;
            return npy_text_damaged(text, "a size of at most 4294967295");
        }
        *size = *size * 10 + digit;
        ++text->at;
    }
    if (text->at == start)
        return npy_text_damaged(text, "a size");
    if (text->at < text->length && text->text[text->at] == 'L')
        ++text->at;
    return true;
}

bool npy_text_take_shape(struct npy_text *text, uint32_t most, uint64_t *size, uint32_t *rank)
{
    bool has_comma = true;

    if (!npy_text_take(text, '('))
        return npy_text_damaged(text, "a tuple of sizes");
    *rank = 0;
    while (!npy_text_take(text, ')')) {
        uint64_t one = 0;

        if (!has_comma)
            return npy_text_damaged(text, "',' or ')'");
        if (!npy_text_take_size(text, &one))
            return false;
        if (*rank < most)
            size[*rank] = one;
        ++*rank;
        has_comma = npy_text_take(text, ',');
    }
    return *rank != 1 || has_comma || npy_text_damaged(text, "a tuple, (n,) rather than (n),");
}
