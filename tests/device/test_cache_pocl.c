/* SPDX-License-Identifier: MIT */
/* Real binaries of a real driver, which dies of damaged ones: through the public ABI, in processes
 * as fresh as a user's, each with a driver's cache of its own. */
#include "support/cache_rig.h"
#include "support/dice.h"
#include "support/small_flip.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEED = 31, DAMAGED_RUNS = 6, DAMAGES = 200, PROCESSES = 8 };

static const char *program; /* this one */
static struct path folder;  /* of the cache */
static unsigned runs;

static int child(bool flips_rows)
{
    struct small_flip_objects objects;
    int said = small_flip(flips_rows, &objects);
    small_flip_release(&objects);
    return said;
}

/* ---- Processes ---- */

static const char *flip = "columns";

static pid_t start(void)
{
    char name[64];
    fflush(NULL);
    snprintf(name, sizeof name, "pocl-%ld-%u", (long)getpid(), runs++);
    struct path pocl = path_of(folder.text, name);
    pid_t process = fork();
    ck_assert_int_ge(process, 0);
    if (process == 0) {
        setenv("POCL_CACHE_DIR", pocl.text, 1);
        setenv("CLSLICE_CACHE", path_of(folder.text, "clslice").text, 1);
        setenv("CLSLICE_DEVICE", "portable", 1);
        small_flip_forgive_leaks();
        execl(program, program, "child", flip, (char *)NULL);
        _exit(127);
    }
    return process;
}

static int end(pid_t process)
{
    int status;
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    ck_assert_msg(WIFEXITED(status), "the process died: 0x%x", status);
    return WEXITSTATUS(status);
}

static int fresh_process(void)
{
    return end(start());
}

/* ---- The entry that the driver's binary is in ---- */

static struct path entry;
static struct bytes whole;

/* Once for all tests, each of which leaves a whole entry or none. */
static void enter(void)
{
    struct cache_entry found;
    folder = new_folder();
    ck_assert_int_eq(fresh_process(), FLIP_BUILT);
    struct path at = path_of(folder.text, "clslice");
    struct cache *cache = cache_create(at.text, CACHE_READ_ONLY, CACHE_NO_LIMIT);
    ck_assert(cache_entry_at(cache, 0, &found));
    ck_assert_uint_gt(found.key.length, 0);
    entry = path_of(at.text, found.name);
    whole = file_read(entry.text);
    free(found.file);
    cache_release(cache);
}

static void leave(void)
{
    free(whole.at);
    remove_tree(folder.text);
}

/* A flipped bit or a cut, by number. */
static void damage(struct dice *dice, int number)
{
    size_t at = (size_t)dice_below(dice, whole.size);
    unsigned char bit = (unsigned char)(1u << dice_below(dice, 8));
    whole.at[at] ^= number % 2 == 0 ? bit : 0;
    file_write(entry.text, whole.at, number % 2 == 0 ? whole.size : at, 0600);
    whole.at[at] ^= number % 2 == 0 ? bit : 0;
}

static bool is_whole_again(void)
{
    struct hash_part key;
    const char *reason;
    struct bytes now = file_read(entry.text);
    entry_key(now.at, now.size, &key, &reason);
    bool is_whole = key.length > 0;
    free(now.at);
    return is_whole;
}

START_TEST(a_second_process_needs_no_compiler)
{
    if (_i == 1) {
        flip = "rows";
        ck_assert_int_eq(fresh_process(), FLIP_BUILT);
    }
    ck_assert_int_eq(fresh_process(), FLIP_FROM_CACHE);
    ck_assert_int_eq(fresh_process(), FLIP_FROM_CACHE);
}
END_TEST

START_TEST(p3_damage_costs_a_build_and_no_more)
{
    struct dice dice = {SEED};
    for (int i = 0; i < DAMAGED_RUNS; ++i) {
        damage(&dice, i);
        ck_assert_int_eq(fresh_process(), FLIP_BUILT);
        ck_assert_msg(is_whole_again(), "damage %d: not replaced", i);
        ck_assert_int_eq(fresh_process(), FLIP_FROM_CACHE);
    }
}
END_TEST

/* What a hit does not give, the driver does not get. */
START_TEST(p3_no_damaged_binary_reaches_the_driver)
{
    struct dice dice = {SEED + 1};
    const char *reason;
    struct hash_part key;
    entry_key(whole.at, whole.size, &key, &reason);
    struct cache *cache =
        cache_create(path_of(folder.text, "clslice").text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    for (int i = 0; i < DAMAGES; ++i) {
        damage(&dice, i);
        struct cache_found found = cache_get(cache, &key);
        ck_assert_msg(found.outcome == CACHE_CORRUPT || found.outcome == CACHE_STALE,
                      "damage %d: outcome %d", i, (int)found.outcome);
        cache_found_release(&found);
        ck_assert_int_ne(access(entry.text, F_OK), 0);
    }
    file_write(entry.text, whole.at, whole.size, 0600);
    struct cache_found found = cache_get(cache, &key);
    ck_assert_int_eq(found.outcome, CACHE_HIT);
    cache_found_release(&found);
    cache_release(cache);
}
END_TEST

START_TEST(p6_first_uses_at_once)
{
    pid_t process[PROCESSES];
    remove_tree(path_of(folder.text, "clslice").text);
    for (int i = 0; i < PROCESSES; ++i)
        process[i] = start();
    for (int i = 0; i < PROCESSES; ++i) {
        int said = end(process[i]);
        ck_assert(said == FLIP_BUILT || said == FLIP_FROM_CACHE);
    }
    ck_assert_int_eq(fresh_process(), FLIP_FROM_CACHE);
    ck_assert_uint_eq(count_temporaries(path_of(folder.text, "clslice").text), 0);
}
END_TEST

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 2 && strcmp(argv[1], "child") == 0)
        return child(strcmp(argv[2], "rows") == 0);
    Suite *suite = suite_create("cache pocl");
    TCase *tests = suite_case(suite, "cache pocl");
    tcase_add_unchecked_fixture(tests, enter, leave);
    tcase_add_test(tests, p3_damage_costs_a_build_and_no_more);
    tcase_add_test(tests, p3_no_damaged_binary_reaches_the_driver);
    tcase_add_test(tests, p6_first_uses_at_once);
    tcase_add_loop_test(tests, a_second_process_needs_no_compiler, 0, 2);
    return suite_run(suite);
}
