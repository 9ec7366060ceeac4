/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy_dict.h"

#include <string.h>

#include "conformance/problem.h"

enum { EXCERPT = 32 }; /* characters of the header that an error shows */

/* What is being read, and how far. */
struct cursor {
    const char *path;
    const char *text;
    size_t length;
    size_t at;
    struct problem *problem;
};

static bool damaged(const struct cursor *c, const char *expected)
{
    size_t left = c->length - c->at;
    int shown = (int)(left < EXCERPT ? left : EXCERPT);

    return problem_set(c->problem,
                       "%s: damaged .npy header: %s expected at character %zu, found '%.*s'; "
                       "save the file again with numpy.save",
                       c->path, expected, c->at + 1, shown, c->text + c->at);
}

/* The next character that is not white space, still to be read; -1 at the end. */
static int peek(struct cursor *c)
{
    while (c->at < c->length && c->text[c->at] != '\0' && strchr(" \t\n\r\f", c->text[c->at]))
        c->at++;
    return c->at < c->length ? (unsigned char)c->text[c->at] : -1;
}

static bool take(struct cursor *c, char wanted)
{
    if (peek(c) != (unsigned char)wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(struct cursor *c, const char *word)
{
    size_t length = strlen(word);

    peek(c);
    if (c->length - c->at < length || memcmp(c->text + c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A quoted string without escapes: no key and no dtype needs one. */
static bool take_string(struct cursor *c, char *string, size_t string_size, const char *expected)
{
    int quote = peek(c);
    const char *start = c->text + c->at + 1;
    const char *end;
    size_t length;

    if (quote != '\'' && quote != '"')
        return damaged(c, expected);
    end = memchr(start, quote, c->length - c->at - 1);
    length = end ? (size_t)(end - start) : 0;
    if (!end || length >= string_size || memchr(start, '\\', length) || memchr(start, '\0', length))
        return damaged(c, expected);
    memcpy(string, start, length);
    string[length] = '\0';
    c->at += length + 2;
    return true;
}

static bool take_descr(struct cursor *c, struct npy_dict *dict)
{
    int next = peek(c);
    size_t left = c->length - c->at;

    if (next == '[' || next == '(')
        return problem_set(c->problem, "%s: dtype %.*s... is structured; save one field: x['name']",
                           c->path, (int)(left < EXCERPT ? left : EXCERPT), c->text + c->at);
    return take_string(c, dict->descr, sizeof dict->descr, "a dtype string");
}

static bool take_order(struct cursor *c, struct npy_dict *dict)
{
    dict->fortran = take_word(c, "True");
    return dict->fortran || take_word(c, "False") || damaged(c, "True or False");
}

/* Python 2's suffix L is accepted. */
static bool take_size(struct cursor *c, uint64_t *size)
{
    size_t start;

    if (peek(c) == '-')
        return damaged(c, "a size that is not negative");
    start = c->at;
    *size = 0;
    while (c->at < c->length && c->text[c->at] >= '0' && c->text[c->at] <= '9') {
        uint64_t digit = (uint64_t)(c->text[c->at] - '0');

        if (*size > (UINT64_MAX - digit) / 10) {
            c->at = start;
            return damaged(c, "a size of at most 4294967295");
        }
        *size = *size * 10 + digit;
        c->at++;
    }
    if (c->at == start)
        return damaged(c, "a size");
    if (c->at < c->length && c->text[c->at] == 'L')
        c->at++;
    return true;
}

static bool take_shape(struct cursor *c, struct npy_dict *dict)
{
    bool comma = true;

    if (!take(c, '('))
        return damaged(c, "a tuple of sizes");
    dict->rank = 0;
    while (!take(c, ')')) {
        uint64_t size = 0;

        if (!comma)
            return damaged(c, "',' or ')'");
        if (!take_size(c, &size))
            return false;
        if (dict->rank < ARRAY_MAX_RANK)
            dict->size[dict->rank] = size;
        dict->rank++;
        comma = take(c, ',');
    }
    if (dict->rank == 1 && !comma)
        return damaged(c, "a tuple, (n,) rather than (n),");
    return true;
}

static const struct {
    const char *name;
    bool (*take)(struct cursor *c, struct npy_dict *dict);
} keys[] = {{"descr", take_descr}, {"fortran_order", take_order}, {"shape", take_shape}};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

/* One `key: value`; `seen` has a bit for every key that was there. */
static bool take_entry(struct cursor *c, struct npy_dict *dict, unsigned *seen)
{
    char name[16];
    size_t start;

    peek(c);
    start = c->at;
    if (!take_string(c, name, sizeof name, "the key 'descr', 'fortran_order' or 'shape'"))
        return false;
    for (unsigned i = 0; i < KEY_COUNT; i++) {
        if (strcmp(name, keys[i].name) != 0)
            continue;
        if (*seen & 1U << i)
            return problem_set(
                c->problem,
                "%s: damaged .npy header: the key '%s' is there twice; save the file "
                "again with numpy.save",
                c->path, name);
        *seen |= 1U << i;
        return take(c, ':') ? keys[i].take(c, dict) : damaged(c, "':'");
    }
    c->at = start;
    return damaged(c, "the key 'descr', 'fortran_order' or 'shape'");
}

static bool take_all(struct cursor *c, struct npy_dict *dict)
{
    unsigned seen = 0;
    bool comma = true;

    if (!take(c, '{'))
        return damaged(c, "a dict");
    while (!take(c, '}')) {
        if (!comma)
            return damaged(c, "',' or '}'");
        if (!take_entry(c, dict, &seen))
            return false;
        comma = take(c, ',');
    }
    if (peek(c) != -1)
        return damaged(c, "the end of the header");
    for (unsigned i = 0; i < KEY_COUNT; i++)
        if (!(seen & 1U << i))
            return problem_set(
                c->problem,
                "%s: damaged .npy header: the key '%s' is missing; save the file again "
                "with numpy.save",
                c->path, keys[i].name);
    return true;
}

bool npy_dict_parse(struct npy_dict *dict, const char *text, size_t length, const char *path,
                    struct problem *problem)
{
    struct cursor c = {.path = path, .text = text, .length = length, .problem = problem};

    *dict = (struct npy_dict){0};
    return take_all(&c, dict);
}
