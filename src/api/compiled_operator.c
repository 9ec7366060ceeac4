/* SPDX-License-Identifier: MIT */
#include "api/checks.h"
#include "clslice/directml.h"
#include "runtime/operator.h"

void clslice_compiled_operator_retain(clslice_compiled_operator *compiled)
{
    if (compiled)
        compiled_operator_retain(compiled);
}

void clslice_compiled_operator_release(clslice_compiled_operator *compiled)
{
    compiled_operator_release(compiled);
}

int32_t clslice_compiled_operator_get_binding_properties(const clslice_compiled_operator *compiled,
                                                         struct DML_BINDING_PROPERTIES *properties,
                                                         clslice_error *error)
{
    CHECK_ERROR(error);
    CHECK_POINTER(compiled, error);
    CHECK_POINTER(properties, error);
    *properties = (DML_BINDING_PROPERTIES){0};
    return CLSLICE_S_OK;
}

int32_t clslice_compiled_operator_get_info(const clslice_compiled_operator *compiled,
                                           clslice_compiled_operator_info *info,
                                           clslice_error *error)
{
    clslice_compiled_operator_info whole;
    CHECK_ERROR(error);
    CHECK_POINTER(compiled, error);
    CHECK_POINTER(info, error);
    compiled_operator_info(compiled, &whole);
    return structs_write(info, &whole, sizeof whole, "clslice_compiled_operator_info", error);
}
