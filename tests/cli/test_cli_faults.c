/* SPDX-License-Identifier: MIT */
/* The command line where the machine is not as it should be. */
#include "support/cli_process.h"
#include "support/needs.h"
#include "support/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The driver writes files of more than a megabyte, and is not to be hit. */
enum { LIMIT_BYTES = 3 << 20, SIDE = 2048 };

/* 4 MiB of bytes, as an array and, sliced, as a picture that does not compress. */
#define IN_DICT "'descr': '|u1', 'fortran_order': False, 'shape': (2048, 2048), "

static const char to_array[] = "slice in.npy out.npy ::-1";
static const char to_picture[] = "slice in.npy out.png ::-1";

static void store_input(const char *path)
{
    unsigned char *bytes = malloc((size_t)SIDE * SIDE);

    ck_assert_ptr_nonnull(bytes);
    fill_bytes(bytes, (size_t)SIDE * SIDE);
    npy_store(path, IN_DICT, bytes, (size_t)SIDE * SIDE);
    free(bytes);
}

static void enter(void)
{
    mkdir("empty", 0777);
    mkdir("only-pocl", 0777);
    symlink("/etc/OpenCL/vendors/pocl.icd", "only-pocl/pocl.icd");
    store_input("in.npy");
    text_store("out.npy", "old");
    text_store("out.png", "old");
}

static const struct {
    const char *environment;
    const char *text;
} machines[] = {
    {"OCL_ICD_VENDORS=empty/", "finds no platform: install a driver (ICD)"},
    {"OCL_ICD_VENDORS=/nonexistent/", "finds no platform"},
    {"POCL_DEVICES= OCL_ICD_VENDORS=only-pocl/",
     "to a folder that it can write to; note OCL_ICD_VENDORS=\"only-pocl/\"; note "
     "POCL_DEVICES=\"\""},
    {"POCL_CACHE_DIR=in.npy/below OCL_ICD_VENDORS=only-pocl/",
     "(1 without: Portable Computing Language); PoCL has no device unless it can write to"},
    {"CLSLICE_OPENCL=/nonexistent", "cannot open /nonexistent (from CLSLICE_OPENCL) ("},
    {"CLSLICE_OPENCL=in.npy", "cannot open in.npy"},
    {"CLSLICE_DEVICE=none", "CLSLICE_DEVICE=\"none\": asks for no device"},
    {"CLSLICE_DEVICE=nope", "CLSLICE_DEVICE=\"nope\": no match; devices: [0] \""},
    {"CLSLICE_DEVICE=a:b", "CLSLICE_DEVICE=\"a:b\": unknown type"},
    {"CLSLICE_DEVICE=cpu,,", "CLSLICE_DEVICE=\"cpu,,\": "},
};

START_TEST(a_machine_without_a_device_is_named)
{
    static const char *const words[] = {to_array, "explain in.npy 1", "devices", "verify"};

    for (size_t i = 0; i < COUNT_OF(words); ++i) {
        struct cli_result result = cli_run(words[i], machines[_i].environment);

        cli_assert_refused(&result, 1, machines[_i].text);
    }
    assert_untouched("out.npy", "old");
}
END_TEST

/* The driver may have its say first. */
START_TEST(a_build_that_fails_is_named)
{
    struct cli_result result = cli_run(to_array, "CLSLICE_BUILD_OPTIONS=-DELEMENT_SIZE=oops");
    const char *line = strstr(result.err, "clslice: the OpenCL compiler refused");

    ck_assert_msg(result.status == 1 && line, "%s", result.err);
    ck_assert_ptr_eq(strchr(line, '\n'), strrchr(result.err, '\n'));
    assert_untouched("out.npy", "old");
}
END_TEST

static void close_two(void)
{
    close(STDIN_FILENO);
    close(STDERR_FILENO);
}

/* What it told went into the output, which had the number of standard error. */
START_TEST(closed_descriptors_are_not_the_output)
{
    struct cli_child child = cli_start("slice in.npy new.npy ::1", "CLSLICE_VERBOSE=1", close_two);
    struct cli_result result = cli_end(&child);

    cli_assert_silent(&result);
    free(npy_load("new.npy", IN_DICT, (size_t)SIDE * SIDE));
}
END_TEST

static const struct {
    const char *environment;
    const char *words;
} fallbacks[] = {
    {"CLSLICE_DEVICE=nope,auto", "slice in.npy new.npy ::-1"},
    {"CLSLICE_DEVICE=", "slice in.npy new.npy ::-1"},
    {"CLSLICE_DEVICE=nope", "slice in.npy new.npy ::-1 --device any"},
};

START_TEST(a_selector_may_fall_back)
{
    struct cli_result result = cli_run(fallbacks[_i].words, fallbacks[_i].environment);

    cli_assert_silent(&result);
    free(npy_load("new.npy", IN_DICT, (size_t)SIDE * SIDE));
}
END_TEST

/* Without it, root must keep to the permission bits, too. */
static void obey_permissions(void)
{
    if (geteuid() == 0 && (prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0 ||
                           prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0) != 0))
        _exit(97);
}

static const struct {
    const char *path; /* what is forbidden, */
    mode_t mode;
    const char *text;
} forbidden[] = {
    {"in.npy", 0200, "cannot read in.npy: Permission denied"},
    {"d/out.npy", 0400, "cannot write d/out.npy: Permission denied"},
    {"d", 0500, "cannot write d/out.npy: Permission denied"},
    {"d", 0000, "cannot write d/out.npy: Permission denied"},
};

START_TEST(permissions_are_obeyed)
{
    struct cli_child child;
    struct cli_result result;

    mkdir("d", 0777);
    text_store("d/out.npy", "old");
    ck_assert_int_eq(chmod(forbidden[_i].path, forbidden[_i].mode), 0);
    child = cli_start("slice in.npy d/out.npy ::-1", NULL, obey_permissions);
    result = cli_end(&child);
    ck_assert_int_eq(chmod(forbidden[_i].path, 0755), 0);
    cli_assert_refused(&result, 1, forbidden[_i].text);
    ck_assert_int_eq(chdir("d"), 0);
    assert_untouched("out.npy", "old");
    ck_assert_int_eq(chdir(".."), 0);
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file)
{
    const char *path = _i == 0 ? "disk/out.npy" : "disk/out.png";
    struct cli_result result;
    char text[64];

    mkdir("disk", 0777);
    needs_mount_memory("disk", 0, "size=256k");
    text_store(path, "old");
    snprintf(text, sizeof text, "slice in.npy %s ::-1", path);
    result = cli_run(text, NULL);
    snprintf(text, sizeof text, "cannot write %s", path);
    cli_assert_refused(&result, 1, text);
    cli_assert_refused(&result, 1, "No space left on device");
    ck_assert_int_eq(chdir("disk"), 0);
    assert_untouched(strchr(path, '/') + 1, "old");
    ck_assert_int_eq(chdir(".."), 0);
    umount2("disk", MNT_DETACH);
}
END_TEST

static void limit_files(void)
{
    struct rlimit limit = {LIMIT_BYTES, LIMIT_BYTES};

    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(97);
}

/* SIGXFSZ would end it; the first run fills the driver's cache, which knows no limit. */
START_TEST(a_limit_of_file_sizes_is_an_error)
{
    const char *words = _i == 0 ? to_array : to_picture;
    const char *path = _i == 0 ? "out.npy" : "out.png";
    struct cli_result result = cli_run(words, NULL);
    struct cli_child child;

    cli_assert_silent(&result);
    text_store(path, "old");
    child = cli_start(words, NULL, limit_files);
    result = cli_end(&child);
    cli_assert_refused(&result, 1, path);
    cli_assert_refused(&result, 1, "File too large");
    assert_untouched(path, "old");
}
END_TEST

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

/* Whether the process has mapped a file whose path holds the name. */
static bool has_mapped(pid_t pid, const char *name)
{
    char path[64];
    char line[4096];
    bool is_mapped = false;
    FILE *stream;

    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    stream = fopen(path, "r");
    while (!is_mapped && stream && fgets(line, sizeof line, stream))
        is_mapped = strstr(line, name) != NULL;
    if (stream)
        fclose(stream);
    return is_mapped;
}

/* Cuts the input as soon as it is mapped. False if it was too late. */
static bool cut_while_running(struct cli_result *result)
{
    struct cli_child child = cli_start(to_array, NULL, NULL);
    bool is_cut;

    while (cli_is_running(child.pid) && !has_mapped(child.pid, "/in.npy"))
        pause_briefly();
    kill(child.pid, SIGSTOP);
    ck_assert_int_eq(truncate("in.npy", 4096), 0);
    is_cut = cli_is_running(child.pid);
    kill(child.pid, SIGCONT);
    *result = cli_end(&child);
    return is_cut && result->status != 0;
}

START_TEST(an_input_that_shrinks_is_an_error)
{
    struct cli_result result;

    do {
        store_input("in.npy");
        text_store("out.npy", "old");
    } while (!cut_while_running(&result));
    cli_assert_refused(&result, 1, "cannot read in.npy: it was truncated");
    assert_untouched("out.npy", "old");
}
END_TEST

enum { STEP = 1024, FEW = 768, ROWS = STEP * FEW, COLUMNS = 2048 };

static void mark(long row, float value)
{
    int fd = open("huge.npy", O_WRONLY | O_CLOEXEC);
    off_t at = 128 + ((off_t)row * COLUMNS + 7) * (off_t)sizeof value;

    ck_assert_int_eq(pwrite(fd, &value, sizeof value, at), sizeof value);
    close(fd);
}

START_TEST(a_file_of_6_gib_is_not_read_whole)
{
    size_t bytes = (size_t)ROWS * COLUMNS * sizeof(float);
    struct cli_result result;
    struct rusage usage;
    float *few;

    npy_store("huge.npy", "'descr': '<f4', 'fortran_order': False, 'shape': (786432, 2048), ", NULL,
              bytes);
    for (long row = STEP - 1; row < ROWS; row += STEP)
        mark(row, (float)row);
    result = cli_run("slice huge.npy few.npy '::-1024, 7'", NULL);
    cli_assert_silent(&result);
    ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    printf("a slice of %zu bytes: at most %ld MiB at a time\n", bytes, usage.ru_maxrss / 1024);
    ck_assert_int_lt(usage.ru_maxrss, 1024L * 1024);
    few = (float *)(void *)npy_load("few.npy",
                                    "'descr': '<f4', 'fortran_order': False, 'shape': (768,), ",
                                    FEW * sizeof(float));
    for (long i = 0; i < FEW; ++i)
        ck_assert(few[i] == (float)(ROWS - 1 - i * STEP));
    free(few);
    unlink("huge.npy");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("cli faults");
    TCase *tests = suite_case(suite, "cli faults");
    TCase *mounts = needs_case(suite, "mount", needs_mount);
    cli_path = argc > 1 ? argv[1] : "clslice";
    tcase_add_checked_fixture(tests, enter, NULL);
    tcase_add_checked_fixture(mounts, enter, NULL);
    tcase_add_loop_test(tests, a_machine_without_a_device_is_named, 0, COUNT_OF(machines));
    tcase_add_test(tests, a_build_that_fails_is_named);
    tcase_add_test(tests, closed_descriptors_are_not_the_output);
    tcase_add_loop_test(tests, a_selector_may_fall_back, 0, COUNT_OF(fallbacks));
    tcase_add_loop_test(tests, permissions_are_obeyed, 0, COUNT_OF(forbidden));
    tcase_add_loop_test(mounts, a_full_disk_leaves_the_old_file, 0, 2);
    tcase_add_loop_test(tests, a_limit_of_file_sizes_is_an_error, 0, 2);
    tcase_add_test(tests, an_input_that_shrinks_is_an_error);
    tcase_add_test(tests, a_file_of_6_gib_is_not_read_whole);
    return suite_run(suite);
}
