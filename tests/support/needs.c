/* SPDX-License-Identifier: MIT */
#include "support/needs.h"

#include "support/suite.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_SKIPPED = 77 };

static bool is_chosen(const char *tag)
{
    const char *tags = getenv("CK_INCLUDE_TAGS");
    return tags && strcmp(tags, tag) == 0;
}

static needs_lack *asked;
static const char *answer;

START_TEST(ask)
{
    answer = asked();
}
END_TEST

/* In the child. As a test, so that what is asked may use what tests do. */
static _Noreturn void run_ask(void)
{
    Suite *suite = suite_create("needs");
    tcase_add_test(suite_case(suite, "needs"), ask);
    unsetenv("CK_INCLUDE_TAGS");
    suite_run_as(suite, CK_NOFORK, CK_SILENT);
    if (answer)
        printf("skipped: %s\n", answer);
    fflush(NULL);
    _exit(answer ? EXIT_SKIPPED : EXIT_SUCCESS);
}

/* Whether something lacks, and then prints why. A child asks, because a driver that was used does
 * not survive the fork of each test. Where it fails, so will the tests. */
static bool is_lacking(const char *tag, needs_lack *lack)
{
    int status = 0;
    asked = lack;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_ask();
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        printf("skipped: the driver never ends what the tests of %s need\n", tag);
        fflush(stdout);
        return true;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED;
}

TCase *needs_case(Suite *suite, const char *tag, needs_lack *lack)
{
    static Suite *left_out; /* of no runner, which would run it */
    TCase *tests = tcase_create(tag);
    bool by_hand = !getenv("CK_INCLUDE_TAGS") && !getenv("CK_EXCLUDE_TAGS");
    tcase_set_tags(tests, tag);
    if ((by_hand || is_chosen(tag)) && is_lacking(tag, lack)) {
        if (!by_hand)
            _exit(EXIT_SKIPPED);
        printf("left out: the tests of %s\n", tag);
        if (!left_out)
            left_out = suite_create("left out");
        suite = left_out;
    }
    suite_add_tcase(suite, tests);
    return tests;
}

const char *needs_root(void)
{
    return geteuid() == 0 ? NULL : "needs root, to act as another user";
}

bool needs_own_mounts(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

const char *needs_mount(void)
{
    if (needs_own_mounts() && mount("none", "/tmp", "tmpfs", 0, "size=64k") == 0)
        return NULL;
    return "needs the right to mount a file system";
}

void needs_mount_memory(const char *folder, unsigned long flags, const char *options)
{
    ck_assert(needs_own_mounts());
    ck_assert_msg(mount("none", folder, "tmpfs", flags, options) == 0, "%s: %s", folder,
                  strerror(errno));
}
