/* SPDX-License-Identifier: MIT */
#include "opencl/fork_guard.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARK_BYTES = 1 /* the kernel gives a page */, NO_ADVICE = -1 };

struct fork_guard fork_guard_here(void)
{
    struct fork_guard here = {.id = getpid()};
    char *mark = mmap(NULL, MARK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mark == MAP_FAILED)
        return here;
    /* Linux 4.14; but emulators are about that take any advice and follow none. */
    if (madvise(mark, MARK_BYTES, NO_ADVICE) != 0 &&
        madvise(mark, MARK_BYTES, MADV_WIPEONFORK) == 0) {
        *mark = 1;
        here.mark = mark;
    } else {
        munmap(mark, MARK_BYTES);
    }
    return here;
}

bool fork_guard_is_here(const struct fork_guard *process)
{
    return process->mark ? *process->mark == 1 : process->id == getpid();
}

void fork_guard_release(struct fork_guard *process)
{
    if (process->mark)
        munmap(process->mark, MARK_BYTES);
    process->mark = NULL;
}

static struct fork_guard *_Atomic owner; /* stays for ever */

const struct fork_guard *fork_guard_opencl_owner(void)
{
    return atomic_load(&owner);
}

const struct fork_guard *fork_guard_opencl_claim(void)
{
    struct fork_guard *found = NULL, *mine = atomic_load(&owner) ? NULL : malloc(sizeof *mine);
    if (!mine)
        return atomic_load(&owner);
    *mine = fork_guard_here();
    if (atomic_compare_exchange_strong(&owner, &found, mine))
        return mine;
    fork_guard_release(mine);
    free(mine);
    return found;
}
