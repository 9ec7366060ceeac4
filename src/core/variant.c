/* SPDX-License-Identifier: MIT */
#include "core/variant.h"

#include <string.h>

static const struct {
    const char *name;
    bool cpu;
    enum plan_kind kind;
} variants[PLAN_VARIANT_COUNT] = {
    [PLAN_ROWS_CPU] = {"rows_cpu", true, PLAN_ROWS},
    [PLAN_ROWS_GPU] = {"rows_gpu", false, PLAN_ROWS},
    [PLAN_TRANSPOSE_CPU] = {"transpose_cpu", true, PLAN_TRANSPOSES},
    [PLAN_TRANSPOSE_GPU] = {"transpose_gpu", false, PLAN_TRANSPOSES},
    [PLAN_STRIDED_CPU] = {"strided_cpu", true, PLAN_STRIDED},
    [PLAN_STRIDED_GPU] = {"strided_gpu", false, PLAN_STRIDED},
    [PLAN_GAPPED_CPU] = {"gapped_cpu", true, PLAN_STRIDED},
    [PLAN_GRADIENT_CPU] = {"gradient_cpu", true, PLAN_GRADIENTS},
    [PLAN_GRADIENT_GPU] = {"gradient_gpu", false, PLAN_GRADIENTS},
};

const char *plan_variant_name(enum plan_variant variant)
{
    return variants[variant].name;
}

enum plan_kind plan_variant_kind(enum plan_variant variant)
{
    return variants[variant].kind;
}

bool plan_variant_is_cpu(enum plan_variant variant)
{
    return variants[variant].cpu;
}

enum plan_variant plan_variant_named(const char *name)
{
    enum plan_variant variant = 0;
    while (variant < PLAN_VARIANT_COUNT && strcmp(name, variants[variant].name) != 0)
        ++variant;
    return variant;
}
