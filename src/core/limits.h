/* SPDX-License-Identifier: MIT */
/* What a plan depends on beside the slice. */
#ifndef CLSLICE_CORE_LIMITS_H
#define CLSLICE_CORE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

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
    bool intel;                   /* the host's CPU is Intel's */
};

#endif
