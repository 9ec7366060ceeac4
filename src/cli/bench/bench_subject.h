/* SPDX-License-Identifier: MIT */
/* A case made ready to be measured. */
#ifndef CLSLICE_CLI_BENCH_BENCH_SUBJECT_H
#define CLSLICE_CLI_BENCH_BENCH_SUBJECT_H

#include "cli/bench/bench_cl.h"
#include "conformance/cases.h"

struct bench_subject {
    struct bench_cl *cl; /* borrowed */
    struct slice_case c; /* scaled for the device */
    clslice_plan_info plan;
    clslice_compiled_operator_info info;
    clslice_compiled_operator *compiled; /* owned */
    clslice_binding in;                  /* of the device's buffers, borrowed */
    clslice_binding out;
    bool is_aligned; /* both bindings, as info.variant wants it */
};

enum bench_ready {
    BENCH_READY,
    BENCH_SKIPPED, /* there is not the memory, or the variant cannot do the case */
    BENCH_FAILED
};

/*
 * Compiles the case and binds it to the device's buffers, which it may enlarge, from so many
 * elements on. `variant` NULL: the planner's choice. Then one dispatch is compared with the plain
 * loop, byte for byte and with what lies between the elements. `problem` tells why a subject is not
 * ready; it then owns nothing.
 */
enum bench_ready bench_subject_open(struct bench_subject *subject, struct bench_cl *cl,
                                    const struct slice_case *c, uint32_t in_offset,
                                    uint32_t out_offset, const char *variant,
                                    struct problem *problem);

/* Nothing of it may be running. */
void bench_subject_close(struct bench_subject *subject);

/* Enqueues one dispatch. `event` may be NULL. */
bool bench_subject_dispatch(const struct bench_subject *subject, cl_command_queue queue,
                            cl_event *event, struct problem *problem);

/* Name of the kernel that runs for these bindings; borrowed. */
const char *bench_subject_variant(const struct bench_subject *subject);

/* The floor's bytes in so many seconds, in units of 10^9 a second. */
double bench_subject_gb_per_s(const struct bench_subject *subject, double seconds);

#endif
