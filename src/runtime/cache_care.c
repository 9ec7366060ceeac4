/* SPDX-License-Identifier: MIT */
#include "runtime/cache_care.h"

#include "runtime/programs/program_key.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The cache that a device made with these options would have, the caller's to release; NULL: off.
 * Such a device makes do where a variable has no meaning; who asks for the cache is told. */
static int32_t open_cache(const clslice_device_options *options, struct cache_location *place,
                          struct cache **cache, clslice_error *error)
{
    struct environment environment;
    int32_t status = device_read_options(options, &environment, error);
    if (status != CLSLICE_S_OK)
        return status;
    cache_location_find(options, &environment, place);
    *cache = NULL;
    if (place->warning[0])
        return status_fail(error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_OPTION), "%s",
                           place->warning);
    *cache = place->on ? cache_create(place->folder, place->mode, place->max_bytes) : NULL;
    if (place->on && !*cache)
        return status_out_of_memory(error, "the cache");
    return CLSLICE_S_OK;
}

static int32_t folder_fail(const struct cache *cache, const char *reason, clslice_error *error)
{
    return status_fail(
        error, CLSLICE_E_FAIL, WHERE(.rule = CLSLICE_RULE_OPTION),
        "cannot use the cache folder %s: %s; make sure that you own it and that only you can "
        "write to it (chmod 700), that you can read it if it is root's and only read, or set "
        "CLSLICE_CACHE to another folder",
        cache_folder(cache), reason);
}

int32_t cache_info(const clslice_device_options *options, clslice_cache_info *info,
                   clslice_error *error)
{
    struct cache_location place;
    struct cache *cache;
    struct cache_stats stats;
    const char *reason;
    int32_t status = open_cache(options, &place, &cache, error);
    if (status != CLSLICE_S_OK)
        return status;
    if (!cache_count(cache, &stats, &reason))
        status = folder_fail(cache, reason, error);
    memset(info, 0, sizeof *info);
    info->size = sizeof *info;
    info->mode = place.on ? place.mode : CLSLICE_CACHE_OFF;
    info->max_bytes = place.max_bytes;
    info->entries = stats.entries;
    info->bytes = stats.bytes;
    info->oldest = (uint64_t)stats.oldest;
    if (place.on) /* as it is, so that it can be opened */
        memcpy(info->path, place.folder, strlen(place.folder) + 1);
    cache_release(cache);
    return status;
}

int32_t cache_entry_info(const clslice_device_options *options, uint32_t index,
                         clslice_cache_entry *entry, clslice_error *error)
{
    struct cache_location place;
    struct cache *cache;
    struct cache_entry found;
    int32_t status = open_cache(options, &place, &cache, error);
    if (status != CLSLICE_S_OK)
        return status;
    bool there = cache_entry_at(cache, index, &found);
    cache_release(cache);
    if (!there)
        return status_fail(error, CLSLICE_DXGI_ERROR_NOT_FOUND,
                           WHERE(.rule = CLSLICE_RULE_OPTION, .value = {index}),
                           "the cache has no entry %" PRIu32, index);
    memset(entry, 0, sizeof *entry);
    entry->size = sizeof *entry;
    entry->bytes = found.bytes;
    entry->last_used = (uint64_t)found.last_used;
    text_copy(entry->name, sizeof entry->name, found.name);
    struct text text = text_in(entry->text, sizeof entry->text);
    entry->is_whole = found.key.length > 0 && program_key_describe(&found.key, &text);
    text_escape(&text); /* options are a caller's */
    if (!entry->is_whole)
        text_copy(entry->text, sizeof entry->text,
                  found.reason[0] ? found.reason : "its key cannot be read");
    free(found.file);
    return CLSLICE_S_OK;
}

int32_t cache_clear_all(const clslice_device_options *options, uint64_t *removed,
                        clslice_error *error)
{
    struct cache_location place;
    struct cache *cache;
    uint64_t count = 0;
    const char *reason;
    int32_t status = open_cache(options, &place, &cache, error);
    if (status != CLSLICE_S_OK)
        return status;
    if (cache && !cache_writes(cache))
        status = status_fail(error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_OPTION),
                             "the cache %s is read-only here: set CLSLICE_CACHE to another mode",
                             cache_folder(cache));
    else if (!cache_clear(cache, &count, &reason))
        status = folder_fail(cache, reason, error);
    else if (removed)
        *removed = count;
    cache_release(cache);
    return status;
}
