/* SPDX-License-Identifier: MIT */
#include "support/fake_cl/fault_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static struct faults armed;
static bool is_armed, is_random_fixed;
static unsigned char random_byte;
static long count;
static const char *failed;

#define FAULT_NAME(name) #name,
static const char *const names[] = {FAULT_CALLS(FAULT_NAME)};

void faults_arm(const struct faults *faults)
{
    armed = *faults;
    count = 0;
    failed = NULL;
    is_armed = true;
}

long faults_disarm(const char **last)
{
    is_armed = false;
    if (last)
        *last = failed;
    return count;
}

void faults_fix_random(unsigned char byte)
{
    is_random_fixed = true;
    random_byte = byte;
}

/* Whether this call is to fail; what is not a failure happens here. */
static bool is_hit(enum fault_call call)
{
    if (!is_armed || (armed.calls && !(armed.calls & 1u << call)))
        return false;
    ++count;
    if (armed.at == 0 || (armed.and_after ? count < armed.at : count != armed.at))
        return false;
    failed = names[call];
    if (armed.kind == FAULT_KILL)
        raise(SIGKILL);
    if (armed.kind == FAULT_HOOK) {
        is_armed = false; /* the hook's own calls do not count */
        armed.hook();
        is_armed = true;
        return false;
    }
    return armed.kind != FAULT_SHORT && armed.kind != FAULT_END
               ? true
               : call == CALL_read || call == CALL_write;
}

#if UINTPTR_MAX == UINT32_MAX /* as their callers name them: see _FILE_OFFSET_BITS */
#define __real_open __real_open64
#define __wrap_open __wrap_open64
#define __real_openat __real_openat64
#define __wrap_openat __wrap_openat64
#define __real_fstat __real_fstat64
#define __wrap_fstat __wrap_fstat64
#define __real_fstatat __real_fstatat64
#define __wrap_fstatat __wrap_fstatat64
#define __real_readdir __real_readdir64
#define __wrap_readdir __wrap_readdir64
#endif

#define DECLARE(result, name, ...)     \
    result __real_##name(__VA_ARGS__); \
    result __wrap_##name(__VA_ARGS__);

static int fail(void)
{
    errno = armed.error;
    return -1;
}

/* For calls that give -1 where they fail. */
#define WRAP(result, name, parameters, arguments) \
    result __real_##name parameters;              \
    result __wrap_##name parameters;              \
    result __wrap_##name parameters               \
    {                                             \
        if (!is_hit(CALL_##name))                 \
            return __real_##name arguments;       \
        if (armed.kind == FAULT_DONE_TOO)         \
            (void)__real_##name arguments;        \
        return fail();                            \
    }

WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, fstat, (int file, struct stat *about), (file, about))
WRAP(int, fstatat, (int folder, const char *name, struct stat *about, int flags),
     (folder, name, about, flags))
WRAP(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
WRAP(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
WRAP(int, utimensat, (int folder, const char *name, const struct timespec times[2], int flags),
     (folder, name, times, flags))

/* For those that take a mode where a file may be made. */
#define WRAP_OPEN(name, parameters, arguments)                         \
    int __real_##name parameters;                                      \
    int __wrap_##name parameters;                                      \
    int __wrap_##name parameters                                       \
    {                                                                  \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;      \
        va_end(rest);                                                  \
        return is_hit(CALL_##name) ? fail() : __real_##name arguments; \
    }

/* NOLINTBEGIN(clang-analyzer-valist.Uninitialized): clang-tidy 14 overlooks va_start */
WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
/* NOLINTEND(clang-analyzer-valist.Uninitialized) */

#define WRAP_TRANSFER(name, pointer)                                       \
    DECLARE(ssize_t, name, int file, pointer bytes, size_t size)           \
    ssize_t __wrap_##name(int file, pointer bytes, size_t size)            \
    {                                                                      \
        if (!is_hit(CALL_##name))                                          \
            return __real_##name(file, bytes, size);                       \
        if (armed.kind == FAULT_SHORT)                                     \
            return __real_##name(file, bytes, size > 1 ? size / 2 : size); \
        return armed.kind == FAULT_END ? 0 : fail();                       \
    }

WRAP_TRANSFER(read, void *)
WRAP_TRANSFER(write, const void *)

/* Takes no time: no power fails here. */
int __wrap_fdatasync(int file);
int __wrap_fdatasync(int file)
{
    (void)file;
    return is_hit(CALL_fdatasync) ? fail() : 0;
}

/* Linux closes whatever it answers. */
DECLARE(int, close, int file)
int __wrap_close(int file)
{
    bool hit = is_hit(CALL_close);
    int result = __real_close(file);
    return hit ? fail() : result;
}

DECLARE(ssize_t, getrandom, void *to, size_t size, unsigned flags)
ssize_t __wrap_getrandom(void *to, size_t size, unsigned flags)
{
    if (is_hit(CALL_getrandom))
        return fail();
    if (!is_random_fixed)
        return __real_getrandom(to, size, flags);
    memset(to, random_byte, size);
    return (ssize_t)size;
}

DECLARE(struct dirent *, readdir, DIR *stream)
struct dirent *__wrap_readdir(DIR *stream)
{
    if (!is_hit(CALL_readdir))
        return __real_readdir(stream);
    fail();
    return NULL;
}
