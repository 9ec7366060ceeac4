/* SPDX-License-Identifier: MIT */
/* Operators and compiled operators: immutable once made, but for the kernel slots that dispatch
 * takes. */
#ifndef CLSLICE_RUNTIME_OPERATOR_H
#define CLSLICE_RUNTIME_OPERATOR_H

#include "runtime/kernel_slot.h"

struct clslice_operator {
    atomic_uint references;
    struct clslice_device *device; /* retained */
    struct slice slice;
};

struct compiled_plan {
    struct plan plan;
    struct launch whole; /* the first launch: over the whole output, or one item, or what of the
                            output 32-bit indices reach */
    uint64_t traffic;    /* bytes of all memory lines that it touches */
    struct kernel_slots kernels;
};

struct clslice_compiled_operator {
    atomic_uint references;
    struct clslice_operator *op;                      /* retained */
    struct compiled_plan plans[PLAN_ALIGNMENT_COUNT]; /* one is unused where they would be equal */
    struct compiled_plan *by_alignment[PLAN_ALIGNMENT_COUNT];
    struct compiled_plan few; /* of a batch on a GPU: that of elements, for few items by value */
    struct plan_alignments alignments; /* of the first of them */
    bool of_batch;                     /* what is compiled is an item of many */
    uint32_t outcome; /* CLSLICE_PROGRAM_*: of its programs, the one that took longest to get */
    char cache_reason[64];
    uint64_t build_nanoseconds;
};

/* `device` NULL: only allowed where `op` is NULL too, which validates only. */
int32_t operator_create(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                        struct clslice_operator **op, clslice_error *error);
void operator_retain(struct clslice_operator *op);
void operator_release(struct clslice_operator *op);

void operator_alias(const struct clslice_operator *op, clslice_alias *alias);

/* Of the plan that compiling with these whole options would use on aligned memory; E_INVALIDARG for
 * options that no compile takes. */
int32_t operator_plan_info(const struct clslice_operator *op,
                           const clslice_compile_options *options, clslice_plan_info *info,
                           clslice_error *error);
int32_t operator_describe(const struct clslice_operator *op, const clslice_compile_options *options,
                          struct text *text, clslice_error *error);

/* E_UNEXPECTED in a child of fork. */
int32_t compiled_operator_create(struct clslice_operator *op,
                                 const clslice_compile_options *options,
                                 struct clslice_compiled_operator **compiled, clslice_error *error);
void compiled_operator_retain(struct clslice_compiled_operator *compiled);
void compiled_operator_release(struct clslice_compiled_operator *compiled);
void compiled_operator_info(const struct clslice_compiled_operator *compiled,
                            clslice_compiled_operator_info *info);

#endif
