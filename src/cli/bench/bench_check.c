/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_check.h"

#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "conformance/reference.h"
#include "conformance/size_for.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNTOUCHED = 0xA5, PARTS_MOST = 32 };

/* ---- The plain loop, by as many threads as there are processors ---- */

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

/* A part whose thread cannot be started runs here. */
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

/* ---- A dispatch beside it ---- */

/* One dispatch over an output of which every byte is known. */
static bool run_once(const struct bench_subject *subject, struct problem *problem)
{
    const unsigned char untouched = UNTOUCHED;
    const struct bench_cl *cl = subject->cl;
    cl_int code =
        cl->clEnqueueFillBuffer(cl->queue, cl->out, &untouched, 1, 0, cl->out_bytes, 0, NULL, NULL);

    return problem_opencl("clEnqueueFillBuffer", code, problem) &&
           bench_subject_dispatch(subject, cl->queue, NULL, problem) &&
           bench_cl_finish(cl, cl->queue, problem);
}

static bool compare(const struct bench_subject *subject, const unsigned char *in,
                    const unsigned char *out, struct problem *problem)
{
    size_t bytes = size_for(subject->out.size);
    unsigned char *expected = malloc(bytes);
    size_t at = 0;

    if (!expected)
        return problem_set(problem, "out of memory for %zu bytes", bytes);
    memset(expected, UNTOUCHED, bytes);
    expect(&subject->c, in, expected);
    if (memcmp(out, expected, bytes) == 0)
        at = bytes;
    while (at < bytes && out[at] == expected[at])
        ++at;
    if (at < bytes)
        problem_set(problem,
                    "byte %zu of the output is 0x%02X, not 0x%02X; 'clslice verify' checks "
                    "the device",
                    at, out[at], expected[at]);
    free(expected);
    return at == bytes;
}

/* The caller passes what it got back to unmap; NULL on failure. */
static void *map(const struct bench_cl *cl, const clslice_binding *binding, struct problem *problem)
{
    cl_int code = CL_SUCCESS;
    void *bytes = cl->clEnqueueMapBuffer(cl->queue, binding->handle, CL_TRUE, CL_MAP_READ,
                                         size_for(binding->offset), size_for(binding->size), 0,
                                         NULL, NULL, &code);

    return problem_opencl("clEnqueueMapBuffer", code, problem) ? bytes : NULL;
}

static void unmap(const struct bench_cl *cl, const clslice_binding *binding, void *bytes)
{
    if (bytes)
        cl->clEnqueueUnmapMemObject(cl->queue, binding->handle, bytes, 0, NULL, NULL);
}

bool bench_check(const struct bench_subject *subject, struct problem *problem)
{
    const struct bench_cl *cl = subject->cl;
    bool is_right = run_once(subject, problem);
    void *in = is_right ? map(cl, &subject->in, problem) : NULL;
    void *out = in ? map(cl, &subject->out, problem) : NULL;

    is_right = out && compare(subject, in, out, problem);
    unmap(cl, &subject->in, in);
    unmap(cl, &subject->out, out);
    cl->clFinish(cl->queue);
    return is_right;
}
