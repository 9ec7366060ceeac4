/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy_descr.h"

#include "cli/formats/dtype.h"
#include "cli/formats/npy_text.h"
#include "conformance/problem.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    MAX_DEPTH = 64, /* of fields within fields */
    MAX_RANK = 64,  /* of a field; NumPy's own limit */
    MAX_SIZES = 5
};

static const uint64_t max_bytes = INT32_MAX; /* of an item; NumPy's own limit */

static const struct kind {
    char letter;
    uint32_t unit;            /* bytes that the number behind the letter counts */
    uint32_t size[MAX_SIZES]; /* the numbers that there are; none: any */
} kinds[] = {
    {'b', 1, {1}},
    {'i', 1, {1, 2, 4, 8}},
    {'u', 1, {1, 2, 4, 8}},
    {'f', 1, {2, 4, 8, 12, 16}},
    {'c', 1, {8, 16, 24, 32}},
    {'M', 1, {8}},
    {'m', 1, {8}},
    {'S', 1, {0}},
    {'a', 1, {0}},
    {'V', 1, {0}},
    {'U', 4, {0}}, /* UCS4 */
};

static const struct kind *find_kind(char letter)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (kinds[i].letter == letter)
            return &kinds[i];
    return NULL;
}

static bool has_size(const struct kind *kind, uint64_t size)
{
    if (kind->size[0] == 0)
        return size <= max_bytes / kind->unit;
    for (size_t i = 0; i < MAX_SIZES && kind->size[i] != 0; ++i)
        if (kind->size[i] == size)
            return true;
    return false;
}

/* The digits from *at on, which is moved behind them, as a number no further than max_bytes + 1. */
static uint64_t read_digits(const char **at, const char *end)
{
    uint64_t number = 0;

    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (number <= max_bytes)
            number = number * 10 + (uint64_t)(**at - '0');
    return number <= max_bytes ? number : max_bytes + 1;
}

/* Reads <f4, without its quotes: order, kind and size; behind a date's size its unit, [ns]. */
static bool read_plain(struct dtype *dtype, const char *at, size_t length)
{
    const char *end = at + length;
    const struct kind *kind;
    const char *digits;
    uint64_t size;

    dtype->order = at < end && strchr("<>|=", *at) ? *at++ : '|';
    kind = at < end ? find_kind(*at) : NULL;
    if (!kind)
        return false;
    digits = ++at;
    size = read_digits(&at, end);
    if (at == digits || !has_size(kind, size))
        return false;
    dtype->kind = kind->letter;
    dtype->bytes = size * kind->unit;
    return at == end ||
           ((kind->letter == 'M' || kind->letter == 'm') && *at == '[' && end[-1] == ']');
}

static bool is_object(const char *name, size_t length)
{
    size_t at = length > 0 && strchr("<>|=", *name) ? 1 : 0;

    return at < length && name[at] == 'O';
}

static bool take_plain(struct npy_text *text, struct dtype *dtype)
{
    struct dtype named = {.descr = text->text + text->at};
    char shown[DTYPE_TEXT_SIZE];
    const char *name;
    size_t length;

    if (!npy_text_take_string(text, &name, &length, "a dtype"))
        return false;
    if (read_plain(dtype, name, length))
        return true;
    named.length = length + 2; /* its quotes */
    dtype_text(&named, shown);
    return problem_set(text->problem,
                       is_object(name, length)
                           ? "%s: dtype %s holds Python objects (a pickle); save numbers instead: "
                             "x.astype('<f4')"
                           : "%s: dtype %s is unknown; save x.astype('<f4') or another dtype of "
                             "NumPy's own",
                       text->path, shown);
}

static bool take_any(struct npy_text *text, unsigned depth, struct dtype *dtype);

/* Takes a field's name, or its title and its name. */
static bool take_name(struct npy_text *text)
{
    static const char expected[] = "the name of a field";
    const char *name;
    size_t length;

    if (!npy_text_take(text, '('))
        return npy_text_take_string(text, &name, &length, expected);
    return npy_text_take_string(text, &name, &length, expected) &&
           (npy_text_take(text, ',') || npy_text_damaged(text, "','")) &&
           npy_text_take_string(text, &name, &length, expected) &&
           (npy_text_take(text, ')') || npy_text_damaged(text, "')'"));
}

/* Takes the shape of a field, a size or a tuple of them. */
static bool take_count(struct npy_text *text, uint64_t *bytes)
{
    uint64_t size[MAX_RANK];
    uint32_t rank = 1;

    if (npy_text_peek(text) == '(' ? !npy_text_take_shape(text, MAX_RANK, size, &rank)
                                   : !npy_text_take_size(text, size))
        return false;
    if (rank > MAX_RANK)
        return npy_text_damaged(text, "a field of at most 64 dimensions");
    for (uint32_t i = 0; i < rank; ++i) {
        if (size[i] != 0 && *bytes > max_bytes / size[i])
            return npy_text_damaged(text, "a field of at most 2147483647 bytes");
        *bytes *= size[i];
    }
    return true;
}

static bool take_field(struct npy_text *text, unsigned depth, uint64_t *bytes)
{
    struct dtype dtype;

    if (!npy_text_take(text, '('))
        return npy_text_damaged(text, "a field");
    if (!take_name(text))
        return false;
    if (!npy_text_take(text, ','))
        return npy_text_damaged(text, "','");
    if (!take_any(text, depth, &dtype))
        return false;
    *bytes = dtype.bytes;
    if (npy_text_take(text, ',') && npy_text_peek(text) != ')') {
        if (!take_count(text, bytes))
            return false;
        npy_text_take(text, ',');
    }
    return npy_text_take(text, ')') || npy_text_damaged(text, "')'");
}

static bool take_fields(struct npy_text *text, unsigned depth, struct dtype *dtype)
{
    bool has_comma = true;

    *dtype = (struct dtype){.order = '|', .kind = 'V'};
    if (depth == MAX_DEPTH)
        return npy_text_damaged(text, "fields at most 64 levels deep");
    npy_text_take(text, '[');
    while (!npy_text_take(text, ']')) {
        uint64_t bytes = 0;

        if (!has_comma)
            return npy_text_damaged(text, "',' or ']'");
        if (!take_field(text, depth + 1, &bytes))
            return false;
        if (bytes > max_bytes - dtype->bytes)
            return npy_text_damaged(text, "an item of at most 2147483647 bytes");
        dtype->bytes += bytes;
        has_comma = npy_text_take(text, ',');
    }
    return true;
}

static bool take_any(struct npy_text *text, unsigned depth, struct dtype *dtype)
{
    return npy_text_peek(text) == '[' ? take_fields(text, depth, dtype) : take_plain(text, dtype);
}

bool npy_descr_take(struct npy_text *text, struct dtype *dtype)
{
    size_t start;

    npy_text_peek(text);
    start = text->at;
    if (!take_any(text, 0, dtype))
        return false;
    dtype->descr = text->text + start;
    dtype->length = text->at - start;
    return true;
}
