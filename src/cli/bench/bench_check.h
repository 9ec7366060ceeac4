/* SPDX-License-Identifier: MIT */
/* Whether a case that is to be measured is moved rightly. */
#ifndef CLSLICE_CLI_BENCH_BENCH_CHECK_H
#define CLSLICE_CLI_BENCH_BENCH_CHECK_H

#include "cli/bench/bench_subject.h"

/* One dispatch, compared with the plain loop byte for byte, and with what lies between the
 * elements. */
bool bench_check(const struct bench_subject *subject, struct problem *problem);

#endif
