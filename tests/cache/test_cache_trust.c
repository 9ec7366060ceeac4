/* SPDX-License-Identifier: MIT */
/*
 * Folders and entries that somebody else may have written, and disks that take nothing. Root is let
 * through everywhere, so as root the cache runs as one ordinary user and another one plants.
 */
#include "support/cache_rig.h"
#include "support/needs.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 3000, VICTIM = 54321, PLANTER = 54322, OLD = 1, PLANTED = 2 };

/* Reachable for all users, unlike a build folder perhaps; in it, the victim's cache. */
static char base[] = "/tmp/clslice-test-XXXXXX";
static struct path folder, outside;

/* 0, who stays who it is, where users cannot be changed. */
static uid_t victim(void)
{
    return geteuid() == 0 ? VICTIM : 0;
}

/* Where the outside world's own files lie, as its owner left them. */
static void enter(void)
{
    memset(base + sizeof base - 7, 'X', 6);
    ck_assert_ptr_nonnull(mkdtemp(base));
    ck_assert_int_eq(chmod(base, 01777), 0);
    folder = path_of(base, "cache");
    outside = path_of(base, "outside");
    ck_assert_int_eq(mkdir(outside.text, 0700), 0);
    if (victim())
        ck_assert_int_eq(chown(outside.text, VICTIM, VICTIM), 0);
}

static void leave(void)
{
    umount2(folder.text, MNT_DETACH);
    remove_tree(base);
}

/* ---- What the victim does ---- */

static int as_victim(int (*what)(unsigned key), unsigned key)
{
    return run_as(victim(), what, key);
}

static int fill_one(unsigned key)
{
    fill(folder.text, key, OLD, SIZE);
    return 0;
}

static void victim_fills(unsigned key)
{
    ck_assert_int_eq(as_victim(fill_one, key), 0);
}

static int get_one(unsigned key)
{
    return (int)outcome_of(folder.text, key);
}

static int put_one(unsigned key)
{
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, 1);
    bool done = put(cache, key, OLD, SIZE);
    cache_release(cache);
    return done;
}

static int can_put(unsigned unused)
{
    (void)unused;
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, 1);
    bool can = cache_can_put(cache, &why);
    cache_release(cache);
    return can;
}

static int has_listed(unsigned count)
{
    return entries_of(folder.text) == count;
}

static int is_denied(unsigned unused)
{
    return !can_put(unused) && strcmp(why, strerror(EACCES)) == 0;
}

static int clear_all(unsigned unused)
{
    uint64_t removed;
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, 1);
    (void)unused;
    cache_clear(cache, &removed, &why);
    cache_release(cache);
    return (int)removed;
}

/* A hit with these bytes. */
static int hit_one(unsigned key)
{
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    bool hit = hits(cache, key, OLD, SIZE);
    cache_release(cache);
    return hit;
}

static int count_opened(unsigned key)
{
    unsigned before = count_descriptors();
    outcome_of(folder.text, key);
    return (int)(count_descriptors() - before);
}

/* ---- P9: the folder ---- */

/* As it lies in a folder that another user has filled with whole entries. */
static void plant_folder(const char *path, uid_t owner, mode_t mode)
{
    fill(path, 1, PLANTED, SIZE);
    fill(path, 2, PLANTED, SIZE);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(entry_path(path, 1).text, owner, owner), 0);
        ck_assert_int_eq(chown(entry_path(path, 2).text, owner, owner), 0);
        ck_assert_int_eq(chown(path, owner, owner), 0);
    }
    ck_assert_int_eq(chmod(path, mode), 0);
}

static void check_ignored(void)
{
    unsigned files = count_files(folder.text, "");
    ck_assert_int_eq(as_victim(get_one, 1), CACHE_UNTRUSTED);
    ck_assert_int_eq(as_victim(count_opened, 1), 0);
    ck_assert(!as_victim(put_one, 1));
    ck_assert(!as_victim(put_one, 3) && !as_victim(can_put, 0));
    ck_assert_int_eq(as_victim(clear_all, 0), 0);
    ck_assert_uint_eq(count_files(folder.text, ""), files);
}

START_TEST(p9_another_users_folder_is_ignored)
{
    static const mode_t modes[] = {0755, 0700 | 055, 0777, 01777};
    plant_folder(folder.text, PLANTER, modes[_i]);
    check_ignored();
}
END_TEST

START_TEST(p9_a_folder_that_others_may_write_is_ignored)
{
    static const mode_t modes[] = {0777, 0770, 0720, 0702, 01777, 02770};
    plant_folder(folder.text, VICTIM, modes[_i]);
    check_ignored();
}
END_TEST

/* A slash behind a name makes the system follow what lies there. */
static const char *const slashes[] = {"", "/", "//", "/."};

static void check_symlinked(uid_t owner, const char *slash)
{
    struct path real = path_of(outside.text, "real"), link = folder;
    plant_folder(real.text, owner, 0700);
    ck_assert_int_eq(symlink("outside/real", link.text), 0);
    if (geteuid() == 0)
        ck_assert_int_eq(lchown(link.text, owner, owner), 0);
    snprintf(folder.text, sizeof folder.text, "%s%s", link.text, slash);
    ck_assert_int_eq(as_victim(get_one, 1), CACHE_UNTRUSTED);
    ck_assert(!as_victim(put_one, 3));
    ck_assert_int_eq(as_victim(clear_all, 0), 0);
    ck_assert_uint_eq(count_files(real.text, ""), 2);
}

START_TEST(p9_a_symlinked_folder_is_ignored)
{
    check_symlinked(VICTIM, slashes[_i]);
}
END_TEST

START_TEST(p9_another_users_symlinked_folder_is_ignored)
{
    check_symlinked(PLANTER, slashes[_i]);
}
END_TEST

/* Nor does a put make what a dangling link names. */
START_TEST(p9_a_dangling_folder_is_not_made)
{
    ck_assert_int_eq(symlink("outside/made", folder.text), 0);
    ck_assert(!as_victim(put_one, 1));
    ck_assert_uint_eq(count_files(outside.text, ""), 0);
}
END_TEST

START_TEST(p9_a_file_or_fifo_for_a_folder_is_ignored)
{
    if (_i == 0)
        file_write(folder.text, "mine", 4, 0666);
    else
        ck_assert_int_eq(mkfifo(folder.text, 0666), 0);
    ck_assert_int_ne(as_victim(get_one, 1), CACHE_HIT);
    ck_assert(!as_victim(put_one, 1));
}
END_TEST

/* Root trusts nobody but itself. */
START_TEST(p9_a_users_folder_does_not_serve_root)
{
    victim_fills(1);
    ck_assert_int_eq(outcome_of(folder.text, 1), CACHE_UNTRUSTED);
    ck_assert_int_eq(put_one(3), 0);
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
}
END_TEST

/* An image that root has filled. */
START_TEST(p9_roots_folder_serves_others)
{
    fill(folder.text, 1, OLD, SIZE);
    ck_assert_int_eq(chmod(folder.text, 0755), 0);
    ck_assert_int_eq(chmod(entry_path(folder.text, 1).text, 0644), 0);
    ck_assert_int_eq(as_victim(hit_one, 1), 1);
    ck_assert_int_eq(as_victim(has_listed, 1), 1);
    ck_assert(!as_victim(put_one, 2));
    ck_assert_int_eq(as_victim(clear_all, 0), 0);
    ck_assert_int_eq(chmod(folder.text, 0777), 0);
    ck_assert_int_eq(as_victim(get_one, 1), CACHE_UNTRUSTED);
}
END_TEST

/* ---- P9: entries ---- */

static struct path entry;

/* The victim's own, good cache, in which entry 1 is to be another's doing. */
static void prepare(void)
{
    victim_fills(1);
    victim_fills(2);
    entry = entry_path(folder.text, 1);
}

static void check_not_loaded(void)
{
    int outcome = as_victim(get_one, 1);
    ck_assert_msg(outcome == CACHE_UNTRUSTED || outcome == CACHE_MISS, "outcome %d", outcome);
    ck_assert_int_eq(as_victim(hit_one, 2), 1);
}

/* A put of the victim's makes it good again. */
static void check_mended(void)
{
    struct stat about;
    victim_fills(1);
    ck_assert_int_eq(as_victim(hit_one, 1), 1);
    ck_assert_int_eq(lstat(entry.text, &about), 0);
    ck_assert(S_ISREG(about.st_mode));
    ck_assert_uint_eq(about.st_nlink, 1);
    ck_assert_uint_eq(about.st_mode & 0777, 0600);
}

START_TEST(p9_another_users_entry_is_not_loaded)
{
    prepare();
    fill(path_of(base, "planters").text, 1, PLANTED, SIZE);
    ck_assert_int_eq(rename(entry_path(path_of(base, "planters").text, 1).text, entry.text), 0);
    ck_assert_int_eq(chown(entry.text, PLANTER, PLANTER), 0);
    ck_assert_int_eq(chmod(entry.text, 0644), 0);
    check_not_loaded();
    check_mended();
}
END_TEST

START_TEST(p9_an_entry_that_others_may_write_is_not_loaded)
{
    static const mode_t modes[] = {0666, 0660, 0620, 0602};
    prepare();
    ck_assert_int_eq(chmod(entry.text, modes[_i]), 0);
    check_not_loaded();
    check_mended();
}
END_TEST

static void check_same(const struct path *path, const struct bytes *before)
{
    struct bytes after = file_read(path->text);
    ck_assert_uint_eq(after.size, before->size);
    ck_assert_mem_eq(after.at, before->at, before->size);
    free(after.at);
}

START_TEST(p9_a_symlinked_entry_is_neither_read_nor_written_through)
{
    struct path target = path_of(outside.text, "target");
    prepare();
    if (_i == 0) { /* a whole entry, of the victim's own */
        ck_assert_int_eq(rename(entry.text, target.text), 0);
    } else {
        ck_assert_int_eq(unlink(entry.text), 0);
        if (_i == 1)
            file_write(target.text, "mine", 4, 0666);
    }
    ck_assert_int_eq(symlink("../outside/target", entry.text), 0);
    struct bytes before = {NULL, 0};
    if (_i < 2)
        before = file_read(target.text);
    check_not_loaded();
    check_mended();
    ck_assert_int_eq(access(target.text, F_OK) == 0, _i < 2);
    if (_i < 2)
        check_same(&target, &before);
    free(before.at);
}
END_TEST

START_TEST(p9_a_hard_linked_entry_is_neither_read_nor_written_through)
{
    struct path other = path_of(outside.text, "other");
    prepare();
    ck_assert_int_eq(link(entry.text, other.text), 0);
    struct bytes before = file_read(other.text);
    check_not_loaded();
    check_mended();
    check_same(&other, &before);
    free(before.at);
}
END_TEST

/* run_as has a time limit: a fifo opened for reading waits for a writer. */
START_TEST(p9_a_fifo_does_not_hold_the_reader)
{
    prepare();
    ck_assert_int_eq(unlink(entry.text), 0);
    ck_assert_int_eq(mkfifo(entry.text, 0600), 0);
    if (victim())
        ck_assert_int_eq(chown(entry.text, VICTIM, VICTIM), 0);
    check_not_loaded();
    check_mended();
}
END_TEST

START_TEST(p9_a_folder_for_an_entry_is_a_miss)
{
    prepare();
    ck_assert_int_eq(unlink(entry.text), 0);
    ck_assert_int_eq(mkdir(entry.text, 0700), 0);
    if (victim())
        ck_assert_int_eq(chown(entry.text, VICTIM, VICTIM), 0);
    check_not_loaded();
    ck_assert(!as_victim(put_one, 1));
    ck_assert_uint_eq(count_temporaries(folder.text), 0);
}
END_TEST

/* ---- P11, P13 ---- */

static void check_serves_only(void)
{
    ck_assert_int_eq(as_victim(hit_one, 1), 1);
    ck_assert_int_eq(as_victim(get_one, 3), CACHE_MISS);
    ck_assert(!as_victim(can_put, 0));
    ck_assert(!as_victim(put_one, 3));
    ck_assert(!as_victim(put_one, 1));
    ck_assert_int_eq(as_victim(hit_one, 1), 1);
    ck_assert_uint_eq(count_files(folder.text, ""), 2);
}

START_TEST(p20_a_missing_folder_can_be_written_to)
{
    ck_assert_int_eq(as_victim(can_put, 0), 1);
    ck_assert_int_eq(as_victim(put_one, 1), 1);
}
END_TEST

START_TEST(p11_a_folder_without_write_permission_serves)
{
    victim_fills(1);
    victim_fills(2);
    ck_assert_int_eq(truncate(entry_path(folder.text, 2).text, 10), 0);
    ck_assert_int_eq(chmod(folder.text, 0555), 0);
    check_serves_only();
    ck_assert_int_eq(as_victim(get_one, 2), CACHE_CORRUPT);
    ck_assert_int_eq(chmod(folder.text, 0755), 0);
}
END_TEST

static void mount_read_only(void)
{
    const unsigned long again = MS_BIND | MS_REMOUNT | MS_RDONLY;
    ck_assert(needs_own_mounts());
    ck_assert_int_eq(mount(folder.text, folder.text, NULL, MS_BIND, NULL), 0);
    ck_assert_int_eq(mount(NULL, folder.text, NULL, again, NULL), 0);
}

START_TEST(p11_a_read_only_mount_serves)
{
    victim_fills(1);
    victim_fills(2);
    mount_read_only();
    check_serves_only();
}
END_TEST

/* What clear leaves behind, it says. */
START_TEST(p11_a_clear_that_removes_nothing_is_an_error)
{
    uint64_t removed;
    fill(folder.text, 1, OLD, SIZE);
    mount_read_only();
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    bool cleared = cache_clear(cache, &removed, &why);
    cache_release(cache);
    ck_assert_uint_eq(removed, 0);
    ck_assert(!cleared);
}
END_TEST

static int put_too_much(unsigned number)
{
    const char *reason;
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    struct bytes bytes = payload_of(number, 200000);
    const struct hash_part key = key_of(number), payload = {bytes.at, bytes.size};
    bool done = cache_put(cache, &key, &payload, &reason);
    cache_release(cache);
    free(bytes.at);
    return done ? 1 : strcmp(reason, strerror(ENOSPC)) == 0 ? 0 : 2;
}

START_TEST(p13_a_full_disk_is_a_miss)
{
    char options[64];
    ck_assert_int_eq(mkdir(folder.text, 0700), 0);
    snprintf(options, sizeof options, "size=64k,mode=700,uid=%d", (int)VICTIM);
    needs_mount_memory(folder.text, 0, options);
    victim_fills(1);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(as_victim(put_too_much, 9), 0);
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
    ck_assert_int_eq(as_victim(get_one, 9), CACHE_MISS);
    ck_assert_int_eq(as_victim(hit_one, 1), 1);
    victim_fills(2); /* and there is room again for what fits */
}
END_TEST

/* Where even a folder cannot be made. */
START_TEST(p20_a_folder_that_cannot_be_made_is_a_miss)
{
    struct path closed = path_of(base, "closed");
    ck_assert_int_eq(mkdir(closed.text, 0555), 0);
    folder = path_of(closed.text, "a/b");
    ck_assert_int_eq(as_victim(get_one, 1), CACHE_MISS);
    ck_assert(!as_victim(put_one, 1));
    ck_assert(as_victim(is_denied, 0));
    ck_assert_uint_eq(count_files(closed.text, ""), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache trust");
    TCase *tests = suite_case(suite, "cache trust");
    TCase *others = needs_case(suite, "root", needs_root);
    TCase *mounts = needs_case(suite, "mount", needs_mount);
    tcase_add_checked_fixture(tests, enter, leave);
    tcase_add_checked_fixture(others, enter, leave);
    tcase_add_checked_fixture(mounts, enter, leave);
    tcase_add_loop_test(tests, p9_a_folder_that_others_may_write_is_ignored, 0, 6);
    tcase_add_loop_test(tests, p9_a_symlinked_folder_is_ignored, 0, COUNT_OF(slashes));
    tcase_add_test(tests, p9_a_dangling_folder_is_not_made);
    tcase_add_loop_test(tests, p9_a_file_or_fifo_for_a_folder_is_ignored, 0, 2);
    tcase_add_loop_test(tests, p9_an_entry_that_others_may_write_is_not_loaded, 0, 4);
    tcase_add_loop_test(tests, p9_a_symlinked_entry_is_neither_read_nor_written_through, 0, 3);
    tcase_add_test(tests, p9_a_hard_linked_entry_is_neither_read_nor_written_through);
    tcase_add_test(tests, p9_a_fifo_does_not_hold_the_reader);
    tcase_add_test(tests, p9_a_folder_for_an_entry_is_a_miss);
    tcase_add_test(tests, p11_a_folder_without_write_permission_serves);
    tcase_add_test(tests, p20_a_missing_folder_can_be_written_to);
    tcase_add_test(tests, p20_a_folder_that_cannot_be_made_is_a_miss);
    tcase_add_loop_test(others, p9_another_users_folder_is_ignored, 0, 4);
    tcase_add_loop_test(others, p9_another_users_symlinked_folder_is_ignored, 0, COUNT_OF(slashes));
    tcase_add_test(others, p9_a_users_folder_does_not_serve_root);
    tcase_add_test(others, p9_roots_folder_serves_others);
    tcase_add_test(others, p9_another_users_entry_is_not_loaded);
    tcase_add_test(mounts, p11_a_read_only_mount_serves);
    tcase_add_test(mounts, p11_a_clear_that_removes_nothing_is_an_error);
    tcase_add_test(mounts, p13_a_full_disk_is_a_miss);
    return suite_run(suite);
}
