/* SPDX-License-Identifier: MIT */
#include "cache/cache_location.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BYTES_DEFAULT (UINT64_C(256) << 20)
_Static_assert(CACHE_NO_LIMIT == UINT64_MAX, "as clslice_device_options.cache_bytes says it");

static void warn(struct cache_location *place, const char *variable, const char *value,
                 const char *what)
{
    struct text text = text_in(place->warning, sizeof place->warning);
    text_append(&text, "%s=\"%s\": %s", variable, value, what);
}

static bool set_folder(struct cache_location *place, const char *path, const char *below)
{
    struct text text = text_in(place->folder, sizeof place->folder);
    if (!path || path[0] != '/')
        return false;
    text_append(&text, "%s%s", path, below);
    place->on = text.length < sizeof place->folder;
    return place->on;
}

/* Not in the home of another user, who could then not use it: as root with that user's HOME,
 * say. */
static bool is_foreign(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_uid != geteuid();
}

static bool is_folder(const char *path)
{
    struct stat about;
    return path && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Never the folder for temporary files: that one belongs to everybody. A home that is not there is
 * not ours to make. */
static void use_default(struct cache_location *place, const struct environment *environment)
{
    const char *xdg = environment->xdg_cache;
    if (xdg && xdg[0] == '/') {
        if (!is_foreign(xdg))
            set_folder(place, xdg, "/clslice");
    } else if (is_folder(environment->home) && !is_foreign(environment->home)) {
        set_folder(place, environment->home, "/.cache/clslice");
    }
}

bool cache_location_parse(const char *text, uint32_t *mode, const char **path)
{
    static const struct {
        const char *word;
        uint32_t mode;
        bool takes_path;
    } words[] = {
        {"", CLSLICE_CACHE_DEFAULT, false},    {"off", CLSLICE_CACHE_OFF, false},
        {"0", CLSLICE_CACHE_OFF, false},       {"default", CLSLICE_CACHE_READ_WRITE, false},
        {"ro", CLSLICE_CACHE_READ_ONLY, true}, {"refresh", CLSLICE_CACHE_REFRESH, true},
    };
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i].word) != length || memcmp(words[i].word, text, length) != 0 ||
            (text[length] && !words[i].takes_path))
            continue;
        *mode = words[i].mode;
        *path = text[length] ? text + length + 1 : NULL;
        return !*path || **path == '/';
    }
    *mode = CLSLICE_CACHE_READ_WRITE;
    *path = text;
    return *text == '/';
}

bool cache_location_parse_bytes(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMG";
    char *end;
    const int before = errno;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    const bool fits = errno == 0;
    errno = before;
    const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    const bool has_digits = text[0] >= '0' && text[0] <= '9';
    const bool ends = *end == '\0' || (unit && end[1] == '\0');
    const bool is_none = strcmp(text, "none") == 0;
    *bytes = is_none ? CACHE_NO_LIMIT : (uint64_t)number << shift;
    return is_none || (has_digits && ends && fits && number <= UINT64_MAX >> shift);
}

/* `*mode` is the CLSLICE_CACHE_* mode that the variable asks for. */
static bool read_variable(struct cache_location *place, const struct environment *environment,
                          uint32_t *mode)
{
    const char *value = environment->cache ? environment->cache : "", *path;
    if (!cache_location_parse(value, mode, &path) || (path && !set_folder(place, path, ""))) {
        warn(place, "CLSLICE_CACHE", value,
             "expected off, ro, refresh, default or an absolute path; the cache is off");
        return false;
    }
    if (!path && *mode != CLSLICE_CACHE_OFF)
        use_default(place, environment);
    if (*mode > CLSLICE_CACHE_READ_WRITE)
        place->mode = *mode;
    return true;
}

/* 0 as in clslice_device_options: the default. */
static void read_size(struct cache_location *place, const char *value)
{
    if (!cache_location_parse_bytes(value, &place->max_bytes)) {
        warn(place, "CLSLICE_CACHE_MAX", value,
             "expected none or a number of bytes, which may end in K, M or G; using 256M");
        place->max_bytes = 0;
    }
    if (place->max_bytes == 0)
        place->max_bytes = MAX_BYTES_DEFAULT;
}

void cache_location_find(const clslice_device_options *options,
                         const struct environment *environment, struct cache_location *place)
{
    *place = (struct cache_location){.mode = CACHE_READ_WRITE, .max_bytes = MAX_BYTES_DEFAULT};
    if (options->cache_bytes)
        place->max_bytes = options->cache_bytes;
    else if (environment->cache_max)
        read_size(place, environment->cache_max);
    if (environment->is_setuid || options->cache_mode == CLSLICE_CACHE_OFF)
        return;
    const bool is_set = options->cache_path && options->cache_mode != CLSLICE_CACHE_DEFAULT;
    uint32_t mode = options->cache_mode;
    if (!is_set && !read_variable(place, environment, &mode))
        return;
    if (options->cache_mode != CLSLICE_CACHE_DEFAULT) {
        if (!place->on && !options->cache_path)
            use_default(place, environment);
        place->mode = options->cache_mode;
    } else if (mode == CLSLICE_CACHE_OFF) {
        return;
    }
    if (options->cache_path)
        set_folder(place, options->cache_path, "");
}
