/* SPDX-License-Identifier: MIT */
/*
 * Bytes by key in a folder. Knows no OpenCL, takes no lock: entries are replaced by rename, readers
 * see the old one or the new one whole, the last writer wins. Whatever fails is a miss.
 *
 * A NULL cache is one that is off: every function takes it and does nothing.
 * Thread rule: any number of threads may use one cache at once.
 */
#ifndef CLSLICE_CACHE_CACHE_H
#define CLSLICE_CACHE_CACHE_H

#include "cache/entry.h"
#include "clslice/clslice.h"

#include <stdbool.h>

enum cache_mode {
    CACHE_READ_WRITE = CLSLICE_CACHE_READ_WRITE,
    CACHE_READ_ONLY = CLSLICE_CACHE_READ_ONLY,
    CACHE_REFRESH = CLSLICE_CACHE_REFRESH /* writes, never reads */
};

struct cache;

/* What a lookup found. */
struct cache_found {
    enum cache_outcome outcome;
    const char *reason;       /* why it is no hit; "" for a hit */
    unsigned char *owned;     /* release with cache_found_release */
    struct hash_part payload; /* points into it; on CACHE_HIT only */
};

struct cache_stats {
    uint64_t entries, bytes;
    int64_t oldest; /* seconds since 1970, of last use; 0 where there is no entry */
};

/* One entry, for people. */
struct cache_entry {
    char name[64];
    uint64_t bytes;
    int64_t last_used;
    unsigned char *file;  /* owned; the whole file, NULL where it cannot be read */
    struct hash_part key; /* points into it; empty where the entry is not whole */
    const char *reason;   /* why it is not whole */
};

#define CACHE_NO_LIMIT UINT64_MAX

/* A cache in this folder (absolute; copied), made when first written. `max_bytes` may be
 * CACHE_NO_LIMIT. NULL where memory is out. */
struct cache *cache_create(const char *folder, enum cache_mode mode, uint64_t max_bytes);
void cache_release(struct cache *cache);

const char *cache_folder(const struct cache *cache); /* NULL where off */
bool cache_writes(const struct cache *cache);

/* Looks the key up. An entry that is not whole is removed, where the cache may write. */
struct cache_found cache_get(struct cache *cache, const struct hash_part *key);
void cache_found_release(struct cache_found *found);

/* Whether the folder, which is made where it is missing, takes files now; false with the reason
 * where cache_put would fail whatever it was given. */
bool cache_can_put(struct cache *cache, const char **reason);

/* Writes an entry and then keeps the folder below its limit. False with the reason where it did not
 * get there; then nothing is left behind. */
bool cache_put(struct cache *cache, const struct hash_part *key, const struct hash_part *payload,
               const char **reason);

/* Removes the key's entry. */
void cache_drop(struct cache *cache, const struct hash_part *key);

/* Both look at entries alone, cache_clear at our own temporary files, too; a folder that is not
 * there is empty. False with the reason where the folder cannot be used, or a file cannot be
 * removed. */
bool cache_count(struct cache *cache, struct cache_stats *stats, const char **reason);
bool cache_clear(struct cache *cache, uint64_t *removed, const char **reason);

/* The index-th entry, the longest unused first; false where there is none. `entry->file` is the
 * caller's to free. */
bool cache_entry_at(struct cache *cache, uint64_t index, struct cache_entry *entry);

#endif
