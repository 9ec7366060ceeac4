/* SPDX-License-Identifier: MIT */
/* Kernels of one program, each for one thread at a time. A slot remembers what its walk argument
 * holds, so that a repeated launch sets its memory alone. */
#ifndef CLSLICE_RUNTIME_KERNEL_SLOT_H
#define CLSLICE_RUNTIME_KERNEL_SLOT_H

#include "core/few_items.h"
#include "core/launch.h"
#include "runtime/device.h"

/* More than this many threads inside dispatch at once make kernels of their own for the call. */
enum { KERNEL_SLOT_COUNT = 16 };

/* Of a kernel: the input and the output, and of a batch three tables. */
enum { KERNEL_SIDES = 2, KERNEL_MEMORY_COUNT = 5 };

/* A buffer or, where `mem` is NULL, an address. Both NULL: there is none. */
struct kernel_memory {
    cl_mem mem;
    const void *address;
};

/* Of a launch. */
struct kernel_arguments {
    struct kernel_memory memory[KERNEL_MEMORY_COUNT]; /* the tables only of a batch */
    const struct walk *walk;                          /* borrowed */
    uint64_t in_first, out_first; /* take the place of the walk's; from the memory's starts */
    const struct batch *batch;    /* borrowed; of kernels with tables */
    const struct few_items *few;  /* borrowed; of kernels that take these by value */
};

/* Who changes `taken` from 0 to 1 has it, and alone knows the rest. */
struct kernel_slot {
    atomic_uint taken;
    cl_kernel kernel;   /* owned; NULL until made, and where making another failed */
    cl_mem walk;        /* owned; the walk, where the variant takes it in a buffer */
    uint32_t addresses; /* bit i: this kernel has been given memory i by address */
    bool holds_whole;   /* the walk is the whole output's, with these firsts */
    uint64_t in_first, out_first;
};

struct kernel_slots {
    cl_program program; /* borrowed from the device */
    struct program_kernel kernel;
    /* borrowed; of the launch over the whole output, which is remembered */
    const struct walk *whole;
    struct kernel_slot slot[KERNEL_SLOT_COUNT];
};

/* Makes the first slot's kernel, before any thread takes one. `most` becomes how many work-items
 * its groups may have. */
int32_t kernel_slot_first(struct clslice_device *device, struct kernel_slots *slots, size_t *most,
                          clslice_error *error);

/* Call it when no thread uses a slot any more. */
void kernel_slot_release_all(struct kernel_slots *slots, const struct cl_api *cl);

/* Any free slot, for this thread, and its way back. A call that finds every one taken gets a slot
 * of its own in `spare`, which is all 0. Any thread, without a lock. */
int32_t kernel_slot_acquire(struct clslice_device *device, struct kernel_slots *slots,
                            struct kernel_slot *spare, struct kernel_slot **slot,
                            clslice_error *error);
void kernel_slot_return(struct clslice_device *device, struct kernel_slot *spare,
                        struct kernel_slot *slot);

/* Sets the kernel's arguments, the walk only where it differs from the slot's last launch. Where a
 * buffer takes the place of an address, it makes another kernel first: NVIDIA's driver 580 refuses
 * to launch the old one. */
int32_t kernel_slot_set(struct clslice_device *device, const struct kernel_slots *slots,
                        struct kernel_slot *slot, const struct kernel_arguments *arguments,
                        clslice_error *error);

#endif
