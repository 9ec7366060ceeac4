/* SPDX-License-Identifier: MIT */
#include "cli/formats/output.h"
#include "conformance/problem.h"
#include "support/needs.h"
#include "support/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, FULL_DISK_BYTES = 256 * 1024 };

/*
 * What a call shall fail with, 0 for not at all. The functions below stand in for libc's in this
 * program: the output's calls end here.
 */
static struct {
    int tmpfile; /* openat with O_TMPFILE */
    int creat;   /* openat with O_CREAT */
    int fallocate;
    int fsync;
    int linkat;
    int renameat;
} faults;

static bool refused(int error)
{
    if (error != 0)
        errno = error;
    return error != 0;
}

int openat(int fd, const char *file, int oflag, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, oflag);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if ((oflag & O_TMPFILE) == O_TMPFILE ? refused(faults.tmpfile) : refused(faults.creat))
        return -1;
    return (int)syscall(SYS_openat, fd, file, oflag, mode);
}

int posix_fallocate(int fd, off_t offset, off_t len)
{
    if (faults.fallocate != 0)
        return faults.fallocate;
    return fallocate(fd, 0, offset, len) == 0 ? 0 : errno;
}

int fsync(int fd)
{
    return refused(faults.fsync) ? -1 : (int)syscall(SYS_fsync, fd);
}

int linkat(int fromfd, const char *from, int tofd, const char *to, int flags)
{
    if (refused(faults.linkat))
        return -1;
    return (int)syscall(SYS_linkat, fromfd, from, tofd, to, flags);
}

int renameat(int oldfd, const char *old, int newfd, const char *new)
{
    if (refused(faults.renameat))
        return -1;
    return (int)syscall(SYS_renameat2, oldfd, old, newfd, new, 0);
}

static char folder[32];

static void enter(void)
{
    memset(&faults, 0, sizeof faults);
    strcpy(folder, "/tmp/test_output.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    umask(022);
}

/* Removes what the tests make; whatever else is there keeps the folder, to be looked at. */
static void leave(void)
{
    chmod("d", 0777);
    unlink("d/real");
    unlink("x");
    unlink("y");
    rmdir("d");
    ck_assert_int_eq(chdir("/"), 0);
    rmdir(folder);
}

static void store(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_content(const char *path, const char *content, size_t length)
{
    char bytes[256];
    FILE *file = fopen(path, "rb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, file), length);
    ck_assert_mem_eq(bytes, content, length);
    fclose(file);
}

static int entries(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;

    ck_assert_ptr_nonnull(directory);
    while (readdir(directory))
        ++count;
    closedir(directory);
    return count - 2;
}

static mode_t mode_of(const char *path)
{
    struct stat status;

    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* Writes "header" and four bytes through a mapping. */
static bool write_mapped(const char *path, struct problem *problem)
{
    struct output output;
    void *data;

    if (!output_open(&output, path, problem))
        return false;
    if (!output_map(&output, "header", 6, 4, &data, problem)) {
        output_discard(&output);
        return false;
    }
    memcpy(data, "data", 4);
    return output_commit(&output, problem);
}

/* Nothing is written over "old", and nothing else is left in the folder. */
static void assert_untouched(const struct problem *problem, const char *message)
{
    ck_assert_msg(strstr(problem->text, message) != NULL, "%s", problem->text);
    assert_content("x", "old", 3);
    ck_assert_int_eq(entries("."), 1);
}

START_TEST(a_new_file_appears_on_commit)
{
    struct problem problem = {0};
    struct output output;
    char *data;
    void *mapped;

    umask(027);
    ck_assert_msg(output_open(&output, "x", &problem), "%s", problem.text);
    ck_assert_msg(output_map(&output, "head", 4, 8, &mapped, &problem), "%s", problem.text);
    data = mapped;
    ck_assert_mem_eq(data, "\0\0\0\0\0\0\0\0", 8);
    data[2] = 'd';
    data[5] = 'a';
    ck_assert_int_eq(entries("."), 0);
    ck_assert_msg(output_commit(&output, &problem), "%s", problem.text);
    output_discard(&output);
    assert_content("x", "head\0\0d\0\0a\0\0", 12);
    ck_assert_uint_eq(mode_of("x"), 0640);
    ck_assert_int_eq(entries("."), 1);
}
END_TEST

START_TEST(a_header_alone_is_a_file)
{
    struct problem problem = {0};
    struct output output;
    void *data = &output;

    ck_assert(output_open(&output, "x", &problem));
    ck_assert(output_map(&output, "head", 4, 0, &data, &problem));
    ck_assert_ptr_null(data);
    ck_assert(output_commit(&output, &problem));
    assert_content("x", "head", 4);
}
END_TEST

START_TEST(a_discarded_file_never_was)
{
    struct problem problem = {0};
    struct output output = {0};
    void *data;

    faults.tmpfile = _i == 0 ? 0 : EOPNOTSUPP;
    store("x", "old");
    output_discard(NULL);
    output_discard(&output);
    ck_assert(output_open(&output, "x", &problem));
    output_discard(&output);
    ck_assert(output_open(&output, "x", &problem));
    ck_assert(output_map(&output, "head", 4, 8, &data, &problem));
    output_discard(&output);
    output_discard(&output);
    ck_assert(output_open(&output, "x", &problem));
    ck_assert(output_write(&output, "bytes", 5, &problem));
    output_discard(&output);
    assert_untouched(&problem, "");
}
END_TEST

START_TEST(an_old_file_is_replaced_and_keeps_its_rights)
{
    struct problem problem = {0};

    faults.tmpfile = _i == 0 ? 0 : EOPNOTSUPP;
    store("x", "old");
    ck_assert_int_eq(link("x", "y"), 0);
    ck_assert_int_eq(chmod("x", 0604), 0);
    ck_assert_msg(write_mapped("x", &problem), "%s", problem.text);
    assert_content("x", "headerdata", 10);
    assert_content("y", "old", 3);
    ck_assert_uint_eq(mode_of("x"), 0604);
    ck_assert_int_eq(entries("."), 2);
}
END_TEST

START_TEST(the_owner_stays_whom_root_replaces_a_file_of)
{
    struct problem problem = {0};
    struct stat status;

    faults.tmpfile = _i == 0 ? 0 : EOPNOTSUPP;
    store("x", "old");
    ck_assert_int_eq(chown("x", NOBODY, NOBODY), 0);
    ck_assert_msg(write_mapped("x", &problem), "%s", problem.text);
    ck_assert_int_eq(stat("x", &status), 0);
    ck_assert(status.st_uid == NOBODY && status.st_gid == NOBODY);
}
END_TEST

START_TEST(what_is_written_becomes_a_file)
{
    struct problem problem = {0};
    struct output output;

    ck_assert(output_open(&output, "x", &problem));
    ck_assert(output_write(&output, "writ", 4, &problem));
    ck_assert(output_write(&output, "ten", 3, &problem));
    ck_assert_int_eq(entries("."), 0);
    ck_assert_msg(output_commit(&output, &problem), "%s", problem.text);
    assert_content("x", "written", 7);
}
END_TEST

START_TEST(the_input_may_be_the_output)
{
    struct problem problem = {0};
    const char *old;
    int fd;

    store("x", "old");
    fd = open("x", O_RDONLY);
    old = mmap(NULL, 3, PROT_READ, MAP_PRIVATE, fd, 0);
    ck_assert(write_mapped("x", &problem));
    ck_assert_mem_eq(old, "old", 3);
    assert_content("x", "headerdata", 10);
    close(fd);
}
END_TEST

START_TEST(what_a_link_names_is_replaced)
{
    static const char *targets[] = {"d/real", "../x"};
    struct problem problem = {0};
    struct stat status;

    ck_assert_int_eq(mkdir("d", 0777), 0);
    store(_i == 0 ? "d/real" : "x", "old");
    ck_assert_int_eq(symlink(targets[_i], _i == 0 ? "x" : "d/real"), 0);
    ck_assert_msg(write_mapped(_i == 0 ? "x" : "d/real", &problem), "%s", problem.text);
    ck_assert_int_eq(lstat(_i == 0 ? "x" : "d/real", &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_int_eq(lstat(_i == 0 ? "d/real" : "x", &status), 0);
    ck_assert(S_ISREG(status.st_mode));
    assert_content("d/real", "headerdata", 10);
    ck_assert_int_eq(entries("d"), 1);
    ck_assert_int_eq(entries("."), 2);
}
END_TEST

static const struct {
    const char *path;
    const char *message;
} targets[] = {
    {"d", "cannot write d: it is a directory, not a regular file"},
    {".", "cannot write .: it is a directory"},
    {"/", "cannot write /: it is a directory"},
    {"d/", "cannot write d/: it is a directory"},
    {"/dev/null", "cannot write /dev/null: it is a device, pipe or socket"},
    {"y", "cannot write y: it is a device, pipe or socket"},
    {"", "cannot write : No such file or directory"},
    {"none/x", "cannot write none/x: directory none: No such file or directory"},
    {"none/", "cannot write none/: it names a directory that does not exist"},
    {"d/real", "cannot write d/real: it is a symbolic link to a file that does not exist"},
    {"x/y", "cannot write x/y: Not a directory"},
};

START_TEST(what_is_no_file_is_refused)
{
    struct problem problem = {0};
    struct output output;

    store("x", "old");
    ck_assert_int_eq(mkdir("d", 0777), 0);
    ck_assert_int_eq(mkfifo("y", 0666), 0);
    ck_assert_int_eq(symlink("nowhere", "d/real"), 0);
    ck_assert(!output_open(&output, targets[_i].path, &problem));
    ck_assert_msg(strstr(problem.text, targets[_i].message) != NULL, "%s", problem.text);
    ck_assert_ptr_null(output.path);
    ck_assert_int_eq(entries("."), 3);
}
END_TEST

START_TEST(a_file_of_the_root_directory_can_be_written)
{
    struct problem problem = {0};
    struct output output;

    ck_assert_msg(output_open(&output, "/none", &problem), "%s", problem.text);
    output_discard(&output);
}
END_TEST

START_TEST(long_names_are_refused)
{
    struct problem problem = {0};
    struct output output;
    char name[5000];

    memset(name, 'n', sizeof name);
    name[_i == 0 ? 300 : 4999] = '\0';
    ck_assert(!output_open(&output, name, &problem));
    ck_assert_int_eq(strncmp(problem.text, "cannot write nnn", 16), 0);
}
END_TEST

START_TEST(file_systems_without_unnamed_files_will_do)
{
    static const int errors[] = {EOPNOTSUPP, EISDIR, EINVAL, ENOENT};
    struct problem problem = {0};

    faults.tmpfile = errors[_i];
    ck_assert_msg(write_mapped("x", &problem), "%s", problem.text);
    assert_content("x", "headerdata", 10);
    ck_assert_uint_eq(mode_of("x"), 0644);
    ck_assert_int_eq(entries("."), 1);
}
END_TEST

START_TEST(file_systems_that_cannot_allocate_will_do)
{
    static const size_t big = 200001;
    struct problem problem = {0};
    struct output output;
    struct stat status;
    void *data;

    faults.fallocate = _i == 0 ? EOPNOTSUPP : EINVAL;
    ck_assert(output_open(&output, "x", &problem));
    ck_assert_msg(output_map(&output, "head", 4, big, &data, &problem), "%s", problem.text);
    for (size_t i = 0; i < big; ++i)
        ck_assert_int_eq(((char *)data)[i], 0);
    ck_assert(output_commit(&output, &problem));
    ck_assert_int_eq(stat("x", &status), 0);
    ck_assert_int_eq(status.st_size, (off_t)big + 4);
    ck_assert_int_ge(status.st_blocks * 512, (off_t)big);
}
END_TEST

START_TEST(any_failure_leaves_the_old_file)
{
    int *where[] = {&faults.tmpfile, &faults.fallocate, &faults.fsync, &faults.linkat,
                    &faults.renameat};
    struct problem problem = {0};

    store("x", "old");
    *where[_i] = EIO;
    ck_assert(!write_mapped("x", &problem));
    assert_untouched(&problem, "cannot write x");
    assert_untouched(&problem, "Input/output error");
    faults.tmpfile = _i == 0 ? EINVAL : EOPNOTSUPP;
    faults.creat = _i == 0 ? EIO : 0;
    if (where[_i] != &faults.linkat)
        ck_assert(!write_mapped("x", &problem));
    assert_untouched(&problem, "Input/output error");
}
END_TEST

START_TEST(sizes_beyond_all_disks_are_refused)
{
    static const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 4, (uint64_t)INT64_MAX + 1,
                                     INT64_MAX};
    struct problem problem = {0};
    struct output output;
    void *data;

    store("x", "old");
    ck_assert(output_open(&output, "x", &problem));
    ck_assert(!output_map(&output, "head", 4, sizes[_i], &data, &problem));
    output_discard(&output);
    assert_untouched(&problem, "File too large");
}
END_TEST

/* Runs the function in a process that has no rights but its own. Returns its exit status. */
static int run_as_nobody(int (*function)(void))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
                               setresuid(NOBODY, NOBODY, NOBODY) != 0))
            _exit(99);
        _exit(function());
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int write_forbidden(void)
{
    struct problem problem = {0};

    if (write_mapped("x", &problem))
        return 1;
    if (strcmp(problem.text, "cannot write x: Permission denied") != 0)
        return 2;
    return 0;
}

START_TEST(a_read_only_file_is_not_replaced)
{
    struct problem none = {0};

    store("x", "old");
    ck_assert_int_eq(chmod("x", 0444), 0);
    ck_assert_int_eq(chmod(".", 0777), 0);
    ck_assert_int_eq(run_as_nobody(write_forbidden), 0);
    assert_untouched(&none, "");
}
END_TEST

START_TEST(a_read_only_directory_takes_no_file)
{
    struct problem none = {0};

    ck_assert_int_eq(chmod(".", 0555), 0);
    ck_assert_int_eq(run_as_nobody(write_forbidden), 0);
    ck_assert_int_eq(entries("."), 0);
    ck_assert_int_eq(chmod(".", 0755), 0);
    store("x", "old");
    ck_assert_int_eq(chmod("x", 0666), 0);
    ck_assert_int_eq(chmod(".", 0555), 0);
    ck_assert_int_eq(run_as_nobody(write_forbidden), 0);
    ck_assert_int_eq(chmod(".", 0755), 0);
    assert_untouched(&none, "");
}
END_TEST

static int write_allowed(void)
{
    struct problem problem = {0};

    return write_mapped("x", &problem) ? 0 : 1;
}

/* The owner cannot be kept, the permission bits can; the directory can be written, not listed. */
START_TEST(a_file_of_somebody_else_is_replaced)
{
    store("x", "old");
    ck_assert_int_eq(chmod("x", 0666), 0);
    ck_assert_int_eq(chmod(".", 0733), 0);
    ck_assert_int_eq(run_as_nobody(write_allowed), 0);
    ck_assert_int_eq(chmod(".", 0755), 0);
    ck_assert_uint_eq(mode_of("x"), 0666);
    assert_content("x", "headerdata", 10);
}
END_TEST

/* A small file system of this process alone, as the current directory. */
static void enter_small_disk(void)
{
    char options[32];

    snprintf(options, sizeof options, "size=%d", FULL_DISK_BYTES);
    ck_assert_int_eq(mkdir("d", 0777), 0);
    needs_mount_memory("d", 0, options);
    ck_assert_int_eq(chdir("d"), 0);
}

static void leave_small_disk(void)
{
    ck_assert_int_eq(chdir(folder), 0);
    umount2("d", MNT_DETACH);
}

START_TEST(a_full_disk_is_an_error_and_no_signal)
{
    struct problem problem = {0};
    struct output output;
    void *data;

    enter_small_disk();
    store("x", "old");
    faults.fallocate = _i == 0 ? 0 : EOPNOTSUPP;
    faults.tmpfile = _i == 1 ? EOPNOTSUPP : 0;
    ck_assert(output_open(&output, "x", &problem));
    ck_assert(!output_map(&output, "head", 4, (uint64_t)FULL_DISK_BYTES * 2, &data, &problem));
    output_discard(&output);
    assert_untouched(&problem, "cannot write x, 524292 bytes: No space left on device");
    ck_assert(output_open(&output, "x", &problem));
    ck_assert_msg(output_map(&output, "head", 4, FULL_DISK_BYTES / 2, &data, &problem), "%s",
                  problem.text);
    memset(data, 1, FULL_DISK_BYTES / 2);
    ck_assert_msg(output_commit(&output, &problem), "%s", problem.text);
    leave_small_disk();
}
END_TEST

START_TEST(writing_onto_a_full_disk_fails)
{
    static const char bytes[4096];
    struct problem problem = {0};
    struct output output;
    int written = 0;

    enter_small_disk();
    store("x", "old");
    ck_assert(output_open(&output, "x", &problem));
    while (written <= FULL_DISK_BYTES && output_write(&output, bytes, sizeof bytes, &problem))
        written += (int)sizeof bytes;
    ck_assert_int_le(written, FULL_DISK_BYTES);
    output_discard(&output);
    assert_untouched(&problem, "cannot write x: No space left on device");
    leave_small_disk();
}
END_TEST

START_TEST(a_killed_writer_leaves_nothing)
{
    struct problem problem = {0};
    int status;
    pid_t child;

    store("x", "old");
    child = fork();
    if (child == 0) {
        struct output output;
        void *data;

        if (output_open(&output, "x", &problem) &&
            output_map(&output, "head", 4, 100000, &data, &problem)) {
            memset(data, 1, 50000);
            kill(getpid(), SIGKILL);
        }
        _exit(1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_untouched(&problem, "");
}
END_TEST

START_TEST(descriptors_are_closed)
{
    struct problem problem = {0};
    int before;
    int after;

    store("x", "old");
    before = dup(0);
    for (int i = 0; i < 10; ++i) {
        faults.tmpfile = i % 2 ? 0 : EOPNOTSUPP;
        faults.fsync = i % 3 ? 0 : EIO;
        ck_assert_int_eq(write_mapped("x", &problem), faults.fsync == 0);
        ck_assert(!write_mapped("none/x", &problem));
        ck_assert(!write_mapped(".", &problem));
    }
    after = dup(0);
    ck_assert_int_eq(after, before + 1);
    close(before);
    close(after);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output");
    TCase *tests = suite_case(suite, "output");
    TCase *others = needs_case(suite, "root", needs_root);
    TCase *mounts = needs_case(suite, "mount", needs_mount);
    tcase_add_checked_fixture(tests, enter, leave);
    tcase_add_checked_fixture(others, enter, leave);
    tcase_add_checked_fixture(mounts, enter, leave);
    tcase_add_test(tests, a_new_file_appears_on_commit);
    tcase_add_test(tests, a_header_alone_is_a_file);
    tcase_add_loop_test(tests, a_discarded_file_never_was, 0, 2);
    tcase_add_loop_test(tests, an_old_file_is_replaced_and_keeps_its_rights, 0, 2);
    tcase_add_test(tests, what_is_written_becomes_a_file);
    tcase_add_test(tests, the_input_may_be_the_output);
    tcase_add_loop_test(tests, what_a_link_names_is_replaced, 0, 2);
    tcase_add_loop_test(tests, what_is_no_file_is_refused, 0, COUNT_OF(targets));
    tcase_add_loop_test(tests, long_names_are_refused, 0, 2);
    tcase_add_loop_test(tests, file_systems_without_unnamed_files_will_do, 0, 4);
    tcase_add_loop_test(tests, file_systems_that_cannot_allocate_will_do, 0, 2);
    tcase_add_loop_test(tests, any_failure_leaves_the_old_file, 0, 5);
    tcase_add_loop_test(tests, sizes_beyond_all_disks_are_refused, 0, 4);
    tcase_add_test(tests, a_read_only_file_is_not_replaced);
    tcase_add_test(tests, a_read_only_directory_takes_no_file);
    tcase_add_loop_test(others, the_owner_stays_whom_root_replaces_a_file_of, 0, 2);
    tcase_add_test(others, a_file_of_the_root_directory_can_be_written);
    tcase_add_test(others, a_file_of_somebody_else_is_replaced);
    tcase_add_loop_test(mounts, a_full_disk_is_an_error_and_no_signal, 0, 2);
    tcase_add_test(mounts, writing_onto_a_full_disk_fails);
    tcase_add_test(tests, a_killed_writer_leaves_nothing);
    tcase_add_test(tests, descriptors_are_closed);
    return suite_run(suite);
}
