/* SPDX-License-Identifier: MIT */
/* The kernels, and what they are for. Pure. */
#ifndef CLSLICE_CORE_VARIANT_H
#define CLSLICE_CORE_VARIANT_H

#include <stdbool.h>

/* One kernel each, named by plan_variant_name; what each is for stands in its .cl file. */
enum plan_variant {
    PLAN_ROWS_CPU,
    PLAN_ROWS_GPU,
    PLAN_TRANSPOSE_CPU,
    PLAN_TRANSPOSE_GPU,
    PLAN_STRIDED_CPU,
    PLAN_STRIDED_GPU,
    PLAN_GAPPED_CPU,
    PLAN_SLICE_VARIANTS, /* so many; what follows is for gradients */
    PLAN_GRADIENT_CPU = PLAN_SLICE_VARIANTS,
    PLAN_GRADIENT_GPU,
    PLAN_VARIANT_COUNT
};

/* What a variant moves. */
enum plan_kind { PLAN_ROWS, PLAN_TRANSPOSES, PLAN_STRIDED, PLAN_GRADIENTS };

const char *plan_variant_name(enum plan_variant variant);

enum plan_kind plan_variant_kind(enum plan_variant variant);

/* Whether it is for devices with few threads: these take the walk in constant memory, others by
 * value. */
bool plan_variant_is_cpu(enum plan_variant variant);

/* The variant of this name, PLAN_VARIANT_COUNT where there is none. */
enum plan_variant plan_variant_named(const char *name);

#endif
