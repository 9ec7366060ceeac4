/* SPDX-License-Identifier: MIT */
/* Cases of the table by name, and the slice that a case becomes. A case that is not there, or not
 * valid, fails the test. */
#ifndef CLSLICE_TESTS_SUPPORT_CASE_SLICE_H
#define CLSLICE_TESTS_SUPPORT_CASE_SLICE_H

#include "conformance/case_desc.h"
#include "conformance/cases.h"
#include "core/slice.h"
#include "support/suite.h"

#include <string.h>

static inline const struct slice_case *case_named(const char *name)
{
    for (size_t i = 0; i < slice_case_count; ++i)
        if (strcmp(slice_cases[i].name, name) == 0)
            return &slice_cases[i];
    ck_abort_msg("no case %s", name);
    return NULL;
}

static inline struct slice slice_of(const struct slice_case *c)
{
    struct case_desc desc;
    struct slice slice;
    clslice_error error = {.size = sizeof error};
    case_desc_init(&desc, c);
    if (slice_from(&desc.op, &slice, &error) != CLSLICE_S_OK)
        ck_abort_msg("%s: %s", c->name, error.text);
    return slice;
}

#endif
