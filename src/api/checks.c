/* SPDX-License-Identifier: MIT */
#include "api/checks.h"

int32_t checks_null_pointer(clslice_error *error, const char *name)
{
    return status_fail(error, CLSLICE_E_POINTER, WHERE(.rule = CLSLICE_RULE_NULL_POINTER),
                       "%s must not be NULL", name);
}

int32_t checks_tell_needed(const struct text *text, uint64_t *needed)
{
    if (needed)
        *needed = text->length + 1;
    return CLSLICE_S_OK;
}
