/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy_dict.h"

#include "cli/formats/array.h"
#include "cli/formats/npy_descr.h"
#include "cli/formats/npy_text.h"
#include "conformance/problem.h"

#include <string.h>

static const char any_key[] = "the key 'descr', 'fortran_order' or 'shape'";

static bool take_descr(struct npy_text *text, struct array *array)
{
    return npy_descr_take(text, &array->dtype);
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
