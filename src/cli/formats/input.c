/* SPDX-License-Identifier: MIT */
#include "cli/formats/input.h"

#include "conformance/problem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int input_open(const char *path, uint64_t *bytes, struct problem *problem)
{
    struct stat status;
    /* O_NONBLOCK: a FIFO must be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0 || fstat(fd, &status) != 0) {
        problem_set(problem, "cannot read %s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        problem_set(problem, "cannot read %s: not a regular file; save it to a file first", path);
    } else {
        *bytes = (uint64_t)status.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}
