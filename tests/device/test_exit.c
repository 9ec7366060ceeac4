/* SPDX-License-Identifier: MIT */
/*
 * test_exit ENDING [RUNS]: a process that slices once on a real driver and then ends in one of the
 * ways that hosts do. It ends as it meant to, what it compiled is on disk, and the next process
 * needs no compiler. Every process has an empty driver's cache; every run begins with an empty one
 * of clslice's.
 */
#include "support/cache_rig.h"
#include "support/small_flip.h"
#include "support/suite.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 3, TIMEOUT_SECONDS = 120 };

static const char *program; /* this one */
static const char *ending;

/* ---- The child ---- */

static struct small_flip_objects objects; /* reachable to the end: nothing leaks */

static void release_all(void)
{
    small_flip_release(&objects);
}

/* Time for whatever would still run to run into a driver that is taken down. */
static void take_long(void)
{
    const struct timespec second = {1, 0};
    nanosleep(&second, NULL);
}

/* Handlers that are set this early run last, after the driver's libraries have ended, as those of a
 * host's static objects do. */
static int child(int to)
{
    if (strcmp(ending, "slow") == 0)
        atexit(take_long);
    if (strcmp(ending, "atexit") == 0)
        atexit(release_all);
    unsigned char said = (unsigned char)small_flip(false, &objects);
    if (write(to, &said, 1) != 1)
        return EXIT_FAILURE;
    if (strcmp(ending, "killed") == 0)
        raise(SIGKILL);
    if (strcmp(ending, "quick") == 0)
        _exit(EXIT_SUCCESS);
    if (strcmp(ending, "released") == 0)
        release_all();
    return EXIT_SUCCESS;
}

/* ---- The parent ---- */

static const char *const endings[] = {"released", "kept", "slow", "atexit", "quick", "killed"};

/* What a fresh process says of its slice. */
static enum small_flip run_to_its_end(const char *cache, const char *pocl)
{
    int ends[2], status;
    char descriptor[16];
    unsigned char said = 0;
    fflush(NULL);
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
    pid_t process = fork();
    ck_assert_int_ge(process, 0);
    if (process == 0) {
        setenv("POCL_CACHE_DIR", pocl, 1);
        setenv("CLSLICE_CACHE", cache, 1);
        setenv("CLSLICE_DEVICE", "portable", 1);
        small_flip_forgive_leaks();
        execl(program, program, ending, "child", descriptor, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &said, 1);
    close(ends[0]);
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    bool killed = strcmp(ending, "killed") == 0;
    ck_assert_msg(killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : status == 0,
                  "the process ended with 0x%x", (unsigned)status);
    ck_assert_int_eq(got, 1);
    return (enum small_flip)said;
}

static unsigned whole_entries(const char *path)
{
    unsigned count = 0;
    struct cache_entry entry;
    struct cache *cache = cache_create(path, CACHE_READ_ONLY, CACHE_NO_LIMIT);
    for (; cache_entry_at(cache, count, &entry); ++count) {
        ck_assert_msg(entry.key.length > 0, "%s: %s", entry.name, entry.reason);
        free(entry.file);
    }
    cache_release(cache);
    return count;
}

START_TEST(p16_saved_however_the_process_ends)
{
    struct path folder = new_folder();
    struct path cache = path_of(folder.text, "clslice");
    ck_assert_int_eq(run_to_its_end(cache.text, path_of(folder.text, "first").text), FLIP_BUILT);
    ck_assert_uint_eq(whole_entries(cache.text), 1);
    ck_assert_uint_eq(count_temporaries(cache.text), 0);
    ck_assert_int_eq(run_to_its_end(cache.text, path_of(folder.text, "second").text),
                     FLIP_FROM_CACHE);
    remove_tree(folder.text);
}
END_TEST

int main(int argc, char **argv)
{
    bool known = false;
    program = argv[0];
    for (size_t i = 0; argc > 1 && i < COUNT_OF(endings); ++i)
        known |= strcmp(argv[1], endings[i]) == 0;
    if (!known) {
        fprintf(stderr, "usage: test_exit released|kept|slow|atexit|quick|killed [RUNS]\n");
        return 2;
    }
    ending = argv[1];
    if (argc > 3)
        return child((int)strtol(argv[3], NULL, 10));
    int runs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : RUNS;
    Suite *suite = suite_create("exit");
    TCase *tests = suite_case(suite, ending);
    tcase_set_timeout(tests, TIMEOUT_SECONDS);
    tcase_add_loop_test(tests, p16_saved_however_the_process_ends, 0, runs);
    return suite_run(suite) || runs < 1;
}
