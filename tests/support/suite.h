/* SPDX-License-Identifier: MIT */
/*
 * A test program: main makes a suite and its cases, adds tests to them and returns what suite_run
 * does.
 *
 *     Suite *suite = suite_create("npy");
 *     TCase *tests = suite_case(suite, "headers");
 *     tcase_add_test(tests, the_longest_header_fits);
 *     return suite_run(suite);
 */
#ifndef CLSLICE_TESTS_SUPPORT_SUITE_H
#define CLSLICE_TESTS_SUPPORT_SUITE_H

#include "support/asserts.h"

#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* A new case of the suite, which owns it. */
static inline TCase *suite_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    suite_add_tcase(suite, tests);
    return tests;
}

/* Runs and frees the suite and returns main's status. */
static inline int suite_run_as(Suite *suite, enum fork_status fork_status, enum print_output output)
{
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, fork_status);
    srunner_run_all(runner, output);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Each test runs in a process of its own unless CK_FORK=no; CK_VERBOSITY says what is printed. */
static inline int suite_run(Suite *suite)
{
    return suite_run_as(suite, CK_FORK_GETENV, CK_ENV);
}

#endif
