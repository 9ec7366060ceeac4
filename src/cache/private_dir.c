/* SPDX-License-Identifier: MIT */
#include "cache/private_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Opening ---- */

bool private_dir_trusts(const struct stat *about)
{
    return (about->st_uid == geteuid() || about->st_uid == 0) &&
           (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* One that exists may refuse mkdir for other reasons first. */
static bool make_one(const char *path)
{
    struct stat about;
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    int kept = errno;
    bool is_there = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    errno = kept;
    return is_there;
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
        made = make_one(copy);
        if (slash)
            *slash = '/';
    }
    int kept = errno;
    free(copy);
    errno = kept;
    return made;
}

enum private_dir_state private_dir_open(const char *path, bool to_write, int *folder,
                                        const char **reason)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat about;
    *folder = open(path, flags);
    if (*folder < 0 && errno == ENOENT && to_write && make_folder(path))
        *folder = open(path, flags);
    if (*folder < 0) {
        int kept = errno;
        bool is_link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
        errno = kept;
        *reason = is_link           ? "it is a symbolic link, not the folder itself"
                  : errno == ENOENT ? "there is no such folder"
                                    : strerror(errno);
        return errno == ENOENT                      ? PRIVATE_DIR_MISSING
               : errno == ELOOP || errno == ENOTDIR ? PRIVATE_DIR_UNTRUSTED
                                                    : PRIVATE_DIR_FAILED;
    }
    bool judged = fstat(*folder, &about) == 0;
    if (judged && private_dir_trusts(&about) && (!to_write || about.st_uid == geteuid()))
        return PRIVATE_DIR_OPEN;
    int kept = judged ? EPERM : errno;
    *reason =
        judged ? "the folder belongs to another user, or others can write to it" : strerror(errno);
    close(*folder);
    *folder = -1;
    errno = kept;
    return judged ? PRIVATE_DIR_UNTRUSTED : PRIVATE_DIR_FAILED;
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

static bool write_file(int folder, const char *name, const struct hash_part *parts, size_t count)
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

bool private_dir_write(int folder, const char *name, const struct hash_part *parts, size_t count)
{
    sigset_t before;
    hold_limit_signal(&before);
    bool done = write_file(folder, name, parts, count);
    int kept = errno;
    release_limit_signal(&before);
    errno = kept;
    return done;
}

/* ---- Removing ---- */

enum private_dir_removal private_dir_remove(int folder, const char *name, const struct stat *seen)
{
    struct stat now;
    if (fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? PRIVATE_DIR_GONE : PRIVATE_DIR_KEPT;
    if (now.st_ino != seen->st_ino || now.st_dev != seen->st_dev || now.st_size != seen->st_size ||
        now.st_mtim.tv_sec != seen->st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != seen->st_mtim.tv_nsec) {
        errno = 0;
        return PRIVATE_DIR_KEPT;
    }
    if (unlinkat(folder, name, 0) == 0)
        return PRIVATE_DIR_REMOVED;
    return errno == ENOENT ? PRIVATE_DIR_GONE : PRIVATE_DIR_KEPT;
}

/* ---- Listing ---- */

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct private_dir_file *)a)->about.st_mtim;
    const struct timespec *y = &((const struct private_dir_file *)b)->about.st_mtim;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static bool list_add(struct private_dir_list *list, const char *name, const struct stat *about)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        struct private_dir_file *grown = realloc(list->file, room * sizeof *grown);
        if (!grown)
            return false;
        list->file = grown;
        list->room = room;
    }
    struct private_dir_file *file = &list->file[list->count++];
    snprintf(file->name, sizeof file->name, "%.*s", PRIVATE_DIR_NAME_SIZE - 1, name);
    file->about = *about;
    list->bytes += (uint64_t)about->st_size;
    return true;
}

/* The next entry, or NULL: then errno is 0 at the end. */
static struct dirent *next_of(DIR *stream)
{
    errno = 0;
    return readdir(stream);
}

bool private_dir_list(int folder, bool (*wanted)(const char *name), struct private_dir_list *list)
{
    *list = (struct private_dir_list){0};
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = again < 0 ? NULL : fdopendir(again);
    if (!stream) {
        int kept = errno;
        if (again >= 0)
            close(again);
        errno = kept;
        return false;
    }
    bool is_whole = true;
    for (struct dirent *item; is_whole && (item = next_of(stream));) {
        struct stat about;
        if (wanted(item->d_name) &&
            fstatat(folder, item->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode) && (about.st_uid == geteuid() || private_dir_trusts(&about)))
            is_whole = list_add(list, item->d_name, &about);
    }
    int kept = errno;
    closedir(stream);
    errno = kept;
    if (!is_whole || kept != 0) {
        free(list->file);
        *list = (struct private_dir_list){0};
        return false;
    }
    if (list->count > 1)
        qsort(list->file, list->count, sizeof *list->file, by_age);
    return true;
}
