/* SPDX-License-Identifier: MIT */
#include "cli/formats/array_file.h"

#include "cli/formats/array.h"
#include "cli/formats/npy.h"
#include "cli/formats/png_file.h"
#include "conformance/problem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *suffix;
    /* [true]: into memory of the array's */
    bool (*read[2])(FILE *file, uint64_t bytes, const char *path, struct array *array,
                    struct problem *problem);
} formats[] = {
    [ARRAY_FILE_NPY] = {".npy", {npy_read, npy_copy}},
    [ARRAY_FILE_PNG] = {".png", {png_file_read, png_file_read}},
};

/* Whether a path ends in the suffix, in lower case, whatever the locale. */
static bool has_suffix(const char *path, const char *suffix)
{
    const char *at = strrchr(path, '.');

    for (; at && *at != '\0'; ++at, ++suffix)
        if (*at != *suffix && !(*at >= 'A' && *at <= 'Z' && *at - 'A' + 'a' == *suffix))
            return false;
    return at && *suffix == '\0';
}

enum array_file_format array_file_format(const char *path)
{
    if (has_suffix(path, formats[ARRAY_FILE_NPY].suffix))
        return ARRAY_FILE_NPY;
    return has_suffix(path, formats[ARRAY_FILE_PNG].suffix) ? ARRAY_FILE_PNG : ARRAY_FILE_UNKNOWN;
}

/* Opens a regular file; *bytes is its size. The caller owns it; NULL on failure. */
static FILE *open_regular(const char *path, uint64_t *bytes, struct problem *problem)
{
    struct stat status;
    /* O_NONBLOCK: a FIFO must be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = NULL;

    if (fd < 0 || fstat(fd, &status) != 0) {
        problem_set(problem, "cannot read %s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        problem_set(problem, "cannot read %s: not a regular file; save it to a file first", path);
    } else {
        *bytes = (uint64_t)status.st_size;
        file = fdopen(fd, "rb");
        if (!file)
            problem_set(problem, "cannot read %s: %s", path, strerror(errno));
    }
    if (!file && fd >= 0)
        close(fd);
    return file;
}

static bool read_file(const char *path, bool is_copied, struct array *array,
                      struct problem *problem)
{
    enum array_file_format format = array_file_format(path);
    uint64_t bytes;
    bool is_read;
    FILE *file;

    *array = (struct array){0};
    if (format == ARRAY_FILE_UNKNOWN)
        return problem_set(
            problem, "'%s': the name must end in .npy or .png, the formats that can be read", path);
    file = open_regular(path, &bytes, problem);
    is_read = file && formats[format].read[is_copied](file, bytes, path, array, problem);
    if (file)
        fclose(file);
    if (!is_read)
        array_release(array);
    return is_read;
}

bool array_file_read(const char *path, struct array *array, struct problem *problem)
{
    return read_file(path, false, array, problem);
}

bool array_file_copy(const char *path, struct array *array, struct problem *problem)
{
    return read_file(path, true, array, problem);
}
