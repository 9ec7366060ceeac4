/* SPDX-License-Identifier: MIT */
#include "conformance/case_run.h"

#include "conformance/case_desc.h"
#include "conformance/case_image.h"
#include "conformance/problem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BASE_ALIGNMENT = 64 };

/* Where the tensors lie in one of the dispatches of a case. */
struct placement {
    const char *name;
    uint32_t kind; /* CLSLICE_BINDING_* */
    /* Elements and bytes that the tensor begins behind its guard; the guard is 64-byte aligned. */
    uint32_t in_elements;
    uint32_t out_elements;
    uint32_t skew;
    bool is_tight; /* bound is the least size, else the total one */
};

/* What all kernels go through stands first, then what needs no host memory. */
enum { FORCED_PLACEMENTS = 2, MEM_PLACEMENTS = 3, PLACEMENTS = 6 };

static const struct placement placements[PLACEMENTS] = {
    {"cl_mem", CLSLICE_BINDING_CL_MEM, 0, 0, 0, false},
    {"cl_mem, unaligned", CLSLICE_BINDING_CL_MEM, 1, 3, 0, true},
    {"cl_mem, unaligned input", CLSLICE_BINDING_CL_MEM, 1, 0, 0, true},
    {"host memory", CLSLICE_BINDING_HOST, 0, 0, 0, false},
    {"host memory, unaligned", CLSLICE_BINDING_HOST, 3, 1, 0, true},
    {"host memory, not aligned to elements", CLSLICE_BINDING_HOST, 0, 0, 1, true},
};

/* One tensor in one placement. */
struct side {
    const struct case_image *image; /* borrowed */
    size_t skew;                    /* bytes from the buffer to the handle */
    size_t offset;                  /* bytes from the buffer to the tensor */
    size_t size;                    /* bytes of the whole buffer, guards included */
    unsigned char *buffer;          /* owned */
    cl_mem memory;                  /* owned; NULL for host memory */
};

static bool get_proc(const clslice_device *device, const char *name, void *slot,
                     struct problem *problem)
{
    void *address = clslice_device_get_proc(device, name);

    if (!address)
        return problem_set(problem, "the device's OpenCL has no %s", name);
    memcpy(slot, &address, sizeof address);
    return true;
}

bool case_context_init(struct case_context *context, clslice_device *device, const char *variant,
                       struct problem *problem)
{
    clslice_error error = {.size = sizeof error};
    clslice_opencl_objects objects = {.size = sizeof objects};

    *context = (struct case_context){.device = device, .variant = variant};
    if (clslice_device_get_opencl(device, &objects, &error) != CLSLICE_S_OK)
        return problem_set(problem, "%s", error.text);
    context->context = objects.context;
    context->queue = objects.queue;
    return get_proc(device, "clCreateBuffer", &context->create_buffer, problem) &&
           get_proc(device, "clEnqueueWriteBuffer", &context->write_buffer, problem) &&
           get_proc(device, "clEnqueueReadBuffer", &context->read_buffer, problem) &&
           get_proc(device, "clReleaseMemObject", &context->release_buffer, problem);
}

static bool side_init(const struct case_context *context, struct side *side,
                      const struct case_image *image, const struct placement *placement,
                      uint32_t elements, struct problem *problem)
{
    size_t width = case_type_bytes(image->c->data_type);
    size_t room;
    cl_int code = CL_SUCCESS;

    side->image = image;
    side->skew = placement->skew;
    side->offset = CASE_GUARD_BYTES + elements * width + side->skew;
    side->size = case_image_buffer_bytes(image, side->offset);
    room = (side->size + BASE_ALIGNMENT - 1) / BASE_ALIGNMENT * BASE_ALIGNMENT;
    side->buffer = aligned_alloc(BASE_ALIGNMENT, room);
    if (!side->buffer)
        return problem_set(problem, "out of memory for %zu bytes", side->size);
    case_image_fill(image, side->offset, side->buffer);
    if (placement->kind != CLSLICE_BINDING_CL_MEM)
        return true;
    side->memory =
        context->create_buffer(context->context, CL_MEM_READ_WRITE, side->size, NULL, &code);
    if (!problem_opencl("clCreateBuffer", code, problem))
        return false;
    code = context->write_buffer(context->queue, side->memory, CL_TRUE, 0, side->size, side->buffer,
                                 0, NULL, NULL);
    return problem_opencl("clEnqueueWriteBuffer", code, problem);
}

static void side_release(const struct case_context *context, struct side *side)
{
    if (side->memory)
        context->release_buffer(side->memory);
    free(side->buffer);
    *side = (struct side){0};
}

static clslice_binding side_binding(const struct side *side, const struct placement *placement)
{
    return (clslice_binding){
        .kind = placement->kind,
        .handle = side->memory ? (void *)side->memory : side->buffer + side->skew,
        .offset = side->offset - side->skew,
        .size = placement->is_tight ? side->image->span : side->image->size,
    };
}

static bool side_check(const struct case_context *context, struct side *side,
                       struct problem *problem)
{
    cl_int code = CL_SUCCESS;

    if (side->memory)
        code = context->read_buffer(context->queue, side->memory, CL_TRUE, 0, side->size,
                                    side->buffer, 0, NULL, NULL);
    return problem_opencl("clEnqueueReadBuffer", code, problem) &&
           case_image_check(side->image, side->offset, side->buffer, problem);
}

static bool dispatch(const struct case_context *context, clslice_compiled_operator *compiled,
                     const clslice_binding *in, const clslice_binding *out, struct problem *problem)
{
    clslice_error error = {.size = sizeof error};
    clslice_dispatch_desc desc = {
        .size = sizeof desc,
        .inputs = in,
        .outputs = out,
        .input_count = 1,
        .output_count = 1,
    };
    struct _cl_event *event = NULL;
    int32_t status = clslice_dispatch(compiled, &desc, &event, &error);

    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(context->device, event, &error);
    clslice_event_release(context->device, event);
    return status == CLSLICE_S_OK ||
           problem_set(problem, "the dispatch failed with 0x%08" PRIX32 ": %s", (uint32_t)status,
                       error.text);
}

static bool run_placement(const struct case_context *context, clslice_compiled_operator *compiled,
                          const struct case_image *in_image, const struct case_image *out_image,
                          const struct placement *placement, struct problem *problem)
{
    struct problem reason = {0};
    struct side in = {0};
    struct side out = {0};
    clslice_binding in_binding;
    clslice_binding out_binding;
    bool done = false;

    if (!side_init(context, &in, in_image, placement, placement->in_elements, &reason) ||
        !side_init(context, &out, out_image, placement, placement->out_elements, &reason))
        goto fail;
    in_binding = side_binding(&in, placement);
    out_binding = side_binding(&out, placement);
    done = dispatch(context, compiled, &in_binding, &out_binding, &reason) &&
           side_check(context, &out, &reason) && side_check(context, &in, &reason);
fail:
    /* A dispatch that failed halfway may still use the memory. */
    if (!done)
        clslice_device_finish(context->device, NULL);
    side_release(context, &in);
    side_release(context, &out);
    return done || problem_set(problem, "%s: %s", placement->name, reason.text);
}

int32_t case_compile(clslice_device *device, const struct slice_case *c, const char *variant,
                     clslice_plan_info *plan, clslice_compiled_operator_info *info,
                     clslice_compiled_operator **compiled, clslice_error *error)
{
    clslice_compile_options options = {.size = sizeof options, .variant = variant};
    clslice_operator *op = NULL;
    struct case_desc desc;
    int32_t status;

    *compiled = NULL;
    case_desc_init(&desc, c);
    status = clslice_operator_create(device, &desc.op, &op, error);
    if (status == CLSLICE_S_OK && plan)
        status = clslice_operator_get_plan(op, &options, plan, error);
    if (status == CLSLICE_S_OK)
        status = clslice_operator_compile(op, &options, compiled, error);
    if (status == CLSLICE_S_OK && info)
        status = clslice_compiled_operator_get_info(*compiled, info, error);
    clslice_operator_release(op);
    return status;
}

/* What a status of case_compile means. */
static enum case_result judge_compile(int32_t status, const clslice_error *error,
                                      const char *variant, struct problem *problem)
{
    if (status == CLSLICE_S_OK)
        return CASE_PASSED;
    if (variant && status == CLSLICE_E_INVALIDARG && error->rule == CLSLICE_RULE_VARIANT) {
        problem_set(problem, "%s", error->text);
        return CASE_SKIPPED;
    }
    problem_set(problem, "creation%s%s failed with 0x%08" PRIX32 ": %s", variant ? " of " : "",
                variant ? variant : "", (uint32_t)status, error->text);
    return error->rule == CLSLICE_RULE_BUILD ? CASE_REFUSED : CASE_FAILED;
}

static bool is_one_variant(const clslice_compiled_operator_info *info)
{
    return strcmp(info->variant, info->variant_unaligned) == 0;
}

/* Through the first `placement_count` placements, by `variant`, NULL: the planner's choice. */
static enum case_result run(const struct case_context *context, const struct slice_case *c,
                            const void *in, const void *out, const char *variant,
                            size_t placement_count, clslice_compiled_operator_info *info,
                            struct problem *problem)
{
    clslice_error error = {.size = sizeof error};
    clslice_compiled_operator *compiled;
    struct case_image in_image = {0};
    struct case_image out_image = {0};
    struct problem reason = {0};
    int32_t status = case_compile(context->device, c, variant, NULL, info, &compiled, &error);
    enum case_result result = judge_compile(status, &error, variant, problem);
    bool done = result == CASE_PASSED && case_image_of_input(&in_image, c, in, &reason) &&
                case_image_of_output(&out_image, c, out, &reason);

    for (size_t i = 0; i < placement_count && done; ++i)
        done = run_placement(context, compiled, &in_image, &out_image, &placements[i], &reason);
    if (result == CASE_PASSED && !done) {
        problem_set(problem, "%s%s%s: %s", info->variant, is_one_variant(info) ? "" : " or ",
                    is_one_variant(info) ? "" : info->variant_unaligned, reason.text);
        result = CASE_FAILED;
    }
    case_image_release(&in_image);
    case_image_release(&out_image);
    clslice_compiled_operator_release(compiled);
    return result;
}

enum case_result case_run(const struct case_context *context, const struct slice_case *c,
                          const void *in, const void *out, struct problem *problem)
{
    clslice_compiled_operator_info info = {.size = sizeof info};

    return run(context, c, in, out, context->variant,
               context->skips_host_memory ? MEM_PLACEMENTS : PLACEMENTS, &info, problem);
}

/* Whether the variant is for the same devices as what was planned, and not all of that. Names end
 * in "_cpu" or "_gpu". */
static bool is_another(const char *variant, const clslice_compiled_operator_info *planned)
{
    const char *devices = strrchr(variant, '_');

    return strstr(planned->variant, devices) &&
           !(is_one_variant(planned) && strcmp(variant, planned->variant) == 0);
}

enum case_result case_run_all(const struct case_context *context, const struct slice_case *c,
                              const void *in, const void *out, unsigned long *runs,
                              struct problem *problem)
{
    clslice_compiled_operator_info planned = {.size = sizeof planned};
    enum case_result result = run(context, c, in, out, NULL, PLACEMENTS, &planned, problem);
    const char *variant;

    *runs += result == CASE_PASSED;
    for (uint32_t i = 0; result == CASE_PASSED && (variant = clslice_variant_name(i)); ++i) {
        clslice_compiled_operator_info info = {.size = sizeof info};

        if (!is_another(variant, &planned))
            continue;
        result = run(context, c, in, out, variant, FORCED_PLACEMENTS, &info, problem);
        *runs += result == CASE_PASSED;
        if (result == CASE_SKIPPED)
            result = CASE_PASSED;
    }
    return result;
}
