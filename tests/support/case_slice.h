/* SPDX-License-Identifier: MIT */
/* Cases of the table by name, and the slice, plan and launch that a case becomes. A case that is
 * not there, or not valid, or has no such plan, fails the test. */
#ifndef CLSLICE_TESTS_SUPPORT_CASE_SLICE_H
#define CLSLICE_TESTS_SUPPORT_CASE_SLICE_H

#include "conformance/case_desc.h"
#include "conformance/cases.h"
#include "core/launch.h"
#include "core/planner.h"
#include "support/suite.h"

#include <string.h>

static inline const struct slice_case *case_named(const char *name)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        if (strcmp(slice_cases[i].name, name) == 0)
            return &slice_cases[i];
    ck_abort_msg("no case %s", name);
    return NULL;
}

static inline struct slice slice_of(const struct slice_case *c)
{
    struct case_desc desc;
    struct slice slice;
    clslice_error error = {.size = sizeof error};
    case_desc_init(&desc, c);
    if (slice_from(&desc.op, &slice, &error) != CLSLICE_S_OK)
        ck_abort_msg("%s: %s", c->name, error.text);
    return slice;
}

/* A data type of 2^i bytes. */
static inline uint32_t type_of_width(int i)
{
    static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_UINT8, DML_TENSOR_DATA_TYPE_INT16,
                                     DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_INT64};
    return types[i];
}

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
    const struct plan_limits limits = {cpu, 4, cpu ? 64 : 32, 1024, 0, 24 << 20, false, false};
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
