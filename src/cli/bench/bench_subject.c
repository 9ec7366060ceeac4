/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_subject.h"

#include "cli/bench/bench_case.h"
#include "cli/bench/bench_check.h"
#include "conformance/case_desc.h"
#include "conformance/case_run.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <inttypes.h>

enum { FILL_BYTES = 64 << 20 };

static enum bench_ready compile(struct bench_subject *subject, const char *variant,
                                struct problem *problem)
{
    clslice_error error = {.size = sizeof error};

    if (case_compile(subject->cl->device, &subject->c, variant, &subject->plan, &subject->info,
                     &subject->compiled, &error) == CLSLICE_S_OK)
        return BENCH_READY;
    problem_set(problem, "%s", error.text);
    return error.rule == CLSLICE_RULE_VARIANT ? BENCH_SKIPPED : BENCH_FAILED;
}

/* The offsets are bytes. */
static enum bench_ready bind(struct bench_subject *subject, uint64_t in_offset, uint64_t out_offset,
                             struct problem *problem)
{
    struct bench_cl *cl = subject->cl;

    if (!bench_cl_reserve(cl, in_offset + subject->plan.input_bytes,
                          out_offset + subject->plan.output_bytes, problem))
        return BENCH_SKIPPED;
    subject->in = (clslice_binding){.kind = CLSLICE_BINDING_CL_MEM,
                                    .handle = cl->in,
                                    .offset = in_offset,
                                    .size = subject->plan.input_bytes};
    subject->out = (clslice_binding){.kind = CLSLICE_BINDING_CL_MEM,
                                     .handle = cl->out,
                                     .offset = out_offset,
                                     .size = subject->plan.output_bytes};
    subject->is_aligned = in_offset % subject->info.input_alignment == 0 &&
                          out_offset % subject->info.output_alignment == 0;
    return BENCH_READY;
}

bool bench_subject_dispatch(const struct bench_subject *subject, cl_command_queue queue,
                            cl_event *event, struct problem *problem)
{
    clslice_error error = {.size = sizeof error};
    clslice_dispatch_desc desc = {
        .size = sizeof desc,
        .queue = queue,
        .inputs = &subject->in,
        .outputs = &subject->out,
        .input_count = 1,
        .output_count = 1,
    };

    return clslice_dispatch(subject->compiled, &desc, event, &error) == CLSLICE_S_OK ||
           problem_set(problem, "the dispatch failed: %s", error.text);
}

/* The first part is filled, what follows copied from what is before it: in a buffer of more than
 * 2 GiB, NVIDIA's driver 580.159 fills other memory than what lies behind these. */
static cl_int fill_output(const struct bench_cl *cl)
{
    const unsigned char untouched = BENCH_UNTOUCHED;
    size_t filled = cl->out_bytes < FILL_BYTES ? cl->out_bytes : FILL_BYTES, part;
    cl_int code =
        cl->clEnqueueFillBuffer(cl->queue, cl->out, &untouched, 1, 0, filled, 0, NULL, NULL);

    for (; filled < cl->out_bytes && code == CL_SUCCESS; filled += part) {
        part = cl->out_bytes - filled < filled ? cl->out_bytes - filled : filled;
        code = cl->clEnqueueCopyBuffer(cl->queue, cl->out, cl->out, 0, filled, part, 0, NULL, NULL);
    }
    return code;
}

/* One dispatch over an output of which every byte is known. */
static bool run_once(const struct bench_subject *subject, struct problem *problem)
{
    const struct bench_cl *cl = subject->cl;

    return problem_opencl("filling the output", fill_output(cl), problem) &&
           bench_subject_dispatch(subject, cl->queue, NULL, problem) &&
           bench_cl_finish(cl, cl->queue, problem);
}

static bool is_right(const struct bench_subject *subject, struct problem *problem)
{
    return bench_check(subject->cl, &subject->c, size_for(subject->in.offset),
                       size_for(subject->out.offset), size_for(subject->out.size), problem);
}

enum bench_ready bench_subject_open(struct bench_subject *subject, struct bench_cl *cl,
                                    const struct slice_case *c, uint32_t in_offset,
                                    uint32_t out_offset, const char *variant,
                                    struct problem *problem)
{
    uint64_t width = case_type_bytes(c->data_type);
    bool is_gpu = cl->info.device_class == CLSLICE_CLASS_GPU;
    uint32_t factor = is_gpu && c->flags & CASE_LARGE ? BENCH_GPU_FACTOR : 1;
    enum bench_ready ready = BENCH_FAILED;

    *subject = (struct bench_subject){.cl = cl,
                                      .c = *c,
                                      .plan = {.size = sizeof subject->plan},
                                      .info = {.size = sizeof subject->info}};
    if (factor > 1 && !bench_scale(c, factor, &subject->c))
        problem_set(problem, "%s: times %" PRIu32 ", it exceeds 32 bits", c->name, factor);
    else
        ready = compile(subject, variant, problem);
    if (ready == BENCH_READY)
        ready = bind(subject, in_offset * width, out_offset * width, problem);
    if (ready == BENCH_READY && !(run_once(subject, problem) && is_right(subject, problem)))
        ready = BENCH_FAILED;
    if (ready != BENCH_READY)
        bench_subject_close(subject);
    return ready;
}

void bench_subject_close(struct bench_subject *subject)
{
    clslice_compiled_operator_release(subject->compiled);
    subject->compiled = NULL;
}

const char *bench_subject_variant(const struct bench_subject *subject)
{
    return subject->is_aligned ? subject->info.variant : subject->info.variant_unaligned;
}

double bench_subject_gb_per_s(const struct bench_subject *subject, double seconds)
{
    return (double)subject->plan.floor_bytes / seconds / 1e9;
}
