/* SPDX-License-Identifier: MIT */
/* Objects that die early, and fork. */
#ifndef CLSLICE_TESTS_DEVICE_LIFETIMES_H
#define CLSLICE_TESTS_DEVICE_LIFETIMES_H

#include "support/asserts.h"

/* Adds their cases. */
void add_lifetimes(Suite *suite);

#endif
