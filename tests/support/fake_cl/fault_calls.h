/* SPDX-License-Identifier: MIT */
/*
 * System calls that fail on demand. The test is linked with --wrap for each of FAULT_CALLS, so
 * every call from the library's archives comes here first; unarmed, it goes on to the system.
 */
#ifndef CLSLICE_TESTS_SUPPORT_FAKE_CL_FAULT_CALLS_H
#define CLSLICE_TESTS_SUPPORT_FAKE_CL_FAULT_CALLS_H

#include <stdbool.h>

#define FAULT_CALLS(F) \
    F(open)            \
    F(openat)          \
    F(mkdir)           \
    F(fstat)           \
    F(fstatat)         \
    F(read)            \
    F(write)           \
    F(fdatasync)       \
    F(close)           \
    F(renameat)        \
    F(unlinkat)        \
    F(utimensat)       \
    F(getrandom)       \
    F(readdir)

#define FAULT_NUMBER(name) CALL_##name,
enum fault_call { FAULT_CALLS(FAULT_NUMBER) CALL_COUNT };
#undef FAULT_NUMBER

#define CALL(name) (1u << CALL_##name)

enum { ALL_CALLS = (1 << CALL_COUNT) - 1 };

enum fault_kind {
    FAULT_ERROR,    /* it fails and has done nothing; close closes all the same */
    FAULT_DONE_TOO, /* it fails and has done it: an answer that was lost on a network */
    FAULT_SHORT,    /* read and write take half; others go well */
    FAULT_END,      /* read finds the end; others go well */
    FAULT_KILL,     /* the process is killed before it */
    FAULT_HOOK      /* `hook` runs before it, then it goes well */
};

struct faults {
    unsigned calls; /* CALL() bits of those that count; 0: all */
    long at;        /* the how-manieth of them, from 1; 0: none */
    bool and_after; /* all from there on */
    enum fault_kind kind;
    int error;
    void (*hook)(void);
};

void faults_arm(const struct faults *faults);

/* How many calls there were that count; `last`, where not NULL, is the one that failed. */
long faults_disarm(const char **last);

/* What getrandom gives from now on, in place of chance. */
void faults_fix_random(unsigned char byte);

#endif
