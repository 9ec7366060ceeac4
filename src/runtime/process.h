/* SPDX-License-Identifier: MIT */
/* Which process an object belongs to, told without a system call, and which one OpenCL belongs to. */
#ifndef RUNTIME_PROCESS_H
#define RUNTIME_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct process {
    pid_t id;
    char *mark; /* owned; 1, and 0 in children. NULL where the kernel cannot see to that. */
};

struct process process_here(void);

/* False in children of fork, and in theirs. */
bool process_is_here(const struct process *process);

void process_release(struct process *process);

/* The process that first called this, or a parent of this one that did: drivers keep threads and connections
 * that no child of fork inherits whole. */
pid_t process_of_opencl(void);

#endif
