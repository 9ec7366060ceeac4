/* SPDX-License-Identifier: MIT */
/* Which process an object belongs to, told without a system call, and which one OpenCL belongs
 * to. */
#ifndef CLSLICE_OPENCL_FORK_GUARD_H
#define CLSLICE_OPENCL_FORK_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct fork_guard {
    pid_t id;
    char *mark; /* owned; 1, and 0 in children. NULL where the kernel cannot see to that. */
};

struct fork_guard fork_guard_here(void);

/* False in children of fork, and in theirs. */
bool fork_guard_is_here(const struct fork_guard *process);

void fork_guard_release(struct fork_guard *process);

/* The process that has used OpenCL, this one or a parent of it, as drivers keep threads and
 * connections that no child of fork inherits whole; NULL: none has. */
const struct fork_guard *fork_guard_opencl_owner(void);

/* The same, and this one if none has; NULL: out of memory. */
const struct fork_guard *fork_guard_opencl_claim(void);

#endif
