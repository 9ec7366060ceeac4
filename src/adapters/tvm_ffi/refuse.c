/* SPDX-License-Identifier: MIT */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>

const char *refuse(clslice_error *error, const char *kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return kind;
}

const char *kind_of(int32_t status)
{
    if (status >= 0)
        return NULL;
    if (status == CLSLICE_E_INVALIDARG)
        return "ValueError";
    return status == CLSLICE_E_OUTOFMEMORY ? "MemoryError" : "RuntimeError";
}
