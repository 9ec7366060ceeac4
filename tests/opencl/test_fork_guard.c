/* SPDX-License-Identifier: MIT */
/* Which process OpenCL belongs to. */
#include "opencl/fork_guard.h"
#include "support/needs.h"
#include "support/suite.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child of a fork returns; `is_first`: in a new namespace, where it is process 1. */
static int in_child(int (*run)(void), bool is_first)
{
    int ended = 0;
    ck_assert(!is_first || unshare(CLONE_NEWPID) == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(run());
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

enum { UNKNOWN, ELSEWHERE, HERE };

static int whose(void)
{
    const struct fork_guard *owner = fork_guard_opencl_owner();
    return !owner ? UNKNOWN : fork_guard_is_here(owner) ? HERE : ELSEWHERE;
}

static int claim(void)
{
    return fork_guard_opencl_claim() ? whose() : UNKNOWN;
}

START_TEST(the_first_to_claim_it_is_the_owner)
{
    ck_assert_int_eq(whose(), UNKNOWN);
    ck_assert_int_eq(in_child(claim, false), HERE);
    ck_assert_int_eq(whose(), UNKNOWN);
    ck_assert_int_eq(claim(), HERE);
    ck_assert_int_eq(claim(), HERE);
    ck_assert_int_eq(in_child(whose, false), ELSEWHERE);
    ck_assert_int_eq(in_child(claim, false), ELSEWHERE);
    ck_assert_int_eq(whose(), HERE);
}
END_TEST

static int claim_and_ask_a_child(void)
{
    return claim() == HERE && getpid() == 1 ? in_child(whose, true) : UNKNOWN;
}

static int first_of_two(void)
{
    return in_child(claim_and_ask_a_child, true);
}

/* As of a container's first process that enters a namespace of its own. */
START_TEST(a_child_with_its_parents_number_is_another)
{
    ck_assert_int_eq(in_child(first_of_two, false), ELSEWHERE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fork guard");
    TCase *mounts = needs_case(suite, "mount", needs_mount); /* namespaces ask for the same right */
    TCase *tests = suite_case(suite, "fork guard");
    tcase_add_test(mounts, a_child_with_its_parents_number_is_another);
    tcase_add_test(tests, the_first_to_claim_it_is_the_owner); /* the last, for CK_FORK=no */
    return suite_run(suite);
}
