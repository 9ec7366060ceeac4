/* SPDX-License-Identifier: MIT */
/* Files in a folder that nobody but its owner may write to. Folders are open descriptors, the
 * caller's to close; where a call fails, errno says why. */
#ifndef CLSLICE_CACHE_PRIVATE_DIR_H
#define CLSLICE_CACHE_PRIVATE_DIR_H

#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { PRIVATE_DIR_NAME_SIZE = 64 }; /* bytes of a file's name that is listed, with NUL */

/* What became of opening a folder. */
enum private_dir_state {
    PRIVATE_DIR_OPEN,
    PRIVATE_DIR_MISSING,
    PRIVATE_DIR_FAILED,
    PRIVATE_DIR_UNTRUSTED
};

/* Opens the folder and judges it as it is, not by its name. `to_write`: it must be ours, and is
 * made, with those above it, where it is missing. `*folder` is -1 unless it is open; errno and the
 * reason then say why. */
enum private_dir_state private_dir_open(const char *path, bool to_write, int *folder,
                                        const char **reason);

/* Whether a folder or file is ours, or root's who may have filled an image, and nobody else may
 * write. */
bool private_dir_trusts(const struct stat *about);

/* Makes a file that does not exist yet; none is left where that fails, at a limit of file sizes
 * too. */
bool private_dir_write(int folder, const char *name, const struct hash_part *parts, size_t count);

enum private_dir_removal { PRIVATE_DIR_REMOVED, PRIVATE_DIR_GONE, PRIVATE_DIR_KEPT };

/* Removes a file if it is still the one that was looked at. GONE: somebody else removed it. KEPT:
 * it changed, and errno is 0, or errno says why. */
enum private_dir_removal private_dir_remove(int folder, const char *name, const struct stat *seen);

struct private_dir_file {
    char name[PRIVATE_DIR_NAME_SIZE];
    struct stat about;
};

struct private_dir_list {
    struct private_dir_file *file; /* owned, by free */
    size_t count, room;
    uint64_t bytes; /* of all */
};

/* The plain files with names that are wanted, ours and those of root's that are trusted, the one
 * that was longest unused first. False, and an empty list, where not all can be read. */
bool private_dir_list(int folder, bool (*wanted)(const char *name), struct private_dir_list *list);

#endif
