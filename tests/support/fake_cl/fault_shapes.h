/* SPDX-License-Identifier: MIT */
/* A few slices that go every way through dispatch. */
#ifndef CLSLICE_TESTS_SUPPORT_FAKE_CL_FAULT_SHAPES_H
#define CLSLICE_TESTS_SUPPORT_FAKE_CL_FAULT_SHAPES_H

#include "clslice/directml.h"

enum step_shape {
    SHAPE_ROWS,
    SHAPE_STRIDED,
    SHAPE_GAPS,
    SHAPE_PLANES,
    SHAPE_ELEMENTS,
    SHAPE_BIG,
    SHAPE_PAIRS
};

/* A description of the slice; valid until the process ends. Not for two threads at once. */
const DML_OPERATOR_DESC *shape_desc(enum step_shape which);

/* Bytes of the input and of the output. */
void shape_sizes(enum step_shape which, size_t *in, size_t *out);

/* The slice, by its definition: writes the elements that it addresses. */
void shape_slice(enum step_shape which, const unsigned char *in, unsigned char *out);

#endif
