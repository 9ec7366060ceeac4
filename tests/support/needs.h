/* SPDX-License-Identifier: MIT */
/*
 * Tests of what a machine may lack are cases with a tag, and entries of their own for ctest: NEEDS
 * in tests/CMakeLists.txt names the tags. CK_INCLUDE_TAGS chooses such a case, CK_EXCLUDE_TAGS
 * keeps it out of the other entry, and an entry that cannot run is reported as skipped. Without
 * either, a program runs all its cases, and says which ones it had to leave out.
 */
#ifndef CLSLICE_TESTS_SUPPORT_NEEDS_H
#define CLSLICE_TESTS_SUPPORT_NEEDS_H

#include "support/asserts.h"

#include <stdbool.h>

/* Why the machine cannot do something, NULL if it can. Called in a process of its own; where that
 * may hang, alarm says so. */
typedef const char *needs_lack(void);

/* A new case of the suite, with this tag. Where the tag was chosen and something lacks, prints why
 * and ends the program with the status that ctest takes for "skipped". */
TCase *needs_case(Suite *suite, const char *tag, needs_lack *lack);

/* Root, who may become another user and give files to others. */
needs_lack needs_root;

/* To mount a file system that nobody else sees. */
needs_lack needs_mount;

/* Makes what this process mounts from now on its own, to go away with it. */
bool needs_own_mounts(void);

/* Mounts an empty file system in memory over the folder, with tmpfs's options, for this process
 * alone; the test fails if that cannot be done. */
void needs_mount_memory(const char *folder, unsigned long flags, const char *options);

#endif
