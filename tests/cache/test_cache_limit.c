/* SPDX-License-Identifier: MIT */
/* How far the cache may grow, what it then throws away, and what it never touches. */
#include "cache_fixture.h"
#include "support/needs.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

enum { SIZE = 3000, MEBIBYTE = 1 << 20 };

/* ---- P12: the limit ---- */

enum { ENTRIES = 200, ENTRY_SIZE = 16384 };

static uint64_t bytes_there(void)
{
    struct cache_stats stats;
    ck_assert(cache_count(cache, &stats, &why));
    return stats.bytes;
}

/* Every entry is older than the one that comes next, by seconds. */
static void fill_to_the_limit(struct cache *limited, unsigned used)
{
    for (unsigned key = 0; key < ENTRIES; ++key) {
        ck_assert(put(limited, key, key, ENTRY_SIZE));
        ck_assert(is_there(key));
        ck_assert_uint_le(bytes_there(), MEBIBYTE);
        file_age(entry_of(key).text, 10 * (ENTRIES - (long)key));
        if (used < key)
            ck_assert(hits(limited, used, used, ENTRY_SIZE));
    }
}

START_TEST(p12_the_most_recent_survive)
{
    struct cache *limited = cache_create(folder.text, CACHE_READ_WRITE, MEBIBYTE);
    fill_to_the_limit(limited, ENTRIES);
    unsigned first = 0;
    while (!is_there(first))
        ++first;
    for (unsigned key = first; key < ENTRIES; ++key)
        ck_assert_msg(is_there(key), "%u is gone and %u is there", key, first);
    /* It is emptied to 80 % only: not much below, and never to nothing. */
    ck_assert_uint_ge(bytes_there(), UINT64_C(7) * MEBIBYTE / 10);
    cache_release(limited);
}
END_TEST

START_TEST(p12_a_get_is_a_use)
{
    struct cache *limited = cache_create(folder.text, CACHE_READ_WRITE, MEBIBYTE);
    fill_to_the_limit(limited, 3);
    ck_assert(is_there(3));
    ck_assert(!is_there(2) && !is_there(4));
    cache_release(limited);
}
END_TEST

START_TEST(p12_a_get_is_a_use_under_noatime)
{
    needs_mount_memory(folder.text, MS_NOATIME, "mode=700");
    struct cache *limited = cache_create(folder.text, CACHE_READ_WRITE, MEBIBYTE);
    fill_to_the_limit(limited, 3);
    ck_assert(is_there(3));
    ck_assert(!is_there(2) && !is_there(4));
    cache_release(limited);
    umount2(folder.text, MNT_DETACH);
}
END_TEST

START_TEST(p12_an_entry_above_the_limit_is_the_only_one)
{
    struct cache *limited = cache_create(folder.text, CACHE_READ_WRITE, 1 + (uint64_t)_i * 50);
    for (unsigned key = 0; key < 3; ++key) {
        ck_assert(put(limited, key, key, SIZE));
        ck_assert(hits(limited, key, key, SIZE));
        ck_assert_uint_eq(count_files(folder.text, ""), 1);
        file_age(entry_of(key).text, 100 - (long)key);
    }
    cache_release(limited);
}
END_TEST

START_TEST(p12_a_clock_that_was_set_back_costs_no_new_entry)
{
    struct cache *limited = cache_create(folder.text, CACHE_READ_WRITE, SIZE);
    ck_assert(put(limited, 0, 0, SIZE));
    file_age(entry_of(0).text, -1000000);
    ck_assert(put(limited, 1, 1, SIZE));
    ck_assert(is_there(1));
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
    cache_release(limited);
}
END_TEST

START_TEST(p12_zero_is_no_limit)
{
    for (unsigned key = 0; key < ENTRIES; ++key)
        ck_assert(put(cache, key, key, ENTRY_SIZE));
    ck_assert_uint_eq(count_files(folder.text, ""), ENTRIES);
}
END_TEST

/* ---- P22: what is not ours ---- */

/* Names that are nearly an entry's or a temporary file's, and others. */
static const char *const foreign[] = {
    "0123456789abcdef0123456789abcdef",
    "0123456789abcdef0123456789abcdef.clb2",
    "0123456789ABCDEF0123456789ABCDEF.clb",
    "0123456789abcdef0123456789abcde.clb",
    "0123456789abcdef0123456789abcdef0.clb",
    "0123456789abcdef0123456789abcdeg.clb",
    "README",
    ".hidden",
    ".clslice",
    "x.clslice-1-0",
    "0123456789abcdef0123456789abcdef.clb.tmp",
    "CACHEDIR.TAG",
};

static void make_foreign(void)
{
    for (size_t i = 0; i < COUNT_OF(foreign); ++i) {
        struct path path = path_of(folder.text, foreign[i]);
        file_write(path.text, "mine", 4, 0600);
        file_age(path.text, 100000);
    }
    /* Of our names, but no plain files. */
    struct path path = path_of(folder.text, "00000000000000000000000000000000.clb");
    ck_assert_int_eq(mkdir(path.text, 0700), 0);
    path = path_of(folder.text, "00000000000000000000000000000001.clb");
    ck_assert_int_eq(symlink("README", path.text), 0);
    path = path_of(folder.text, ".clslice-2-0");
    ck_assert_int_eq(symlink("README", path.text), 0);
    file_age(path.text, 100000);
}

START_TEST(p22_foreign_files_survive)
{
    uint64_t removed;
    struct cache *limited = cache_create(folder.text, CACHE_READ_WRITE, MEBIBYTE);
    make_foreign();
    fill_to_the_limit(limited, ENTRIES);
    uint64_t entries = bytes_there() / (ENTRY_SIZE + 64);
    ck_assert(cache_clear(limited, &removed, &why));
    ck_assert_uint_eq(removed, entries);
    ck_assert_uint_eq(bytes_there(), 0);
    for (size_t i = 0; i < COUNT_OF(foreign); ++i) {
        struct bytes bytes = file_read(path_of(folder.text, foreign[i]).text);
        ck_assert_uint_eq(bytes.size, 4);
        free(bytes.at);
    }
    ck_assert_uint_eq(count_files(folder.text, ""), COUNT_OF(foreign) + 3);
    cache_release(limited);
}
END_TEST

/* Another user's plain file of an entry's name, too. */
START_TEST(p22_files_of_others_survive)
{
    uint64_t removed;
    struct path entry = path_of(folder.text, "0123456789abcdef0123456789abcdef.clb");
    struct path temporary = path_of(folder.text, ".clslice-1-0");
    file_write(entry.text, "", 0, 0600);
    file_write(temporary.text, "", 0, 0600);
    file_age(temporary.text, 100000);
    ck_assert_int_eq(chown(entry.text, 65534, 65534), 0);
    ck_assert_int_eq(chown(temporary.text, 65534, 65534), 0);
    ck_assert(put(cache, 1, 1, SIZE));
    ck_assert(cache_clear(cache, &removed, &why));
    ck_assert_uint_eq(removed, 1);
    ck_assert_uint_eq(count_files(folder.text, ""), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache limit");
    TCase *tests = suite_case(suite, "cache limit");
    TCase *others = needs_case(suite, "root", needs_root);
    TCase *mounts = needs_case(suite, "mount", needs_mount);
    tcase_add_checked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_checked_fixture(others, fixture_enter, fixture_leave);
    tcase_add_checked_fixture(mounts, fixture_enter, fixture_leave);
    tcase_add_test(tests, p12_the_most_recent_survive);
    tcase_add_test(tests, p12_a_get_is_a_use);
    tcase_add_test(mounts, p12_a_get_is_a_use_under_noatime);
    tcase_add_loop_test(tests, p12_an_entry_above_the_limit_is_the_only_one, 0, 3);
    tcase_add_test(tests, p12_a_clock_that_was_set_back_costs_no_new_entry);
    tcase_add_test(tests, p12_zero_is_no_limit);
    tcase_add_test(tests, p22_foreign_files_survive);
    tcase_add_test(others, p22_files_of_others_survive);
    return suite_run(suite);
}
