/* SPDX-License-Identifier: MIT */
/* What every exported function does first: it checks its handles and reads its structures. The
 * CHECK macros return from the calling function where something is wrong. */
#ifndef CLSLICE_API_CHECKS_H
#define CLSLICE_API_CHECKS_H

#include "base/structs.h"
#include "base/text.h"

#include <stddef.h>

/* Without an error structure that can be used, nothing can be told. */
#define CHECK_ERROR(error)               \
    do {                                 \
        if (!status_error_fits(error))   \
            return CLSLICE_E_INVALIDARG; \
    } while (0)

#define CHECK_POINTER(pointer, error)                    \
    do {                                                 \
        if (!(pointer))                                  \
            return checks_null_pointer(error, #pointer); \
    } while (0)

#define CHECK_STATUS(status)         \
    do {                             \
        int32_t status_ = (status);  \
        if (status_ != CLSLICE_S_OK) \
            return status_;          \
    } while (0)

/* Text in a caller's buffer, which may be NULL where it has no size. */
#define CHECK_TEXT(text, size, error)   \
    do {                                \
        if ((size) > 0)                 \
            CHECK_POINTER(text, error); \
    } while (0)

#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)NULL)->field))

/* Where the structures ended in version 1: what every host has. Never to be changed. */
enum {
    FIRST_clslice_device_options = END_OF(clslice_device_options, cache_bytes),
    FIRST_clslice_compile_options = END_OF(clslice_compile_options, variant),
    FIRST_clslice_dispatch_desc = END_OF(clslice_dispatch_desc, batch),
    FIRST_clslice_batch = END_OF(clslice_batch, skipped)
};

#define READ(type, to, from, error) \
    CHECK_STATUS(structs_read(to, sizeof(type), FIRST_##type, from, #type, error))

/* The same where the structure is optional: NULL reads as all 0. */
#define READ_OPTIONS(type, to, from, error) \
    do {                                    \
        if (from)                           \
            READ(type, to, from, error);    \
    } while (0)

int32_t checks_null_pointer(clslice_error *error, const char *name);

/* Stores how many bytes the text needs with its NUL; `needed` may be NULL. */
int32_t checks_tell_needed(const struct text *text, uint64_t *needed);

#endif
