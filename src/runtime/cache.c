/* SPDX-License-Identifier: MIT */
#include "runtime/cache.h"

#include <dirent.h>
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
    TEMPORARY_SIZE = 64,
    TEMPORARY_AGE_MAX = 3600, /* seconds after which its writer is taken for dead */
    EVICT_TO_PERCENT = 80
};

struct cache {
    char *folder; /* owned */
    enum cache_mode mode;
    uint64_t max_bytes;
};

struct cache *cache_create(const char *folder, enum cache_mode mode, uint64_t max_bytes)
{
    struct cache *cache = malloc(sizeof *cache);
    char *copy = strdup(folder);
    if (!cache || !copy) {
        free(cache);
        free(copy);
        return NULL;
    }
    *cache = (struct cache){copy, mode, max_bytes};
    return cache;
}

void cache_release(struct cache *cache)
{
    if (!cache)
        return;
    free(cache->folder);
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

/* ---- Trust ---- */

/* Ours, or root's who may have filled an image; nobody else may write. */
static bool is_trusted(const struct stat *about)
{
    return (about->st_uid == geteuid() || about->st_uid == 0) &&
           (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Makes the folder and those above it, each for the user alone. */
static bool make_folder(const char *path)
{
    char *copy = strdup(path);
    bool made = copy != NULL;
    for (char *slash = copy; made && slash; ) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = '\0';
        made = mkdir(copy, 0700) == 0 || errno == EEXIST;
        /* A folder that exists may refuse mkdir for other reasons first. */
        struct stat about;
        made = made || (stat(copy, &about) == 0 && S_ISDIR(about.st_mode));
        if (slash)
            *slash = '/';
    }
    free(copy);
    return made;
}

/* The folder's descriptor, judged as it is and not by its name; -1 with the reason. */
static int open_folder(const struct cache *cache, bool to_write, const char **reason)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat about;
    int folder = open(cache->folder, flags);
    if (folder < 0 && errno == ENOENT && to_write && make_folder(cache->folder))
        folder = open(cache->folder, flags);
    if (folder < 0) {
        *reason = errno == ENOENT ? "no folder" : strerror(errno);
        return -1;
    }
    if (fstat(folder, &about) == 0 && is_trusted(&about) &&
        (!to_write || about.st_uid == geteuid()))
        return folder;
    close(folder);
    *reason = "the folder is not ours, or others may write to it";
    errno = EPERM;
    return -1;
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
    else if (!S_ISREG(about->st_mode) || !is_trusted(about) || about->st_nlink != 1)
        found_as(found, CACHE_UNTRUSTED, "the entry is not a plain file of ours");
    else if ((uint64_t)about->st_size < ENTRY_HEADER_BYTES ||
             (uint64_t)about->st_size > ENTRY_BYTES_MAX)
        found_as(found, CACHE_CORRUPT, "its size is no entry's");
    else if (!(found->owned = malloc((size_t)about->st_size)))
        found_as(found, CACHE_MISS, "out of memory");
    else if (!read_whole(file, found->owned, (size_t)about->st_size))
        found_as(found, CACHE_MISS, "it cannot be read");
    else
        found_as(found, CACHE_HIT, "");
    close(file);
}

/* Removes a file if it is still the one that was looked at. */
static bool remove_same(int folder, const char *name, const struct stat *seen)
{
    struct stat now;
    return fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == seen->st_ino &&
           now.st_dev == seen->st_dev && now.st_size == seen->st_size &&
           now.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == seen->st_mtim.tv_nsec && unlinkat(folder, name, 0) == 0;
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
    int folder = open_folder(cache, false, &found.reason);
    if (folder < 0) {
        found.outcome = errno == EPERM || errno == ELOOP || errno == ENOTDIR ? CACHE_UNTRUSTED
                                                                             : CACHE_MISS;
        return found;
    }
    name_of(key, name);
    read_entry(folder, name, &found, &about);
    if (found.outcome == CACHE_HIT) {
        enum entry_state state = entry_parse(found.owned, (uint64_t)about.st_size, key,
                                             &found.payload, &found.reason);
        found.outcome = state == ENTRY_WHOLE   ? CACHE_HIT
                        : state == ENTRY_STALE ? CACHE_STALE
                                               : CACHE_CORRUPT;
    }
    if (cache->mode == CACHE_READ_WRITE && found.outcome == CACHE_HIT)
        utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW); /* last used now, also under noatime */
    if (cache->mode == CACHE_READ_WRITE &&
        (found.outcome == CACHE_STALE || found.outcome == CACHE_CORRUPT))
        remove_same(folder, name, &about);
    close(folder);
    return found;
}

void cache_found_release(struct cache_found *found)
{
    free(found->owned);
    *found = (struct cache_found){.outcome = CACHE_OFF, .reason = "off"};
}

/* ---- Listing ---- */

struct listed {
    char name[TEMPORARY_SIZE];
    struct stat about;
};

struct listing {
    struct listed *file; /* owned */
    size_t count, room;
    uint64_t bytes;
};

static bool is_entry_name(const char *name)
{
    return strlen(name) == NAME_SIZE - 2 && strspn(name, "0123456789abcdef") == HASH_TEXT_SIZE - 1 &&
           strcmp(name + HASH_TEXT_SIZE - 1, SUFFIX) == 0;
}

static bool is_temporary_name(const char *name)
{
    return strncmp(name, TEMPORARY, strlen(TEMPORARY)) == 0 && strlen(name) < TEMPORARY_SIZE;
}

/* Takes plain files of ours whose names are ours; others are not touched. */
static bool list(int folder, bool (*wanted)(const char *), struct listing *listing)
{
    *listing = (struct listing){0};
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = again < 0 ? NULL : fdopendir(again);
    if (!stream) {
        if (again >= 0)
            close(again);
        return false;
    }
    for (struct dirent *item; (item = readdir(stream));) {
        struct stat about;
        if (!wanted(item->d_name) ||
            fstatat(folder, item->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode) || about.st_uid != geteuid())
            continue;
        if (listing->count == listing->room) {
            size_t room = listing->room ? 2 * listing->room : 64;
            struct listed *grown = realloc(listing->file, room * sizeof *grown);
            if (!grown)
                break;
            listing->file = grown;
            listing->room = room;
        }
        struct listed *file = &listing->file[listing->count++];
        snprintf(file->name, sizeof file->name, "%.*s", TEMPORARY_SIZE - 1, item->d_name);
        file->about = about;
        listing->bytes += (uint64_t)about.st_size;
    }
    closedir(stream);
    return true;
}

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct listed *)a)->about.st_mtim;
    const struct timespec *y = &((const struct listed *)b)->about.st_mtim;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void sweep(int folder)
{
    struct listing listing;
    if (!list(folder, is_temporary_name, &listing))
        return;
    time_t now = time(NULL);
    for (size_t i = 0; i < listing.count; ++i)
        if (now - listing.file[i].about.st_mtim.tv_sec > TEMPORARY_AGE_MAX)
            remove_same(folder, listing.file[i].name, &listing.file[i].about);
    free(listing.file);
}

static void evict(int folder, uint64_t max_bytes)
{
    struct listing listing;
    if (max_bytes == 0 || !list(folder, is_entry_name, &listing))
        return;
    if (listing.bytes > max_bytes) {
        uint64_t wanted = max_bytes / 100 * EVICT_TO_PERCENT;
        qsort(listing.file, listing.count, sizeof *listing.file, by_age);
        /* The newest stays whatever the limit: it was just written. */
        for (size_t i = 0; i + 1 < listing.count && listing.bytes > wanted; ++i)
            if (remove_same(folder, listing.file[i].name, &listing.file[i].about))
                listing.bytes -= (uint64_t)listing.file[i].about.st_size;
    }
    free(listing.file);
}

/* ---- Writing ---- */

static bool write_whole(int file, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        ssize_t put = write(file, from, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            errno = put == 0 ? ENOSPC : errno;
            return false;
        }
        from += put;
        size -= (size_t)put;
    }
    return true;
}

/* Fills a new file; it is removed again where that fails. */
static bool write_temporary(int folder, const char *name, const struct hash_part *parts, size_t count)
{
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool done = true;
    for (size_t i = 0; done && i < count; ++i)
        done = write_whole(file, parts[i].bytes, parts[i].length);
    done = done && fdatasync(file) == 0;
    int kept = errno;
    if (close(file) != 0 && done) {
        kept = errno;
        done = false;
    }
    if (!done)
        unlinkat(folder, name, 0);
    errno = kept;
    return done;
}

bool cache_put(struct cache *cache, const struct hash_part *key, const struct hash_part *payload,
               const char **reason)
{
    char name[NAME_SIZE], temporary[TEMPORARY_SIZE];
    unsigned char header[ENTRY_HEADER_BYTES];
    uint64_t random = 0;
    *reason = "the cache is off or read-only";
    if (!cache_writes(cache))
        return false;
    *reason = "the program is too large";
    if (payload->length == 0 || payload->length > ENTRY_BYTES_MAX - ENTRY_HEADER_BYTES ||
        key->length > ENTRY_BYTES_MAX - ENTRY_HEADER_BYTES - payload->length)
        return false;
    int folder = open_folder(cache, true, reason);
    if (folder < 0)
        return false;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint64_t)time(NULL); /* O_EXCL keeps two from writing one file */
    snprintf(temporary, sizeof temporary, TEMPORARY "%ld-%016" PRIx64, (long)getpid(), random);
    name_of(key, name);
    entry_header(header, key, payload);
    const struct hash_part parts[] = {{header, sizeof header}, *key, *payload};
    bool done = write_temporary(folder, temporary, parts, 3);
    if (done && renameat(folder, temporary, folder, name) != 0) {
        int kept = errno;
        unlinkat(folder, temporary, 0);
        errno = kept;
        done = false;
    }
    *reason = done ? "" : strerror(errno);
    sweep(folder);
    evict(folder, cache->max_bytes);
    close(folder);
    return done;
}

void cache_drop(struct cache *cache, const struct hash_part *key)
{
    const char *reason;
    char name[NAME_SIZE];
    int folder = cache_writes(cache) ? open_folder(cache, true, &reason) : -1;
    if (folder < 0)
        return;
    name_of(key, name);
    unlinkat(folder, name, 0);
    close(folder);
}

/* ---- Care ---- */

bool cache_count(struct cache *cache, struct cache_stats *stats)
{
    const char *reason;
    struct listing listing;
    *stats = (struct cache_stats){0};
    int folder = cache ? open_folder(cache, false, &reason) : -1;
    if (folder < 0)
        return !cache || errno == ENOENT;
    bool listed = list(folder, is_entry_name, &listing);
    close(folder);
    if (!listed)
        return false;
    stats->entries = listing.count;
    stats->bytes = listing.bytes;
    for (size_t i = 0; i < listing.count; ++i)
        if (stats->oldest == 0 || listing.file[i].about.st_mtim.tv_sec < stats->oldest)
            stats->oldest = listing.file[i].about.st_mtim.tv_sec;
    free(listing.file);
    return true;
}

bool cache_clear(struct cache *cache, uint64_t *removed)
{
    const char *reason;
    bool (*const kinds[])(const char *) = {is_entry_name, is_temporary_name};
    *removed = 0;
    int folder = cache ? open_folder(cache, false, &reason) : -1;
    if (folder < 0)
        return !cache || errno == ENOENT;
    bool listed = true;
    for (int kind = 0; kind < 2; ++kind) {
        struct listing listing;
        listed = list(folder, kinds[kind], &listing) && listed;
        for (size_t i = 0; i < listing.count; ++i)
            *removed += remove_same(folder, listing.file[i].name, &listing.file[i].about) && kind == 0;
        free(listing.file);
    }
    close(folder);
    return listed;
}

bool cache_entry_at(struct cache *cache, uint64_t index, struct cache_entry *entry)
{
    const char *reason;
    struct listing listing = {0};
    struct stat about;
    *entry = (struct cache_entry){.reason = ""};
    int folder = cache ? open_folder(cache, false, &reason) : -1;
    bool there = folder >= 0 && list(folder, is_entry_name, &listing) && index < listing.count;
    if (there) {
        qsort(listing.file, listing.count, sizeof *listing.file, by_age);
        const struct listed *file = &listing.file[index];
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
    free(listing.file);
    if (folder >= 0)
        close(folder);
    return there;
}
