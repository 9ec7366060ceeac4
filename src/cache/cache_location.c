/* SPDX-License-Identifier: MIT */
#include "cache/cache_location.h"

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

/* "ro" or "ro=PATH" for the word "ro"; `path` is then behind the '=', or NULL. */
static bool is_word(const char *value, const char *word, const char **path)
{
    size_t length = strlen(word);
    if (strncmp(value, word, length) != 0 || (value[length] != '\0' && value[length] != '='))
        return false;
    *path = value[length] == '=' ? value + length + 1 : NULL;
    return true;
}

static bool is_off(const char *value)
{
    return value && (strcmp(value, "off") == 0 || strcmp(value, "0") == 0);
}

static void read_variable(struct cache_location *place, const struct environment *environment)
{
    const char *value = environment->cache, *path = NULL;
    if (!value || strcmp(value, "default") == 0) {
        use_default(place, environment);
        return;
    }
    if (is_off(value))
        return;
    if (is_word(value, "ro", &path))
        place->mode = CACHE_READ_ONLY;
    else if (is_word(value, "refresh", &path))
        place->mode = CACHE_REFRESH;
    else
        path = value;
    if (!path)
        use_default(place, environment);
    else if (!set_folder(place, path, ""))
        warn(place, "CLSLICE_CACHE", value,
             "expected off, ro, refresh, default or an absolute path; the cache is off");
}

/* "256M" and the like, or "none"; 0 as in clslice_device_options: the default. */
static uint64_t read_size(struct cache_location *place, const char *value)
{
    static const char units[] = "KMG";
    if (strcmp(value, "none") == 0)
        return CACHE_NO_LIMIT;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    bool digits = value[0] >= '0' && value[0] <= '9';
    if (digits && errno == 0 && (*end == '\0' || (unit && end[1] == '\0')) &&
        number <= UINT64_MAX >> shift)
        return number > 0 ? (uint64_t)number << shift : MAX_BYTES_DEFAULT;
    warn(place, "CLSLICE_CACHE_MAX", value,
         "expected none or a number of bytes, which may end in K, M or G; using 256M");
    return MAX_BYTES_DEFAULT;
}

void cache_location_find(const clslice_device_options *options,
                         const struct environment *environment, struct cache_location *place)
{
    *place = (struct cache_location){.max_bytes = MAX_BYTES_DEFAULT};
    if (environment->cache_max)
        place->max_bytes = read_size(place, environment->cache_max);
    if (options->cache_bytes)
        place->max_bytes = options->cache_bytes;
    if (environment->is_setuid || options->cache_mode == CLSLICE_CACHE_OFF)
        return;
    read_variable(place, environment);
    if (options->cache_mode != CLSLICE_CACHE_DEFAULT) {
        if (!place->on && !options->cache_path)
            use_default(place, environment);
        place->mode = options->cache_mode == CLSLICE_CACHE_READ_ONLY ? CACHE_READ_ONLY
                      : options->cache_mode == CLSLICE_CACHE_REFRESH ? CACHE_REFRESH
                                                                     : CACHE_READ_WRITE;
    } else if (!place->on && is_off(environment->cache)) {
        return;
    }
    if (options->cache_path)
        set_folder(place, options->cache_path, "");
}
