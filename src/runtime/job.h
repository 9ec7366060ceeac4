/* SPDX-License-Identifier: MIT */
/* One dispatch on its way to the queue: what is bound, and launches of its kernel. */
#ifndef CLSLICE_RUNTIME_JOB_H
#define CLSLICE_RUNTIME_JOB_H

#include "runtime/bind.h"
#include "runtime/item_tables.h"

struct job {
    struct clslice_device *device;
    struct compiled_plan *compiled;
    struct kernel_slot *slot; /* taken */
    struct bound bound[BIND_SIDES];
    const struct item_tables *items; /* borrowed; NULL: no batch */
    clslice_error *error;
};

/* A side of a launch. */
struct job_side {
    struct kernel_memory memory; /* that it goes by */
    uint64_t first;              /* the launch's first element from there */
};

/* Whether kernels take both tensors as they are bound. */
bool job_is_direct(const struct job *job);

uint64_t job_bytes(const struct job *job, uint64_t elements);

/* Where an element lies in host memory. */
unsigned char *job_host_bytes(const struct job *job, int i, uint64_t element);

/* A side whose first element is so many behind the tensor's, as the caller has bound it. */
struct job_side job_side_of(const struct job *job, int i, uint64_t first);

/*
 * The same where it may be in host memory: it then goes by a buffer over [low, high) of the tensor,
 * which job_release_sides releases, or by the staged one, which holds as much.
 */
int32_t job_place_side(const struct job *job, int i, const struct plan_extent *range, cl_mem staged,
                       struct job_side *side);
void job_release_sides(const struct job *job, const struct job_side sides[BIND_SIDES]);

int32_t job_launch(const struct job *job, const struct launch *launch,
                   const struct job_side sides[BIND_SIDES], cl_command_queue queue,
                   cl_uint wait_count, const cl_event *waits, cl_event *event);

#endif
