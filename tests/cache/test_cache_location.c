/* SPDX-License-Identifier: MIT */
/* Where the cache is, from options and environment. */
#include "location_rig.h"
#include "support/suite.h"

#include <string.h>

#define MIB (UINT64_C(1) << 20)

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
    {0, CLSLICE_CACHE_OFF, NULL, "bad", NULL, 0},
    {0, CLSLICE_CACHE_READ_WRITE, "/o", "bad", "/o", CACHE_READ_WRITE},
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

/* The folder of an option was used, and another than was named. */
START_TEST(p8_what_cannot_be_parsed_turns_the_cache_off)
{
    static const clslice_device_options all[] = {
        {.size = sizeof all[0]},
        {.size = sizeof all[0], .cache_mode = CLSLICE_CACHE_READ_WRITE},
        {.size = sizeof all[0], .cache_path = "/o"},
    };
    clear_environment();
    set("XDG_CACHE_HOME", "/x");
    set("CLSLICE_CACHE", "bad");
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        struct cache_location place = find_with(&all[i]);
        ck_assert_ptr_nonnull(strstr(place.warning, "the cache is off"));
        ck_assert(!place.on);
    }
}
END_TEST

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
    ck_assert_str_eq(place.warning, "");
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
    set("CLSLICE_CACHE_MAX", "no size");
    ck_assert_str_eq(find_with(&with).warning, "");
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

int main(void)
{
    Suite *suite = suite_create("cache place");
    TCase *tests = suite_case(suite, "cache place");
    tcase_add_loop_test(tests, p8_the_environment_says_where, 0, COUNT_OF(places));
    tcase_add_test(tests, p8_a_path_too_long_is_off);
    tcase_add_loop_test(tests, texts_are_read_for_hosts, 0, COUNT_OF(texts));
    tcase_add_loop_test(tests, what_is_no_text_is_refused, 0, COUNT_OF(no_texts));
    tcase_add_loop_test(tests, p8_sizes_are_read, 0, COUNT_OF(sizes));
    tcase_add_loop_test(tests, p8_what_is_no_size_warns_and_changes_nothing, 0, COUNT_OF(no_sizes));
    tcase_add_test(tests, p8_what_cannot_be_parsed_turns_the_cache_off);
    tcase_add_loop_test(tests, p8_options_beat_the_environment, 0, COUNT_OF(options));
    tcase_add_test(tests, p8_zero_is_the_default_in_both);
    tcase_add_test(tests, p8_a_size_in_the_options_beats_the_environment);
    return suite_run(suite);
}
