/* SPDX-License-Identifier: MIT */
/*
 * struct slice + device limits -> struct plan. Pure; two plans of one slice and limits are equal in
 * every byte that means something.
 */
#ifndef CLSLICE_CORE_PLANNER_H
#define CLSLICE_CORE_PLANNER_H

#include "core/limits.h"
#include "core/plan.h"

/* `forced`: a variant to use, or PLAN_VARIANT_COUNT to choose. False where the forced one cannot do
 * this slice; a chosen one always can. */
bool plan_from(const struct slice *slice, const struct plan_limits *limits,
               enum plan_alignment alignment, enum plan_variant forced, struct plan *plan);

#endif
