/* SPDX-License-Identifier: MIT */
/* One use of a program after another, each as if by another process, over one cache on the fake
 * machine. */
#ifndef CLSLICE_TESTS_SUPPORT_PROGRAM_RIG_H
#define CLSLICE_TESTS_SUPPORT_PROGRAM_RIG_H

#include "support/fake_cl/fault_steps.h"

/* A dispatch of a small slice; it needs one program. */
extern const struct step run_slice;

/* A new machine and an empty cache; options for devices that use it, without environment. */
clslice_device_options rig_begin(void);

const char *rig_folder(void);
uint64_t rig_entries(const clslice_device_options *options);

/* The path of the cache's entry that is longest unused. */
const char *rig_first_entry(const clslice_device_options *options);

/* The bytes of that entry, valid until the next call. */
const char *rig_read_entry(const clslice_device_options *options, size_t *size);

struct told {
    clslice_compiled_operator_info info;
    clslice_cache_counters counters;
};

/* What one process of a user's does: compiles, runs, checks the result, and goes. */
struct told rig_use(const clslice_device_options *options);

/* The same, asserted to count this. */
struct told rig_expect(const clslice_device_options *options, const clslice_cache_counters *wanted);

/* Asserts what a device has counted. */
void rig_check_counters(const clslice_device *device, const clslice_cache_counters *wanted);

/* How often a driver was asked for a binary. */
size_t rig_queries(void);

/* Hooks for the fake machine: calls that stay inside the driver until as many are there as are
 * wanted, or for a very long time. */
void driver_linger(void *user);
void driver_want(int count);
int driver_inside(void);
void driver_wait_for(int inside); /* asserts that they come */
bool driver_gave_up(void);

#define COUNTED(...) (&(const clslice_cache_counters){.is_on = 1, __VA_ARGS__})

#endif
