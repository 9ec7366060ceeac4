/* SPDX-License-Identifier: MIT */
#include "location_rig.h"

#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

void clear_environment(void)
{
    static const char *const names[] = {"CLSLICE_CACHE", "CLSLICE_CACHE_MAX", "XDG_CACHE_HOME",
                                        "HOME", "TMPDIR"};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        ck_assert_int_eq(unsetenv(names[i]), 0);
}

struct cache_location find_with(const clslice_device_options *options)
{
    struct cache_location place;
    struct environment environment =
        environment_read(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT);
    cache_location_find(options, &environment, &place);
    return place;
}

struct cache_location find(void)
{
    return find_with(&(const clslice_device_options){.size = sizeof(clslice_device_options)});
}

void set(const char *name, const char *value)
{
    if (value)
        ck_assert_int_eq(setenv(name, value, 1), 0);
}

const char *expand(const char *text, const struct path *own, struct path *expanded)
{
    if (!text || text[0] != '@')
        return text;
    ck_assert_uint_lt(strlen(own->text) + strlen(text), sizeof expanded->text);
    *expanded = *own;
    strcat(expanded->text, text + 1);
    return expanded->text;
}

void set_in(const char *name, const char *value, const struct path *own)
{
    struct path expanded;
    set(name, expand(value, own, &expanded));
}
