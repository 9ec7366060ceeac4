/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

enum { TEXT_LEAST = 256 };

bool status_error_fits(const clslice_error *error)
{
    return !error || error->size >= offsetof(clslice_error, text) + TEXT_LEAST;
}

int32_t status_fail(clslice_error *error, int32_t status, const struct where *where,
                    const char *format, ...)
{
    if (!error || !status_error_fits(error))
        return status;
    error->status = status;
    error->opencl = where->opencl;
    error->rule = where->rule;
    error->tensor = where->tensor;
    error->dimension = where->dimension ? where->dimension - 1 : CLSLICE_NO_DIMENSION;
    memcpy(error->value, where->value, sizeof error->value);
    error->item = where->item - 1; /* CLSLICE_NO_ITEM for 0 */

    /* The text may be longer than the member declares: the caller's size rules. */
    char *room = (char *)error + offsetof(clslice_error, text);
    struct text text = text_in(room, error->size - offsetof(clslice_error, text));
    va_list arguments;
    va_start(arguments, format);
    text_append_v(&text, format, arguments);
    va_end(arguments);
    text_escape(&text);
    error->text_length = text.length < UINT32_MAX ? (uint32_t)text.length : UINT32_MAX;
    return status;
}

int32_t status_out_of_memory(clslice_error *error, const char *what)
{
    return status_fail(error, CLSLICE_E_OUTOFMEMORY, WHERE(.rule = CLSLICE_RULE_MEMORY),
                       "out of memory for %s", what);
}
