/* SPDX-License-Identifier: MIT */
/* Where the cache is, from options and environment; and that there is no file where it is off. */
#include "cache/cache_location.h"
#include "support/cache_rig.h"
#include "support/needs.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)

static const char *program; /* this one */

static void clear_environment(void)
{
    static const char *const names[] = {"CLSLICE_CACHE", "CLSLICE_CACHE_MAX", "XDG_CACHE_HOME",
                                        "HOME", "TMPDIR"};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        ck_assert_int_eq(unsetenv(names[i]), 0);
}

static struct cache_location find_with(const clslice_device_options *options)
{
    struct cache_location place;
    struct environment environment =
        environment_read(options->flags & CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT);
    cache_location_find(options, &environment, &place);
    return place;
}

static struct cache_location find(void)
{
    return find_with(&(const clslice_device_options){.size = sizeof(clslice_device_options)});
}

static void set(const char *name, const char *value)
{
    if (value)
        ck_assert_int_eq(setenv(name, value, 1), 0);
}

/* The text, whose leading '@' is the folder. */
static const char *expand(const char *text, const struct path *own, struct path *expanded)
{
    if (!text || text[0] != '@')
        return text;
    ck_assert_uint_lt(strlen(own->text) + strlen(text), sizeof expanded->text);
    *expanded = *own;
    strcat(expanded->text, text + 1);
    return expanded->text;
}

static void set_in(const char *name, const char *value, const struct path *own)
{
    struct path expanded;
    set(name, expand(value, own, &expanded));
}

/* ---- P8: the environment ---- */

/* NULL is unset; HOME must be there and the user's own to be used, and is not written here; an
 * expected folder of NULL is a cache that is off. */
static const struct {
    const char *xdg, *home, *cache, *folder;
    enum cache_mode mode;
    bool warns;
} places[] = {
    /* the default */
    {"/x", "@", NULL, "/x/clslice", CACHE_READ_WRITE, false},
    {"/x", NULL, NULL, "/x/clslice", CACHE_READ_WRITE, false},
    {NULL, "@", NULL, "@/.cache/clslice", CACHE_READ_WRITE, false},
    {"", "@", NULL, "@/.cache/clslice", CACHE_READ_WRITE, false},
    {"x", "@", NULL, "@/.cache/clslice", CACHE_READ_WRITE, false},
    {"./x", "@", NULL, "@/.cache/clslice", CACHE_READ_WRITE, false},
    {NULL, NULL, NULL, NULL, CACHE_READ_WRITE, false},
    {"", "", NULL, NULL, CACHE_READ_WRITE, false},
    {"x", "h", NULL, NULL, CACHE_READ_WRITE, false},
    {NULL, "h", NULL, NULL, CACHE_READ_WRITE, false},
    {"x", "", NULL, NULL, CACHE_READ_WRITE, false},
    {NULL, "/nonexistent", NULL, NULL, CACHE_READ_WRITE, false},
    {NULL, "/dev/null", NULL, NULL, CACHE_READ_WRITE, false},
    /* words */
    {"/x", "@", "", "/x/clslice", CACHE_READ_WRITE, false},
    {"/x", "@", "default", "/x/clslice", CACHE_READ_WRITE, false},
    {NULL, NULL, "default", NULL, CACHE_READ_WRITE, false},
    {"/x", "@", "off", NULL, CACHE_READ_WRITE, false},
    {"/x", "@", "0", NULL, CACHE_READ_WRITE, false},
    {"/x", "@", "ro", "/x/clslice", CACHE_READ_ONLY, false},
    {NULL, "@", "refresh", "@/.cache/clslice", CACHE_REFRESH, false},
    {NULL, NULL, "ro", NULL, CACHE_READ_ONLY, false},
    /* paths */
    {"/x", "@", "/p/q", "/p/q", CACHE_READ_WRITE, false},
    {NULL, NULL, "/p", "/p", CACHE_READ_WRITE, false},
    {"/x", "@", "ro=/p/q", "/p/q", CACHE_READ_ONLY, false},
    {"/x", "@", "refresh=/p/q", "/p/q", CACHE_REFRESH, false},
    {NULL, NULL, "/p=q", "/p=q", CACHE_READ_WRITE, false},
    /* what is none of these */
    {"/x", "@", "p", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "./p", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "OFF", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "1", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "on", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", " off", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "00", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "robot", NULL, CACHE_READ_WRITE, true},
    {"/x", "@", "ro=", NULL, CACHE_READ_ONLY, true},
    {"/x", "@", "ro=p", NULL, CACHE_READ_ONLY, true},
    {"/x", "@", "refresh=p", NULL, CACHE_REFRESH, true},
    {"/x", "@", "off=/p", NULL, CACHE_READ_WRITE, true},
};

START_TEST(p8_the_environment_says_where)
{
    struct path home = new_folder(), folder;
    clear_environment();
    set("TMPDIR", "/t");
    set("XDG_CACHE_HOME", places[_i].xdg);
    set_in("HOME", places[_i].home, &home);
    set("CLSLICE_CACHE", places[_i].cache);
    struct cache_location place = find();
    ck_assert_int_eq(place.on, places[_i].folder != NULL);
    if (place.on) {
        ck_assert_str_eq(place.folder, expand(places[_i].folder, &home, &folder));
        ck_assert_int_eq(place.mode, places[_i].mode);
    }
    ck_assert_msg((place.warning[0] != '\0') == places[_i].warns, "\"%s\"", place.warning);
    if (places[_i].warns)
        ck_assert_ptr_nonnull(strstr(place.warning, places[_i].cache));
    ck_assert_uint_eq(place.max_bytes, 256 * MIB);
    remove_tree(home.text);
}
END_TEST

START_TEST(p8_a_path_too_long_is_off)
{
    char path[CACHE_FOLDER_MAX + 10];
    memset(path, 'a', sizeof path);
    path[0] = '/';
    clear_environment();
    for (size_t length = CACHE_FOLDER_MAX - 12; length < sizeof path; ++length) {
        path[length] = '\0';
        set("CLSLICE_CACHE", path);
        struct cache_location place = find();
        ck_assert_int_eq(place.on, length < CACHE_FOLDER_MAX);
        ck_assert_int_eq(place.warning[0] != '\0', length >= CACHE_FOLDER_MAX);
        ck_assert_int_eq(unsetenv("CLSLICE_CACHE"), 0);
        set("XDG_CACHE_HOME", path);
        place = find();
        ck_assert_int_eq(place.on, length + strlen("/clslice") < CACHE_FOLDER_MAX);
        if (place.on)
            ck_assert_str_eq(place.folder + length, "/clslice");
        path[length] = 'a';
    }
}
END_TEST

/* A host's own text: what it gives the options. NULL: no path. */
static const struct {
    const char *text;
    uint32_t mode;
    const char *path;
} texts[] = {
    {"", CLSLICE_CACHE_DEFAULT, NULL},
    {"off", CLSLICE_CACHE_OFF, NULL},
    {"0", CLSLICE_CACHE_OFF, NULL},
    {"default", CLSLICE_CACHE_READ_WRITE, NULL},
    {"/p=q", CLSLICE_CACHE_READ_WRITE, "/p=q"},
    {"ro", CLSLICE_CACHE_READ_ONLY, NULL},
    {"ro=/p", CLSLICE_CACHE_READ_ONLY, "/p"},
    {"refresh", CLSLICE_CACHE_REFRESH, NULL},
    {"refresh=/p", CLSLICE_CACHE_REFRESH, "/p"},
};

START_TEST(texts_are_read_for_hosts)
{
    uint32_t mode = UINT32_MAX;
    const char *path = "";
    ck_assert(cache_location_parse(texts[_i].text, &mode, &path));
    ck_assert_uint_eq(mode, texts[_i].mode);
    ck_assert_pstr_eq(path, texts[_i].path);
}
END_TEST

static const char *const no_texts[] = {
    "p", "OFF", "=", "=/p", "ro=", "rop", "off=/tmp", "default=/", "refresh=p", "0=/"};

START_TEST(what_is_no_text_is_refused)
{
    uint32_t mode;
    const char *path;
    ck_assert(!cache_location_parse(no_texts[_i], &mode, &path));
}
END_TEST

/* ---- P8: sizes ---- */

static const struct {
    const char *text;
    uint64_t bytes; /* 1 beyond all: refused */
} sizes[] = {
    {"0", 256 * MIB},
    {"000", 256 * MIB},
    {"none", UINT64_MAX},
    {"1", 1},
    {"007", 7},
    {"1048576", MIB},
    {"1K", 1024},
    {"1k", 1024},
    {"5M", 5 * MIB},
    {"5m", 5 * MIB},
    {"2G", 2048 * MIB},
    {"2g", 2048 * MIB},
    {"0G", 256 * MIB},
    {"18446744073709551615", UINT64_MAX},
    {"17179869183G", UINT64_C(17179869183) << 30},
    {"18014398509481983K", UINT64_C(18014398509481983) << 10},
};

static const char *const no_sizes[] = {
    "K",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1 M",
    "M1",
    "1MB",
    "1MiB",
    "1T",
    "1KM",
    "1.5G",
    "0x10",
    "1e3",
    "ten",
    "None",
    "none ",
    "noneM",
    "1,0",
    "--",
    "1{",
    "1\xC3\xA4",
    "1\n",
    "18446744073709551616",
    "17179869184G",
    "18014398509481984K",
    "99999999999999999999999999",
};

START_TEST(p8_sizes_are_read)
{
    clear_environment();
    set("CLSLICE_CACHE_MAX", sizes[_i].text);
    struct cache_location place = find();
    ck_assert_uint_eq(place.max_bytes, sizes[_i].bytes);
    ck_assert_str_eq(place.warning, "");
}
END_TEST

START_TEST(p8_what_is_no_size_warns_and_changes_nothing)
{
    struct path home = new_folder();
    clear_environment();
    set("HOME", home.text);
    set("CLSLICE_CACHE_MAX", no_sizes[_i]);
    struct cache_location place = find();
    ck_assert_uint_eq(place.max_bytes, 256 * MIB);
    ck_assert(place.on);
    ck_assert_ptr_nonnull(strstr(place.warning, "CLSLICE_CACHE_MAX"));
    remove_tree(home.text);
}
END_TEST

/* ---- P8: options ---- */

static const struct {
    uint32_t flags, mode;
    const char *path, *cache, *folder;
    enum cache_mode expected;
} options[] = {
    {0, CLSLICE_CACHE_OFF, NULL, "/p", NULL, 0},
    {0, CLSLICE_CACHE_OFF, "/o", "/p", NULL, 0},
    {0, CLSLICE_CACHE_DEFAULT, "/o", "/p", "/o", CACHE_READ_WRITE},
    {0, CLSLICE_CACHE_READ_WRITE, "/o", "off", "/o", CACHE_READ_WRITE},
    {0, CLSLICE_CACHE_READ_WRITE, "/o", "ro=/p", "/o", CACHE_READ_WRITE},
    {0, CLSLICE_CACHE_READ_ONLY, "/o", "/p", "/o", CACHE_READ_ONLY},
    {0, CLSLICE_CACHE_REFRESH, "/o", "ro", "/o", CACHE_REFRESH},
    {0, CLSLICE_CACHE_READ_WRITE, NULL, "off", "/x/clslice", CACHE_READ_WRITE},
    {0, CLSLICE_CACHE_READ_ONLY, NULL, NULL, "/x/clslice", CACHE_READ_ONLY},
    {0, CLSLICE_CACHE_DEFAULT, NULL, "ro", "/x/clslice", CACHE_READ_ONLY},
    {CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT, CLSLICE_CACHE_DEFAULT, NULL, "/p", NULL, 0},
    {CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT, CLSLICE_CACHE_READ_WRITE, NULL, "/p", NULL, 0},
    {CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT, CLSLICE_CACHE_DEFAULT, "/o", "off", "/o",
     CACHE_READ_WRITE},
};

START_TEST(p8_options_beat_the_environment)
{
    const clslice_device_options with = {.size = sizeof with,
                                         .flags = options[_i].flags,
                                         .cache_mode = options[_i].mode,
                                         .cache_path = options[_i].path};
    clear_environment();
    set("XDG_CACHE_HOME", "/x");
    set("CLSLICE_CACHE", options[_i].cache);
    struct cache_location place = find_with(&with);
    ck_assert_int_eq(place.on, options[_i].folder != NULL);
    if (place.on) {
        ck_assert_str_eq(place.folder, options[_i].folder);
        ck_assert_int_eq(place.mode, options[_i].expected);
    }
}
END_TEST

/* 0 in the options is the default, whatever the structure; the variable does not say it
 * otherwise. */
START_TEST(p8_zero_is_the_default_in_both)
{
    clslice_device_options with = {.size = sizeof with, .cache_bytes = 0};
    clear_environment();
    const uint64_t by_option = find_with(&with).max_bytes;
    set("CLSLICE_CACHE_MAX", "0");
    ck_assert_uint_eq(find_with(&with).max_bytes, by_option);
    set("CLSLICE_CACHE_MAX", "none");
    const uint64_t by_word = find_with(&with).max_bytes;
    with.cache_bytes = UINT64_MAX;
    ck_assert_uint_eq(find_with(&with).max_bytes, by_word);
}
END_TEST

START_TEST(p8_a_size_in_the_options_beats_the_environment)
{
    clslice_device_options with = {.size = sizeof with, .cache_bytes = 12345};
    clear_environment();
    set("CLSLICE_CACHE_MAX", "1M");
    ck_assert_uint_eq(find_with(&with).max_bytes, 12345);
    with.cache_bytes = UINT64_MAX;
    ck_assert_uint_eq(find_with(&with).max_bytes, UINT64_MAX);
    with.cache_bytes = 0;
    ck_assert_uint_eq(find_with(&with).max_bytes, MIB);
    with.flags = CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT;
    ck_assert_uint_eq(find_with(&with).max_bytes, 256 * MIB);
}
END_TEST

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

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, p8_the_environment_says_where, 0, COUNT_OF(places));
    tcase_add_test(tests, p8_a_path_too_long_is_off);
    tcase_add_loop_test(tests, texts_are_read_for_hosts, 0, COUNT_OF(texts));
    tcase_add_loop_test(tests, what_is_no_text_is_refused, 0, COUNT_OF(no_texts));
    tcase_add_loop_test(tests, p8_sizes_are_read, 0, COUNT_OF(sizes));
    tcase_add_loop_test(tests, p8_what_is_no_size_warns_and_changes_nothing, 0, COUNT_OF(no_sizes));
    tcase_add_loop_test(tests, p8_options_beat_the_environment, 0, COUNT_OF(options));
    tcase_add_test(tests, p8_zero_is_the_default_in_both);
    tcase_add_test(tests, p8_a_size_in_the_options_beats_the_environment);
    tcase_add_loop_test(tests, p8_no_file_where_there_is_no_place, 0, COUNT_OF(lives));
}

static void add_tests_that_need(Suite *suite)
{
    TCase *strace = needs_case(suite, "strace", lack_strace);
    TCase *setuid = needs_case(suite, "setuid", lack_setuid);
    TCase *root = needs_case(suite, "root", needs_root);
    tcase_add_loop_test(strace, p8_no_system_call_makes_a_file, 0, COUNT_OF(traced));
    tcase_add_loop_test(setuid, p10_a_program_with_more_rights_has_no_cache, 0, COUNT_OF(copies));
    tcase_add_loop_test(root, p10_another_effective_user_has_no_cache, 0, 2);
}

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
    Suite *suite = suite_create("cache place");
    TCase *tests = suite_case(suite, "cache place");
    add_tests(tests);
    add_tests_that_need(suite);
    return suite_run(suite);
}
