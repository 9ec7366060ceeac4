/* SPDX-License-Identifier: MIT */
#include "cli/formats/output.h"

#include "cli/progress.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { NAME_TRIES = 100, LINK_TEXT_SIZE = 32, SYNC_BYTES = 64 << 20 };

static bool fail_errno(const struct output *output, struct problem *problem)
{
    return problem_set(problem, "cannot write %s: %s", output->path, strerror(errno));
}

/* Nobody may read through the new file what they may not read in the old one. */
static mode_t first_mode(const struct output *output)
{
    return output->old.st_mode != 0 ? 0600 : 0666;
}

/* Gives the file a random temporary name that is free. False with errno set. */
static bool take_temporary(struct output *output, bool (*take)(struct output *output))
{
    uint64_t number;

    for (int i = 0; i < NAME_TRIES; ++i) {
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            break;
        snprintf(output->temporary, sizeof output->temporary, ".clslice-%016" PRIx64, number);
        if (take(output))
            return true;
        if (errno != EEXIST)
            break;
    }
    output->temporary[0] = '\0';
    return false;
}

static bool create_file(struct output *output)
{
    output->fd = openat(output->directory, output->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC,
                        first_mode(output));
    return output->fd >= 0;
}

/* Where the kernel shows a descriptor's file, to link it. */
static void link_text(int fd, char text[LINK_TEXT_SIZE])
{
    snprintf(text, LINK_TEXT_SIZE, "/proc/self/fd/%d", fd);
}

/* A file without a name: a process that is killed leaves nothing. False with errno set. */
static bool open_unnamed(struct output *output)
{
    char text[LINK_TEXT_SIZE];
    struct stat status;

    output->fd = openat(output->directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, first_mode(output));
    if (output->fd < 0)
        return false;
    link_text(output->fd, text);
    if (lstat(text, &status) == 0)
        return true;
    close(output->fd);
    output->fd = -1;
    errno = EOPNOTSUPP;
    return false;
}

static bool link_file(struct output *output)
{
    char text[LINK_TEXT_SIZE];

    link_text(output->fd, text);
    return linkat(AT_FDCWD, text, output->directory, output->temporary, AT_SYMLINK_FOLLOW) == 0;
}

static bool open_temporary(struct output *output, struct problem *problem)
{
    if (open_unnamed(output))
        return true;
    /* What kernels and file systems say when they know no O_TMPFILE. */
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
        return fail_errno(output, problem);
    return take_temporary(output, create_file) || fail_errno(output, problem);
}

static bool check_old(struct output *output, const char *target, struct problem *problem)
{
    if (stat(target, &output->old) != 0)
        return fail_errno(output, problem);
    if (!S_ISREG(output->old.st_mode))
        return problem_set(
            problem, "cannot write %s: it is %s, not a regular file; name another file",
            output->path,
            S_ISDIR(output->old.st_mode) ? "a directory" : "a device, pipe or socket");
    return faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0 || fail_errno(output, problem);
}

/* The file to write, links resolved, allocated; NULL on failure. */
static char *resolve(struct output *output, struct problem *problem)
{
    struct stat status;
    char *target = realpath(output->path, NULL);

    if (target && !check_old(output, target, problem)) {
        free(target);
        return NULL;
    }
    if (target)
        return target;
    if (errno != ENOENT || output->path[0] == '\0') {
        fail_errno(output, problem);
    } else if (lstat(output->path, &status) == 0) {
        problem_set(
            problem,
            "cannot write %s: it is a symbolic link to a file that does not exist; remove the "
            "link or create the file",
            output->path);
    } else {
        target = strdup(output->path);
        if (!target)
            fail_errno(output, problem);
    }
    return target;
}

/* Opens the target's directory and keeps its last name. */
static bool open_directory(struct output *output, char *target, struct problem *problem)
{
    char *slash = strrchr(target, '/');
    const char *name = slash ? slash + 1 : target;
    const char *directory = !slash ? "." : slash == target ? "/" : target;

    if (*name == '\0')
        return problem_set(problem,
                           "cannot write %s: it names a directory that does not exist; name a file",
                           output->path);
    output->name = strdup(name);
    if (!output->name)
        return fail_errno(output, problem);
    if (slash)
        *slash = '\0';
    output->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (output->directory < 0)
        return problem_set(problem, "cannot write %s: directory %s: %s", output->path, directory,
                           strerror(errno));
    return true;
}

bool output_open(struct output *output, const char *path, struct problem *problem)
{
    char *target;

    *output = (struct output){.path = path, .directory = -1, .fd = -1};
    target = resolve(output, problem);
    if (!target || !open_directory(output, target, problem) || !open_temporary(output, problem))
        goto fail;
    free(target);
    return true;
fail:
    free(target);
    output_discard(output);
    return false;
}

/* Returns an errno value, as posix_fallocate does. */
static int write_all(int fd, const void *bytes, size_t count)
{
    const char *at = bytes;
    const char *end = at + count;

    while (at < end) {
        ssize_t written = write(fd, at, (size_t)(end - at));

        if (written < 0 && errno != EINTR)
            return errno;
        at += written > 0 ? written : 0;
    }
    return 0;
}

/* For file systems that cannot allocate ahead. */
static int write_zeros(int fd, uint64_t bytes)
{
    static const char zeros[65536];
    int error = 0;

    while (bytes > 0 && error == 0) {
        size_t part = bytes < sizeof zeros ? (size_t)bytes : sizeof zeros;

        error = write_all(fd, zeros, part);
        bytes -= part;
    }
    return error;
}

static int allocate(int fd, uint64_t bytes)
{
    int error;

    do
        error = posix_fallocate(fd, 0, (off_t)bytes);
    while (error == EINTR);
    return error == EOPNOTSUPP || error == EINVAL ? write_zeros(fd, bytes) : error;
}

bool output_map(struct output *output, const void *header, size_t header_bytes, uint64_t data_bytes,
                void **data, struct problem *problem)
{
    uint64_t total = header_bytes + data_bytes;
    int error = total > INT64_MAX || total < data_bytes ? EFBIG : allocate(output->fd, total);

    if (error != 0)
        return problem_set(problem, "cannot write %s, %" PRIu64 " bytes: %s", output->path, total,
                           strerror(error));
    output->mapping =
        mmap(NULL, size_for(total), PROT_READ | PROT_WRITE, MAP_SHARED, output->fd, 0);
    if (output->mapping == MAP_FAILED) {
        output->mapping = NULL;
        return fail_errno(output, problem);
    }
    output->mapping_bytes = size_for(total);
    memcpy(output->mapping, header, header_bytes);
    *data = data_bytes > 0 ? (char *)output->mapping + header_bytes : NULL;
    return true;
}

bool output_write(struct output *output, const void *bytes, size_t count, struct problem *problem)
{
    errno = write_all(output->fd, bytes, count);
    return errno == 0 || fail_errno(output, problem);
}

/* The old file's owner, where allowed, and its permission bits. False with errno set. */
static bool keep_mode(const struct output *output)
{
    const struct stat *old = &output->old;
    bool owner_kept;

    if (old->st_mode == 0)
        return true;
    owner_kept = fchown(output->fd, old->st_uid, old->st_gid) == 0;
    (void)owner_kept;
    return fchmod(output->fd, old->st_mode & 0777) == 0;
}

/* Closes the file and moves it over the target. False with errno set. */
static bool take_name(struct output *output)
{
    int fd = output->fd;

    if (output->temporary[0] == '\0' && !take_temporary(output, link_file))
        return false;
    output->fd = -1;
    if (close(fd) != 0)
        return false;
    if (renameat(output->directory, output->temporary, output->directory, output->name) != 0)
        return false;
    output->temporary[0] = '\0';
    return true;
}

/* By parts, to tell how far it is. False with errno set. */
static bool sync_mapping(const struct output *output)
{
    size_t bytes = output->mapping_bytes;

    progress_begin("writing", bytes);
    for (size_t at = 0, part; at < bytes; at += part) {
        part = bytes - at < SYNC_BYTES ? bytes - at : SYNC_BYTES;
        if (msync((char *)output->mapping + at, part, MS_SYNC) != 0)
            return false;
        progress_tell(at + part);
    }
    return true;
}

bool output_sync(const struct output *output, struct problem *problem)
{
    return (sync_mapping(output) && fsync(output->fd) == 0) || fail_errno(output, problem);
}

bool output_commit(struct output *output, struct problem *problem)
{
    /* What the mapping holds goes to the disk, too. */
    bool done = fsync(output->fd) == 0 && keep_mode(output) && take_name(output);

    if (!done)
        fail_errno(output, problem);
    output_discard(output);
    return done;
}

void output_discard(struct output *output)
{
    if (!output || !output->path)
        return;
    if (output->mapping)
        munmap(output->mapping, output->mapping_bytes);
    if (output->fd >= 0)
        close(output->fd);
    if (output->temporary[0] != '\0')
        unlinkat(output->directory, output->temporary, 0);
    if (output->directory >= 0)
        close(output->directory);
    free(output->name);
    *output = (struct output){0};
}
