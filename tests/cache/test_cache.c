/* SPDX-License-Identifier: MIT */
/* The cache on a healthy disk, over entries that are not: what is served, and what replaced. */
#include "cache_fixture.h"
#include "support/dice.h"
#include "support/suite.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SEED = 4711, SIZE = 3000, FLIPS = 200 };

/* A damaged entry is no hit, goes away, and the next put makes it good. */
static void check_refused(enum cache_outcome outcome, const char *what, size_t where)
{
    enum cache_outcome found = outcome_of(folder.text, 1);
    ck_assert_msg(found == outcome, "%s at %zu: outcome %d", what, where, (int)found);
    ck_assert_msg(!is_there(1), "%s at %zu: still there", what, where);
}

static void check_replaced(void)
{
    ck_assert(put(cache, 1, 2, SIZE));
    ck_assert(hits(cache, 1, 2, SIZE));
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
}

/* ---- The ordinary ---- */

START_TEST(what_was_put_is_got)
{
    ck_assert(!hits(cache, 1, 1, SIZE));
    ck_assert(put(cache, 1, 1, SIZE));
    ck_assert(put(cache, 2, 2, 1));
    ck_assert(hits(cache, 1, 1, SIZE));
    ck_assert(hits(cache, 2, 2, 1));
    ck_assert(put(cache, 1, 3, SIZE / 2));
    ck_assert(hits(cache, 1, 3, SIZE / 2));
    cache_drop(cache, &(struct hash_part){"nobody's", 8});
    struct hash_part second = key_of(2);
    cache_drop(cache, &second);
    ck_assert_int_eq(outcome_of(folder.text, 2), CACHE_MISS);
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
}
END_TEST

START_TEST(a_cache_that_is_off_does_nothing)
{
    struct cache_stats stats;
    struct cache_entry entry;
    struct hash_part key = key_of(1);
    const char *reason = NULL;
    uint64_t removed = 9;
    struct cache_found found = cache_get(NULL, &key);
    ck_assert_int_eq(found.outcome, CACHE_OFF);
    cache_found_release(&found);
    ck_assert(!cache_can_put(NULL, &reason) && !cache_put(NULL, &key, &key, &reason));
    ck_assert_ptr_nonnull(reason);
    cache_drop(NULL, &key);
    cache_release(NULL);
    ck_assert(cache_count(NULL, &stats, &why) && stats.entries == 0 && stats.bytes == 0);
    ck_assert(cache_clear(NULL, &removed, &why) && removed == 0);
    ck_assert(!cache_entry_at(NULL, 0, &entry));
    ck_assert(!cache_writes(NULL) && !cache_folder(NULL));
}
END_TEST

START_TEST(read_only_writes_nothing)
{
    fill(folder.text, 1, 1, SIZE);
    fill(folder.text, 2, 2, SIZE);
    ck_assert_int_eq(truncate(entry_of(2).text, 100), 0);
    file_age(entry_of(1).text, 5000);
    struct cache *reader = cache_create(folder.text, CACHE_READ_ONLY, 1);
    struct stat before, after;
    ck_assert_int_eq(stat(entry_of(1).text, &before), 0);
    ck_assert(hits(reader, 1, 1, SIZE));
    ck_assert(!hits(reader, 2, 2, SIZE));
    ck_assert(!cache_can_put(reader, &why) && !put(reader, 3, 3, SIZE));
    struct hash_part key = key_of(1);
    cache_drop(reader, &key);
    ck_assert_int_eq(stat(entry_of(1).text, &after), 0);
    ck_assert_int_eq(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    ck_assert_uint_eq(count_files(folder.text, ""), 2);
    cache_release(reader);
}
END_TEST

START_TEST(refresh_writes_and_never_reads)
{
    fill(folder.text, 1, 1, SIZE);
    struct cache *fresh = cache_create(folder.text, CACHE_REFRESH, CACHE_NO_LIMIT);
    ck_assert(!hits(fresh, 1, 1, SIZE));
    ck_assert(cache_can_put(fresh, &why) && put(fresh, 1, 5, SIZE));
    ck_assert(!hits(fresh, 1, 5, SIZE));
    ck_assert(hits(cache, 1, 5, SIZE));
    cache_release(fresh);
}
END_TEST

START_TEST(sizes_have_limits)
{
    const char *reason = NULL;
    struct hash_part key = key_of(1), nothing = {"", 0};
    ck_assert(!cache_put(cache, &key, &nothing, &reason));
    size_t most = (size_t)ENTRY_BYTES_MAX - ENTRY_HEADER_BYTES - key.length;
    unsigned char *bytes = calloc(1, most + 1);
    struct hash_part large = {bytes, most + 1};
    ck_assert(!cache_put(cache, &key, &large, &reason));
    large.length = SIZE_MAX - 60;
    ck_assert(!cache_put(cache, &key, &large, &reason));
    ck_assert_uint_eq(count_files(folder.text, ""), 0);
    large.length = most;
    ck_assert(cache_put(cache, &key, &large, &reason));
    struct cache_found found = cache_get(cache, &key);
    ck_assert_int_eq(found.outcome, CACHE_HIT);
    ck_assert_uint_eq(found.payload.length, most);
    cache_found_release(&found);
    free(bytes);
}
END_TEST

START_TEST(care_sees_the_longest_unused_first)
{
    struct cache_stats stats;
    struct cache_entry entry;
    for (unsigned key = 0; key < 3; ++key) {
        fill(folder.text, key, key, SIZE);
        file_age(entry_of(key).text, 100 + (long)key);
    }
    ck_assert_int_eq(truncate(entry_of(1).text, 50), 0);
    file_age(entry_of(1).text, 101);
    ck_assert(cache_count(cache, &stats, &why));
    ck_assert_uint_eq(stats.entries, 3);
    struct stat about;
    ck_assert_int_eq(stat(entry_of(2).text, &about), 0);
    ck_assert_int_eq(stats.oldest, about.st_mtim.tv_sec);
    ck_assert_uint_eq(stats.bytes, 2 * (uint64_t)about.st_size + 50);
    for (unsigned i = 0; i < 3; ++i) {
        ck_assert(cache_entry_at(cache, i, &entry));
        ck_assert_str_eq(strrchr(entry_of(2 - i).text, '/') + 1, entry.name);
        ck_assert_uint_eq(entry.key.length, i == 1 ? 0 : key_of(2 - i).length);
        ck_assert_int_eq(entry.reason[0] != '\0', i == 1);
        free(entry.file);
    }
    ck_assert(!cache_entry_at(cache, 3, &entry));
}
END_TEST

/* ---- P2, P23: names and keys ---- */

START_TEST(p2_a_renamed_entry_is_stale)
{
    fill(folder.text, 1, 1, SIZE);
    fill(folder.text, 2, 2, SIZE);
    ck_assert_int_eq(rename(entry_of(2).text, entry_of(1).text), 0);
    check_refused(CACHE_STALE, "renamed", 0);
    check_replaced();
}
END_TEST

/* The rig's keys hold "../../": a name comes from the key's digest alone. */
START_TEST(p23_no_key_names_a_file)
{
    fill(folder.text, 1, 1, SIZE);
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
    char *name = strrchr(entry_of(1).text, '/') + 1;
    ck_assert_uint_eq(strspn(name, "0123456789abcdef"), 32);
    ck_assert_str_eq(name + 32, ".clb");
    ck_assert(is_there(1));
}
END_TEST

/* ---- P3: damage ---- */

START_TEST(p3_a_file_cut_at_any_byte_is_no_hit)
{
    fill(folder.text, 1, 1, SIZE);
    struct bytes whole = file_read(entry_of(1).text);
    for (size_t i = 0; i <= 256 + 15; ++i) {
        size_t size = i <= 256 ? i : (i - 256) * whole.size / 16;
        file_write(entry_of(1).text, whole.at, size, 0600);
        check_refused(CACHE_CORRUPT, "cut", size);
    }
    check_replaced();
    free(whole.at);
}
END_TEST

START_TEST(p3_a_flipped_bit_is_no_hit)
{
    struct dice dice = {SEED};
    fill(folder.text, 1, 1, SIZE);
    struct bytes whole = file_read(entry_of(1).text);
    for (int i = 0; i < FLIPS; ++i) {
        size_t bit = (size_t)dice_below(&dice, 8 * whole.size);
        whole.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        file_write(entry_of(1).text, whole.at, whole.size, 0600);
        check_refused(bit / 32 == 2 ? CACHE_STALE : CACHE_CORRUPT, "flipped bit", bit);
        whole.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    check_replaced();
    free(whole.at);
}
END_TEST

START_TEST(p3_junk_behind_is_no_hit)
{
    fill(folder.text, 1, 1, SIZE);
    struct bytes whole = file_read(entry_of(1).text);
    whole.at = realloc(whole.at, whole.size + 4096);
    memset(whole.at + whole.size, 0, 4096);
    for (size_t junk = 1; junk <= 4096; junk *= 4) {
        file_write(entry_of(1).text, whole.at, whole.size + junk, 0600);
        check_refused(CACHE_CORRUPT, "junk", junk);
    }
    check_replaced();
    free(whole.at);
}
END_TEST

static long most_kibibytes(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Reading it would take a gibibyte of memory. */
START_TEST(p3_a_sparse_gibibyte_is_not_read)
{
    fill(folder.text, 1, 1, SIZE);
    ck_assert_int_eq(truncate(entry_of(1).text, INT64_C(1) << 30), 0);
    long before = most_kibibytes();
    check_refused(CACHE_CORRUPT, "sparse", 0);
    ck_assert_int_lt(most_kibibytes() - before, 64 * 1024);
    check_replaced();
}
END_TEST

/* A put repairs what no get has looked at. */
START_TEST(p3_a_put_replaces_what_is_damaged)
{
    fill(folder.text, 1, 1, SIZE);
    file_write(entry_of(1).text, "junk", 4, 0600);
    check_replaced();
}
END_TEST

/* ---- P22: formats ---- */

START_TEST(p22_other_formats_are_replaced)
{
    fill(folder.text, 1, 1, SIZE);
    struct bytes whole = file_read(entry_of(1).text);
    whole.at[8] = (unsigned char)(ENTRY_FORMAT + (_i == 0 ? -1 : 1));
    file_write(entry_of(1).text, whole.at, whole.size, 0600);
    check_refused(CACHE_STALE, "format", (size_t)_i);
    check_replaced();
    free(whole.at);
}
END_TEST

/* ---- P5, P8, P20 ---- */

/* Whatever the mask. */
START_TEST(p8_folders_and_files_are_the_users_alone)
{
    static const mode_t masks[] = {0, 022, 077};
    struct stat about;
    struct path above = path_of(folder.text, "a"), deep = path_of(above.text, "b");
    mode_t before = umask(masks[_i]);
    fill(deep.text, 1, 1, SIZE);
    umask(before);
    ck_assert_int_eq(stat(above.text, &about), 0);
    ck_assert_uint_eq(about.st_mode & 07777, 0700);
    ck_assert_int_eq(stat(deep.text, &about), 0);
    ck_assert_uint_eq(about.st_mode & 07777, 0700);
    ck_assert_int_eq(stat(entry_path(deep.text, 1).text, &about), 0);
    ck_assert_uint_eq(about.st_mode & 07777, 0600);
}
END_TEST

START_TEST(p5_only_old_temporaries_are_swept)
{
    struct path young = path_of(folder.text, ".clslice-1-0000000000000001");
    struct path old = path_of(folder.text, ".clslice-1-0000000000000002");
    file_write(young.text, "half", 4, 0600);
    file_write(old.text, "half", 4, 0600);
    file_age(young.text, 3500);
    file_age(old.text, 3700);
    struct path ahead = path_of(folder.text, ".clslice-1-0000000000000003");
    file_write(ahead.text, "half", 4, 0600);
    file_age(ahead.text, -3700); /* the clock has been set back since */
    ck_assert(put(cache, 1, 1, SIZE));
    ck_assert_int_eq(access(young.text, F_OK), 0);
    ck_assert_int_ne(access(old.text, F_OK), 0);
    ck_assert_int_ne(access(ahead.text, F_OK), 0);
}
END_TEST

START_TEST(p20_a_folder_that_goes_away_comes_back)
{
    uint64_t removed;
    struct path deep = path_of(folder.text, "a/b/c");
    struct cache *live = cache_create(deep.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    for (unsigned round = 0; round < 3; ++round) {
        ck_assert(!hits(live, 1, round, SIZE));
        ck_assert(cache_clear(live, &removed, &why) && removed == 0);
        ck_assert_int_ne(access(deep.text, F_OK), 0); /* looking makes nothing */
        ck_assert(put(live, 1, round, SIZE));
        ck_assert(hits(live, 1, round, SIZE));
        remove_tree(path_of(folder.text, round == 0 ? "a/b/c" : "a").text);
    }
    cache_release(live);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache");
    TCase *tests = suite_case(suite, "cache");
    tcase_add_checked_fixture(tests, fixture_enter, fixture_leave);
    tcase_add_test(tests, what_was_put_is_got);
    tcase_add_test(tests, a_cache_that_is_off_does_nothing);
    tcase_add_test(tests, read_only_writes_nothing);
    tcase_add_test(tests, refresh_writes_and_never_reads);
    tcase_add_test(tests, sizes_have_limits);
    tcase_add_test(tests, care_sees_the_longest_unused_first);
    tcase_add_test(tests, p2_a_renamed_entry_is_stale);
    tcase_add_test(tests, p23_no_key_names_a_file);
    tcase_add_test(tests, p3_a_file_cut_at_any_byte_is_no_hit);
    tcase_add_test(tests, p3_a_flipped_bit_is_no_hit);
    tcase_add_test(tests, p3_junk_behind_is_no_hit);
    tcase_add_test(tests, p3_a_sparse_gibibyte_is_not_read);
    tcase_add_test(tests, p3_a_put_replaces_what_is_damaged);
    tcase_add_loop_test(tests, p22_other_formats_are_replaced, 0, 2);
    tcase_add_loop_test(tests, p8_folders_and_files_are_the_users_alone, 0, 3);
    tcase_add_test(tests, p5_only_old_temporaries_are_swept);
    tcase_add_test(tests, p20_a_folder_that_goes_away_comes_back);
    return suite_run(suite);
}
