/* SPDX-License-Identifier: MIT */
/* Operators and compiled operators: immutable once made, but for the kernel slots that dispatch takes. */
#ifndef CLSLICE_RUNTIME_OPERATOR_H
#define CLSLICE_RUNTIME_OPERATOR_H

#include "core/launch.h"
#include "runtime/program.h"

/* Kernels of one plan: more than this many threads inside dispatch at once make kernels of their own
 * for the call. */
enum { KERNEL_SLOTS = 16 };

struct clslice_operator {
    atomic_uint references;
    struct clslice_device *device; /* retained */
    struct slice slice;
};

/* A cl_kernel is for one thread at a time; who changes `taken` from 0 to 1 has it, and alone knows the
 * rest. */
struct kernel_slot {
    atomic_uint taken;
    cl_kernel kernel;       /* owned; NULL until first taken */
    cl_command_queue queue; /* the host's that was last found right; only compared */
    /* what its walk holds, so that it is set again only where that changes */
    cl_mem walk;      /* owned; the walk, where the variant takes it in a buffer */
    bool walks_whole; /* the walk is the whole output's, with these firsts */
    uint64_t in_first, out_first;
};

struct compiled_plan {
    struct plan plan;
    cl_program program;  /* borrowed from the device */
    struct launch whole; /* one launch over the whole output */
    struct kernel_slot slots[KERNEL_SLOTS];
};

struct clslice_compiled_operator {
    atomic_uint references;
    struct clslice_operator *op;                      /* retained */
    uint32_t plan_count;                              /* 1 or 2 */
    struct compiled_plan plans[PLAN_ALIGNMENT_COUNT]; /* plan_count are in use */
    struct compiled_plan *by_alignment[PLAN_ALIGNMENT_COUNT];
    uint32_t outcome; /* CLSLICE_PROGRAM_*: of its programs, the one that took longest to get */
    char cache_reason[64];
    uint64_t build_nanoseconds;
};

/* `device` NULL: only allowed where `op` is NULL too, which validates only. */
int32_t operator_create(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                        struct clslice_operator **op, clslice_error *error);
void operator_retain(struct clslice_operator *op);
void operator_release(struct clslice_operator *op);

/* The plan that compiling with these whole options would use; E_INVALIDARG for options that no compile
 * takes. */
int32_t operator_plan(const struct clslice_operator *op, const clslice_compile_options *options,
                      enum plan_alignment alignment, struct plan *plan, clslice_error *error);
void operator_alias(const struct clslice_operator *op, clslice_alias *alias);
void operator_plan_info(const struct clslice_operator *op, const struct plan *plan,
                        clslice_plan_info *info);

int32_t compiled_operator_create(struct clslice_operator *op,
                                 const clslice_compile_options *options,
                                 struct clslice_compiled_operator **compiled, clslice_error *error);
void compiled_operator_retain(struct clslice_compiled_operator *compiled);
void compiled_operator_release(struct clslice_compiled_operator *compiled);
void compiled_operator_info(const struct clslice_compiled_operator *compiled,
                            clslice_compiled_operator_info *info);

/* A kernel of the plan for this thread, and its way back: the one that last served the queue, if it is
 * free. A call that finds every slot taken gets a slot of its own in `spare`. */
int32_t kernel_take(struct clslice_device *device, struct compiled_plan *plan,
                    cl_command_queue queue, struct kernel_slot *spare, struct kernel_slot **slot,
                    clslice_error *error);
void kernel_return(struct clslice_device *device, struct kernel_slot *spare,
                   struct kernel_slot *slot);

/* The walk is set where it differs from the slot's last launch; its firsts count from the starts of the
 * buffers that are bound. `side`: 0 for the input, 1 for the output. */
int32_t kernel_set_walk(struct clslice_device *device, struct compiled_plan *plan,
                        struct kernel_slot *slot, const struct launch *launch, uint64_t in_first,
                        uint64_t out_first, clslice_error *error);
cl_int kernel_set_mem(struct clslice_device *device, struct kernel_slot *slot, cl_uint side,
                      cl_mem mem);
cl_int kernel_set_address(struct clslice_device *device, struct kernel_slot *slot, cl_uint side,
                          const void *address);

#endif
