/* SPDX-License-Identifier: MIT */
/* Plans of cases. A case for which there is none fails the test. */
#ifndef CLSLICE_TESTS_CORE_PLAN_CASE_H
#define CLSLICE_TESTS_CORE_PLAN_CASE_H

#include "core/launch.h"
#include "support/case_slice.h"

/* In place of a variant: the planner's choice. */
#define CHOSEN PLAN_VARIANT_COUNT

static inline struct plan plan_within(const struct slice_case *c, const struct plan_limits *limits,
                                      enum plan_alignment alignment, enum plan_variant forced)
{
    struct slice slice = slice_of(c);
    struct plan plan;
    memset(&plan, 0xA5, sizeof plan);
    ck_assert(plan_from(&slice, limits, alignment, forced, &plan));
    return plan;
}

/* On a device of 4 compute units and the class. */
static inline struct plan plan_of(const struct slice_case *c, bool cpu,
                                  enum plan_alignment alignment, enum plan_variant forced)
{
    const struct plan_limits limits = {cpu, 4, cpu ? 64 : 32, 1024, 0, 24 << 20};
    return plan_within(c, &limits, alignment, forced);
}

static inline struct plan chosen_plan(const struct slice_case *c, bool cpu,
                                      enum plan_alignment alignment)
{
    return plan_of(c, cpu, alignment, CHOSEN);
}

/* One launch over the whole output. */
static inline struct launch launch_of(const struct plan *plan)
{
    struct plan_box whole = plan_whole(plan);
    return launch_from(plan, &whole);
}

#endif
