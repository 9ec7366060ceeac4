/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy_dict.h"

#include "cli/formats/array.h"
#include "conformance/problem.h"

#include <string.h>

/* ---- Tokens: the part of Python's literals that NumPy writes ---- */

struct npy_text {
    const char *path; /* borrowed; for the problem's text */
    const char *text; /* borrowed; no NUL need follow */
    size_t length;
    size_t at; /* what comes next */
    struct problem *problem;
};

enum { EXCERPT = 32 }; /* bytes of the header that an error shows */

/* Sets the problem: what is expected here, and what is there. Returns false. */
static bool npy_text_damaged(const struct npy_text *text, const char *expected)
{
    size_t left = text->length - text->at;
    int shown = (int)(left < EXCERPT ? left : EXCERPT);

    return problem_set(text->problem,
                       "%s: damaged .npy header: %s expected at character %zu, found '%.*s'; "
                       "save the file again with numpy.save",
                       text->path, expected, text->at + 1, shown, text->text + text->at);
}

/* Skips white space. Returns the next character, which is still to be read; -1 at the end. */
static int npy_text_peek(struct npy_text *text)
{
    while (text->at < text->length && text->text[text->at] != '\0' &&
           strchr(" \t\n\r\f", text->text[text->at]))
        ++text->at;
    return text->at < text->length ? (unsigned char)text->text[text->at] : -1;
}

/* Skip white space and take the character, or the word, if it comes next. */
static bool npy_text_take(struct npy_text *text, char wanted)
{
    if (npy_text_peek(text) != (unsigned char)wanted)
        return false;
    ++text->at;
    return true;
}

static bool npy_text_take_word(struct npy_text *text, const char *word)
{
    size_t length = strlen(word);

    npy_text_peek(text);
    if (text->length - text->at < length || memcmp(text->text + text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

/* Takes a string; *string is what stands between its quotes, escapes as they are. `expected` is for
 * the problem's text. */
static bool npy_text_take_string(struct npy_text *text, const char **string, size_t *length,
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

/* Takes one size. Python 2's suffix L is accepted. */
static bool npy_text_take_size(struct npy_text *text, uint64_t *size)
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

/* Takes a tuple of sizes: *rank is their number, of which the first `most` are stored. */
static bool npy_text_take_shape(struct npy_text *text, uint32_t most, uint64_t *size,
                                uint32_t *rank)
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

/* ---- The dtype ---- */

/*
 * A dtype, of which only the size matters: a string, '<f4', or a list of fields,
 *
 *     field = "(" name "," dtype [ "," shape ] ")"
 *     name  = string | "(" title "," string ")"
 *
 * with dtypes nested as deep as NumPy does. Objects are refused, and names that NumPy does not
 * write.
 */
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

/* ---- The dictionary ---- */

static const char any_key[] = "the key 'descr', 'fortran_order' or 'shape'";

static bool take_descr(struct npy_text *text, struct array *array)
{
    struct dtype *dtype = &array->dtype;
    size_t start;

    npy_text_peek(text);
    start = text->at;
    if (!take_any(text, 0, dtype))
        return false;
    dtype->descr = text->text + start;
    dtype->length = text->at - start;
    return true;
}

static bool take_order(struct npy_text *text, struct array *array)
{
    array->is_fortran = npy_text_take_word(text, "True");
    return array->is_fortran || npy_text_take_word(text, "False") ||
           npy_text_damaged(text, "True or False");
}

static bool take_shape(struct npy_text *text, struct array *array)
{
    return npy_text_take_shape(text, ARRAY_MAX_RANK, array->size, &array->rank);
}

static const struct {
    const char *name;
    bool (*take)(struct npy_text *text, struct array *array);
} keys[] = {{"descr", take_descr}, {"fortran_order", take_order}, {"shape", take_shape}};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

/* One `key: value`; `seen` has a bit for every key that was there. */
static bool take_entry(struct npy_text *text, struct array *array, unsigned *seen)
{
    const char *name;
    size_t length;
    size_t start;

    npy_text_peek(text);
    start = text->at;
    if (!npy_text_take_string(text, &name, &length, any_key))
        return false;
    for (unsigned i = 0; i < KEY_COUNT; ++i) {
        if (strlen(keys[i].name) != length || memcmp(name, keys[i].name, length) != 0)
            continue;
        if (*seen & 1U << i)
            return problem_set(text->problem,
                               "%s: damaged .npy header: the key '%s' appears twice; save the file "
                               "again with numpy.save",
                               text->path, keys[i].name);
        *seen |= 1U << i;
        return npy_text_take(text, ':') ? keys[i].take(text, array) : npy_text_damaged(text, "':'");
    }
    text->at = start;
    return npy_text_damaged(text, any_key);
}

static bool take_all(struct npy_text *text, struct array *array)
{
    unsigned seen = 0;
    bool comma = true;

    if (!npy_text_take(text, '{'))
        return npy_text_damaged(text, "a dict");
    while (!npy_text_take(text, '}')) {
        if (!comma)
            return npy_text_damaged(text, "',' or '}'");
        if (!take_entry(text, array, &seen))
            return false;
        comma = npy_text_take(text, ',');
    }
    if (npy_text_peek(text) != -1)
        return npy_text_damaged(text, "the end of the header");
    for (unsigned i = 0; i < KEY_COUNT; ++i)
        if (!(seen & 1U << i))
            return problem_set(
                text->problem,
                "%s: damaged .npy header: the key '%s' is missing; save the file again "
                "with numpy.save",
                text->path, keys[i].name);
    return true;
}

bool npy_dict_parse(struct array *array, const char *header, size_t length, const char *path,
                    struct problem *problem)
{
    struct npy_text text = {.path = path, .text = header, .length = length, .problem = problem};

    return take_all(&text, array);
}
