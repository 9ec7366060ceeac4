/* SPDX-License-Identifier: MIT */
#include "cache/cache.h"

#include "cache/private_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".clb"
#define TEMPORARY ".clslice-"

enum {
    NAME_SIZE = HASH_TEXT_SIZE + sizeof SUFFIX,
    TEMPORARY_AGE_MAX = 3600, /* seconds after which its writer is taken for dead */
    EVICT_TO_PERCENT = 80
};

struct cache {
    enum cache_mode mode;
    uint64_t max_bytes;
    char folder[];
};

/* Behind a slash the system follows a symbolic link whatever it was told. */
static void drop_trailing(char *path)
{
    size_t length = strlen(path);
    for (;;) {
        if (length > 1 && path[length - 1] == '/')
            --length;
        else if (length > 2 && path[length - 1] == '.' && path[length - 2] == '/')
            length -= 2;
        else
            break;
    }
    path[length] = '\0';
}

struct cache *cache_create(const char *folder, enum cache_mode mode, uint64_t max_bytes)
{
    size_t size = strlen(folder) + 1;
    struct cache *cache = malloc(sizeof *cache + size);
    if (!cache)
        return NULL;
    *cache = (struct cache){mode, max_bytes};
    memcpy(cache->folder, folder, size);
    drop_trailing(cache->folder);
    return cache;
}

void cache_release(struct cache *cache)
{
    free(cache);
}

const char *cache_folder(const struct cache *cache)
{
    return cache ? cache->folder : NULL;
}

bool cache_writes(const struct cache *cache)
{
    return cache && cache->mode != CACHE_READ_ONLY;
}

/* ---- Reading ---- */

static void name_of(const struct hash_part *key, char name[NAME_SIZE])
{
    struct hash digest = hash_of(key, 1);
    hash_text(&digest, name);
    strcat(name, SUFFIX);
}

static bool read_whole(int file, unsigned char *to, size_t size)
{
    while (size > 0) {
        ssize_t got = read(file, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

static void found_as(struct cache_found *found, enum cache_outcome outcome, const char *reason)
{
    found->outcome = outcome;
    found->reason = reason;
}

/* The entry's bytes, where it can be trusted. */
static void read_entry(int folder, const char *name, struct cache_found *found, struct stat *about)
{
    /* Without O_NONBLOCK, a fifo planted here would hold us. */
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        found_as(found, errno == ELOOP ? CACHE_UNTRUSTED : CACHE_MISS,
                 errno == ENOENT ? "no entry" : strerror(errno));
        return;
    }
    if (fstat(file, about) != 0)
        found_as(found, CACHE_MISS, strerror(errno));
    else if (!S_ISREG(about->st_mode) || !private_dir_trusts(about) || about->st_nlink > 1)
        found_as(found, CACHE_UNTRUSTED,
                 "the entry is not a regular file that only this user can write to");
    else if ((uint64_t)about->st_size < ENTRY_HEADER_BYTES ||
             (uint64_t)about->st_size > ENTRY_BYTES_MAX)
        found_as(found, CACHE_CORRUPT, "its size is not that of an entry");
    else if (!(found->owned = malloc((size_t)about->st_size)))
        found_as(found, CACHE_MISS, "out of memory");
    else if (!read_whole(file, found->owned, (size_t)about->st_size))
        found_as(found, CACHE_MISS, "it cannot be read");
    else
        found_as(found, CACHE_HIT, "");
    close(file);
}

struct cache_found cache_get(struct cache *cache, const struct hash_part *key)
{
    struct cache_found found = {.outcome = CACHE_OFF, .reason = "off"};
    char name[NAME_SIZE];
    struct stat about;
    if (!cache)
        return found;
    if (cache->mode == CACHE_REFRESH) {
        found_as(&found, CACHE_MISS, "refreshing");
        return found;
    }
    int folder;
    enum private_dir_state opened = private_dir_open(cache->folder, false, &folder, &found.reason);
    if (opened != PRIVATE_DIR_OPEN) {
        found.outcome = opened == PRIVATE_DIR_UNTRUSTED ? CACHE_UNTRUSTED : CACHE_MISS;
        return found;
    }
    name_of(key, name);
    read_entry(folder, name, &found, &about);
    if (found.outcome == CACHE_HIT)
        found.outcome =
            entry_parse(found.owned, (uint64_t)about.st_size, key, &found.payload, &found.reason);
    if (cache->mode == CACHE_READ_WRITE && found.outcome == CACHE_HIT)
        utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW); /* last used now, also under noatime */
    if (cache->mode == CACHE_READ_WRITE &&
        (found.outcome == CACHE_STALE || found.outcome == CACHE_CORRUPT))
        private_dir_remove(folder, name, &about);
    close(folder);
    return found;
}

void cache_found_release(struct cache_found *found)
{
    free(found->owned);
    *found = (struct cache_found){.outcome = CACHE_OFF, .reason = "off"};
}

/* ---- Listing ---- */

static bool is_entry_name(const char *name)
{
    return strlen(name) == NAME_SIZE - 2 &&
           strspn(name, "0123456789abcdef") == HASH_TEXT_SIZE - 1 &&
           strcmp(name + HASH_TEXT_SIZE - 1, SUFFIX) == 0;
}

/* As cache_put makes them, to the last character: others use names that begin so. */
static bool is_temporary_name(const char *name)
{
    enum { RANDOM_DIGITS = 16 };
    if (strncmp(name, TEMPORARY, strlen(TEMPORARY)) != 0 || strlen(name) >= PRIVATE_DIR_NAME_SIZE)
        return false;
    name += strlen(TEMPORARY);
    size_t process = strspn(name, "0123456789");
    return process > 0 && name[process] == '-' &&
           strspn(name + process + 1, "0123456789abcdef") == RANDOM_DIGITS &&
           name[process + 1 + RANDOM_DIGITS] == '\0';
}

static void sweep(int folder)
{
    struct private_dir_list list;
    if (!private_dir_list(folder, is_temporary_name, &list))
        return;
    time_t now = time(NULL);
    for (size_t i = 0; i < list.count; ++i)
        if (llabs((long long)now - list.file[i].about.st_mtim.tv_sec) > TEMPORARY_AGE_MAX)
            private_dir_remove(folder, list.file[i].name, &list.file[i].about);
    free(list.file);
}

static void evict(int folder, uint64_t max_bytes, const char *written)
{
    struct private_dir_list list;
    if (max_bytes == CACHE_NO_LIMIT || !private_dir_list(folder, is_entry_name, &list))
        return;
    if (list.bytes > max_bytes) {
        uint64_t wanted = max_bytes / 100 * EVICT_TO_PERCENT;
        /* What was just written stays whatever the limit. Others are newer where the clock has been
         * set back. */
        for (size_t i = 0; i < list.count && list.bytes > wanted; ++i)
            if (strcmp(list.file[i].name, written) != 0 &&
                private_dir_remove(folder, list.file[i].name, &list.file[i].about) !=
                    PRIVATE_DIR_KEPT)
                list.bytes -= (uint64_t)list.file[i].about.st_size;
    }
    free(list.file);
}

/* ---- Writing ---- */

bool cache_can_put(struct cache *cache, const char **reason)
{
    int folder;
    *reason = "the cache is off or read-only";
    if (!cache_writes(cache) ||
        private_dir_open(cache->folder, true, &folder, reason) != PRIVATE_DIR_OPEN)
        return false;
    bool can = faccessat(folder, ".", W_OK | X_OK, 0) == 0;
    *reason = can ? "" : strerror(errno);
    close(folder);
    return can;
}

bool cache_put(struct cache *cache, const struct hash_part *key, const struct hash_part *payload,
               const char **reason)
{
    char name[NAME_SIZE], temporary[PRIVATE_DIR_NAME_SIZE];
    unsigned char header[ENTRY_HEADER_BYTES];
    uint64_t random = 0;
    *reason = "the cache is off or read-only";
    if (!cache_writes(cache))
        return false;
    *reason = "the program is too large";
    if (payload->length == 0 || payload->length > ENTRY_BYTES_MAX - ENTRY_HEADER_BYTES ||
        key->length > ENTRY_BYTES_MAX - ENTRY_HEADER_BYTES - payload->length)
        return false;
    int folder;
    if (private_dir_open(cache->folder, true, &folder, reason) != PRIVATE_DIR_OPEN)
        return false;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint64_t)time(NULL); /* O_EXCL keeps two from writing one file */
    snprintf(temporary, sizeof temporary, TEMPORARY "%ld-%016" PRIx64, (long)getpid(), random);
    name_of(key, name);
    entry_header(header, key, payload);
    const struct hash_part parts[] = {{header, sizeof header}, *key, *payload};
    bool done = private_dir_write(folder, temporary, parts, 3);
    if (done && renameat(folder, temporary, folder, name) != 0) {
        int kept = errno;
        unlinkat(folder, temporary, 0);
        errno = kept;
        done = false;
    }
    *reason = done ? "" : strerror(errno);
    sweep(folder);
    if (done)
        evict(folder, cache->max_bytes, name);
    close(folder);
    return done;
}

void cache_drop(struct cache *cache, const struct hash_part *key)
{
    const char *reason;
    char name[NAME_SIZE];
    int folder;
    if (!cache_writes(cache) ||
        private_dir_open(cache->folder, true, &folder, &reason) != PRIVATE_DIR_OPEN)
        return;
    name_of(key, name);
    unlinkat(folder, name, 0);
    close(folder);
}

/* ---- Care ---- */

bool cache_count(struct cache *cache, struct cache_stats *stats, const char **reason)
{
    struct private_dir_list list;
    *stats = (struct cache_stats){0};
    int folder;
    if (!cache)
        return true;
    enum private_dir_state opened = private_dir_open(cache->folder, false, &folder, reason);
    if (opened != PRIVATE_DIR_OPEN)
        return opened == PRIVATE_DIR_MISSING;
    bool listed = private_dir_list(folder, is_entry_name, &list);
    *reason = strerror(errno);
    close(folder);
    if (!listed)
        return false;
    stats->entries = list.count;
    stats->bytes = list.bytes;
    stats->oldest = list.count > 0 ? list.file[0].about.st_mtim.tv_sec : 0;
    free(list.file);
    return true;
}

/* Removes the files of one kind; false where one stays that has not changed meanwhile. */
static bool clear_kind(int folder, bool (*is_kind)(const char *), uint64_t *removed)
{
    struct private_dir_list list;
    bool cleared = private_dir_list(folder, is_kind, &list);
    *removed = 0;
    for (size_t i = 0; cleared && i < list.count; ++i) {
        enum private_dir_removal removal =
            private_dir_remove(folder, list.file[i].name, &list.file[i].about);
        *removed += removal == PRIVATE_DIR_REMOVED;
        cleared = removal != PRIVATE_DIR_KEPT || errno == 0;
    }
    free(list.file);
    return cleared;
}

bool cache_clear(struct cache *cache, uint64_t *removed, const char **reason)
{
    uint64_t temporaries;
    int folder;
    *removed = 0;
    if (!cache)
        return true;
    enum private_dir_state opened = private_dir_open(cache->folder, false, &folder, reason);
    if (opened != PRIVATE_DIR_OPEN)
        return opened == PRIVATE_DIR_MISSING;
    bool cleared = clear_kind(folder, is_entry_name, removed) &&
                   clear_kind(folder, is_temporary_name, &temporaries);
    *reason = strerror(errno);
    close(folder);
    return cleared;
}

bool cache_entry_at(struct cache *cache, uint64_t index, struct cache_entry *entry)
{
    const char *reason;
    struct private_dir_list list = {0};
    struct stat about;
    int folder = -1;
    *entry = (struct cache_entry){.reason = ""};
    bool there = cache &&
                 private_dir_open(cache->folder, false, &folder, &reason) == PRIVATE_DIR_OPEN &&
                 private_dir_list(folder, is_entry_name, &list) && index < list.count;
    if (there) {
        const struct private_dir_file *file = &list.file[index];
        struct cache_found found = {.reason = ""};
        snprintf(entry->name, sizeof entry->name, "%s", file->name);
        entry->bytes = (uint64_t)file->about.st_size;
        entry->last_used = file->about.st_mtim.tv_sec;
        read_entry(folder, file->name, &found, &about);
        entry->file = found.owned;
        entry->reason = found.reason;
        if (found.outcome == CACHE_HIT)
            entry_key(found.owned, (uint64_t)about.st_size, &entry->key, &entry->reason);
    }
    free(list.file);
    if (folder >= 0)
        close(folder);
    return there;
}
