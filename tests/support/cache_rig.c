/* SPDX-License-Identifier: MIT */
#include "support/cache_rig.h"

#include "support/asserts.h"
#include "support/dice.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEYS_AT_ONCE = 8, KEY_SIZE = 48, CHILD_SECONDS = 120 };

/* ---- Paths ---- */

struct path path_of(const char *folder, const char *name)
{
    struct path path;
    int length = snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    ck_assert(length > 0 && (size_t)length < sizeof path.text);
    return path;
}

struct path new_folder(void)
{
    char here[PATH_SIZE];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    struct path path = path_of(here, "cache-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path.text));
    return path;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    return remove(path);
}

void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

unsigned count_files(const char *folder, const char *prefix)
{
    unsigned count = 0;
    DIR *stream = opendir(folder);
    if (!stream)
        return 0;
    for (struct dirent *item; (item = readdir(stream));)
        count += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0 &&
                 strncmp(item->d_name, prefix, strlen(prefix)) == 0;
    closedir(stream);
    return count;
}

unsigned count_temporaries(const char *folder)
{
    return count_files(folder, ".clslice-");
}

void age_temporaries(const char *folder, long seconds)
{
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *item; (item = readdir(stream));)
        if (strncmp(item->d_name, ".clslice-", strlen(".clslice-")) == 0)
            file_age(path_of(folder, item->d_name).text, seconds);
    closedir(stream);
}

struct bytes file_read(const char *path)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_msg(file >= 0, "%s: %s", path, strerror(errno));
    ck_assert_int_eq(fstat(file, &about), 0);
    struct bytes bytes = {malloc((size_t)about.st_size + 1), (size_t)about.st_size};
    ck_assert_ptr_nonnull(bytes.at);
    ck_assert_int_eq(read(file, bytes.at, bytes.size), about.st_size);
    close(file);
    return bytes;
}

void file_write(const char *path, const void *bytes, size_t size, mode_t mode)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    ck_assert_msg(file >= 0, "%s: %s", path, strerror(errno));
    ck_assert_int_eq(write(file, bytes, size), (ssize_t)size);
    ck_assert_int_eq(fchmod(file, mode), 0);
    close(file);
}

void file_age(const char *path, long seconds)
{
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

unsigned count_descriptors(void)
{
    return count_files("/proc/self/fd", "") - 1; /* the one that lists them */
}

/* ---- Entries ---- */

const char *why;

struct hash_part key_of(unsigned number)
{
    static char keys[KEYS_AT_ONCE][KEY_SIZE];
    static unsigned next;
    char *key = keys[next++ % KEYS_AT_ONCE];
    int length = snprintf(key, KEY_SIZE, "../../key %u of the tests", number);
    return (struct hash_part){key, (size_t)length};
}

struct bytes payload_of(uint64_t number, size_t size)
{
    struct dice dice = {number * 2 + 1};
    struct bytes bytes = {malloc(size + 1), size};
    ck_assert_ptr_nonnull(bytes.at);
    dice_fill(&dice, bytes.at, size);
    return bytes;
}

struct path entry_path(const char *folder, unsigned key)
{
    char digits[HASH_TEXT_SIZE], name[HASH_TEXT_SIZE + 4];
    const struct hash_part part = key_of(key);
    struct hash digest = hash_of(&part, 1);
    hash_text(&digest, digits);
    snprintf(name, sizeof name, "%s.clb", digits);
    return path_of(folder, name);
}

bool put(struct cache *cache, unsigned key, uint64_t payload, size_t size)
{
    const char *reason = NULL;
    const struct hash_part part = key_of(key);
    struct bytes bytes = payload_of(payload, size);
    const struct hash_part content = {bytes.at, bytes.size};
    bool done = cache_put(cache, &part, &content, &reason);
    ck_assert_ptr_nonnull(reason);
    ck_assert_int_eq(done, reason[0] == '\0');
    free(bytes.at);
    return done;
}

void fill(const char *folder, unsigned key, uint64_t payload, size_t size)
{
    struct cache *cache = cache_create(folder, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    ck_assert(put(cache, key, payload, size));
    cache_release(cache);
}

bool hits(struct cache *cache, unsigned key, uint64_t payload, size_t size)
{
    const struct hash_part part = key_of(key);
    struct cache_found found = cache_get(cache, &part);
    bool hit = found.outcome == CACHE_HIT;
    ck_assert_ptr_nonnull(found.reason);
    ck_assert_int_eq(hit, found.reason[0] == '\0');
    if (hit) {
        struct bytes expected = payload_of(payload, size);
        ck_assert_uint_eq(found.payload.length, size);
        ck_assert_mem_eq(found.payload.bytes, expected.at, size);
        free(expected.at);
    }
    cache_found_release(&found);
    return hit;
}

uint64_t entries_of(const char *folder)
{
    struct cache_stats stats;
    struct cache *cache = cache_create(folder, CACHE_READ_ONLY, CACHE_NO_LIMIT);
    ck_assert_msg(cache_count(cache, &stats, &why), "%s", why);
    cache_release(cache);
    return stats.entries;
}

enum cache_outcome outcome_of(const char *folder, unsigned key)
{
    struct cache *cache = cache_create(folder, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    const struct hash_part part = key_of(key);
    struct cache_found found = cache_get(cache, &part);
    enum cache_outcome outcome = found.outcome;
    cache_found_release(&found);
    cache_release(cache);
    return outcome;
}

/* ---- Other users ---- */

int run_as(uid_t user, int (*what)(unsigned key), unsigned key)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(CHILD_SECONDS);
        if (user != 0 && (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
                          setresuid(user, user, user) != 0))
            _exit(126);
        _exit(what(key));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 126, "child: status 0x%x", status);
    return WEXITSTATUS(status);
}
