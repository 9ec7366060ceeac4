/* SPDX-License-Identifier: MIT */
/* Errors on their way to the caller: functions that can fail return the kind that TVM-FFI raises,
 * the name of a Python exception, with its text in error->text; NULL is success. */
#ifndef CLSLICE_ADAPTERS_TVM_FFI_REFUSE_H
#define CLSLICE_ADAPTERS_TVM_FFI_REFUSE_H

#include <clslice/clslice.h>

/* Writes the text and returns the kind. */
const char *refuse(clslice_error *error, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4), returns_nonnull));

/* The kind of what a clslice function returned: NULL where it did not fail. */
const char *kind_of(int32_t status);

#endif
