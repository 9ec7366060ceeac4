/* SPDX-License-Identifier: MIT */
/*
 * libcheck, with assertions that cost nothing while they hold. Its own write to a file each time,
 * so that a crash is reported with the last one that held. Tests assert in loops over millions of
 * elements.
 */
#ifndef CLSLICE_TESTS_SUPPORT_ASSERTS_H
#define CLSLICE_TESTS_SUPPORT_ASSERTS_H

#include <check.h>

#undef ck_assert
#undef ck_assert_msg
#define ck_assert(condition) ck_assert_msg(condition, "Assertion '%s' failed", #condition)
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

#endif
