/* SPDX-License-Identifier: MIT */
/* The reference: SLICE1 and SLICE_GRAD as plain loops. */
#ifndef CLSLICE_CONFORMANCE_REFERENCE_H
#define CLSLICE_CONFORMANCE_REFERENCE_H

#include <stddef.h>

struct slice_case;

/*
 * What a slice must give, found by the obvious loop over the output's coordinates; of a gradient,
 * by zeros, and then the loop over the input's. Knows nothing of the library. `in` and `out` hold
 * at least the tensors' spans, need no alignment and must not overlap. Only bytes of addressed
 * elements are written, and where `written` is not NULL its bytes at the same positions become 1.
 * The case must be valid.
 */
void reference_slice(const struct slice_case *c, const void *in, void *out, unsigned char *written);

/* The case whose output is what an ordinary C array would hold: `packed` without gaps,
 * row-major. */
void reference_pack(const struct slice_case *c, struct slice_case *packed);

/* The case that puts such an array where the output's strides want it. */
void reference_unpack(const struct slice_case *c, struct slice_case *unpack);

/*
 * Input for a case: the same pseudo-random bytes in every run, and among them the values that a
 * copy through a floating-point type would change (NaN payloads, signalling NaNs, -0, denormals)
 * for the case's element width. Fills `size` bytes.
 */
void reference_input(const struct slice_case *c, void *in, size_t size);

#endif
