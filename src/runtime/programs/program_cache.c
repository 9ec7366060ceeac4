/* SPDX-License-Identifier: MIT */
#include "runtime/programs/program_cache.h"

#include "base/host_cpu.h"

#include <stdlib.h>

/* `cpu` NULL: its code does not depend on this machine's processor. */
static void append_codegen(const clslice_device_options *options, const char *cpu,
                           struct text *text)
{
    if (cpu)
        text_append(text, "processor %s\n", cpu);
    if (!(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT))
        environment_append_codegen(text);
}

/* NULL: out of memory. */
static char *read_codegen(const clslice_device_options *options, const struct found_device *about)
{
    char digest[HASH_TEXT_SIZE], *cpu = NULL;
    struct text needed = text_in(NULL, 0);
    if (about->type & CL_DEVICE_TYPE_CPU) {
        struct hash hash = host_cpu();
        hash_text(&hash, cpu = digest);
    }
    append_codegen(options, cpu, &needed);
    char *whole = malloc((size_t)needed.length + 1);
    struct text text = text_in(whole, whole ? needed.length + 1 : 0);
    if (whole)
        append_codegen(options, cpu, &text);
    return whole;
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
