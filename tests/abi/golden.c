/* SPDX-License-Identifier: MIT */
#include "golden_asserts.h"

/* Strides alone are signed: the other type is a diagnostic here. */
const int32_t *golden_strides(const DML_SLICE1_OPERATOR_DESC *desc);
const uint32_t *golden_offsets(const DML_SLICE1_OPERATOR_DESC *desc);

const int32_t *golden_strides(const DML_SLICE1_OPERATOR_DESC *desc)
{
    return desc->InputWindowStrides;
}

const uint32_t *golden_offsets(const DML_SLICE1_OPERATOR_DESC *desc)
{
    return desc->InputWindowOffsets;
}
