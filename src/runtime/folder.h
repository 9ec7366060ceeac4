/* SPDX-License-Identifier: MIT */
/* Files in a folder that nobody but its owner may write to. Folders are open descriptors, the caller's
 * to close; where a call fails, errno says why. */
#ifndef RUNTIME_FOLDER_H
#define RUNTIME_FOLDER_H

#include "core/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { FOLDER_NAME_SIZE = 64 }; /* bytes of a file's name that is listed, with NUL */

/* What became of opening a folder. */
enum folder_state { FOLDER_OPEN, FOLDER_MISSING, FOLDER_FAILED, FOLDER_UNTRUSTED };

/* Opens the folder and judges it as it is, not by its name. `to_write`: it must be ours, and is made, with
 * those above it, where it is missing. `*folder` is -1 unless it is open; errno and the reason then say
 * why. */
enum folder_state folder_open(const char *path, bool to_write, int *folder, const char **reason);

/* Whether a folder or file is ours, or root's who may have filled an image, and nobody else may write. */
bool folder_trusts(const struct stat *about);

/* Makes a file that does not exist yet; none is left where that fails, at a limit of file sizes too. */
bool folder_write(int folder, const char *name, const struct hash_part *parts, size_t count);

enum folder_removal { FOLDER_REMOVED, FOLDER_GONE, FOLDER_KEPT };

/* Removes a file if it is still the one that was looked at. GONE: somebody else removed it. KEPT: it
 * changed, and errno is 0, or errno says why. */
enum folder_removal folder_remove(int folder, const char *name, const struct stat *seen);

struct folder_file {
    char name[FOLDER_NAME_SIZE];
    struct stat about;
};

struct folder_list {
    struct folder_file *file; /* owned, by free */
    size_t count, room;
    uint64_t bytes; /* of all */
};

/* The plain files of ours with names that are wanted. */
bool folder_list(int folder, bool (*wanted)(const char *name), struct folder_list *list);

/* The one that was longest unused first. */
void folder_sort(struct folder_list *list);

#endif
