/* SPDX-License-Identifier: MIT */
/* What the cache's suites share: folders, keys and payloads by number, and looking at what lies
 * there. Failures fail the test. */
#ifndef CLSLICE_TESTS_SUPPORT_CACHE_RIG_H
#define CLSLICE_TESTS_SUPPORT_CACHE_RIG_H

#include <sys/stat.h>
#include <sys/types.h>

#include "cache/cache.h"

enum { PATH_SIZE = 512 };

/* ---- Paths ---- */

struct path {
    char text[PATH_SIZE];
};

/* FOLDER/NAME; absolute where FOLDER is. */
struct path path_of(const char *folder, const char *name);

/* A new folder of this test's own below the working directory, 0700. */
struct path new_folder(void);

/* Removes a file or a tree, if it is there. */
void remove_tree(const char *path);

/* Files of whatever kind in the folder whose names begin so; "": all of them. */
unsigned count_files(const char *folder, const char *prefix);

/* Temporary files of the cache. */
unsigned count_temporaries(const char *folder);
void age_temporaries(const char *folder, long seconds); /* as file_age does */

struct bytes {
    unsigned char *at; /* owned; release with free */
    size_t size;
};
struct bytes file_read(const char *path);
void file_write(const char *path, const void *bytes, size_t size, mode_t mode);

/* Sets both times of a file to so many seconds before now. */
void file_age(const char *path, long seconds);

/* Descriptors that this process has open. */
unsigned count_descriptors(void);

/* ---- Entries ---- */

/* The reason of the last failure, for whoever debugs. */
extern const char *why;

/* A key by number, valid until the next but seven. */
struct hash_part key_of(unsigned number);

/* `size` bytes that only this number gives; release with free. */
struct bytes payload_of(uint64_t number, size_t size);

/* The path of a key's entry. */
struct path entry_path(const char *folder, unsigned key);

/* Puts the payload of that number; what cache_put returned. */
bool put(struct cache *cache, unsigned key, uint64_t payload, size_t size);

/* Puts it, through a cache of its own. */
void fill(const char *folder, unsigned key, uint64_t payload, size_t size);

/* Whether a lookup hits, with this payload; a hit with other bytes fails the test. */
bool hits(struct cache *cache, unsigned key, uint64_t payload, size_t size);

/* What a lookup through a cache of its own gives. */
enum cache_outcome outcome_of(const char *folder, unsigned key);

/* How many a cache of its own counts. */
uint64_t entries_of(const char *folder);

/* ---- Other users ---- */

/* Runs `what(key)` in a child, which for user 0 stays who we are, and returns what that returned,
 * below 128; the test fails if the child hangs. */
int run_as(uid_t user, int (*what)(unsigned key), unsigned key);

#endif
