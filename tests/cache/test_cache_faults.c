/* SPDX-License-Identifier: MIT */
/* The cache where system calls fail, and where its process is killed between any two of them. */
#include "cache_fixture.h"
#include "support/fake_cl/fault_calls.h"
#include "support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 5000, OLD = 1, NEW = 2, HOUR = 3600, CALLS_MOST = 200 };

static const int errors[] = {ENOSPC, EIO, ESTALE, EBUSY, EINTR, ENOENT, EACCES, EDQUOT};

/* A limit makes each put list the folder, and evict. */
static void enter(void)
{
    fixture_enter();
    cache_release(cache);
    cache = cache_create(folder.text, CACHE_READ_WRITE, UINT64_C(3) * SIZE);
    ck_assert_ptr_nonnull(cache);
}

/* Key 1 has the old payload, and there is more than the limit: old ones to evict, one to sweep. */
static void prepare(void)
{
    for (unsigned key = 5; key < 9; ++key)
        fill(folder.text, key, key, SIZE);
    for (unsigned key = 5; key < 9; ++key)
        file_age(entry_of(key).text, HOUR * (long)key);
    fill(folder.text, 1, OLD, SIZE);
    struct path path = path_of(folder.text, ".clslice-1-0");
    file_write(path.text, "half", 4, 0600);
    file_age(path.text, 2L * HOUR);
}

static bool has(uint64_t payload)
{
    struct bytes bytes;
    const struct hash_part key = key_of(1);
    struct cache *reader = cache_create(folder.text, CACHE_READ_ONLY, CACHE_NO_LIMIT);
    struct cache_found found = cache_get(reader, &key);
    bytes = payload_of(payload, SIZE);
    bool same = found.outcome == CACHE_HIT && found.payload.length == SIZE &&
                memcmp(found.payload.bytes, bytes.at, SIZE) == 0;
    free(bytes.at);
    cache_found_release(&found);
    cache_release(reader);
    return same;
}

/* One put with the fault; returns whether the fault came about. */
static bool put_with(const struct faults *faults, bool is_temporary_gone)
{
    const char *call;
    unsigned before = count_descriptors();
    prepare();
    faults_arm(faults);
    bool done = put(cache, 1, NEW, SIZE);
    long calls = faults_disarm(&call);
    const char *name = call ? call : "none";
    ck_assert_int_lt(calls, CALLS_MOST);
    ck_assert_msg(done ? has(NEW) : has(OLD) || has(NEW), "%s: error %d: neither old nor new", name,
                  faults->error);
    ck_assert_uint_eq(count_descriptors(), before);
    char own[64];
    snprintf(own, sizeof own, ".clslice-%ld-", (long)getpid());
    if (is_temporary_gone)
        ck_assert_msg(count_files(folder.text, own) == 0, "%s: error %d: our temporary is left",
                      name, faults->error);
    return call != NULL;
}

/* ---- P5 ---- */

START_TEST(p5_put_survives_any_failing_call)
{
    struct faults faults = {.kind = _i == 0 ? FAULT_ERROR : FAULT_DONE_TOO};
    for (size_t e = 0; e < COUNT_OF(errors); ++e) {
        faults.error = errors[e];
        faults.at = 0;
        do
            ++faults.at;
        while (put_with(&faults, true));
        ck_assert_int_gt(faults.at, 15);
    }
}
END_TEST

START_TEST(p5_put_survives_when_all_calls_fail_from_one_on)
{
    struct faults faults = {.and_after = true, .kind = FAULT_ERROR};
    for (size_t e = 0; e < COUNT_OF(errors); ++e) {
        faults.error = errors[e];
        faults.at = 0;
        if (errors[e] == EINTR) /* a write that is always interrupted is tried for ever */
            faults.calls = ALL_CALLS & ~CALL(write);
        do
            ++faults.at;
        while (put_with(&faults, false));
        faults.calls = 0;
        ck_assert_int_gt(faults.at, 10);
    }
}
END_TEST

/* What is short or interrupted is no failure. */
START_TEST(p5_short_and_interrupted_transfers_go_on)
{
    static const struct faults faults[] = {
        {.calls = CALL(write), .at = 1, .and_after = true, .kind = FAULT_SHORT},
        {.calls = CALL(write), .at = 1, .kind = FAULT_ERROR, .error = EINTR},
        {.calls = CALL(write), .at = 3, .kind = FAULT_ERROR, .error = EINTR},
        {.calls = CALL(getrandom), .at = 1, .kind = FAULT_ERROR, .error = EAGAIN},
        {.calls = CALL(read), .at = 1, .and_after = true, .kind = FAULT_SHORT},
        {.calls = CALL(read), .at = 1, .kind = FAULT_ERROR, .error = EINTR},
    };
    for (size_t i = 0; i < COUNT_OF(faults); ++i) {
        faults_arm(&faults[i]);
        ck_assert(put(cache, 1, NEW + i, SIZE));
        ck_assert(hits(cache, 1, NEW + i, SIZE));
        const char *call;
        ck_assert_int_gt(faults_disarm(&call), 0);
        ck_assert_ptr_nonnull(call);
        ck_assert_uint_eq(count_files(folder.text, ""), 1);
    }
}
END_TEST

/* Each of these must keep the new bytes from becoming the entry. */
static const unsigned steps[] = {CALL(write), CALL(fdatasync), CALL(close), CALL(renameat)};

START_TEST(p5_a_failure_before_the_rename_is_reported)
{
    struct faults faults = {.calls = steps[_i], .at = 1, .kind = FAULT_ERROR, .error = EIO};
    fill(folder.text, 1, OLD, SIZE);
    faults_arm(&faults);
    ck_assert(!put(cache, 1, NEW, SIZE));
    faults_disarm(NULL);
    ck_assert(has(OLD));
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
}
END_TEST

START_TEST(p5_a_write_of_nothing_is_a_failure)
{
    struct faults faults = {.calls = CALL(write), .at = 2, .and_after = true, .kind = FAULT_END};
    faults_arm(&faults);
    ck_assert(!put(cache, 1, NEW, SIZE));
    faults_disarm(NULL);
    ck_assert_uint_eq(count_files(folder.text, ""), 0);
}
END_TEST

/* In a child, which is killed before its how-manieth call; false where it made no such call. */
static bool put_and_be_killed(long at, bool is_get)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const struct faults faults = {.at = at, .kind = FAULT_KILL};
        faults_arm(&faults);
        if (is_get)
            hits(cache, 1, OLD, SIZE);
        else
            put(cache, 1, NEW, SIZE);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

START_TEST(p5_kill_between_any_two_calls)
{
    long at = 0;
    bool was_killed;
    do {
        remove_tree(folder.text);
        if (_i == 0)
            fill(folder.text, 1, OLD, SIZE);
        was_killed = put_and_be_killed(++at, false);
        ck_assert_msg(has(NEW) || (_i == 0 ? has(OLD) : outcome_of(folder.text, 1) == CACHE_MISS),
                      "killed before call %ld", at);
        unsigned left = count_temporaries(folder.text);
        ck_assert_uint_le(left, was_killed);
        /* It may still be somebody's at work; it is not when it is old. */
        ck_assert(put(cache, 2, 2, SIZE));
        ck_assert_uint_eq(count_temporaries(folder.text), left);
        age_temporaries(folder.text, 2L * HOUR);
        ck_assert(put(cache, 2, 3, SIZE));
        ck_assert_uint_eq(count_temporaries(folder.text), 0);
        ck_assert(hits(cache, 2, 3, SIZE));
    } while (was_killed);
    ck_assert_int_gt(at, 10);
}
END_TEST

START_TEST(p5_a_killed_reader_harms_nothing)
{
    long at = 0;
    fill(folder.text, 1, OLD, SIZE);
    while (put_and_be_killed(++at, true))
        ck_assert(has(OLD));
    ck_assert_int_gt(at, 5);
    ck_assert_uint_eq(count_files(folder.text, ""), 1);
}
END_TEST

/* ---- P21: what reading makes of failures ---- */

static enum cache_outcome get_with(const struct faults *faults, const char **call)
{
    unsigned before = count_descriptors();
    const struct hash_part key = key_of(1);
    faults_arm(faults);
    struct cache_found found = cache_get(cache, &key);
    ck_assert_int_lt(faults_disarm(call), CALLS_MOST);
    enum cache_outcome outcome = found.outcome;
    ck_assert_ptr_nonnull(found.reason);
    cache_found_release(&found);
    ck_assert_uint_eq(count_descriptors(), before);
    /* A healthy entry is neither touched nor thrown away because a disk stumbled once. */
    ck_assert(has(OLD));
    return outcome;
}

START_TEST(p21_a_failing_call_is_a_hit_or_a_miss)
{
    static const enum fault_kind kinds[] = {FAULT_ERROR, FAULT_END};
    struct faults faults = {.and_after = _i % 2 == 1, .kind = kinds[_i / 2]};
    const char *call;
    fill(folder.text, 1, OLD, SIZE);
    for (size_t e = 0; e < COUNT_OF(errors); ++e) {
        faults.error = errors[e];
        if (errors[e] == EINTR && faults.and_after)
            faults.calls = ALL_CALLS & ~CALL(read);
        for (faults.at = 1;; ++faults.at) {
            enum cache_outcome outcome = get_with(&faults, &call);
            ck_assert_msg(outcome == CACHE_HIT || outcome == CACHE_MISS, "%s, error %d: outcome %d",
                          call ? call : "none", errors[e], (int)outcome);
            if (!call)
                break;
        }
        ck_assert_int_gt(faults.at, 5);
        faults.calls = 0;
    }
}
END_TEST

START_TEST(p21_what_cannot_be_read_is_a_miss)
{
    static const struct faults faults[] = {
        {.calls = CALL(open), .at = 1, .error = ESTALE},
        {.calls = CALL(open), .at = 1, .error = EIO},
        {.calls = CALL(openat), .at = 1, .error = ESTALE},
        {.calls = CALL(openat), .at = 1, .error = EBUSY},
        {.calls = CALL(openat), .at = 1, .error = ENOENT},
        {.calls = CALL(fstat), .at = 2, .error = ESTALE},
        {.calls = CALL(read), .at = 1, .error = ESTALE},
        {.calls = CALL(read), .at = 1, .kind = FAULT_END},
    };
    const char *call;
    fill(folder.text, 1, OLD, SIZE);
    for (size_t i = 0; i < COUNT_OF(faults); ++i) {
        ck_assert_int_eq(get_with(&faults[i], &call), CACHE_MISS);
        ck_assert_ptr_nonnull(call);
    }
}
END_TEST

START_TEST(p21_a_time_that_cannot_be_set_is_no_matter)
{
    const struct faults faults = {.calls = CALL(utimensat), .at = 1, .error = EROFS};
    fill(folder.text, 1, OLD, SIZE);
    ck_assert_int_eq(get_with(&faults, &(const char *){NULL}), CACHE_HIT);
}
END_TEST

/* ---- P6: another process between this one's opening and judging ---- */

static void replace_as_another_process(void)
{
    fill(folder.text, 1, NEW, SIZE);
}

static void drop_as_another_process(void)
{
    ck_assert_int_eq(unlink(entry_of(1).text), 0);
}

/* What is open has no name any more, and is as good as before. */
START_TEST(p6_an_entry_replaced_under_a_reader_is_a_hit)
{
    void (*const others[])(void) = {replace_as_another_process, drop_as_another_process};
    static const unsigned moments[] = {CALL(fstat), CALL(read), CALL(utimensat)};
    const struct faults faults = {.calls = moments[_i / 2],
                                  .at = _i / 2 == 0 ? 2 : 1,
                                  .kind = FAULT_HOOK,
                                  .hook = others[_i % 2]};
    const char *call;
    fill(folder.text, 1, OLD, SIZE);
    faults_arm(&faults);
    ck_assert(hits(cache, 1, OLD, SIZE));
    faults_disarm(&call);
    ck_assert_ptr_nonnull(call);
}
END_TEST

START_TEST(care_survives_any_failing_call)
{
    struct cache_stats stats;
    struct cache_entry entry;
    uint64_t removed;
    const char *call;
    struct faults faults = {.and_after = _i == 1, .kind = FAULT_ERROR};
    for (size_t e = 0; e < COUNT_OF(errors); ++e) {
        faults.error = errors[e];
        faults.calls = errors[e] == EINTR ? ALL_CALLS & ~CALL(read) : 0; /* tried for ever */
        faults.at = 0;
        do {
            prepare();
            unsigned before = count_descriptors();
            ++faults.at;
            faults_arm(&faults);
            cache_count(cache, &stats, &why);
            if (cache_entry_at(cache, 0, &entry))
                free(entry.file);
            const struct hash_part key = key_of(1);
            cache_drop(cache, &key);
            cache_clear(cache, &removed, &why);
            faults_disarm(&call);
            ck_assert_uint_eq(count_descriptors(), before);
        } while (call);
    }
}
END_TEST

/* ---- P9, P12, P13 at a moment of the test's choice ---- */

/* Its writer chooses a name that somebody has planted a link under. */
START_TEST(p9_a_planted_temporary_is_not_followed)
{
    char name[64];
    faults_fix_random(0x11);
    snprintf(name, sizeof name, ".clslice-%ld-1111111111111111", (long)getpid());
    struct path target = path_of(folder.text, "target"), link = path_of(folder.text, name);
    file_write(target.text, "mine", 4, 0600);
    ck_assert_int_eq(_i == 0 ? symlink("target", link.text) : rename(target.text, link.text), 0);
    ck_assert(!put(cache, 1, NEW, SIZE));
    struct bytes bytes = file_read(_i == 0 ? target.text : link.text);
    ck_assert_uint_eq(bytes.size, 4);
    ck_assert_mem_eq(bytes.at, "mine", 4);
    free(bytes.at);
    ck_assert_int_eq(outcome_of(folder.text, 1), CACHE_MISS);
}
END_TEST

enum { MANY = 20, GONE = 8 };

static void evict_as_another_process(void)
{
    for (unsigned key = 0; key < GONE; ++key)
        ck_assert_int_eq(unlink(entry_of(key).text), 0);
}

static void fill_many(void)
{
    for (unsigned key = 0; key < MANY; ++key) {
        fill(folder.text, key, key, SIZE);
        file_age(entry_of(key).text, 1000 - (long)key);
    }
}

/* Another process evicts the oldest between this one's listing and its first look at them: 8 of 21
 * are gone then, which leaves less than 80 % of a limit of 20, and nothing more needs to go. */
START_TEST(p12_evictors_at_once_do_not_evict_twice)
{
    struct cache *limited =
        cache_create(folder.text, CACHE_READ_WRITE, UINT64_C(20) * (SIZE + 100));
    fill_many();
    /* A put's fstatat calls: one for each entry that it lists; then eviction's first. */
    struct faults faults = {.calls = CALL(fstatat),
                            .at = MANY + 2,
                            .kind = FAULT_HOOK,
                            .hook = evict_as_another_process};
    faults_arm(&faults);
    ck_assert(put(limited, MANY, MANY, SIZE));
    const char *call;
    faults_disarm(&call);
    ck_assert_ptr_nonnull(call);
    ck_assert_uint_eq(count_files(folder.text, ""), MANY + 1 - GONE);
    cache_release(limited);
}
END_TEST

/* Entry 0 becomes another file of the same size and time, entry 1 is used. */
static void use_as_another_process(void)
{
    struct stat before;
    struct path path = entry_of(0);
    ck_assert_int_eq(stat(path.text, &before), 0);
    struct cache *other = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    ck_assert(put(other, 0, 77, SIZE));
    ck_assert(hits(other, 1, 1, SIZE));
    const struct timespec times[] = {before.st_atim, before.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, path.text, times, 0), 0);
    cache_release(other);
}

/* The two oldest are replaced and used meanwhile: no more the oldest, they stay. */
START_TEST(p12_what_changed_is_not_evicted)
{
    struct cache *limited =
        cache_create(folder.text, CACHE_READ_WRITE, UINT64_C(20) * (SIZE + 100));
    fill_many();
    struct faults faults = {
        .calls = CALL(fstatat), .at = MANY + 2, .kind = FAULT_HOOK, .hook = use_as_another_process};
    faults_arm(&faults);
    ck_assert(put(limited, MANY, MANY, SIZE));
    faults_disarm(NULL);
    ck_assert(hits(limited, 0, 77, SIZE));
    ck_assert(hits(limited, 1, 1, SIZE));
    ck_assert(!hits(limited, 2, 2, SIZE));
    cache_release(limited);
}
END_TEST

static int put_under_a_limit(unsigned key)
{
    const struct rlimit limit = {4096, 4096};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    return put(cache, key, NEW, 50000) ? 1 : 0;
}

/* A listing that ended early passed for whole. */
START_TEST(a_clear_that_cannot_list_all_is_an_error)
{
    struct faults faults = {.calls = CALL(readdir), .kind = FAULT_ERROR, .error = EIO};
    const char *call;
    uint64_t removed;
    do {
        prepare();
        ++faults.at;
        faults_arm(&faults);
        bool cleared = cache_clear(cache, &removed, &why);
        faults_disarm(&call);
        ck_assert_int_eq(cleared, !call);
        ck_assert(cleared || strstr(why, strerror(EIO)));
    } while (call);
    ck_assert_uint_eq(entries_of(folder.text), 0);
    ck_assert_int_gt(faults.at, 4);
}
END_TEST

/* SIGXFSZ, unasked for, ends a process. */
START_TEST(p13_a_limit_of_file_sizes_is_a_miss)
{
    ck_assert_int_eq(run_as(0, put_under_a_limit, 1), 0);
    ck_assert_uint_eq(count_files(folder.text, ""), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache faults");
    TCase *tests = suite_case(suite, "cache faults");
    tcase_add_checked_fixture(tests, enter, fixture_leave);
    tcase_add_loop_test(tests, p5_put_survives_any_failing_call, 0, 2);
    tcase_add_test(tests, p5_put_survives_when_all_calls_fail_from_one_on);
    tcase_add_test(tests, p5_short_and_interrupted_transfers_go_on);
    tcase_add_loop_test(tests, p5_a_failure_before_the_rename_is_reported, 0, COUNT_OF(steps));
    tcase_add_test(tests, p5_a_write_of_nothing_is_a_failure);
    tcase_add_loop_test(tests, p5_kill_between_any_two_calls, 0, 2);
    tcase_add_test(tests, p5_a_killed_reader_harms_nothing);
    tcase_add_loop_test(tests, p21_a_failing_call_is_a_hit_or_a_miss, 0, 4);
    tcase_add_test(tests, p21_what_cannot_be_read_is_a_miss);
    tcase_add_test(tests, p21_a_time_that_cannot_be_set_is_no_matter);
    tcase_add_loop_test(tests, p6_an_entry_replaced_under_a_reader_is_a_hit, 0, 6);
    tcase_add_loop_test(tests, care_survives_any_failing_call, 0, 2);
    tcase_add_test(tests, a_clear_that_cannot_list_all_is_an_error);
    tcase_add_loop_test(tests, p9_a_planted_temporary_is_not_followed, 0, 2);
    tcase_add_test(tests, p12_evictors_at_once_do_not_evict_twice);
    tcase_add_test(tests, p12_what_changed_is_not_evicted);
    tcase_add_test(tests, p13_a_limit_of_file_sizes_is_a_miss);
    return suite_run(suite);
}
