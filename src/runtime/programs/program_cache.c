/* SPDX-License-Identifier: MIT */
#include "runtime/programs/program_cache.h"

#include "base/host_cpu.h"

#include <stdio.h>
#include <stdlib.h>

/* What changes the code that the driver generates; NULL: out of memory. */
static char *read_codegen(const clslice_device_options *options, const struct found_device *about)
{
    char *whole = NULL, digest[HASH_TEXT_SIZE];
    size_t size;
    FILE *lines = open_memstream(&whole, &size);
    if (!lines)
        return NULL;
    if (about->type & CL_DEVICE_TYPE_CPU) {
        struct hash cpu = host_cpu();
        hash_text(&cpu, digest);
        fprintf(lines, "processor %s\n", digest);
    }
    if (!(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT))
        environment_write_codegen(lines);
    bool is_whole = !ferror(lines);
    if (fclose(lines) == 0 && is_whole)
        return whole;
    free(whole);
    return NULL;
}

void program_cache_open(struct program_cache *cache, const clslice_device_options *options,
                        const struct environment *environment, const struct found_device *about,
                        bool shared, const struct log *log)
{
    struct cache_location place;
    cache_location_find(options, environment, &place);
    if (place.warning[0])
        log_append(log, LOG_CACHE | LOG_DEVICE, CLSLICE_LOG_WARNING, "%s", place.warning);
    /* In a shared context, a program has a binary for each device, and all but ours unbuilt.
     * Without its whole identity, a device could be taken for another. */
    if (place.on && !shared && about->is_identified)
        cache->codegen = read_codegen(options, about);
    if (cache->codegen)
        cache->files = cache_create(place.folder, place.mode, place.max_bytes);
    log_append(log, LOG_CACHE, CLSLICE_LOG_INFO, "cache: %s",
               cache->files ? cache_folder(cache->files) : "off");
}

void program_cache_release(struct program_cache *cache)
{
    cache_release(cache->files);
    free(cache->codegen);
}

void program_cache_count(const struct program_cache *cache, clslice_cache_counters *counters)
{
    *counters = (clslice_cache_counters){.size = sizeof *counters,
                                         .is_on = cache->files != NULL,
                                         .hits = atomic_load(&cache->counters.hits),
                                         .misses = atomic_load(&cache->counters.misses),
                                         .stale = atomic_load(&cache->counters.stale),
                                         .corrupt = atomic_load(&cache->counters.corrupt),
                                         .untrusted = atomic_load(&cache->counters.untrusted),
                                         .refused = atomic_load(&cache->counters.refused),
                                         .saved = atomic_load(&cache->counters.saved),
                                         .unsaved = atomic_load(&cache->counters.unsaved)};
}
