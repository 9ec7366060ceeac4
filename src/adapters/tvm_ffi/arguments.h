/* SPDX-License-Identifier: MIT */
/* What a TVM-FFI caller passes: x, offsets, sizes, strides, out and perhaps a device. */
#ifndef CLSLICE_ADAPTERS_TVM_FFI_ARGUMENTS_H
#define CLSLICE_ADAPTERS_TVM_FFI_ARGUMENTS_H

#include <clslice/clslice.h>

#include <tvm/ffi/c_api.h>

enum { RANK_MAX = 8, SELECTOR_SIZE = 256 };

struct arguments {
    const DLTensor *x, *out; /* borrowed for the call */
    uint32_t rank;           /* of x; where it is above RANK_MAX, so many numbers were read */
    uint32_t offsets[RANK_MAX], sizes[RANK_MAX];
    int32_t strides[RANK_MAX];
    char selector[SELECTOR_SIZE]; /* empty: as CLSLICE_DEVICE says */
};

/* Checks types, counts and ranges; a slice's own rules are clslice's. */
const char *arguments_read(const TVMFFIAny *args, int32_t count, struct arguments *to,
                           clslice_error *error);

#endif
