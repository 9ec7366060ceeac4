/* SPDX-License-Identifier: MIT */
/* Many processes in one folder, some of them killed at any moment. */
#include "support/cache_rig.h"
#include "support/dice.h"
#include "support/suite.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEED = 606, PROCESSES = 16, ROUNDS = 30, KEYS = 6, HANG_SECONDS = 600 };

static struct path folder;

static void enter(void)
{
    folder = new_folder();
    ck_assert_int_eq(rmdir(folder.text), 0); /* the first writer makes it */
}

static void leave(void)
{
    remove_tree(folder.text);
}

/* A payload says in its first bytes which it is; the rest, and its size, follow from its number. */
struct label {
    uint64_t number;
    uint32_t key;
    uint32_t size;
};

static struct bytes labelled(unsigned key, uint64_t number)
{
    struct dice dice = {number + 1};
    size_t size = sizeof(struct label) + 100 + (size_t)dice_below(&dice, 60000);
    struct bytes bytes = payload_of(number, size);
    const struct label label = {number, key, (uint32_t)size};
    memcpy(bytes.at, &label, sizeof label);
    return bytes;
}

/* Whole, of this key, and as some process once put it. */
static bool is_right(const struct hash_part *payload, unsigned key)
{
    struct label label;
    if (payload->length < sizeof label)
        return false;
    memcpy(&label, payload->bytes, sizeof label);
    struct bytes expected = labelled(key, label.number);
    bool right = label.key == key && expected.size == payload->length &&
                 memcmp(expected.at, payload->bytes, expected.size) == 0;
    free(expected.at);
    return right;
}

enum { WRONG_BYTES = 3, WRONG_OUTCOME, CANNOT_PUT };

static bool put_labelled(struct cache *cache, unsigned key, uint64_t number)
{
    const char *reason;
    struct bytes bytes = labelled(key, number);
    const struct hash_part part = key_of(key), payload = {bytes.at, bytes.size};
    bool done = cache_put(cache, &part, &payload, &reason);
    if (!done)
        fprintf(stderr, "put: %s\n", reason);
    free(bytes.at);
    return done;
}

/* One process' life; returns 0 or what was wrong. */
static int live(unsigned process)
{
    struct dice dice = {SEED + process};
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    int wrong = 0;
    for (unsigned round = 0; round < ROUNDS && !wrong; ++round) {
        unsigned key = (unsigned)dice_below(&dice, KEYS);
        if (dice_one_in(&dice, 2)) {
            wrong = put_labelled(cache, key, dice_roll(&dice) >> 1) ? 0 : CANNOT_PUT;
            continue;
        }
        const struct hash_part part = key_of(key);
        struct cache_found found = cache_get(cache, &part);
        if (found.outcome == CACHE_HIT)
            wrong = is_right(&found.payload, key) ? 0 : WRONG_BYTES;
        else if (found.outcome != CACHE_MISS) {
            fprintf(stderr, "get: %s\n", found.reason);
            wrong = WRONG_OUTCOME;
        }
        cache_found_release(&found);
    }
    cache_release(cache);
    return wrong;
}

static void start_all(pid_t child[PROCESSES])
{
    fflush(NULL);
    for (unsigned i = 0; i < PROCESSES; ++i) {
        child[i] = fork();
        ck_assert_int_ge(child[i], 0);
        if (child[i] == 0) {
            alarm(HANG_SECONDS);
            _exit(live(i));
        }
    }
}

/* Kills this many of the children, at moments by chance. */
static void kill_some(const pid_t child[PROCESSES], unsigned count, struct dice *dice)
{
    for (size_t i = 0; i < count; ++i) {
        const struct timespec pause = {0, (long)dice_below(dice, 8000000)};
        nanosleep(&pause, NULL);
        kill(child[i * 2], SIGKILL);
    }
}

/* Every entry there is whole and right, and no survivor has left a temporary file. */
static void check_folder(const pid_t survivor[], unsigned count)
{
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    for (unsigned key = 0; key < KEYS; ++key) {
        const struct hash_part part = key_of(key);
        struct cache_found found = cache_get(cache, &part);
        ck_assert(found.outcome == CACHE_HIT || found.outcome == CACHE_MISS);
        if (found.outcome == CACHE_HIT)
            ck_assert(is_right(&found.payload, key));
        cache_found_release(&found);
    }
    for (unsigned i = 0; i < count; ++i) {
        char prefix[40];
        snprintf(prefix, sizeof prefix, ".clslice-%ld-", (long)survivor[i]);
        ck_assert_uint_eq(count_files(folder.text, prefix), 0);
    }
    cache_release(cache);
}

/* A loop count of 0: nobody is killed. */
START_TEST(p6_processes_share_a_folder)
{
    pid_t child[PROCESSES], survivor[PROCESSES];
    unsigned survivors = 0, killed = 0;
    struct dice dice = {SEED + (uint64_t)_i};
    start_all(child);
    kill_some(child, _i == 0 ? 0 : PROCESSES / 2, &dice);
    for (unsigned i = 0; i < PROCESSES; ++i) {
        int status;
        ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
            ++killed;
            continue;
        }
        ck_assert_msg(WIFEXITED(status), "a process hangs or crashed: 0x%x", status);
        ck_assert_int_eq(WEXITSTATUS(status), 0);
        survivor[survivors++] = child[i];
    }
    ck_assert_uint_eq(survivors + killed, PROCESSES);
    check_folder(survivor, survivors);
    ck_assert_uint_le(count_temporaries(folder.text), killed);
    ck_assert_uint_eq(count_files(folder.text, ""),
                      count_files(folder.text, ".clslice-") + (unsigned)KEYS);
}
END_TEST

/* ---- P12 ---- */

enum { WRITERS = 4, EACH = 50, MOST = 16000, LIMIT = 1 << 20 };

/* What one writer wrote, and when. */
struct written {
    unsigned key;
    uint32_t bytes;
    struct timespec at;
};

static struct path written_entry(unsigned key)
{
    return entry_path(folder.text, key);
}

static int write_and_tell(unsigned writer, int to)
{
    struct dice dice = {SEED * 3 + writer};
    struct cache *cache = cache_create(folder.text, CACHE_READ_WRITE, LIMIT);
    for (unsigned i = 0; i < EACH; ++i) {
        struct written one = {.key = writer * EACH + i};
        struct stat about;
        if (!put(cache, one.key, one.key, MOST / 2 + (size_t)dice_below(&dice, MOST / 2)))
            return CANNOT_PUT;
        /* The others may have evicted it already, but only if theirs are newer. */
        if (stat(written_entry(one.key).text, &about) != 0)
            continue;
        one.bytes = (uint32_t)about.st_size;
        one.at = about.st_mtim;
        if (write(to, &one, sizeof one) != sizeof one)
            return CANNOT_PUT;
    }
    cache_release(cache);
    return 0;
}

static int newest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct written *)a)->at;
    const struct timespec *y = &((const struct written *)b)->at;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec > y->tv_sec ? -1 : 1;
    return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

START_TEST(p12_processes_keep_to_the_limit)
{
    struct written all[WRITERS * EACH];
    struct cache_stats stats;
    size_t count = 0;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    for (unsigned i = 0; i < WRITERS; ++i)
        if (fork() == 0) {
            alarm(HANG_SECONDS);
            _exit(write_and_tell(i, ends[1]));
        }
    close(ends[1]);
    while (count < COUNT_OF(all) && read(ends[0], &all[count], sizeof all[0]) == sizeof all[0])
        ++count;
    for (int status, i = 0; i < WRITERS; ++i) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    struct cache *cache = cache_create(folder.text, CACHE_READ_ONLY, LIMIT);
    ck_assert(cache_count(cache, &stats, &why));
    cache_release(cache);
    ck_assert_uint_le(stats.bytes, LIMIT + MOST + 200);
    ck_assert_uint_ge(stats.bytes, LIMIT / 2);
    ck_assert_uint_eq(count_temporaries(folder.text), 0);
    /* Those of the last half of the limit, in the order in which they were written. */
    qsort(all, count, sizeof all[0], newest_first);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count && (bytes += all[i].bytes) < LIMIT / 2; ++i)
        ck_assert_msg(access(written_entry(all[i].key).text, F_OK) == 0, "the %zu. newest is gone",
                      i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache processes");
    TCase *tests = suite_case(suite, "cache processes");
    tcase_add_checked_fixture(tests, enter, leave);
    tcase_add_loop_test(tests, p6_processes_share_a_folder, 0, 4);
    tcase_add_test(tests, p12_processes_keep_to_the_limit);
    return suite_run(suite);
}
