/* SPDX-License-Identifier: MIT */
/* What signals do while an output is being written. */
#include "cli/formats/guard.h"

#include "cli/formats/array.h"
#include "cli/formats/output.h"
#include "support/suite.h"

#include <signal.h>

static const int ends[] = {SIGHUP, SIGINT, SIGTERM};

static void install(void)
{
    static struct array array;
    static struct output output;

    output.path = "out.npy";
    guard_install(&array, "in.npy", &output);
}

START_TEST(a_signal_ends_the_process)
{
    install();
    raise(SIGTERM);
}
END_TEST

START_TEST(the_first_signal_is_held)
{
    install();
    guard_hold();
    ck_assert_int_eq(guard_held(), 0);
    raise(ends[_i]);
    ck_assert_int_eq(guard_held(), ends[_i]);
    install(); /* again, as behind a driver */
    ck_assert_int_eq(guard_release(), ends[_i]);
}
END_TEST

START_TEST(the_second_signal_ends_the_process)
{
    install();
    guard_hold();
    raise(SIGTERM);
    raise(SIGINT);
}
END_TEST

START_TEST(signals_are_held_no_longer_than_that)
{
    install();
    guard_hold();
    ck_assert_int_eq(guard_release(), 0);
    raise(SIGINT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guard");
    TCase *tests = suite_case(suite, "signals");
    tcase_add_exit_test(tests, a_signal_ends_the_process, GUARD_STATUS + SIGTERM);
    tcase_add_loop_test(tests, the_first_signal_is_held, 0, COUNT_OF(ends));
    tcase_add_exit_test(tests, the_second_signal_ends_the_process, GUARD_STATUS + SIGINT);
    tcase_add_exit_test(tests, signals_are_held_no_longer_than_that, GUARD_STATUS + SIGINT);
    return suite_run_as(suite, CK_FORK, CK_ENV);
}
