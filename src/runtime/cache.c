/* SPDX-License-Identifier: MIT */
#include "runtime/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
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
    path[length > 0 ? length : 1] = '\0';
}

struct cache *cache_create(const char *folder, enum cache_mode mode, uint64_t max_bytes)
{
    struct cache *cache = malloc(sizeof *cache);
    char *copy = strdup(folder);
    if (!cache || !copy) {
        free(cache);
        free(copy);
        return NULL;
    }
    drop_trailing(copy);
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
    for (char *slash = copy; made && slash;) {
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

/* What became of opening the folder. */
enum folder_state { FOLDER_OPEN, FOLDER_MISSING, FOLDER_FAILED, FOLDER_UNTRUSTED };

/* Opens the folder and judges it as it is, not by its name. `*folder` is -1 unless it is open; errno and
 * the reason then say why. */
static enum folder_state open_folder(const struct cache *cache, bool to_write, int *folder,
                                     const char **reason)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat about;
    *folder = open(cache->folder, flags);
    if (*folder < 0 && errno == ENOENT && to_write && make_folder(cache->folder))
        *folder = open(cache->folder, flags);
    if (*folder < 0) {
        *reason = errno == ENOENT ? "no folder" : strerror(errno);
        return errno == ENOENT                      ? FOLDER_MISSING
               : errno == ELOOP || errno == ENOTDIR ? FOLDER_UNTRUSTED
                                                    : FOLDER_FAILED;
    }
    bool judged = fstat(*folder, &about) == 0;
    if (judged && is_trusted(&about) && (!to_write || about.st_uid == geteuid()))
        return FOLDER_OPEN;
    int kept = judged ? EPERM : errno;
    *reason = judged ? "the folder is not ours, or others may write to it" : strerror(errno);
    close(*folder);
    *folder = -1;
    errno = kept;
    return judged ? FOLDER_UNTRUSTED : FOLDER_FAILED;
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
    else if (!S_ISREG(about->st_mode) || !is_trusted(about) || about->st_nlink > 1)
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

enum removal { REMOVED, GONE, KEPT };

/* Removes a file if it is still the one that was looked at. GONE: somebody else removed it. KEPT: it
 * changed, and errno is 0, or errno says why. */
static enum removal remove_same(int folder, const char *name, const struct stat *seen)
{
    struct stat now;
    if (fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? GONE : KEPT;
    if (now.st_ino != seen->st_ino || now.st_dev != seen->st_dev || now.st_size != seen->st_size ||
        now.st_mtim.tv_sec != seen->st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != seen->st_mtim.tv_nsec) {
        errno = 0;
        return KEPT;
    }
    if (unlinkat(folder, name, 0) == 0)
        return REMOVED;
    return errno == ENOENT ? GONE : KEPT;
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
    enum folder_state opened = open_folder(cache, false, &folder, &found.reason);
    if (opened != FOLDER_OPEN) {
        found.outcome = opened == FOLDER_UNTRUSTED ? CACHE_UNTRUSTED : CACHE_MISS;
        return found;
    }
    name_of(key, name);
    read_entry(folder, name, &found, &about);
    if (found.outcome == CACHE_HIT) {
        enum entry_state state =
            entry_parse(found.owned, (uint64_t)about.st_size, key, &found.payload, &found.reason);
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
    return strlen(name) == NAME_SIZE - 2 &&
           strspn(name, "0123456789abcdef") == HASH_TEXT_SIZE - 1 &&
           strcmp(name + HASH_TEXT_SIZE - 1, SUFFIX) == 0;
}

/* As cache_put makes them, to the last character: others use names that begin so. */
static bool is_temporary_name(const char *name)
{
    enum { RANDOM_DIGITS = 16 };
    if (strncmp(name, TEMPORARY, strlen(TEMPORARY)) != 0 || strlen(name) >= TEMPORARY_SIZE)
        return false;
    name += strlen(TEMPORARY);
    size_t process = strspn(name, "0123456789");
    return process > 0 && name[process] == '-' &&
           strspn(name + process + 1, "0123456789abcdef") == RANDOM_DIGITS &&
           name[process + 1 + RANDOM_DIGITS] == '\0';
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
            if (remove_same(folder, listing.file[i].name, &listing.file[i].about) != KEPT)
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

/* A limit of file sizes is an error to us, where its signal would end the process. */
static void hold_limit_signal(sigset_t *before)
{
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, before);
}

/* Takes the signal back that a write of ours may have raised, and restores what was blocked. */
static void release_limit_signal(const sigset_t *before)
{
    const struct timespec at_once = {0, 0};
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    if (!sigismember(before, SIGXFSZ))
        while (sigtimedwait(&limit, NULL, &at_once) > 0 || errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Fills a new file; it is removed again where that fails. */
static bool write_temporary(int folder, const char *name, const struct hash_part *parts,
                            size_t count)
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
    int folder;
    if (open_folder(cache, true, &folder, reason) != FOLDER_OPEN)
        return false;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint64_t)time(NULL); /* O_EXCL keeps two from writing one file */
    snprintf(temporary, sizeof temporary, TEMPORARY "%ld-%016" PRIx64, (long)getpid(), random);
    name_of(key, name);
    entry_header(header, key, payload);
    const struct hash_part parts[] = {{header, sizeof header}, *key, *payload};
    sigset_t before;
    hold_limit_signal(&before);
    bool done = write_temporary(folder, temporary, parts, 3);
    int kept = errno;
    release_limit_signal(&before);
    errno = kept;
    if (done && renameat(folder, temporary, folder, name) != 0) {
        kept = errno;
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
    int folder;
    if (!cache_writes(cache) || open_folder(cache, true, &folder, &reason) != FOLDER_OPEN)
        return;
    name_of(key, name);
    unlinkat(folder, name, 0);
    close(folder);
}

/* ---- Care ---- */

bool cache_count(struct cache *cache, struct cache_stats *stats, const char **reason)
{
    struct listing listing;
    *stats = (struct cache_stats){0};
    int folder;
    if (!cache)
        return true;
    enum folder_state opened = open_folder(cache, false, &folder, reason);
    if (opened != FOLDER_OPEN)
        return opened == FOLDER_MISSING;
    bool listed = list(folder, is_entry_name, &listing);
    *reason = strerror(errno);
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

/* Removes the files of one kind; false where one stays that has not changed meanwhile. */
static bool clear_kind(int folder, bool (*is_kind)(const char *), uint64_t *removed)
{
    struct listing listing;
    bool cleared = list(folder, is_kind, &listing);
    *removed = 0;
    for (size_t i = 0; cleared && i < listing.count; ++i) {
        enum removal removal = remove_same(folder, listing.file[i].name, &listing.file[i].about);
        *removed += removal == REMOVED;
        cleared = removal != KEPT || errno == 0;
    }
    free(listing.file);
    return cleared;
}

bool cache_clear(struct cache *cache, uint64_t *removed, const char **reason)
{
    uint64_t temporaries;
    int folder;
    *removed = 0;
    if (!cache)
        return true;
    enum folder_state opened = open_folder(cache, false, &folder, reason);
    if (opened != FOLDER_OPEN)
        return opened == FOLDER_MISSING;
    bool cleared = clear_kind(folder, is_entry_name, removed) &&
                   clear_kind(folder, is_temporary_name, &temporaries);
    *reason = strerror(errno);
    close(folder);
    return cleared;
}

bool cache_entry_at(struct cache *cache, uint64_t index, struct cache_entry *entry)
{
    const char *reason;
    struct listing listing = {0};
    struct stat about;
    int folder = -1;
    *entry = (struct cache_entry){.reason = ""};
    bool there = cache && open_folder(cache, false, &folder, &reason) == FOLDER_OPEN &&
                 list(folder, is_entry_name, &listing) && index < listing.count;
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
