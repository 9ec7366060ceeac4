/* SPDX-License-Identifier: MIT */
/*
 * struct slice + device limits -> struct plan. Pure; two plans of one slice and limits are equal in
 * every byte that means something.
 */
#ifndef CLSLICE_CORE_PLANNER_H
#define CLSLICE_CORE_PLANNER_H

#include "core/plan.h"

/* What is known of the addresses where both tensors start. */
enum plan_alignment {
    PLAN_ALIGNED_16,      /* multiples of 16 bytes */
    PLAN_ALIGNED_ELEMENT, /* multiples of the element's size */
    PLAN_ALIGNMENT_COUNT
};

/* What a plan needs to know of the device. */
struct plan_limits {
    bool cpu;                     /* kernels for a CPU, not for a GPU */
    uint32_t compute_units;       /* at least 1 */
    uint32_t line_bytes;          /* the memory's granularity for reads */
    uint64_t max_work_group_size; /* at least 1 */
    uint64_t local_bytes;         /* local memory of a group; 0: emulated, without a limit */
    uint64_t cache_bytes;         /* of a CPU: traffic that its caches hold */
    bool picks;                   /* it has PICKED of kernels/line.cl */
};

/* `forced`: a variant to use, or PLAN_VARIANT_COUNT to choose. False where the forced one cannot do
 * this slice; a chosen one always can. */
bool plan_from(const struct slice *slice, const struct plan_limits *limits,
               enum plan_alignment alignment, enum plan_variant forced, struct plan *plan);

#endif
