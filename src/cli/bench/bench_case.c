/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_case.h"

#include "conformance/cases.h"

#include <fnmatch.h>
#include <string.h>

static const char twin_suffix[] = "/awkward";

bool bench_is_wanted(const struct slice_case *c, const char *pattern)
{
    return (c->flags & (CASE_LARGE | CASE_OVERHEAD)) != 0 &&
           (!pattern || fnmatch(pattern, c->name, 0) == 0);
}

bool bench_is_twin(const struct slice_case *c)
{
    return c->name[bench_family_length(c)] != '\0';
}

size_t bench_family_length(const struct slice_case *c)
{
    const char *suffix = strstr(c->name, twin_suffix);

    return suffix ? (size_t)(suffix - c->name) : strlen(c->name);
}

static bool grow(uint32_t *number, uint32_t factor)
{
    uint64_t product = (uint64_t)*number * factor;

    *number = (uint32_t)product;
    return product <= UINT32_MAX;
}

/* Strides longer than the first dimension's have stepped over the whole of it. */
static bool grow_strides(uint32_t rank, uint32_t *strides, uint32_t factor)
{
    for (uint32_t i = 1; i < rank; ++i)
        if (strides[0] > 0 && strides[i] > strides[0] && !grow(&strides[i], factor))
            return false;
    return true;
}

bool bench_scale(const struct slice_case *c, uint32_t factor, struct slice_case *scaled)
{
    int64_t stride = c->window_strides[0];

    *scaled = *c;
    if (!grow(&scaled->in_sizes[0], factor) || !grow(&scaled->window_sizes[0], factor) ||
        !grow_strides(c->rank, scaled->in_strides, factor) ||
        !grow_strides(c->rank, scaled->out_strides, factor))
        return false;
    scaled->out_sizes[0] =
        (uint32_t)((scaled->window_sizes[0] - 1) / (stride < 0 ? -stride : stride) + 1);
    return true;
}

uint32_t bench_in_offset(const struct slice_case *c)
{
    return bench_is_twin(c) ? 1 : 0;
}

uint32_t bench_out_offset(const struct slice_case *c)
{
    return bench_is_twin(c) ? 3 : 0;
}
