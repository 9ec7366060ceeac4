/* SPDX-License-Identifier: MIT */
/* Where the cache is off there is no file, and with more rights than its user's a program has no
 * cache. */
#include "location_rig.h"
#include "support/needs.h"
#include "support/suite.h"

#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program; /* this one */

/* ---- P8: no file anywhere ---- */

/* What a device does with the place that it finds: the whole life of an entry. Outside of tests,
 * too. */
static void use_place(void)
{
    struct cache_location place = find();
    struct cache *cache = NULL;
    const struct hash_part bytes = {"bytes", 5};
    const char *reason;
    uint64_t removed;
    if (place.on)
        cache = cache_create(place.folder, place.mode, place.max_bytes);
    for (int i = 0; i < 2; ++i) {
        struct cache_found found = cache_get(cache, &bytes);
        cache_found_release(&found);
        cache_clear(cache, &removed, &why);
        cache_put(cache, &bytes, &bytes, &reason);
    }
    cache_release(cache);
}

static unsigned seen;

static int count_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)path, (void)about, (void)type;
    seen += where->level > 0;
    return 0;
}

static unsigned count_tree(const char *path)
{
    seen = 0;
    ck_assert_int_eq(nftw(path, count_one, 16, FTW_PHYS), 0);
    return seen;
}

/* As far as it can be seen from the working directory, HOME's parent, and the folder of TMPDIR. */
static const struct {
    const char *xdg, *home, *cache;
    unsigned files;
} lives[] = {
    {NULL, NULL, NULL, 0},      {"", "", NULL, 0},
    {"x", "h", NULL, 0},        {NULL, "missing", NULL, 0},
    {NULL, "@", "off", 0},      {NULL, "@", "0", 0},
    {NULL, "@", "relative", 0}, {NULL, "@", "ro=relative", 0},
    {NULL, "@", "ro", 0},       {NULL, "@/no", NULL, 0},
    {"@", NULL, NULL, 2},       {NULL, "@", NULL, 3},
    {NULL, "@", "refresh", 3},  {"@/new", "@", NULL, 3},
};

START_TEST(p8_no_file_where_there_is_no_place)
{
    struct path here = new_folder(), own = path_of(here.text, "own"),
                temporary = path_of(here.text, "t");
    ck_assert_int_eq(mkdir(own.text, 0755), 0);
    ck_assert_int_eq(mkdir(temporary.text, 0755), 0);
    ck_assert_int_eq(chdir(own.text), 0);
    clear_environment();
    set("TMPDIR", temporary.text);
    set_in("XDG_CACHE_HOME", lives[_i].xdg, &own);
    set_in("HOME", lives[_i].home, &own);
    set("CLSLICE_CACHE", lives[_i].cache);
    use_place();
    ck_assert_uint_eq(count_tree(own.text), lives[_i].files);
    ck_assert_uint_eq(count_tree(temporary.text), 0);
    ck_assert_int_eq(chdir("/"), 0);
    remove_tree(here.text);
}
END_TEST

/* What CLSLICE_CACHE says, with no other place; of the last, the control, strace must see files. */
static const char *const traced[] = {"off", "default", "relative", "\"$PWD/on\""};

static const char *lack_strace(void)
{
    /* NOLINTNEXTLINE(cert-env33-c): it may lie anywhere in PATH */
    bool works = system("strace -o /dev/null true >/dev/null 2>&1") == 0;
    return works ? NULL : "needs strace, and to be let trace a process";
}

/* Under strace, which sees files anywhere. */
START_TEST(p8_no_system_call_makes_a_file)
{
    char command[3 * PATH_SIZE];
    struct path here = new_folder(), log = path_of(here.text, "log");
    clear_environment();
    set("ASAN_OPTIONS", "detect_leaks=0"); /* it would trace, too */
    set("LLVM_PROFILE_FILE", "/dev/null");
    snprintf(
        command, sizeof command,
        "env -u HOME -u XDG_CACHE_HOME CLSLICE_CACHE=%s strace -f -o '%s' -e trace=%%file '%s' use",
        traced[_i], log.text, program);
    ck_assert_int_eq(system(command), 0); /* NOLINT(cert-env33-c): in PATH, as above */
    snprintf(command, sizeof command,
             "! grep -E 'O_CREAT|O_TRUNC|O_TMPFILE|^[0-9]+ "
             "+(mkdir|rename|link|symlink|mknod|creat)' '%s' | "
             "grep -v -e '\\.gcda' -e '/proc/' -e '/dev/' >%s",
             log.text, traced[_i][0] == '"' ? "/dev/null" : "&2");
    ck_assert_int_eq(system(command) == 0, traced[_i][0] != '"'); /* NOLINT(cert-env33-c) */
    remove_tree(here.text);
}
END_TEST

/* ---- P10 ---- */

enum { USER = 54321, CHILD_ON = 11, CHILD_OFF = 10 };

/* Runs a copy of this program, so owned and with this mode, as an ordinary user: what it says to
 * the word. */
static int run_copy(uid_t owner, mode_t mode, const char *word)
{
    int status;
    char folder[] = "/tmp/clslice-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chmod(folder, 0755), 0);
    struct path copy = path_of(folder, "copy");
    struct bytes bytes = file_read("/proc/self/exe");
    file_write(copy.text, bytes.at, bytes.size, 0700);
    free(bytes.at);
    ck_assert_int_eq(chown(copy.text, owner, owner), 0);
    ck_assert_int_eq(chmod(copy.text, mode), 0);
    pid_t child = fork();
    if (child == 0) {
        alarm(120);
        if (setgroups(0, NULL) == 0 && setresgid(USER, USER, USER) == 0 &&
            setresuid(USER, USER, USER) == 0)
            execl(copy.text, copy.text, word, (char *)NULL);
        _exit(126);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    remove_tree(folder);
    ck_assert_msg(WIFEXITED(status), "copy: status 0x%x", status);
    return WEXITSTATUS(status);
}

/* What the copy says: whether a cache is on, whatever asks for it. */
static int say_place(void)
{
    const clslice_device_options with = {
        .size = sizeof with, .cache_mode = CLSLICE_CACHE_READ_WRITE, .cache_path = "/o"};
    struct environment environment = environment_read(false);
    bool is_seen =
        environment.cache || environment.home || environment.xdg_cache || environment.cache_max;
    return find().on || is_seen || find_with(&with).on ? CHILD_ON : CHILD_OFF;
}

/* Owner and mode of the copy: 4000 for the user's rights, 2000 for the group's. */
static const struct {
    uid_t owner;
    mode_t mode;
    int says;
} copies[] = {
    {0, 0755, CHILD_ON}, /* the control */
    {0, 04755, CHILD_OFF},        {0, 02755, CHILD_OFF},
    {USER + 1, 04755, CHILD_OFF}, {USER + 1, 02755, CHILD_OFF},
};

static const char *lack_setuid(void)
{
    if (needs_root())
        return needs_root();
    return run_copy(0, 04755, "rights") == CHILD_ON ? NULL : "no setuid program can run in /tmp";
}

START_TEST(p10_a_program_with_more_rights_has_no_cache)
{
    clear_environment();
    set("CLSLICE_CACHE", "/p");
    set("HOME", "/h");
    set("ASAN_OPTIONS", "detect_leaks=0");
    ck_assert_int_eq(run_copy(copies[_i].owner, copies[_i].mode, "place"), copies[_i].says);
}
END_TEST

/* Also where it took another's rights later, which secure_getenv does not see. */
START_TEST(p10_another_effective_user_has_no_cache)
{
    clear_environment();
    set("CLSLICE_CACHE", "/p");
    ck_assert(find().on);
    ck_assert_int_eq(_i == 0 ? seteuid(USER) : setegid(USER), 0);
    bool on = find().on;
    ck_assert_int_eq(_i == 0 ? seteuid(0) : setegid(0), 0);
    ck_assert(!on);
}
END_TEST

int main(int argc, char **argv)
{
    program = argv[0];
    /* No destructors of a sanitizer: they stumble over a process that may not be traced. */
    if (argc > 1 && strcmp(argv[1], "place") == 0)
        _exit(say_place());
    if (argc > 1 && strcmp(argv[1], "rights") == 0)
        _exit(geteuid() == 0 ? CHILD_ON : CHILD_OFF);
    if (argc > 1 && strcmp(argv[1], "use") == 0) {
        use_place();
        _exit(0);
    }
    Suite *suite = suite_create("cache off");
    TCase *tests = suite_case(suite, "cache off");
    tcase_add_loop_test(tests, p8_no_file_where_there_is_no_place, 0, COUNT_OF(lives));
    TCase *strace = needs_case(suite, "strace", lack_strace);
    TCase *setuid = needs_case(suite, "setuid", lack_setuid);
    TCase *root = needs_case(suite, "root", needs_root);
    tcase_add_loop_test(strace, p8_no_system_call_makes_a_file, 0, COUNT_OF(traced));
    tcase_add_loop_test(setuid, p10_a_program_with_more_rights_has_no_cache, 0, COUNT_OF(copies));
    tcase_add_loop_test(root, p10_another_effective_user_has_no_cache, 0, 2);
    return suite_run(suite);
}
