/* SPDX-License-Identifier: MIT */
/* Status codes are CLSLICE_*; this fills the caller-owned clslice_error that goes with one. */
#ifndef CLSLICE_BASE_STATUS_H
#define CLSLICE_BASE_STATUS_H

#include "clslice/clslice.h"

#include <stdbool.h>

/* What a program may want to know of a failure; unnamed members are 0. */
struct where {
    uint32_t rule;      /* CLSLICE_RULE_* */
    uint32_t tensor;    /* CLSLICE_TENSOR_* */
    uint32_t dimension; /* index + 1; 0: none */
    uint64_t item;      /* the same */
    int32_t opencl;     /* code of the OpenCL call */
    uint64_t value[3];
};

/* For the `where` of status_fail. */
#define WHERE(...) (&(const struct where){__VA_ARGS__})
#define DIMENSION(index) .dimension = (uint32_t)(index) + 1
#define ITEM(index) .item = (uint64_t)(index) + 1

/* Fills `error` where it is not NULL and returns `status`. The text is one line of UTF-8. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
int32_t
status_fail(clslice_error *error, int32_t status, const struct where *where, const char *format,
            ...);

/* E_OUTOFMEMORY; `what` the memory was for. */
int32_t status_out_of_memory(clslice_error *error, const char *what);

/* Whether an error structure can take a text; a NULL one can. */
bool status_error_fits(const clslice_error *error);

#endif
