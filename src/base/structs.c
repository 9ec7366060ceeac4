/* SPDX-License-Identifier: MIT */
#include "base/structs.h"

#include <inttypes.h>
#include <string.h>

enum { SIZE_MAX_BYTES = 64 << 10 }; /* above that, the size was never set */

static uint32_t size_of(const void *structure)
{
    uint32_t size;
    memcpy(&size, structure, sizeof size);
    return size;
}

int32_t structs_read(void *to, uint32_t known, uint32_t first, const void *from, const char *name,
                     clslice_error *error)
{
    uint32_t size = size_of(from);
    if (size < first || size > SIZE_MAX_BYTES)
        return status_fail(
            error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_STRUCT_SIZE, .value = {size, first, SIZE_MAX_BYTES}),
            "%s.size = %" PRIu32 " is outside %" PRIu32 " to %d: set it to sizeof(%s)", name, size,
            first, SIZE_MAX_BYTES, name);
    const unsigned char *bytes = from;
    for (uint32_t i = known; i < size; ++i)
        if (bytes[i] != 0)
            return status_fail(
                error, CLSLICE_E_NOTIMPL,
                WHERE(.rule = CLSLICE_RULE_STRUCT_UNKNOWN, .value = {size, i, known}),
                "%s.size = %" PRIu32 ": byte %" PRIu32 " is not 0, but this version knows only "
                "%" PRIu32 " bytes: set the others to 0",
                name, size, i, known);
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    return CLSLICE_S_OK;
}

int32_t structs_write(void *to, const void *from, uint32_t known, const char *name,
                      clslice_error *error)
{
    uint32_t size = size_of(to);
    if (size < 8)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_STRUCT_SIZE, .value = {size, known}),
                           "%s.size = %" PRIu32 " is below 8: set it to sizeof(%s)", name, size,
                           name);
    size = size < known ? size : known;
    memcpy(to, from, size);
    memcpy(to, &size, sizeof size);
    return CLSLICE_S_OK;
}
