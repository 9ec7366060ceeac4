/* SPDX-License-Identifier: MIT */
#include "runtime/operator.h"
#include "api/checks.h"
#include "clslice/directml.h"

int32_t clslice_operator_create(clslice_device *device, const struct DML_OPERATOR_DESC *desc,
                                clslice_operator **op, clslice_error *error)
{
    CHECK_ERROR(error);
    if (op)
        CHECK_POINTER(device, error);
    if (device)
        CHECK_STATUS(device_check_process(device, error));
    return operator_create(device, desc, op, error);
}

void clslice_operator_retain(clslice_operator *op)
{
    if (op)
        operator_retain(op);
}

void clslice_operator_release(clslice_operator *op)
{
    operator_release(op);
}

int32_t clslice_operator_get_alias(const clslice_operator *op, clslice_alias *alias,
                                   clslice_error *error)
{
    clslice_alias whole;
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_POINTER(alias, error);
    operator_alias(op, &whole);
    return structs_write(alias, &whole, sizeof whole, "clslice_alias", error);
}

int32_t clslice_operator_get_plan(const clslice_operator *op,
                                  const clslice_compile_options *options, clslice_plan_info *info,
                                  clslice_error *error)
{
    clslice_compile_options whole = {0};
    clslice_plan_info found;
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_POINTER(info, error);
    READ_OPTIONS(clslice_compile_options, &whole, options, error);
    CHECK_STATUS(operator_plan_info(op, &whole, &found, error));
    return structs_write(info, &found, sizeof found, "clslice_plan_info", error);
}

const char *clslice_variant_name(uint32_t index)
{
    return index < PLAN_VARIANT_COUNT ? plan_variant_name((enum plan_variant)index) : NULL;
}

int32_t clslice_operator_describe(const clslice_operator *op,
                                  const clslice_compile_options *options, char *text, uint64_t size,
                                  uint64_t *needed, clslice_error *error)
{
    clslice_compile_options whole = {0};
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_TEXT(text, size, error);
    READ_OPTIONS(clslice_compile_options, &whole, options, error);
    struct text words = text_in(text, size);
    CHECK_STATUS(operator_describe(op, &whole, &words, error));
    return checks_tell_needed(&words, needed);
}

int32_t clslice_operator_compile(clslice_operator *op, const clslice_compile_options *options,
                                 clslice_compiled_operator **compiled, clslice_error *error)
{
    clslice_compile_options whole = {0};
    CHECK_ERROR(error);
    CHECK_POINTER(op, error);
    CHECK_POINTER(compiled, error);
    READ_OPTIONS(clslice_compile_options, &whole, options, error);
    return compiled_operator_create(op, &whole, compiled, error);
}
