/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_check.h"

#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "conformance/reference.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { PARTS_MOST = 32 };

struct part {
    struct slice_case c;
    const unsigned char *in;
    unsigned char *out;
};

/* Coordinates [at, end) of one dimension of the output. */
static struct part part_of(const struct slice_case *c, const unsigned char *in, unsigned char *out,
                           uint32_t dim, uint32_t at, uint32_t end)
{
    struct part part = {*c, in, out};
    int64_t step = c->window_strides[dim];
    uint32_t span = (end - at - 1) * (uint32_t)(step < 0 ? -step : step) + 1;
    int64_t first = c->window_offsets[dim] + (step < 0 ? c->window_sizes[dim] - INT64_C(1) : 0);
    uint64_t strides[CASE_MAX_RANK];

    case_out_strides(c, strides);
    part.c.out_strided = true;
    for (uint32_t i = 0; i < c->rank; ++i)
        part.c.out_strides[i] = (uint32_t)strides[i];
    part.c.out_sizes[dim] = end - at;
    part.c.window_sizes[dim] = span;
    part.c.window_offsets[dim] = (uint32_t)(first + step * at - (step < 0 ? span - INT64_C(1) : 0));
    part.out += at * strides[dim] * case_type_bytes(c->data_type);
    return part;
}

static void *run_part(void *user)
{
    const struct part *part = user;

    reference_slice(&part->c, part->in, part->out, NULL);
    return NULL;
}

static uint32_t longest_dimension(const struct slice_case *c)
{
    uint32_t longest = 0;

    for (uint32_t i = 1; i < c->rank; ++i)
        if (c->out_sizes[i] > c->out_sizes[longest])
            longest = i;
    return longest;
}

/* By as many threads as there are processors. A part whose thread cannot be started runs here. */
static void expect(const struct slice_case *c, const unsigned char *in, unsigned char *out)
{
    uint32_t dim = longest_dimension(c), size = c->out_sizes[dim];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t count = processors < 1            ? 1
                     : processors < PARTS_MOST ? (uint32_t)processors
                                               : PARTS_MOST;
    struct part parts[PARTS_MOST];
    pthread_t threads[PARTS_MOST];
    bool is_running[PARTS_MOST];

    count = count < size ? count : size;
    for (uint32_t i = 0; i < count; ++i) {
        parts[i] = part_of(c, in, out, dim, (uint32_t)((uint64_t)size * i / count),
                           (uint32_t)((uint64_t)size * (i + 1) / count));
        is_running[i] = pthread_create(&threads[i], NULL, run_part, &parts[i]) == 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (is_running[i])
            pthread_join(threads[i], NULL);
        else
            run_part(&parts[i]);
    }
}

/* Zeros, and then a slice of the input, whose output is what of the gradient's is not 0. */
static void expect_gradient(const struct slice_case *c, const unsigned char *in, unsigned char *out)
{
    static const unsigned char zero[8];
    struct slice_case zeros = *c, copy = *c;
    unsigned char *start = out;
    uint64_t strides[CASE_MAX_RANK];

    case_out_strides(c, strides);
    zeros.op = copy.op = CASE_SLICE1;
    zeros.in_strided = copy.out_strided = true;
    for (uint32_t i = 0; i < c->rank; ++i) {
        int64_t step = c->window_strides[i];
        uint64_t apart = (uint64_t)(step < 0 ? -step : step), count = c->in_sizes[i];
        uint64_t first = c->window_offsets[i];

        if (step < 0)
            first += c->window_sizes[i] - 1 - (count - 1) * apart;
        out += first * strides[i] * case_type_bytes(c->data_type);
        zeros.in_sizes[i] = zeros.window_sizes[i] = c->out_sizes[i];
        copy.out_sizes[i] = copy.window_sizes[i] = c->in_sizes[i];
        zeros.in_strides[i] = zeros.window_offsets[i] = copy.window_offsets[i] = 0;
        zeros.window_strides[i] = 1;
        copy.window_strides[i] = step < 0 ? -1 : 1;
        copy.out_strides[i] = count > 1 ? (uint32_t)(apart * strides[i]) : 0;
    }
    expect(&zeros, zero, start);
    expect(&copy, in, out);
}

/* Compares so many bytes of the output, from `at` on, with what is expected. */
static bool compare(const struct bench_cl *cl, size_t out_offset, size_t at, size_t bytes,
                    struct problem *problem)
{
    unsigned char *found = cl->read, *expected = cl->expected + at;
    size_t i = 0;
    cl_int code = cl->clEnqueueReadBuffer(cl->queue, cl->out, CL_TRUE, out_offset + at, bytes,
                                          found, 0, NULL, NULL);

    if (!problem_opencl("clEnqueueReadBuffer", code, problem))
        return false;
    if (memcmp(found, expected, bytes) == 0)
        return true;
    while (found[i] == expected[i])
        ++i;
    return problem_set(problem,
                       "byte %zu of the output is 0x%02X, not 0x%02X; 'clslice verify' checks "
                       "the device",
                       at + i, found[i], expected[i]);
}

bool bench_check(const struct bench_cl *cl, const struct slice_case *c, size_t in_offset,
                 size_t out_offset, size_t bytes, struct problem *problem)
{
    const unsigned char *in = cl->input + in_offset;

    memset(cl->expected, BENCH_UNTOUCHED, bytes);
    if (c->op == CASE_SLICE_GRAD)
        expect_gradient(c, in, cl->expected);
    else
        expect(c, in, cl->expected);
    for (size_t at = 0; at < bytes; at += BENCH_READ_BYTES) {
        size_t part = bytes - at < BENCH_READ_BYTES ? bytes - at : BENCH_READ_BYTES;

        if (!compare(cl, out_offset, at, part, problem))
            return false;
    }
    return true;
}
